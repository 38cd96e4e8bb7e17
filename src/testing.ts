import type { IncomingHttpHeaders, OutgoingHttpHeaders, Server } from 'node:http'
import { includeForText } from './compose/applications.ts'
import { createDriver, type Driver } from './compose/driver.ts'
import { readersBelow } from './compose/files-below.ts'
import { DEFAULT_SCENARIO, findScenario, readScenario } from './compose/gallery.ts'
import {
  AGENT_TRACING,
  type MemorySession,
  type MemorySessionOptions,
  memorySession,
} from './compose/memory-session.ts'
import { createFastifyApp } from './compose/rest-app.ts'
import type { DesktopStyle } from './desktop/style/style.ts'
import { call } from './observer/call.ts'
import type { ServerAccess } from './protocols/http/guard.ts'
import { isScenarioText, parseScenario } from './scenario/load/load.ts'
import type { Scenario } from './scenario/scenario.ts'
import { withVariant } from './scenario/seeds.ts'
import type { AuthoredChoices } from './scenario/variants/axis.ts'

/** The public test API: a desktop in memory, with time that only the test moves. */

export { virtualClock } from './base/clock.ts'
export { createDriver, type Driver, type Locator } from './compose/driver.ts'
export { type BacklotMatchers, matchers } from './compose/matchers.ts'
export * from './desktop/model/builders.ts'

/** Keeps the run of a test that failed. */
export interface RetainOnFailure {
  /** The folder for `trace.jsonl` and `recording.html`. It is written only if the test fails. */
  readonly folder: string
  /** Registers what is done when the test has failed, as `onTestFailed` of vitest does. */
  readonly onTestFailed: (keep: () => Promise<void>) => unknown
}

/** The scenario, configuration, seed, perception and files of a test desktop. Every option has a default. */
export interface TestDesktopOptions extends Omit<MemorySessionOptions, 'report'> {
  /** The path of a scenario, its name in the gallery, or its YAML text. By default the desktop that `backlot serve` opens. */
  readonly scenario?: string
  /** The axes in which the scenario differs from its file, such as `{ theme: 'dark', scale: 1.5 }`. */
  readonly variant?: AuthoredChoices
  /** The system that the desktop looks like; short for the axis `style` of the variant. */
  readonly style?: DesktopStyle
  /** Traces the test from the start, and keeps the trace and a page that shows each step if the test fails. */
  readonly retainOnFailure?: RetainOnFailure
}

/** A desktop in memory: a driver, the session that it drives, its clocks and the files that it writes. */
export interface TestDesktop extends Driver, MemorySession {}

/**
 * Opens a scenario on a desktop in memory. Its time is virtual and moves by actions, waits and `clock.advance(ms)` only.
 * @param options The scenario, the seed, the configuration and more.
 * @throws A `Fault` `ScenarioInvalid` for a scenario that does not exist or has problems, or `BadRequest` for a seed that is not a whole number.
 * @example
 * const desktop = openDesktop({ scenario: 'login', seed: 7 })
 * await desktop.locator('Edit "Username"').type('alice')
 */
export function openDesktop({
  scenario = DEFAULT_SCENARIO,
  variant,
  style,
  retainOnFailure,
  ...options
}: TestDesktopOptions = {}): TestDesktop {
  const loaded = isScenarioText(scenario)
    ? parseScenario(scenario, { file: 'scenario.yaml', include: includeForText })
    : parseScenario(readScenario(scenario), { file: scenario, ...readersBelow(findScenario(scenario)) })
  const choices = style === undefined ? variant : { ...variant, style }
  const played = choices ? withVariant(loaded, choices, options.seed) : loaded
  const config = retainOnFailure ? withTracing(options.config) : options.config
  const opened = memorySession(played, { ...options, config, report: rethrow })
  if (retainOnFailure) retain(opened, played, retainOnFailure)
  return { ...opened, ...createDriver(opened.session) }
}

/** The configuration with traces that can be replayed by themselves, unless it says otherwise. */
function withTracing(config: unknown): unknown {
  const { tracing, ...others } = (config ?? {}) as { readonly tracing?: object }
  return { ...others, tracing: { ...AGENT_TRACING, ...tracing } }
}

function retain(opened: MemorySession, played: Scenario, { folder, onTestFailed }: RetainOnFailure): void {
  void call(opened.session, 'trace_start', { label: played.name })
  onTestFailed(async () => {
    const { keepRun } = await import('./recording/recording-page.ts')
    await keepRun(opened, played, folder)
  })
}

function rethrow(bug: unknown): never {
  throw bug
}

/** A REST server that answers requests without a port. `listen` opens one. */
export interface RestApp {
  readonly server: Server
  /** Sends a request, or a GET of a path, to the server in memory. */
  inject(request: string | RestRequest): Promise<RestResponse>
  /** Listens on a port, 0 for a free one, and resolves to the URL. */
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

/** The response of a REST server. */
export interface RestResponse {
  readonly statusCode: number
  readonly headers: OutgoingHttpHeaders
  /** The body as text. */
  readonly body: string
  readonly rawPayload: Buffer
  /** Parses the body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON has any shape, and tests look into it.
  json<T = any>(): T
}

/**
 * Creates the REST server of a test desktop. It does not listen; `inject` sends requests to it.
 * @param desktop The test desktop.
 * @param access The hosts, origins and tokens that it accepts; only loopback by default.
 * @example
 * const app = await createRestApp(openDesktop({ scenario: 'login' }))
 * const { windows } = (await app.inject('/api/windows')).json()
 */
export const createRestApp: (desktop: TestDesktop, access?: Partial<ServerAccess>) => Promise<RestApp> =
  createFastifyApp
