import { Option } from 'commander'
import type { AgentProtocol, FlagValues } from '../protocols/definition.ts'
import { AGENT_PROTOCOLS, PROTOCOL_NAMES, type ProtocolName } from '../protocols/registry.ts'
import { UserError } from './user-error.ts'

/** The flags of `backlot serve`. Those of a protocol, such as `naviPort`, come from its definition. */
export interface ServeFlags extends Readonly<Record<string, unknown>> {
  readonly adapter: 'synthetic' | 'linux' | 'auto'
  readonly mock?: boolean
  readonly readOnly?: boolean
  readonly stopFile?: string
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
  readonly clock: 'virtual' | 'real'
  readonly timeScale: number
  readonly yieldToPerson?: number
  readonly seed?: number
  readonly maxActions?: number
  readonly maxScreenshots?: number
  readonly maxVlmTokens?: number
  readonly maxSessionSeconds?: number
  readonly actionsPerMinute?: number
}

const AGENT_PROTOCOL_NAMES: readonly ProtocolName[] = AGENT_PROTOCOLS.map(({ name }) => name)

/** `--auth` for `--auth <mode>`. */
const longOf = (syntax: string): string => new Option(syntax).long!

/** The value of a flag, by its name with dashes; undefined when it is not set. */
export const flagValue = (flags: ServeFlags, flag: string): unknown => flags[new Option(flag).attributeName()]

/** The values of a protocol's own flags, by their names without dashes. */
export const ownFlags = ({ flags: own }: AgentProtocol, flags: ServeFlags): FlagValues =>
  Object.fromEntries(own.map(({ syntax }) => [longOf(syntax).slice(2), flagValue(flags, longOf(syntax))]))

/** The protocols that use an option, for those that not every protocol uses. */
const USED_BY: Readonly<Record<string, readonly ProtocolName[]>> = {
  '--port': ['observer'],
  '--token': ['observer', ...AGENT_PROTOCOLS.filter(({ tokenVariable }) => tokenVariable).map(({ name }) => name)],
  '--tools': ['observer'],
  '--harness-token': ['observer'],
  '--harness-port': ['observer'],
  '--script': AGENT_PROTOCOL_NAMES,
  '--profiles': AGENT_PROTOCOL_NAMES,
  '--record': AGENT_PROTOCOL_NAMES,
  ...Object.fromEntries(
    AGENT_PROTOCOLS.flatMap(({ name, flags }) =>
      [`--${name}-port`, ...flags.map(({ syntax }) => longOf(syntax))].map((flag) => [flag, [name]]),
    ),
  ),
}

/** Whoever gives an option counts on its effect, so one that would have none is refused. `given` are their long names. */
export function checkFlags(flags: ServeFlags, given: readonly string[]): void {
  const { mode, protocols, adapter, clock, mock, tools } = flags
  const unheard = protocols.find((name) => name !== 'observer')
  if (mode === 'mcp' && unheard)
    throw new UserError(`${unheard} is not served with --mode mcp; --mode both serves both`)
  for (const option of given) {
    const users = USED_BY[option] ?? PROTOCOL_NAMES
    if (protocols.some((name) => users.includes(name))) continue
    const right = [...protocols, users[0]].join(',')
    throw new UserError(`${option} is for ${users.join(', ')} only; leave it out or use --protocols ${right}`)
  }
  for (const protocol of AGENT_PROTOCOLS) {
    const conflict = protocol.conflict?.(ownFlags(protocol, flags))
    if (conflict !== undefined) throw new UserError(conflict)
  }
  if (mock && adapter !== 'synthetic')
    throw new UserError(`--mock is a synthetic desktop and --adapter ${adapter} a real one; give one of them`)
  const played = given.find((option) => ['--scenario', '--seed'].includes(option))
  if (played && adapter !== 'synthetic')
    throw new UserError(`${played} is for a synthetic desktop only; leave it out or use --adapter synthetic`)
  if (given.includes('--yield-to-person') && adapter === 'synthetic')
    throw new UserError('--yield-to-person is for a real desktop only; leave it out or use --adapter linux')
  const separated = given.find((option) => ['--harness-token', '--harness-port'].includes(option))
  if (separated && tools !== 'agent')
    throw new UserError(`${separated} has no effect without --tools agent; add that or leave it out`)
  if (separated && mode === 'mcp')
    throw new UserError(`${separated} is for REST, which --mode mcp does not serve; use --mode both`)
  if (given.includes('--time-scale') && adapter === 'synthetic' && clock === 'virtual')
    throw new UserError('--time-scale is for time that moves by itself; leave it out or use --clock real')
}
