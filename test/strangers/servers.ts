import { fileURLToPath } from 'node:url'
import { createProfile, type Section } from '../../conformance/profile.ts'
import type { CertifiedProtocol } from '../../conformance/protocols.ts'
import type { CertifyOptions } from '../../conformance/run.ts'
import { findFreePort, startCommand, waitUntilAnswering } from '../../conformance/servers/processes.ts'

/** A server that was written from a document, by somebody who has not read this suite. */
export interface Stranger {
  readonly protocol: CertifiedProtocol
  /** The program in this folder, for Python or Node. */
  readonly program: string
  /** Further arguments of the program. */
  readonly args?: string
  /** It is a command on standard input and output, without an address. */
  readonly isStdio?: boolean
  readonly token?: string
  /** The parts of the document that it implements, as beginnings of ids; all of its tier when absent. */
  readonly only?: readonly string[]
  readonly profile: Partial<Section>
}

const DESK = fileURLToPath(new URL('../../conformance/scenarios/desk.yaml', import.meta.url))

/** What any MCP server on standard input and output has. */
const MCP_RULES = ['initialize', 'unknown', 'notifications', 'clean', 'end', 'unknown-tool', 'survives', 'version'].map(
  (id) => `observer:mcp:${id}`,
)

export const STRANGERS = {
  'agent-webkit-server': {
    protocol: 'agent-webkit',
    program: 'agent_webkit.py',
    token: 'stranger',
    profile: {
      tier: 'sdk',
      phrases: {
        hello: 'hello',
        tool: 'search the web',
        permission: 'delete the file',
        question: 'plan my trip',
        long: 'list all countries',
        burst: 'list all countries',
        flood: 'read the encyclopedia',
        endless: 'count to a million',
      },
    },
  },
  'osworld-like': {
    protocol: 'osworld',
    program: 'osworld.py',
    only: [
      ...['ready', 'platform', 'screen', 'pointer', 'tree:well-formed', 'tree:names', 'tree:tuples', 'tree:focused'],
      ...['program:prefix', 'program:output', 'program:error', 'program:sleep', 'input'],
      ...['action', 'company', 'tree:limits'],
      ...['shape:get-screenshot', 'shape:get-platform', 'shape:get-cursor_position', 'shape:post-screen_size'],
      ...['shape:post-execute', 'shape:get-accessibility'],
    ].map((id) => `osworld:${id}`),
    profile: { tier: 'full', known: { field: 'Ship', toggle: 'Moored', scrolled: 'Berth 22' } },
  },
  'observer-like': {
    protocol: 'observer',
    program: 'observer.py',
    args: `--scenario "${DESK}"`,
    only: [
      ...['health:ready', 'health:steps', 'windows:count', 'windows:uids', 'windows:focus', 'structure:count'],
      ...['structure:window', 'structure:ids', 'structure:bounds', 'structure:focus', 'find:element', 'find:missing'],
      ...['find:matches', 'error:ElementNotFound', 'error:ElementDisabled', 'error:WindowGone', 'element:click'],
      ...['element:focus', 'element:set-value', 'receipt:hashes', 'receipt:target', 'receipt:dry-run', 'receipt:steps'],
      ...['receipt:dialogs', 'action:type', 'action:mistyped', 'description:', 'scenario:', 'shape:get-api-windows'],
      ...['shape:get-api-structure', 'shape:get-api-find_element', 'shape:post-api-element-focus'],
      ...['shape:get-api-description', 'shape:get-api-healthz'],
    ].map((id) => `observer:${id}`),
    profile: { tier: 'full', known: { scenarios: { desk: DESK } } },
  },
  'mcp-fastmcp': {
    protocol: 'observer',
    program: 'mcp_fastmcp.py',
    isStdio: true,
    only: MCP_RULES,
    profile: {},
  },
  'mcp-python-sdk': {
    protocol: 'observer',
    program: 'mcp_sdk.py',
    isStdio: true,
    only: MCP_RULES,
    profile: {},
  },
  'mcp-typescript-sdk': {
    protocol: 'observer',
    program: 'mcp_sdk.mjs',
    isStdio: true,
    only: MCP_RULES,
    profile: {},
  },
} as const satisfies Readonly<Record<string, Stranger>>

export type StrangerName = keyof typeof STRANGERS

/** Milliseconds that Python takes to start on a busy machine. */
const START_MS = 60_000

/** Starts a stranger, with a planted fault if one is given; returns how to certify it. */
export async function startStranger(
  name: StrangerName,
  python: string,
  fault = '',
): Promise<{ readonly options: CertifyOptions; close(): Promise<void> }> {
  const stranger: Stranger = STRANGERS[name]
  const runner = stranger.program.endsWith('.py') ? python : process.execPath
  const program = `"${runner}" "${fileURLToPath(new URL(stranger.program, import.meta.url))}"`
  const env = { ...process.env, FAULT: fault, PYTHONDONTWRITEBYTECODE: '1' }
  const given = {
    protocol: stranger.protocol,
    profile: createProfile(name, stranger.profile),
    ...(stranger.only && { only: stranger.only }),
    ...(stranger.token !== undefined && { token: stranger.token }),
  }
  if (stranger.isStdio) return { options: { ...given, command: program }, close: async () => {} }
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const server = startCommand(`exec ${program} --port ${port} ${stranger.args ?? ''}`, { env })
  if (!(await waitUntilAnswering(url, server, START_MS))) {
    await server.stop()
    throw new Error(`${stranger.program} does not answer: ${server.stderr}`)
  }
  return { options: { ...given, url }, close: server.stop }
}
