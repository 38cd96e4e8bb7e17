import { Fault } from '../../base/fault.ts'
import {
  type Capabilities,
  COMPUTER_CAPABILITIES,
  type ComputerCapability,
  capabilitiesWithout,
} from '../capabilities.ts'
import { isLacking, misunderstood, type RemoteAnswer, type RemoteConnection, recover } from './connection.ts'

/** What the other server says about itself. */
export interface RemoteServer {
  readonly platform: string
  readonly adapter: string
  readonly version: string
  /** Whether its desktop is a scenario. */
  readonly synthetic: boolean
  readonly tools: ReadonlySet<string>
  /** The number of levels of a tree that it returns. Undefined if it does not say. */
  readonly treeDepth: number | undefined
  readonly supports: Capabilities
}

/**
 * Asks a server what it is. Throws the reason why it cannot be used: it is not running or not an observer, it refuses the
 * token, or it has only the first version of the protocol, without uids of windows.
 */
export async function greet({ send, at }: RemoteConnection, timeoutMs: number): Promise<RemoteServer> {
  const get = (path: string) => send({ method: 'GET', path }, { timeoutMs })
  const health = await get('/api/healthz').catch((thrown) => {
    throw refusal(thrown, at)
  })
  if (typeof health.adapter !== 'string') throw misunderstood('answered GET /api/healthz without an adapter', at)
  const [about, listed, { windows }] = await Promise.all([
    get('/api/capabilities').catch(recover<RemoteAnswer>(isLacking, {})),
    get('/api/tools').catch(recover<RemoteAnswer>(isLacking, {})),
    get('/api/windows'),
  ])
  const isIdentified = (each: unknown) => typeof Object(each).window_uid === 'string'
  if (!Array.isArray(windows) || !windows.every(isIdentified))
    throw misunderstood('lists windows without window_uid, which version 2 of the protocol has', at)
  const { platform, version, config } = { ...health, ...about } as RemoteAnswer
  const depth = Object(config).tree_max_depth
  const tools = new Set(Array.isArray(listed.tools) ? listed.tools.filter((name) => typeof name === 'string') : [])
  return {
    platform: typeof platform === 'string' ? platform : 'Linux',
    adapter: health.adapter,
    version: typeof version === 'string' ? version : 'unknown',
    synthetic: Object(about.supports).scenarios === true,
    tools,
    treeDepth: Number.isInteger(depth) ? (depth as number) : undefined,
    supports: remoteCapabilities(tools, about),
  }
}

/** The fault of the first request, in terms of the start. */
function refusal(thrown: unknown, at: string): unknown {
  if (!(thrown instanceof Fault)) return thrown
  if (thrown.context.connection === 'lost') return new Fault('PlatformUnsupported', String(thrown.context.reason))
  if (isLacking(thrown)) return misunderstood(`has no GET /api/healthz (${thrown.message})`, at)
  return thrown.code === 'PermissionDenied' && !thrown.message.startsWith(at)
    ? new Fault('PermissionDenied', `${at} refuses this client: ${thrown.message}`)
    : thrown
}

/** The tools of the protocol without which something is missing. All others have a documented route. */
const NEEDED_TOOLS: Readonly<Partial<Record<ComputerCapability, readonly string[]>>> = {
  raise_windows: ['bring_to_foreground'],
  stacking_order: ['get_visible_areas'],
  primitive_input: [
    ...['get_pointer', 'move_pointer', 'mouse_down', 'mouse_up', 'mouse_click', 'mouse_drag', 'mouse_scroll'],
    ...['key_down', 'key_up', 'hold_key'],
  ],
}

/** The names of the document for capabilities. */
const DOCUMENTED: Readonly<Record<string, ComputerCapability>> = {
  accessibility_tree: 'accessibility_tree',
  uia_invoke: 'native_actions',
  occlusion_detection: 'stacking_order',
  drag: 'drag',
  primitive_input: 'primitive_input',
}

/** What belongs to the process of the other server. */
export const REMOTE_LIMITS = {
  clipboard: 'the clipboard stays with the other server; call its tools there',
  files: 'files stay with the other server; call its tools there',
  simulation: 'scenario, time, forks and oracles stay with the other server; call its tools there',
  annotations: 'the other server sends pictures and trees, not the area of each element in a picture',
} as const satisfies Readonly<Partial<Record<ComputerCapability, string>>>

/** What can be done with a server that has these tools, and says this about itself. */
export function remoteCapabilities(tools: ReadonlySet<string>, about: RemoteAnswer): Capabilities {
  const lacking: [ComputerCapability, string][] = []
  for (const [capability, names] of Object.entries(NEEDED_TOOLS) as [ComputerCapability, readonly string[]][]) {
    const absent = names.filter((name) => !tools.has(name))
    if (absent.length > 0) lacking.push([capability, `the other server does not offer ${absent.join(', ')}`])
  }
  for (const [name, capability] of Object.entries(DOCUMENTED))
    if (Object(about.supports)[name] === false)
      lacking.push([capability, `the desktop of the other server does not support ${name}`])
  // A server of the same kind gives its own reasons.
  for (const [name, reason] of Object.entries(Object(about.unsupported)))
    if (Object.hasOwn(COMPUTER_CAPABILITIES, name) && typeof reason === 'string')
      lacking.push([name as ComputerCapability, reason])
  return capabilitiesWithout({ ...Object.fromEntries(lacking), ...REMOTE_LIMITS })
}
