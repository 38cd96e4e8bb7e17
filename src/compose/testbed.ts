import { existsSync, unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { basename, dirname } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Computer } from '../adapters/computer.ts'
import { type AdapterName, openRealComputer, type RealComputerOptions } from '../adapters/open-computer.ts'
import { HistoryBudget } from '../adapters/synthetic/step-history.ts'
import { createSyntheticComputer } from '../adapters/synthetic/synthetic.ts'
import { type Clock, type OperatorClock, realClock, virtualClock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import { seededIds, systemIds } from '../base/ids.ts'
import { seededRandom, split } from '../base/random.ts'
import { Budget } from '../observer/policies/budget.ts'
import { assertScenarioFits, openScenarioFor } from '../observer/scenario-source.ts'
import { DesktopSession } from '../observer/session/session.ts'
import { DesktopSessions } from '../observer/session/sessions.ts'
import { WithheldValues } from '../observer/trace/withheld.ts'
import { openPerception } from '../perception/open-perception.ts'
import type { ServerAccess } from '../protocols/http/guard.ts'
import { observerRest } from '../protocols/observer-rest/server.ts'
import type { Address, ProtocolServer } from '../protocols/protocol.ts'
import {
  type AgentProtocolName,
  OBSERVER_DOORS,
  SESSION_PROTOCOLS,
  type SessionProtocolName,
} from '../protocols/registry.ts'
import { type AuthoredFaults, checkFaults } from '../scenario/faults/catalogue.ts'
import { loadCachedScenario } from '../scenario/load/cache.ts'
import { isScenarioText } from '../scenario/load/load.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { variantsOf, withSeed, withVariant } from '../scenario/seeds.ts'
import { formatChoices } from '../scenario/variants/axes.ts'
import type { AuthoredChoices, VariantChoices } from '../scenario/variants/axis.ts'
import { diskFolder, diskOutput } from '../stores/disk.ts'
import { frameFiles } from '../stores/frame-files.ts'
import { LIVE_PAGES, serveViewer } from '../viewer/page.ts'
import type { AgentFiles, Backends } from './backends.ts'
import { Config, type ConfigInput } from './config.ts'
import { DEFAULT_SCENARIO, findScenario, GALLERY } from './gallery.ts'
import { VERSION } from './package.ts'
import { loadScenario, parseServedScenario } from './preview.ts'
import { listScenarios } from './scenario-list.ts'
import { SCENARIO_READERS, watchScenario } from './scenario-reader.ts'

/** How often the stop file is checked between calls. */
const STOP_FILE_POLL_MS = 100
/** Hexadecimal digits of the token by which the harness of a session is recognised. */
const HARNESS_TOKEN_LENGTH = 32

/** The scenario, adapter, clocks and services of a testbed. Every option has a default. */
export interface TestbedOptions {
  /** The keys of the configuration file. Omitted keys have their defaults. */
  readonly config?: ConfigInput
  /** The path of a scenario, its name in the gallery, or its YAML text. Defaults to the default desktop. */
  readonly scenario?: string | undefined
  /** `synthetic` runs the scenario, `remote` drives the desktop of another server. The others drive that of this machine. */
  readonly adapter?: AdapterName
  /** The other server of the adapter `remote`: its URL, and the token that it requires. */
  readonly remote?: { readonly url: string; readonly token?: string | undefined } | undefined
  /** Opens the desktop of an adapter. For tests of adapters; the adapters of this package by default. */
  readonly openComputer?: typeof openRealComputer
  readonly seed?: number | undefined
  /** The axes in which the scenario differs from its file, such as `{ theme: 'dark', scale: 1.5 }`. */
  readonly variant?: AuthoredChoices | undefined
  /** Sessions opened over HTTP get the next of this many variants, drawn from the seed, unless they choose their own. */
  readonly variants?: number | undefined
  /** Faults of the catalogue, by name or with their parameters, in every session that chooses none. */
  readonly faults?: AuthoredFaults | undefined
  /** The clock of the desktop. A synthetic desktop has a virtual one by default. */
  readonly clock?: Clock
  /** The clock of the operator, for budgets, expiry, uptime and timestamps. Defaults to the clock of the machine. */
  readonly operatorClock?: OperatorClock
  /** Receives unexpected internal errors. */
  readonly report?: (bug: unknown) => void
  /** Receives one line per problem of the agent protocols that is not a bug. */
  readonly note?: (line: string) => void
  /** Receives one line per service that runs with less than it could, such as history without a database. */
  readonly warn?: (line: string) => void
  /** The folder of conversations and uploads of the agent protocols. */
  readonly dataFolder?: string
  /** Script, profiles and recording of the agent of these protocols. */
  readonly agent?: AgentFiles
  /** `install`: WindieOS requires the token of an installation. */
  readonly auth?: 'install' | 'none' | undefined
  /** Each conversation uses its own desktop instead of the one that is served. */
  readonly ownDesktops?: boolean
  /** `agent`: remote callers may use the tools for agents only, unless they identify as the harness. */
  readonly tools?: 'all' | 'agent' | undefined
  /** Actions on a real desktop wait until the user has not used mouse or keyboard for this long, in milliseconds. */
  readonly yieldToPersonMs?: number | undefined
  /** Lets a harness on this machine read raw pictures from files in memory, as `screenshot_format: 'shared'` of a step. */
  readonly sharedFrames?: boolean | undefined
  /** The session that the adapter `linux` drives. By default Wayland where its compositor can be driven, else X11. */
  readonly session?: RealComputerOptions['session']
  /** How the adapter `linux` drives pointer and keys in GNOME. By default through the desktop portal. */
  readonly gnomeInput?: RealComputerOptions['gnomeInput']
  /** All input stops as soon as this file exists. */
  readonly stopFile?: string | undefined
  /** Reloads the scenario when its file or an included file is saved. Receives a line for each reload, or the problems. */
  readonly watch?: ((line: string) => void) | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The path and the error of the configuration, as `healthz` reports them. */
  readonly configPath?: string
  readonly configError?: string | null
}

/** A session that can be served or called. */
export interface Testbed {
  readonly session: DesktopSession
  /** Describes the scenario or the desktop in a few words. */
  about(): string
  /** The task of the scenario, in the wording of its variant. Undefined if it has none. */
  readonly task: string | undefined
  /** Serves MCP until the input ends. Resolves to whether a client has used it. */
  serveMcp(input: Readable, output: Writable): Promise<boolean>
  /** Serves the observer over HTTP. Port 0 selects a free port. Throws when the port is taken. */
  serveRest(options?: ServeOptions): Promise<RestServer>
  /** Serves an agent-session protocol. Throws when the port is taken. */
  serveBackend(name: AgentProtocolName, at?: Address): Promise<ProtocolServer>
  /** Serves a protocol over the tools of the session, on its documented port by default. Throws when the port is taken. */
  serveProtocol(name: SessionProtocolName, options?: ServeOptions): Promise<ProtocolServer>
  /** Serves a service of a protocol, such as `embeddings` of WindieOS, on its own port. */
  serveService(name: string, at?: Address): Promise<ProtocolServer>
  /** Connects a runtime to a protocol's server at `url`; it executes the tool calls of the server on the served desktop. */
  startRuntime(protocol: AgentProtocolName, url: string): Promise<void>
  close(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Where a testbed serves REST, and which tokens it requires. */
export interface ServeOptions {
  readonly host?: string
  readonly port?: number
  readonly token?: string | undefined
  /** With `tools: 'agent'`: callers that send it as `X-Harness-Token` may use every tool. */
  readonly harnessToken?: string | undefined
  /** With `tools: 'agent'`: all callers of this port may use every tool. */
  readonly harnessOnly?: boolean
}

/** A running REST server. */
export interface RestServer {
  readonly url: string
  close(): Promise<void>
}

/**
 * Opens a desktop that can be served over REST and MCP and called from the program.
 * @param options The scenario, the seed, the clock, the configuration and more.
 * @throws A `Fault` `ScenarioInvalid` or `PlatformUnsupported`, or an error that lists the problems of the configuration.
 * @example
 * await using testbed = await createTestbed({ scenario: 'login', seed: 7 })
 * const { url } = await testbed.serveRest({ port: 0 })
 */
export async function createTestbed(options: TestbedOptions = {}): Promise<Testbed> {
  const config = Config.parse(options.config ?? {})
  const report = options.report ?? (() => {})
  const environment = options.env ?? process.env
  const adapter = options.adapter ?? 'synthetic'
  const synthetic = adapter === 'synthetic'
  const clock = options.clock ?? (synthetic ? virtualClock() : realClock())
  const operatorClock = options.operatorClock ?? realClock()

  const asked = options.scenario ?? DEFAULT_SCENARIO
  const file = isScenarioText(asked) ? undefined : findScenario(asked)
  const own = file === undefined ? parseServedScenario(asked) : await loadScenario(existsSync(file) ? file : asked)
  const seed = options.seed ?? own.seed
  const scenario = options.variant ? withVariant(own, options.variant, seed) : own
  const faults = checkFaults(options.faults ?? [])
  const historyBudget = new HistoryBudget()
  const computer: Computer = synthetic
    ? createSyntheticComputer({ scenario, clock, seed, faults, historyBudget })
    : await (options.openComputer ?? openRealComputer)(
        adapter,
        { platform: process.platform, env: environment },
        options,
      )

  /** Whether a server is running that can open other sessions. */
  let reachable = false
  const traces = diskOutput(config.tracing.dir)
  const folder = diskFolder(
    ['.', ...(file === undefined ? [] : [dirname(file)]), ...config.roots, GALLERY, traces.path].filter(unique),
  )
  const common = {
    operatorClock,
    serverBudget: new Budget(config.budget, operatorClock.now()),
    withheld: new WithheldValues(),
    secretIds: systemIds,
    settings: config,
    audience: options.tools ?? 'all',
    folder,
    traces,
    audit: diskOutput('.'),
    perception: openPerception(config, { synthetic, key: environment.OWUI_API_KEY }),
    openFrameFile: options.sharedFrames ? frameFiles(systemIds) : undefined,
    version: VERSION,
    report,
    scenarioReaders: SCENARIO_READERS,
    admitScenario: (next: Scenario) => {
      const open = [session, ...sessions.list().map(({ session }) => session)]
      assertScenarioFits(
        next,
        open.flatMap((each) => each.sentScenario ?? []),
        config.sessions.text_elements,
      )
    },
    stopRequested: () => options.stopFile !== undefined && existsSync(options.stopFile),
    forkInto: (from: DesktopSession, atStep?: number): DesktopSession => {
      if (!reachable)
        throw new Fault('PlatformUnsupported', 'only a server over HTTP (--mode both) can hold other sessions')
      return sessions.fork(from, atStep)
    },
  }
  const idsFor = (seed: number) => seededIds(split(seededRandom(seed), 'observer'))
  const session: DesktopSession = new DesktopSession({
    ...common,
    id: 'default',
    computer,
    clock,
    ids: synthetic ? idsFor(seed) : systemIds,
  })
  /** The served scenario, as its file is now. */
  const playedFirst = async (): Promise<Scenario> =>
    file === undefined || !synthetic
      ? scenario
      : loadCachedScenario(await readFile(file, 'utf8'), { file: basename(file) })
  const drawn = options.variants ? variantsOf(scenario, options.variants, seed) : []
  let opened = 0
  /** The variant of the next session: the drawn ones in turn, with the axes that were chosen for all. */
  const nextVariant = (): VariantChoices | undefined =>
    drawn.length === 0 ? scenario.variant : { ...drawn[opened++ % drawn.length], ...scenario.variant }
  const sessions: DesktopSessions = new DesktopSessions({
    first: session,
    open: async (id, asked) => {
      const served = async () => {
        const first = await playedFirst()
        const variant = asked.variant ?? nextVariant()
        return variant ? withVariant(first, variant, asked.seed) : first
      }
      const played =
        asked.scenario === undefined
          ? await served()
          : await openScenarioFor(folder, asked.scenario, asked, SCENARIO_READERS)
      common.admitScenario(played)
      const ownClock = clock.virtual ? virtualClock() : clock
      const own = createSyntheticComputer({
        scenario: played,
        clock: ownClock,
        seed: asked.seed,
        faults: asked.faults ? checkFaults(asked.faults) : faults,
        historyBudget,
      })
      const ids = idsFor(asked.seed ?? played.seed)
      const audience = asked.audience ?? common.audience
      const proof = audience === 'agent' ? { harnessToken: systemIds.hex(HARNESS_TOKEN_LENGTH) } : {}
      return new DesktopSession({ ...common, ...proof, audience, id, computer: own, clock: ownClock, ids })
    },
    ids: systemIds,
    operatorClock,
    scenarios: () => listScenarios([...config.roots, GALLERY].filter(unique), folder),
    limit: config.sessions.limit,
    ttlMs: config.sessions.ttl_seconds * 1000,
  })

  // Actions check for the file when they start. This aborts those in progress.
  const stopAll = () => {
    if (common.stopRequested()) sessions.stopAll()
  }
  if (options.stopFile) watchFile(options.stopFile, { interval: STOP_FILE_POLL_MS, persistent: false }, stopAll)

  const { watch } = options
  const endWatch =
    watch && file !== undefined && synthetic
      ? await watchScenario(file, (saved) => {
          if ('problems' in saved) return watch(`the scenario was not reloaded:\n${saved.problems}`)
          computer.simulation!.startScenario(saved.scenario, options.seed, faults)
          session.context.onRewind(0)
          watch(`reloaded ${saved.scenario.name}`)
        })
      : undefined

  const servers: { close(): Promise<unknown> }[] = []
  /** The URL of the first server with the live page. */
  let livePage: string | undefined
  let backends: Backends | undefined
  const openAll = async (): Promise<Backends> => {
    const { openBackends } = await import('./backends.ts')
    const { allowed_hosts: hosts, cors_origins: origins } = config.web_ui
    return openBackends({
      ...options.agent,
      served: session,
      desktopFor: () => (options.ownDesktops ? sessions.fork(session, 0) : session),
      // The script follows the data that the seed draws.
      scenario: withSeed(scenario, seed),
      clock: clock.virtual ? realClock() : clock,
      dataFolder: options.dataFolder ?? '.backlot',
      hosts,
      origins,
      auth: options.auth,
      vision: session.context.perception.vision,
      environment,
      report,
      note: options.note,
      warn: options.warn,
    })
  }

  const close = async () => {
    if (options.stopFile) unwatchFile(options.stopFile, stopAll)
    endWatch?.()
    computer.abort?.({ closing: true })
    await Promise.all(servers.map((app) => app.close()))
    backends?.close()
    await sessions.closeAll()
  }

  const accessAt = (host: string, { token, harnessToken, harnessOnly = false }: ServeOptions): ServerAccess => ({
    hosts: [host, ...config.web_ui.allowed_hosts],
    origins: config.web_ui.cors_origins,
    token,
    harnessToken,
    harnessOnly,
  })
  const info = { name: config.mcp.server_name, version: config.mcp.version ?? VERSION }

  return {
    session,
    task: synthetic ? scenario.task : undefined,
    about: () =>
      synthetic
        ? `${scenario.name} (${file ?? 'given as text'})${variantSuffix(scenario)}`
        : `the ${computer.info.platform} desktop ${options.remote ? `behind ${options.remote.url}` : 'of this machine'}`,
    serveMcp: async (input, output) => {
      const { serveStdio } = await import('../protocols/observer-mcp/stdio.ts')
      return serveStdio({ session, ...info }, input, output)
    },
    async serveRest({
      host = config.web_ui.host,
      port = config.web_ui.port,
      token,
      harnessToken,
      harnessOnly = false,
    } = {}) {
      reachable = true
      const guard = accessAt(host, { token, harnessToken, harnessOnly })
      const about = { path: options.configPath ?? '', error: options.configError ?? null }
      const app = await observerRest({ sessions, access: guard, config: about, doors: OBSERVER_DOORS, info, report })
      await serveViewer(app, LIVE_PAGES)
      await app.listen({ host, port })
      servers.push(app)
      const url = addressOf(app)
      livePage ??= url
      return { url, close: () => app.close() }
    },
    async serveProtocol(name, { host = config.web_ui.host, port, ...tokens } = {}) {
      const protocol = SESSION_PROTOCOLS.find((one) => one.name === name)
      if (!protocol) throw new Fault('BadRequest', `unknown protocol ${JSON.stringify(name)}`)
      const created = await protocol.create({
        session,
        sessions,
        access: accessAt(host, tokens),
        version: VERSION,
        livePage: () => livePage,
        onBug: report,
      })
      const server = await created.listen({ host, port: port ?? protocol.port })
      servers.push(server)
      return server
    },
    async serveBackend(name, at) {
      backends ??= await openAll()
      const server = await backends.serve(name, at)
      servers.push(server)
      return server
    },
    async serveService(name, at) {
      backends ??= await openAll()
      const server = await backends.serveService(name, at)
      servers.push(server)
      return server
    },
    async startRuntime(protocol, url) {
      backends ??= await openAll()
      servers.unshift(await backends.startRuntime(protocol, url))
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The variant of a scenario in words, for the operator. */
const variantSuffix = ({ variant }: Scenario): string => (variant ? ` in the variant ${formatChoices(variant)}` : '')

const unique = <T>(value: T, index: number, all: readonly T[]): boolean => all.indexOf(value) === index

function addressOf(app: FastifyInstance): string {
  const { address, port, family } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
