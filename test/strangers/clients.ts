import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createTestbed } from '../../src/index.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CLIENT = fileURLToPath(new URL('./mcp_client.py', import.meta.url))
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
