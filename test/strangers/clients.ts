import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { actingFlows } from '../../conformance/observer/client/acting-flows.ts'
import { type CertifyClientOptions, certifyClient } from '../../conformance/run.ts'
import { officialClient } from '../../fixtures/clients/agent-webkit.ts'
import { sdkClient, statelessSdkClient } from '../../fixtures/clients/mcp.ts'
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

/** The flows of the wire itself; how the agent acts is not the doing of the SDK. */
const ACTING = actingFlows('mcp-client').map(({ name }) => name)
const MCP = { protocol: 'mcp', skip: ACTING.slice(1) } as const

/** How a client is certified; `python` is the Python of the strangers. */
type ClientOf = (python: string) => Pick<CertifyClientOptions, 'protocol' | 'command' | 'client' | 'skip'>

/** MUSTs that a library breaks, by the name of its client. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  // The SDK for Python 2.0 takes a result of any type for a complete one.
  'mcp-python-stateless-client': ['mcp-client:stateless:result-type'],
}

const program = (python: string, name: string) => `"${python}" "${fileURLToPath(new URL(name, import.meta.url))}"`

/** The clients that others wrote, and small programs over their libraries. */
const CLIENTS: Readonly<Record<string, ClientOf>> = {
  'agent-webkit-client': () => ({ protocol: 'agent-webkit', client: officialClient }),
  'windieos-client': (python) => ({ protocol: 'windieos', command: program(python, 'windieos_client.py') }),
  'mcp-typescript-client': () => ({ ...MCP, client: sdkClient }),
  'mcp-typescript-stateless-client': () => ({ ...MCP, client: statelessSdkClient }),
  'mcp-python-client': (python) => ({ ...MCP, command: `${program(python, 'mcp_agent.py')} legacy` }),
  'mcp-python-stateless-client': (python) => ({ ...MCP, command: `${program(python, 'mcp_agent.py')} auto` }),
}

/** Certifies the clients whose names contain a word, and prints a line for each. Returns the MUSTs that they are accused of. */
export async function problemsOfClients(
  python: string,
  only: string,
  print: (line: string) => void,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [name, clientOf] of Object.entries(CLIENTS)) {
    if (!name.includes(only)) continue
    const { unreachable, results, conclusion } = await certifyClient({ ...clientOf(python), repeats: 1 })
    const accused = results.filter(
      ({ id, level, status }) =>
        level === 'MUST' && !['passed', 'unchecked'].includes(status) && !KNOWN[name]?.includes(id),
    )
    problems.push(
      ...(unreachable === undefined ? [] : [`${name}: ${unreachable}`]),
      ...accused.map(({ id, why = '' }) => `${name}: ${id}: ${why}`),
    )
    print(`${name}: ${conclusion.counts.passed} passed, ${accused.length} accused`)
  }
  return problems
}
