import { createSyntheticComputer, type SyntheticComputer } from './adapters/synthetic.ts'
import { virtualClock } from './base/clock.ts'
import { seededIds } from './base/ids.ts'
import { seededRandom } from './base/random.ts'
import { Session } from './observer/session/session.ts'
import { Settings } from './observer/session/settings.ts'
import type { Perception } from './perception/perception.ts'
import { sceneOcr } from './perception/scene-ocr.ts'
import type { Scenario } from './scenario/scenario.ts'
import { memoryFolder, memoryOutput } from './stores/memory-folder.ts'

export interface MemorySessionOptions {
  /** As in the configuration file; what is left out has its default. */
  readonly settings?: unknown
  readonly perception?: Perception
  /** Files that may be read, by path. */
  readonly files?: Readonly<Record<string, string | Buffer>>
  readonly seed?: number
  /** Which tools callers over a wire may use without the harness token. */
  readonly audience?: 'all' | 'agent'
  readonly harnessToken?: string
  /** Where bugs of ours are told. */
  readonly report?: (bug: unknown) => void
}

/** A session in memory, with time that only its user moves. */
export interface MemorySession {
  readonly session: Session
  readonly computer: SyntheticComputer
  readonly clock: ReturnType<typeof virtualClock>
  /** The time of the operator, which only its user moves as well: rate limits, expiry, time stamps. */
  readonly operatorClock: ReturnType<typeof virtualClock>
  /** Everything that was written: traces, screenshots and audit lines, by path. */
  readonly written: ReadonlyMap<string, string | Uint8Array>
}

/** Puts a scenario on a desktop of its own. */
export function memorySession(
  scenario: Scenario,
  { seed, report, audience, harnessToken, ...options }: MemorySessionOptions = {},
): MemorySession {
  const clock = virtualClock()
  const operatorClock = virtualClock()
  const computer = createSyntheticComputer({ scenario, clock, seed })
  const written = new Map<string, string | Uint8Array>()
  const session = new Session({
    id: 'memory',
    computer,
    clock,
    operatorClock,
    ids: seededIds(seededRandom(seed ?? scenario.seed)),
    settings: Settings.parse(options.settings ?? {}),
    folder: memoryFolder(new Map(Object.entries(options.files ?? {})), written),
    traces: memoryOutput('traces', written),
    audit: memoryOutput('audit', written),
    perception: options.perception ?? { ocr: sceneOcr },
    version: '0.0.0',
    ...(audience && { audience }),
    ...(harnessToken && { harnessToken }),
    ...(report && { report }),
  })
  return { session, computer, clock, operatorClock, written }
}
