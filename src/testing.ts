import type { FastifyInstance } from 'fastify'
import { type SyntheticComputer, syntheticComputer } from './adapters/synthetic.ts'
import { virtualClock } from './base/clock.ts'
import { Fault } from './base/fault.ts'
import { seededIds } from './base/ids.ts'
import { seededRandom } from './base/random.ts'
import { type Driver, drive } from './driver.ts'
import { Session } from './observer/session.ts'
import { Sessions } from './observer/sessions.ts'
import { Settings } from './observer/settings.ts'
import type { Perception } from './perception/perception.ts'
import { sceneOcr } from './perception/scene.ts'
import { type Guard, observerRest } from './protocols/observer-rest/index.ts'
import { loadScenario } from './scenario/load.ts'
import { memoryDrawer, memoryFolder } from './stores/memory-folder.ts'

/** What tests of agents and of this house need: a desktop in memory that answers tools, with time that only they move. */

export { virtualClock } from './base/clock.ts'
export * from './desktop/builders.ts'
export { type Driver, drive, type Part } from './driver.ts'
export { type BacklotMatchers, matchers } from './matchers.ts'

export interface RehearsalOptions {
  /** As in the configuration file; what is left out has its default. */
  readonly settings?: unknown
  readonly perception?: Perception
  /** Files that may be read, by path. */
  readonly files?: Readonly<Record<string, string | Buffer>>
  readonly seed?: number
}

/** A desktop to try things on. */
export interface Rehearsal extends Driver {
  readonly session: Session
  readonly computer: SyntheticComputer
  readonly clock: ReturnType<typeof virtualClock>
  /** Everything that was written: traces, screenshots and audit lines, by path. */
  readonly written: ReadonlyMap<string, string | Uint8Array>
}

/** Puts a scenario, given as YAML, on a desktop of its own. */
export function rehearse(yaml: string, options: RehearsalOptions = {}): Rehearsal {
  const clock = virtualClock()
  const scenario = loadScenario(yaml, { file: 'rehearsal.yaml' })
  const computer = syntheticComputer({ scenario, clock, seed: options.seed })
  const written = new Map<string, string | Uint8Array>()
  const session = new Session({
    id: 'rehearsal',
    computer,
    clock,
    ids: seededIds(seededRandom(options.seed ?? scenario.seed)),
    settings: Settings.parse(options.settings ?? {}),
    folder: memoryFolder(new Map(Object.entries(options.files ?? {})), written),
    traces: memoryDrawer('traces', written),
    audit: memoryDrawer('audit', written),
    perception: options.perception ?? { ocr: sceneOcr },
    version: '0.0.0',
    report: (bug) => {
      throw bug
    },
  })
  return { session, computer, clock, written, ...drive(session) }
}

/** The REST server of a rehearsal, not listening: requests are handed to it with `inject`. */
export function restOf({ session }: Rehearsal, guard: Partial<Guard> = {}): Promise<FastifyInstance> {
  return observerRest({
    sessions: new Sessions({
      first: session,
      open: () => Promise.reject(new Fault('Busy', 'a rehearsal has one desktop')),
      ids: session.ids,
      nowMs: session.clock.now,
      limit: 0,
      ttlMs: 0,
    }),
    guard: { hosts: [], origins: [], token: undefined, ...guard },
    config: { path: '', error: null },
    report: (bug) => {
      throw bug
    },
  })
}
