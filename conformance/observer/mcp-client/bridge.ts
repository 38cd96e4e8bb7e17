import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program that a client can start as its MCP server. It passes everything on to the scripted server. */
export interface Bridge {
  /** The command line that starts it, without shell characters. */
  readonly command: string
  remove(): void
}

/** The line that the program writes when its input ends or it receives a termination signal. */
export const INPUT_ENDED = '\u0004 input ended'
export const TERMINATED = '\u0004 terminated'

const program = (port: number): string => `
const socket = require('node:net').connect(${port}, '127.0.0.1')
socket.write('GET /mcp HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nConnection: Upgrade\\r\\nUpgrade: mcp\\r\\n\\r\\n')
const end = (line) => socket.end('\\n' + line + '\\n')
process.stdin.on('data', (bytes) => socket.write(bytes))
process.stdin.on('end', () => end(${JSON.stringify(INPUT_ENDED)}))
process.on('SIGTERM', () => { end(${JSON.stringify(TERMINATED)}); setTimeout(() => process.exit(143), 100) })
socket.on('data', (bytes) => process.stdout.write(bytes))
socket.on('error', () => process.exit(1))
socket.on('close', () => process.exit(0))
`

/** Writes the program for the scripted server at a port. */
export function bridgeTo(port: number): Bridge {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-mcp-'))
  const path = join(folder, 'server.cjs')
  writeFileSync(path, program(port))
  return { command: `node ${path}`, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
