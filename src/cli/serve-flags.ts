import { Option } from 'commander'
import type { AdapterName, GnomeInput, LinuxSession } from '../adapters/open-computer.ts'
import { isLoopback } from '../base/host.ts'
import type { AgentProtocol, FlagValues } from '../protocols/protocol.ts'
import { AGENT_PROTOCOLS, PROTOCOL_NAMES, type ProtocolName, SESSION_PROTOCOLS } from '../protocols/registry.ts'
import { UserError } from './arguments.ts'

/** The flags of `backlot serve`. Those of a protocol, such as `naviPort`, come from its definition. */
export interface ServeFlags extends Readonly<Record<string, unknown>> {
  readonly adapter: AdapterName
  readonly url?: string
  readonly remoteToken?: string
  readonly mock?: boolean
  readonly readOnly?: boolean
  readonly stopFile?: string
  readonly watch?: boolean
  readonly protocols: readonly ProtocolName[]
  readonly auth?: 'install' | 'none'
  readonly data: string
  readonly script?: string
  readonly profiles?: string
  readonly record?: string
  readonly quiet?: boolean
  readonly mode: 'auto' | 'inspect' | 'mcp' | 'both'
  readonly config?: string
  readonly scenario?: string
  readonly root?: readonly string[]
  readonly host?: string
  readonly port?: number
  readonly token?: string
  readonly insecure?: boolean
  readonly tools: 'all' | 'agent'
  readonly harnessToken?: string
  readonly harnessPort?: number
  readonly wireLog?: boolean
  readonly sharedFrames?: boolean
  readonly clock: 'virtual' | 'real'
  readonly timeScale: number
  readonly yieldToPerson?: number
  readonly session?: LinuxSession
  readonly gnomeInput?: GnomeInput
  readonly seed?: number
  readonly variant?: readonly string[]
  readonly personality?: string
  readonly style?: string
  readonly variants?: number
  readonly faults?: readonly string[]
  readonly maxActions?: number
  readonly maxScreenshots?: number
  readonly maxVlmTokens?: number
  readonly maxSessionSeconds?: number
  readonly actionsPerMinute?: number
}

const OVER_SESSION: readonly ProtocolName[] = SESSION_PROTOCOLS.map(({ name }) => name)
/** Those whose requests call tools of the served session. */
const WIRE_LOGGED: readonly ProtocolName[] = SESSION_PROTOCOLS.filter(({ isForAgents }) => isForAgents).map(
  ({ name }) => name,
)
const AGENT_PROTOCOL_NAMES: readonly ProtocolName[] = AGENT_PROTOCOLS.map(({ name }) => name)

/** `--auth` for `--auth <mode>`. */
const longOf = (syntax: string): string => new Option(syntax).long!

/** The value of a flag by its long name, or undefined if it is not set. */
export const flagValue = (flags: ServeFlags, flag: string): unknown => flags[new Option(flag).attributeName()]

/** The values of a protocol's own flags, by name without dashes. */
export const ownFlags = ({ flags: own }: AgentProtocol, flags: ServeFlags): FlagValues =>
  Object.fromEntries(own.map(({ syntax }) => [longOf(syntax).slice(2), flagValue(flags, longOf(syntax))]))

/** The protocols that use an option, for options that do not apply to every protocol. */
const USED_BY: Readonly<Record<string, readonly ProtocolName[]>> = {
  '--port': ['observer'],
  '--token': [
    'observer',
    ...AGENT_PROTOCOLS.filter(({ tokenVariable }) => tokenVariable).map(({ name }) => name),
    ...OVER_SESSION,
  ],
  '--tools': ['observer', ...OVER_SESSION],
  '--harness-token': ['observer', ...OVER_SESSION],
  '--harness-port': ['observer'],
  '--wire-log': ['observer', ...WIRE_LOGGED],
  '--shared-frames': ['observer'],
  '--script': AGENT_PROTOCOL_NAMES,
  '--profiles': AGENT_PROTOCOL_NAMES,
  '--record': AGENT_PROTOCOL_NAMES,
  ...Object.fromEntries(OVER_SESSION.map((name) => [`--${name}-port`, [name]])),
  ...Object.fromEntries(
    AGENT_PROTOCOLS.flatMap(({ name, flags }) =>
      [`--${name}-port`, ...flags.map(({ syntax }) => longOf(syntax))].map((flag) => [flag, [name]]),
    ),
  ),
}

