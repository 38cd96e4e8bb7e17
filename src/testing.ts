import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, OutgoingHttpHeaders, Server } from 'node:http'
import { type Driver, drive } from './driver.ts'
import { findScenario } from './gallery.ts'
import { type MemorySession, type MemorySessionOptions, memorySession } from './memory-session.ts'
import type { RestAccess } from './protocols/observer-rest/server.ts'
import { restAppOf } from './rest-app.ts'
import { isScenarioText, loadScenario } from './scenario/load.ts'

/** What tests of agents and of this house need: a desktop in memory that answers tools, with time that only they move. */

export { virtualClock } from './base/clock.ts'
export * from './desktop/model/builders.ts'
export { type Driver, drive, type Part } from './driver.ts'
export { type BacklotMatchers, matchers } from './matchers.ts'

/** The settings, the seed, the perception and the files of a rehearsal. */
export type RehearsalOptions = Omit<MemorySessionOptions, 'report'>

/** A desktop to try things on. */
export interface Rehearsal extends Driver, MemorySession {}

/**
 * Puts a scenario on a desktop of its own, in memory and with virtual time.
 * @param given The YAML text, a path, or a name of the gallery.
 * @param options The settings, the seed and more.
 * @throws A `Fault` `ScenarioInvalid`.
 * @example
 * const desk = rehearse('login')
 * await desk.on('Edit "Username"').type('alice')
 */
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

/** A REST server that answers requests without a port. */
export interface RestApp {
  readonly server: Server
  /** Answers a request, or a GET of a path. */
  inject(request: string | RestRequest): Promise<RestReply>
  /** Opens a port, 0 for a free one, and resolves to its URL. */
  listen(at: { readonly host?: string; readonly port: number }): Promise<string>
  close(): Promise<void>
}

/** A request to a REST server. */
export interface RestRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'HEAD'
  readonly url: string
  readonly headers?: IncomingHttpHeaders
  /** Sent as JSON unless it is text or bytes. */
  readonly payload?: string | object | Buffer
}

/** The reply to such a request. */
export interface RestReply {
  readonly statusCode: number
  readonly headers: OutgoingHttpHeaders
  /** The body as text. */
  readonly body: string
  readonly rawPayload: Buffer
  /** The body read as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON has any shape, and tests look into it.
  json<T = any>(): T
}

/**
 * The REST server of a rehearsal. It does not listen; requests are handed to it with `inject`.
 * @param desk The rehearsal.
 * @param guard The hosts, origins and tokens that it accepts; only loopback by default.
 * @example
 * const app = await restOf(rehearse('login'))
 * const { windows } = (await app.inject('/api/windows')).json()
 */
export const restOf: (desk: Rehearsal, guard?: Partial<RestAccess>) => Promise<RestApp> = restAppOf
