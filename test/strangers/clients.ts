import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { certifyClient } from '../../conformance/run.ts'
import { createTestbed } from '../../src/index.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CLIENT = fileURLToPath(new URL('./mcp_client.py', import.meta.url))
const AGENT = fileURLToPath(new URL('./mcp_agent.py', import.meta.url))
const SERVE = ['--import', 'tsx', 'src/cli/main.ts', 'serve', '--mode', 'mcp', '--scenario', 'login']

/** How the client asks for a revision, and the one that it has to get. */
const REVISIONS = { legacy: '2025-11-25', auto: '2026-07-28', '2026-07-28': '2026-07-28' } as const

/** Lets the MCP client of the SDK for Python sign in under each revision, over HTTP and on standard input. Returns what is wrong. */
export async function problemsOfMcpClient(python: string): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [mode, revision] of Object.entries(REVISIONS)) {
    await using testbed = await createTestbed({ scenario: 'login' })
    const { url } = await testbed.serveRest({ port: 0 })
    const wires = { HTTP: ['--url', `${url}/mcp`], 'standard input': ['--', process.execPath, ...SERVE] }
    for (const [wire, args] of Object.entries(wires)) {
      const { stdout } = await promisify(execFile)(python, [CLIENT, '--mode', mode, ...args], { cwd: ROOT })
      const { tools, ...seen } = JSON.parse(stdout)
      const wanted = { revision, kinds: ['text', 'image'], title: 'Acme — Welcome' }
      if (tools === 0 || JSON.stringify(seen) !== JSON.stringify(wanted))
        problems.push(`the client for Python, mode ${mode}, over ${wire}: ${stdout.trim()}`)
    }
  }
  return problems
}

/** The flows of the wire itself; how the agent acts is not the doing of the SDK. */
const WIRE_FLOWS = ['press', 'handshake', 'version', 'notifications', 'ping', 'unknown-request', 'lost-server']

/** Certifies an agent over the MCP client of the SDK for Python. Returns the MUSTs that it is accused of. */
export async function problemsOfMcpAgent(python: string): Promise<readonly string[]> {
  const command = `"${python}" "${AGENT}"`
  const { unreachable, results } = await certifyClient({ protocol: 'mcp', command, repeats: 1, only: WIRE_FLOWS })
  if (unreachable !== undefined) return [unreachable]
  const accused = results.filter(({ level, status }) => level === 'MUST' && !['passed', 'unchecked'].includes(status))
  return accused.map(({ id, why = '' }) => `the agent over the client for Python: ${id}: ${why}`)
}