/** Refuses options that would have no effect. `given` are the long names of the options on the command line. */
export function checkFlags(flags: ServeFlags, given: readonly string[]): void {
  const { mode, protocols, adapter, clock, mock, tools } = flags
  const unserved = protocols.find((name) => name !== 'observer')
  if (mode === 'mcp' && unserved) throw new UserError(`--mode mcp does not serve ${unserved}; use --mode both`)
  for (const option of given) {
    const users = USED_BY[option] ?? PROTOCOL_NAMES
    if (protocols.some((name) => users.includes(name))) continue
    const right = [...protocols, users[0]].join(',')
    throw new UserError(`${option} applies to ${users.join(', ')} only; omit it or use --protocols ${right}`)
  }
  for (const protocol of AGENT_PROTOCOLS) {
    const conflict = protocol.conflict?.(ownFlags(protocol, flags))
    if (conflict !== undefined) throw new UserError(conflict)
  }
  if (mock && adapter !== 'synthetic')
    throw new UserError(`--mock selects a synthetic desktop and --adapter ${adapter} a real one; give only one of them`)
  const synthetic = given.find((option) =>
    ['--scenario', '--seed', '--variant', '--personality', '--variants', '--faults', '--watch'].includes(option),
  )
  if (synthetic && adapter !== 'synthetic')
    throw new UserError(`${synthetic} applies to synthetic desktops only; omit it or use --adapter synthetic`)
  if (given.includes('--yield-to-person') && adapter === 'synthetic')
    throw new UserError('--yield-to-person applies to real desktops only; omit it or use --adapter linux')
  if (given.includes('--yield-to-person') && adapter === 'remote')
    throw new UserError('--yield-to-person applies to the machine of the person; give it to the other server')
  const ofLinux = given.find((option) => ['--session', '--gnome-input'].includes(option))
  if (ofLinux && adapter !== 'linux' && adapter !== 'auto')
    throw new UserError(`${ofLinux} applies to the desktops of Linux only; omit it or use --adapter linux`)
  if (adapter === 'remote' && flags.url === undefined)
    throw new UserError('--adapter remote needs the URL of the other server; add --url http://HOST:5001')
  const remote = given.find((option) => ['--url', '--remote-token'].includes(option))
  if (remote && adapter !== 'remote')
    throw new UserError(`${remote} applies to --adapter remote only; omit it or add --adapter remote`)
  const separated = given.find((option) => ['--harness-token', '--harness-port'].includes(option))
  if (separated && tools !== 'agent')
    throw new UserError(`${separated} has no effect without --tools agent; add --tools agent or omit the option`)
  if (separated && mode === 'mcp')
    throw new UserError(`${separated} applies to REST, which --mode mcp does not serve; use --mode both`)
  if (given.includes('--wire-log') && mode === 'mcp')
    throw new UserError('--wire-log applies to HTTP, which --mode mcp does not serve; use --mode both')
  if (given.includes('--time-scale') && adapter === 'synthetic' && clock === 'virtual')
    throw new UserError('--time-scale applies to the real clock only; omit it or use --clock real')
}

/** The address of a protocol, and whether clients need a secret. */
export interface Listener {
  readonly name: string
  readonly host: string
  /** Whether `--token` sets its secret. */
  readonly supportsToken: boolean
  readonly requiresToken: boolean
}

/**
 * Refuses listeners that other machines can reach without a token, unless the operator passes `--insecure`. Returns the
 * warning to print in that case.
 */
export function checkListeners(listeners: readonly Listener[], insecure: boolean): string | undefined {
  const open = listeners.find(({ host, requiresToken }) => !isLoopback(host) && !requiresToken)
  if (!open) return undefined
  const { name, host, supportsToken } = open
  const remedy = supportsToken ? 'put a secret into BACKLOT_TOKEN, or give' : 'it does not support tokens; give'
  if (!insecure)
    throw new UserError(`other machines can reach ${name} on ${host}; ${remedy} --insecure to serve it without a token`)
  return `
  ****************************************************************
  *  WARNING: unauthenticated action API exposed to the network  *
  *  Every client that can reach ${host.padEnd(31)} *
  *  can see this desktop and act on it.                         *
  ****************************************************************
`
}
