import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { Fault } from './base/fault.ts'
import { type Driver, drive } from './driver.ts'
import { findScenario } from './gallery.ts'
import { type MemorySession, type MemorySessionOptions, memorySession } from './memory-session.ts'
import { Sessions } from './observer/sessions.ts'
import { type Guard, observerRest } from './protocols/observer-rest/server.ts'
import { isScenarioText, loadScenario } from './scenario/load.ts'

/** What tests of agents and of this house need: a desktop in memory that answers tools, with time that only they move. */

export { virtualClock } from './base/clock.ts'
export * from './desktop/model/builders.ts'
export { type Driver, drive, type Part } from './driver.ts'
export { type BacklotMatchers, matchers } from './matchers.ts'

export type RehearsalOptions = Omit<MemorySessionOptions, 'report'>

/** A desktop to try things on. */
export interface Rehearsal extends Driver, MemorySession {}

/** Puts a scenario, given as YAML text, path or name of the gallery, on a desktop of its own. */
export function rehearse(given: string, options: RehearsalOptions = {}): Rehearsal {
  const scenario = isScenarioText(given)
    ? loadScenario(given, { file: 'rehearsal.yaml' })
    : loadScenario(readFileSync(findScenario(given), 'utf8'), { file: given })
  const opened = memorySession(scenario, { ...options, report: throwOn })
  return { ...opened, ...drive(opened.session) }
}

function throwOn(bug: unknown): never {
  throw bug
}

/** The REST server of a rehearsal, not listening: requests are handed to it with `inject`. */
export function restOf({ session }: Rehearsal, guard: Partial<Guard> = {}): Promise<FastifyInstance> {
  return observerRest({
    sessions: new Sessions({
      first: session,
      open: () => Promise.reject(new Fault('Busy', 'a rehearsal has one desktop')),
      ids: session.ids,
      operatorClock: session.operatorClock,
      limit: 0,
      ttlMs: 0,
    }),
    guard: { hosts: [], origins: [], token: undefined, ...guard },
    config: { path: '', error: null },
    report: throwOn,
  })
}
