import type { AddressInfo } from 'node:net'
import { dirname, resolve } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { syntheticComputer } from './adapters/synthetic.ts'
import { type Clock, virtualClock } from './base/clock.ts'
import { seededIds, systemIds } from './base/ids.ts'
import { seededRandom, split } from './base/random.ts'
import { Config } from './config.ts'
import { inspectorPage } from './inspector/index.ts'
import { Session } from './observer/session.ts'
import { Sessions } from './observer/sessions.ts'
import { openPerception } from './perception/open.ts'
import type { Guard } from './protocols/guard.ts'
import { observerRest } from './protocols/observer-rest/index.ts'
import { loadScenario } from './scenario/load.ts'
import { diskDrawer, diskFolder } from './stores/disk.ts'
import { openScenario } from './studio.ts'
import { VERSION } from './version.ts'

/** The gallery that comes with the package. */
export const SCENARIOS = fileURLToPath(new URL('../scenarios/', import.meta.url))
export const DEFAULT_SCENARIO = resolve(SCENARIOS, 'desktop.yaml')

export interface TestbedOptions {
  readonly config?: Config
  /** The path of a scenario file; the default desktop without one. */
  readonly scenario?: string | undefined
  readonly seed?: number | undefined
  readonly clock?: Clock
  /** Where bugs of ours are told. */
  readonly report?: (bug: unknown) => void
  /** What healthz tells of the configuration. */
  readonly configPath?: string
  readonly configError?: string | null
}

/** A session and what it is made of, ready to be served or called. */
export interface Testbed {
  readonly session: Session
  /** What is playing, in a few words. */
  about(): string
  /** Speaks MCP until the input ends. */
  serveMcp(input: Readable, output: Writable): Promise<void>
  /** Serves the observer over HTTP; port 0 takes a free one. Throws when the port is taken. */
  serveRest(options?: ServeOptions): Promise<Served>
  close(): Promise<void>
}

export interface ServeOptions {
  readonly host?: string
  readonly port?: number
  readonly token?: string | undefined
}

export interface Served {
  readonly url: string
  close(): Promise<void>
}

/** The one place that picks concrete parts. Reading it tells the story. */
export async function createTestbed(options: TestbedOptions = {}): Promise<Testbed> {
  const config = options.config ?? Config.parse({})
  const report = options.report ?? (() => {})
  const clock = options.clock ?? virtualClock()

  const file = resolve(options.scenario ?? DEFAULT_SCENARIO)
  const scenario = await openScenario(file)
  const computer = syntheticComputer({ scenario, clock, seed: options.seed })

  const traces = diskDrawer(config.tracing.dir)
  const folder = diskFolder([SCENARIOS, dirname(file), traces.path, ...config.roots].filter(unique))
  const common = {
    secretIds: systemIds,
    settings: config,
    folder,
    traces,
    audit: diskDrawer('.'),
    perception: openPerception(config, { synthetic: true, key: process.env.OWUI_API_KEY }),
    version: VERSION,
    report,
    forkInto: (from: Session, atStep?: number) => sessions.fork(from, atStep),
  }
  const idsFor = (seed: number) => seededIds(split(seededRandom(seed), 'observer'))
  const session = new Session({ ...common, id: 'default', computer, clock, ids: idsFor(options.seed ?? scenario.seed) })
  const sessions = new Sessions({
    first: session,
    open: async (id, asked) => {
      const path = asked.scenario ?? file
      const played = loadScenario(await folder.readText(path), { file: path })
      const ownClock = clock.virtual ? virtualClock() : clock
      const own = syntheticComputer({ scenario: played, clock: ownClock, seed: asked.seed })
      return new Session({ ...common, id, computer: own, clock: ownClock, ids: idsFor(asked.seed ?? played.seed) })
    },
    ids: systemIds,
    nowMs: Date.now,
    limit: config.sessions.limit,
    ttlMs: config.sessions.ttl_seconds * 1000,
  })

  const servers: FastifyInstance[] = []
  return {
    session,
    about: () => `${scenario.name} (${file})`,
    serveMcp: async (input, output) => {
      const { observerMcp, serveStdio } = await import('./protocols/observer-mcp/index.ts')
      const version = config.mcp.version ?? VERSION
      await serveStdio(observerMcp({ session, name: config.mcp.server_name, version }), input, output)
    },
    async serveRest({ host = config.web_ui.host, port = config.web_ui.port, token } = {}) {
      const guard: Guard = {
        hosts: [host, ...config.web_ui.allowed_hosts],
        origins: config.web_ui.cors_origins,
        token,
      }
      const about = { path: options.configPath ?? '', error: options.configError ?? null }
      const app = await observerRest({ sessions, guard, config: about, report })
      await inspectorPage(app)
      await app.listen({ host, port })
      servers.push(app)
      return { url: addressOf(app), close: () => app.close() }
    },
    async close() {
      await Promise.all(servers.map((app) => app.close()))
      await sessions.closeAll()
    },
  }
}

const unique = <T>(value: T, index: number, all: readonly T[]): boolean => all.indexOf(value) === index

function addressOf(app: FastifyInstance): string {
  const { address, port, family } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
