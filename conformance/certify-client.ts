import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { openConversation } from './client/conversation.ts'
import { type ClientFunction, commandDriver, type Driver, functionDriver } from './client/driver.ts'
import type { ClientSuite, Flow, ScriptedServer } from './client/flow.ts'
import { type Endpoint, type Host, startHost } from './client/host.ts'
import { createProfile, loadProfile, readBaseline } from './profile.ts'
import { type CertifiedClientProtocol, CLIENT_PROTOCOLS, loadClientSuite } from './protocols.ts'
import { ensureReportFolder, writeReports } from './report/write.ts'
import type { Requirement } from './requirement.ts'
import {
  type FlowPlayer,
  judgeFlows,
  type PlayedFlow,
  type PlayOptions,
  playFlow,
  playWithDriver,
} from './run/judge-flows.ts'
import type { CertificationResult } from './run/outcome.ts'
import { createProgress, type Progress, SILENT } from './run/progress.ts'
import type { Baseline } from './suite/results.ts'
import { conclude, type Finding, toRequirementResult } from './suite/results.ts'
import type { Profile } from './suite/test-context.ts'

/** The options of a run. One of `command`, `listen` and `client` selects the client. */
export interface CertifyClientOptions {
  readonly protocol: CertifiedClientProtocol
  /**
   * Starts the client for one conversation; `{url}`, `{token}`, `{text}` and `{flow}` are replaced by its arguments.
   */
  readonly command?: string
  /** The port on which to wait for a client that a person connects; 0 selects a free one. */
  readonly listen?: number
  /** A client that is a function of this process. */
  readonly client?: ClientFunction
  /** Names of flows; all by default. */
  readonly only?: readonly string[]
  /** Names of flows to skip. */
  readonly skip?: readonly string[]
  /** A profile, its path or its name; its phrases replace the messages that the client sends, by flow. */
  readonly profile?: string | Profile
  /** Path of a baseline of expected failures. */
  readonly baseline?: string
  /** How often a flow with a failure is repeated; 5 by default, never with `listen`. */
  readonly repeats?: number
  /** Milliseconds for an immediate action of the client; 5 s by default. */
  readonly responseTimeoutMs?: number
  /** Milliseconds for one conversation; 30 s by default. */
  readonly timeoutMs?: number
  /** The number of parallel conversations, each with its own client and server; 4 by default. */
  readonly concurrency?: number
  /** A directory for the reports; no reports by default. */
  readonly report?: string
  /** Receives progress; none by default. */
  readonly progress?: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

const REPEATS = 5
const PATIENCE_MS = 5000
const TIMEOUT_MS = 30_000
const CONCURRENCY = 4

/** The bearer token of all clients. */
const TOKEN = 'client-certification'

/** Certifies a client of a protocol. Throws only for a mistake in the options. */
export async function certifyClient(options: CertifyClientOptions): Promise<CertificationResult> {
  const { protocol } = options
  const startedAt = new Date()
  if (!CLIENT_PROTOCOLS.includes(protocol))
    throw new Error(`"${protocol}" is not a protocol; use one of ${CLIENT_PROTOCOLS.join(', ')}`)
  const suite = await loadClientSuite(protocol)
  const flows = chosen(suite, options)
  const profile = profileFrom(options)
  const baseline = options.baseline ? readBaseline(readFileSync(options.baseline, 'utf8'), options.baseline) : {}
  const folder = options.report === undefined ? undefined : ensureReportFolder(options.report, suite.set.protocol)
  const progress = options.progress ? createProgress(options.progress, flows.length) : SILENT
  const { where, playFlow, close } = await opened(suite, options, profile, progress)
  try {
    const first = await playFlow(flows[0]!)
    const { findings, played } = isReached(first)
      ? await judgeFlows(flows, first, playFlow, {
          dependencies: suite.dependencies,
          concurrency: options.listen === undefined ? (options.concurrency ?? CONCURRENCY) : 1,
          repeats: options.listen === undefined ? (options.repeats ?? REPEATS) : 0,
          progress,
        })
      : { findings: new Map<string, Finding>(), played: [first] }
    progress.finish()
    const outcome = outcomeOf(suite, flows, first, findings, played, {
      ...options,
      baseline,
      profile,
      where,
      startedAt,
    })
    return folder === undefined ? outcome : { ...outcome, reports: await writeReports(outcome, folder) }
  } finally {
    await close()
  }
}

/** A client whose first requests are refused as wrong is reachable, and is judged. */
const isReached = ({ reached, assessments, harness, notReached }: PlayedFlow): boolean =>
  reached ||
  harness !== undefined ||
  [...assessments.values()].some(({ status, why }) => status === 'failed' && why !== notReached)

/** How the client is reached. */
interface OpenedClient {
  readonly where: string
  readonly playFlow: FlowPlayer
  close(): Promise<void>
}

async function opened(
  suite: ClientSuite,
  options: CertifyClientOptions,
  profile: Profile,
  progress: Progress,
): Promise<OpenedClient> {
  const how = (flow: Flow<ScriptedServer>) => ({
    text: profile.has(flow.name) ? profile.phrase(flow.name) : flow.text,
    token: TOKEN,
    responseTimeoutMs: options.responseTimeoutMs ?? PATIENCE_MS,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  })
  if (options.listen !== undefined) {
    const { host, play: playNext } = await listenForClients(suite, options.listen, progress.print)
    progress.print(`listening on ${host.url}; the bearer token is ${TOKEN}`)
    return { where: host.url, playFlow: (flow) => playNext(flow, how(flow)), close: () => host.close() }
  }
  const driver = driverOf(options)
  const playFlow: FlowPlayer = (flow) => playWithDriver(suite, flow, driver, how(flow))
  return { where: options.command ?? 'a function', playFlow, close: async () => {} }
}

function driverOf({ command, client }: CertifyClientOptions): Driver {
  if (command !== undefined) return commandDriver(command)
  if (client) return functionDriver(client)
  throw new Error(
    'the client is missing. Give --command, such as --command "my-client {url} {token} {text}", or --listen',
  )
}

function chosen({ flows, set }: ClientSuite, { only, skip = [] }: CertifyClientOptions) {
  const names = flows.map(({ name }) => name)
  for (const name of [...(only ?? []), ...skip])
    if (!names.includes(name)) throw new Error(`${set.protocol} has no flow "${name}"; use one of ${names.join(', ')}`)
  const found = flows.filter(({ name }) => (only?.includes(name) ?? true) && !skip.includes(name))
  if (found.length === 0) throw new Error('no flow is left to play')
  return found
}

function profileFrom({ profile, protocol }: CertifyClientOptions): Profile {
  if (profile === undefined) return createProfile('none')
  return typeof profile === 'string' ? loadProfile(profile, protocol === 'mcp' ? 'observer' : protocol) : profile
}

interface ResultContext extends Omit<CertifyClientOptions, 'baseline' | 'profile'> {
  readonly baseline: Baseline
  readonly profile: Profile
  readonly where: string
  readonly startedAt: Date
}

function outcomeOf(
  suite: ClientSuite,
  flows: readonly Flow<ScriptedServer>[],
  first: PlayedFlow,
  findings: ReadonlyMap<string, Finding>,
  played: readonly PlayedFlow[],
  { where, startedAt, baseline, profile, only, skip, command }: ResultContext,
): CertificationResult {
  const partial = only !== undefined || skip !== undefined
  const judged = new Set([...flows.flatMap(idsOf), ...findings.keys()])
  const rows = Object.entries<Requirement>(suite.set.requirements).filter(([id]) => !partial || judged.has(id))
  const goal = suite.flows[0]!.ending.id
  const isJudged = rows.some(
    ([id, { level }]) => findings.get(id)?.status === 'failed' && (level === 'MUST' || id !== goal),
  )
  const isHarness = [...findings.values()].some(({ status }) => status === 'harness')
  // A client that never does what the protocol is for proves nothing, although it breaks no rule either.
  const isActive = played.some(({ reached }) => reached) || isJudged || isHarness
  const unreachable = isReached(first) && isActive ? undefined : unreachableInWords(suite, first, where)
  const results =
    unreachable === undefined
      ? rows.map(([id, row]) => toRequirementResult(id, row, findings.get(id) ?? notTried(id, flows, played), baseline))
      : []
  const conclusion = conclude(results, baseline, new Set(Object.keys(suite.set.requirements)))
  return {
    protocol: suite.set.protocol,
    isClient: true,
    url: where,
    set: suite.set,
    tier: 'full',
    profile: profile.name,
    seed: 1,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    again: `backlot certify-client ${suite.set.protocol.replace(/-client$/, '')} ${command === undefined ? '--listen 0' : `--command '${command}'`}`,
    results,
    conclusion,
    losses: [],
    ...(unreachable !== undefined && { unreachable }),
    latencies: [],
    partial,
    ...(partial && {
      partialBecause: [
        ...(only ? [`--only ${only.join(' ')}`] : []),
        ...(skip ? [`--skip ${skip.join(' ')}`] : []),
      ].join(', '),
    }),
    exitCode: unreachable !== undefined ? 2 : conclusion.passed ? 0 : 1,
    reports: [],
  }
}

const idsOf = ({ requirements, ending }: Flow<ScriptedServer>): readonly string[] => [...requirements, ending.id]

function unreachableInWords({ minimum }: ClientSuite, { exit }: PlayedFlow, where: string): string {
  const ended = exit === 'running' || exit.code === undefined ? '' : `; it ended with exit code ${exit.code}`
  const output = exit === 'running' || exit.output === '' ? '' : `:\n${exit.output}`
  return `${where} did not ${minimum}${ended}${output}`
}

/** The finding of a requirement that no conversation reached: the client does not offer the feature. */
function notTried(id: string, flows: readonly Flow<ScriptedServer>[], played: readonly PlayedFlow[]): Finding {
  const about = flows.filter((flow) => idsOf(flow).includes(id)).map(({ name }) => name)
  const reached = played.filter(({ flow }) => about.includes(flow))
  const reason = reached.find(({ notReached }) => notReached !== undefined)?.notReached
  return {
    status: 'unchecked',
    why: `not tried: ${reason ?? 'the client sent no message that it covers'}`,
    frames: [],
  }
}

/** A server on a fixed port that plays the flows in order with any client that connects. */
export interface ClientListener {
  readonly host: Host
  /** Waits for a client without a time limit, and plays the flow with it. */
  play(flow: Flow<ScriptedServer>, options: PlayOptions): Promise<PlayedFlow>
}

/** Milliseconds to wait for late actions of a client after a flow. */
const SETTLE_MS = 1500

/** Milliseconds in which a client notices that its connections are closed. */
const NOTICE_MS = 100

/** Listens for clients that a person connects. `print` receives a line about each flow before it starts. */
async function listenForClients(
  suite: ClientSuite,
  port: number,
  print: (line: string) => void,
): Promise<ClientListener> {
  let endpoint: Endpoint | undefined
  const host = await startHost(() => endpoint, port)
  return {
    host,
    async play(flow, options) {
      const { text, token, timeoutMs } = options
      const conversation = openConversation(options)
      const server = suite.open({ flowContext: conversation, flow: flow.name, text, token })
      let hasBegun = false
      endpoint = beginning(server, () => {
        hasBegun = true
        conversation.notifyChange()
      })
      const address = server.address?.(host.url)
      if (address !== undefined) print(`the command of the server is ${address}`)
      print(`next: ${flow.name}: ${flow.description} Let the client send: ${text}`)
      await conversation.until(() => hasBegun || undefined, MAX_WAIT_MS)
      const timer = setTimeout(() => conversation.end(), timeoutMs)
      const trouble = await playFlow(flow, server, conversation)
      await conversation.pause(SETTLE_MS)
      clearTimeout(timer)
      conversation.end()
      endpoint = undefined
      host.drop()
      await pause(NOTICE_MS)
      await server.dispose?.()
      const { assessments, frames } = conversation
      const exit = { code: undefined, output: '' }
      return { flow: flow.name, assessments, frames, reached: server.reached, exit, ...trouble }
    },
  }
}

/** The maximum delay of a timer. */
const MAX_WAIT_MS = 2 ** 31 - 1

/** Wraps an endpoint to report its first request or connection. */
const beginning = (server: ScriptedServer, begins: () => void): Endpoint => ({
  request(request, response, body) {
    server.request(request, response, body)
    begins()
  },
  ...(server.raw && {
    raw(socket) {
      server.raw!(socket)
      begins()
    },
  }),
  ...(server.connected && {
    refuses: (request) => server.refuses?.(request),
    connected(socket, request) {
      server.connected!(socket, request)
      begins()
    },
  }),
})
