import { createSyntheticComputer, type SyntheticComputer } from '../adapters/synthetic/synthetic.ts'
import { virtualClock } from '../base/clock.ts'
import { seededIds } from '../base/ids.ts'
import { seededRandom } from '../base/random.ts'
import { DesktopSession, type SessionInit } from '../observer/session/session.ts'
import { Settings } from '../observer/settings.ts'
import type { Perception } from '../perception/perception.ts'
import { sceneOcr } from '../perception/scene-index.ts'
import { type AuthoredFaults, checkFaults } from '../scenario/faults/catalogue.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { memoryFolder, memoryOutput } from '../stores/memory.ts'
import { VERSION } from './package.ts'

/** Options of a session in memory. Every option has a default. */
export interface MemorySessionOptions {
  /** The keys of the configuration file. Omitted keys have their defaults. */
  readonly config?: unknown
  readonly perception?: Perception
  /** Readable files by path, instead of those of the disk. */
  readonly files?: Readonly<Record<string, string | Buffer>>
  /** An integer, by default the seed of the scenario. */
  readonly seed?: number
  /** Faults of the catalogue, by name or with their parameters. */
  readonly faults?: AuthoredFaults
  /** The tools that clients may use without the harness token: all, or those for agents. */
  readonly audience?: 'all' | 'agent'
  readonly harnessToken?: string
  /** Receives unexpected internal errors. */
  readonly report?: (bug: unknown) => void
  /** Called after each call. */
  readonly onCall?: SessionInit['onCall']
}

/** A session in memory, with virtual time. */
export interface MemorySession {
  readonly session: DesktopSession
  readonly computer: SyntheticComputer
  /** Virtual time of the desktop. It moves by actions, waits and `advance`. */
  readonly clock: ReturnType<typeof virtualClock>
  /** Virtual time of rate limits, expiry and timestamps. It moves by `advance` only. */
  readonly operatorClock: ReturnType<typeof virtualClock>
  /** The files of the run by path: traces, screenshots and the audit log. */
  readonly artifacts: ReadonlyMap<string, string | Uint8Array>
}

/** Opens a scenario on a desktop in memory. */
export function memorySession(
  scenario: Scenario,
  { seed, faults, report, onCall, audience, harnessToken, ...options }: MemorySessionOptions = {},
): MemorySession {
  const clock = virtualClock()
  const operatorClock = virtualClock()
  const computer = createSyntheticComputer({ scenario, clock, seed, faults: checkFaults(faults ?? []) })
  const artifacts = new Map<string, string | Uint8Array>()
  const session = new DesktopSession({
    id: 'memory',
    computer,
    clock,
    operatorClock,
    ids: seededIds(seededRandom(seed ?? scenario.seed)),
    settings: Settings.parse(options.config ?? {}),
    folder: memoryFolder(new Map(Object.entries(options.files ?? {})), artifacts),
    traces: memoryOutput('traces', artifacts),
    audit: memoryOutput('audit', artifacts),
    perception: options.perception ?? { ocr: sceneOcr },
    version: VERSION,
    ...(audience && { audience }),
    ...(harnessToken && { harnessToken }),
    ...(report && { report }),
    ...(onCall && { onCall }),
  })
  return { session, computer, clock, operatorClock, artifacts }
}

/**
 * How the run of an agent is traced, so that the trace can be replayed by itself: the texts that the agent types are a part
 * of it, and pictures come from the replay.
 */
export const AGENT_TRACING = {
  screenshot_every_n_actions: 0,
  max_args_bytes: 65_536,
  redact_keys: ['api_key', 'password', 'Authorization', 'token', 'confirm_token'],
}
