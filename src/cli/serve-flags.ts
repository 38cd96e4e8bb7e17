import { BACKENDS } from '../config.ts'
import { Trouble } from './trouble.ts'

/** What `backlot serve` can be asked for. */

export const PROTOCOLS = ['observer', ...BACKENDS] as const
export type ProtocolName = (typeof PROTOCOLS)[number]

export interface ServeFlags {
  readonly adapter: 'synthetic' | 'linux' | 'auto'
  readonly mock?: boolean
  readonly readOnly?: boolean
  readonly stopFile?: string
  readonly protocols: readonly ProtocolName[]
  readonly agentWebkitPort: number
  readonly cortaskPort: number
  readonly naviPort: number
  readonly windieosPort: number
  readonly auth: 'install' | 'none'
  readonly withRuntime?: boolean
  readonly embeddingPort?: number
  readonly cortaskHost?: string
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
  readonly seed?: number
  readonly maxActions?: number
  readonly maxScreenshots?: number
  readonly maxVlmTokens?: number
  readonly maxSessionSeconds?: number
  readonly actionsPerMinute?: number
}

/** Options that only some protocols heed. */
const HEEDED_BY: Readonly<Record<string, readonly ProtocolName[]>> = {
  '--port': ['observer'],
  '--agent-webkit-port': ['agent-webkit'],
  '--cortask-port': ['cortask'],
  '--cortask-host': ['cortask'],
  '--navi-port': ['navi'],
  '--windieos-port': ['windieos'],
  '--auth': ['windieos'],
  '--with-runtime': ['windieos'],
  '--embedding-port': ['windieos'],
  '--token': ['observer', 'agent-webkit'],
  '--tools': ['observer'],
  '--harness-token': ['observer'],
  '--harness-port': ['observer'],
  '--script': BACKENDS,
  '--profiles': BACKENDS,
  '--record': BACKENDS,
}

/** Whoever gives an option counts on its effect, so one that would have none is refused. `given` are their long names. */
export function checkFlags(flags: ServeFlags, given: readonly string[]): void {
  const { mode, protocols, adapter, auth, clock, mock, tools, withRuntime } = flags
  const unheard = protocols.find((name) => name !== 'observer')
  if (mode === 'mcp' && unheard) throw new Trouble(`${unheard} is not served with --mode mcp; --mode both serves both`)
  for (const option of given) {
    const heeding = HEEDED_BY[option] ?? PROTOCOLS
    if (protocols.some((name) => heeding.includes(name))) continue
    const right = [...protocols, heeding[0]].join(',')
    throw new Trouble(`${option} is for ${heeding.join(', ')} only; leave it out or use --protocols ${right}`)
  }
  if (withRuntime && auth === 'install')
    throw new Trouble('--with-runtime has no installation of its own; leave --auth install out')
  if (mock && adapter !== 'synthetic')
    throw new Trouble(`--mock is a synthetic desktop and --adapter ${adapter} a real one; give one of them`)
  const played = given.find((option) => ['--scenario', '--seed'].includes(option))
  if (played && adapter !== 'synthetic')
    throw new Trouble(`${played} is for a synthetic desktop only; leave it out or use --adapter synthetic`)
  const separated = given.find((option) => ['--harness-token', '--harness-port'].includes(option))
  if (separated && tools !== 'agent')
    throw new Trouble(`${separated} has no effect without --tools agent; add that or leave it out`)
  if (separated && mode === 'mcp')
    throw new Trouble(`${separated} is for REST, which --mode mcp does not serve; use --mode both`)
  if (given.includes('--time-scale') && adapter === 'synthetic' && clock === 'virtual')
    throw new Trouble('--time-scale is for time that moves by itself; leave it out or use --clock real')
}
