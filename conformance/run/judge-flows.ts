import { type Assessment, type Conversation, NotReached, NotStarted, openConversation } from '../client/conversation.ts'
import type { ClientArguments, ClientExit, Driver } from '../client/driver.ts'
import type { ClientSuite, Flow, ScriptedServer } from '../client/flow.ts'
import { startHost } from '../client/host.ts'
import type { Frame } from '../probe/frame.ts'
import { explainedBy, type Finding } from '../suite/results.ts'
import type { Progress } from './progress.ts'

/** Plays one flow from its start, with its own client. */
export type FlowPlayer = (flow: Flow<ScriptedServer>) => Promise<PlayedFlow>

export interface JudgeFlowsOptions {
  readonly dependencies: Readonly<Record<string, readonly string[]>>
  /** The number of parallel conversations; repeats run alone. */
  readonly concurrency: number
  /** How often a flow with a failure is repeated. */
  readonly repeats: number
  readonly progress: Progress
}

/** All repeats of a run together. */
const MAX_REPEATS = 100
/** Milliseconds after which one flow is no longer repeated. */
const MAX_REPEATING_MS = 60_000

/** Judges the flows. Returns findings by requirement, without requirements that no conversation tried. */
export async function judgeFlows(
  flows: readonly Flow<ScriptedServer>[],
  first: PlayedFlow | undefined,
  playFlow: FlowPlayer,
  { dependencies, concurrency, repeats, progress }: JudgeFlowsOptions,
): Promise<{ readonly findings: ReadonlyMap<string, Finding>; readonly played: readonly PlayedFlow[] }> {
  const played: PlayedFlow[] = first ? [first] : []
  const queue = flows.filter(({ name }) => name !== first?.flow)
  const work = async () => {
    for (let flow = queue.shift(); flow; flow = queue.shift()) {
      progress.started(flow.name)
      const startedAt = performance.now()
      const one = await playFlow(flow)
      played.push(one)
      progress.ended(flow.name, failedIds(one).length > 0, performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  const order = flows.map(({ name }) => name)
  played.sort((one, other) => order.indexOf(one.flow) - order.indexOf(other.flow))
  const findings = new Map<string, Finding>()
  for (const one of played)
    for (const [id, assessment] of one.assessments) note(findings, id, findingOf(one, assessment))
  const failed = new Set([...findings].flatMap(([id, { status }]) => (status === 'failed' ? [id] : [])))
  for (const id of failed) {
    const cause = dependencies[id]?.find((needed) => failed.has(needed))
    if (cause !== undefined) findings.set(id, explainedBy(findings.get(id)!, cause))
  }
  await confirm(flows, played, playFlow, repeats, findings)
  for (const one of played) noteHarness(findings, flows.find(({ name }) => name === one.flow)!, one)
  return { findings, played }
}

const failedIds = ({ assessments }: PlayedFlow): readonly string[] =>
  [...assessments].flatMap(([id, { status }]) => (status === 'failed' ? [id] : []))

const findingOf = ({ flow, frames }: PlayedFlow, { status, why }: Assessment): Finding => ({
  status,
  ...(why !== undefined && { why: `in the flow ${flow}: ${why}` }),
  frames: status === 'failed' || status === 'unjudged' ? frames : [],
})

const ORDER: readonly Finding['status'][] = ['failed', 'passed', 'unjudged']

/** A failure in any conversation wins; a pass wins over a conversation that could not judge. */
function note(findings: Map<string, Finding>, id: string, finding: Finding): void {
  const before = findings.get(id)
  if (!before || ORDER.indexOf(finding.status) < ORDER.indexOf(before.status)) findings.set(id, finding)
}

/** An error of the suite hides the requirements of its flow, unless they failed in another flow. */
function noteHarness(
  findings: Map<string, Finding>,
  { requirements, ending }: Flow<ScriptedServer>,
  { harness, frames }: PlayedFlow,
): void {
  if (harness === undefined) return
  for (const id of [...requirements, ending.id])
    if (findings.get(id)?.status !== 'failed') findings.set(id, { status: 'harness', why: harness, frames })
}

/** Repeats each flow with a failure alone, and records whether it always fails. */
async function confirm(
  flows: readonly Flow<ScriptedServer>[],
  played: readonly PlayedFlow[],
  playFlow: FlowPlayer,
  repeats: number,
  findings: Map<string, Finding>,
): Promise<void> {
  if (repeats === 0) return
  const placed = new Set<string>()
  const suspects = played.flatMap((one) => {
    const ids = failedIds(one).filter((id) => !placed.has(id) && findings.get(id)?.status === 'failed')
    for (const id of ids) placed.add(id)
    return ids.length > 0 ? [{ flow: flows.find(({ name }) => name === one.flow)!, ids }] : []
  })
  const count = Math.min(repeats, Math.max(1, Math.floor(MAX_REPEATS / Math.max(1, suspects.length))))
  for (const { flow, ids } of suspects) {
    const failures = new Map(ids.map((id) => [id, 0]))
    const startedAt = performance.now()
    let ran = 0
    while (ran < count && performance.now() - startedAt < MAX_REPEATING_MS) {
      const failed = failedIds(await playFlow(flow))
      ran++
      for (const id of ids) if (failed.includes(id)) failures.set(id, failures.get(id)! + 1)
    }
    for (const id of ids) {
      const failed = failures.get(id)!
      const finding = findings.get(id)!
      const isSteady = failed === ran
      findings.set(id, {
        ...finding,
        ...(!isSteady && { status: 'unsteady', why: `not each time ${finding.why}` }),
        repeats: { ran, failed },
      })
    }
  }
}

/** The result of one conversation. */
export interface PlayedFlow {
  readonly flow: string
  readonly assessments: ReadonlyMap<string, Assessment>
  readonly frames: readonly Frame[]
  /** Whether the client sent the smallest exchange. */
  readonly reached: boolean
  /** The missing action of the client that prevented the rest of the flow. */
  readonly notReached?: string
  /** An error of the suite. */
  readonly harness?: string
  readonly exit: ClientExit | 'running'
}

export interface PlayOptions {
  readonly text: string
  readonly token: string
  /** Milliseconds for an immediate action of the client, such as exiting after its conversation. */
  readonly responseTimeoutMs: number
  /** Milliseconds for one whole conversation. */
  readonly timeoutMs: number
}

/** Plays one flow with a client that the driver starts, on its own port. */
export async function playWithDriver(
  suite: ClientSuite,
  flow: Flow<ScriptedServer>,
  driver: Driver,
  options: PlayOptions,
): Promise<PlayedFlow> {
  const { text, token, responseTimeoutMs, timeoutMs } = options
  const conversation = openConversation(options)
  const server = suite.open({ flowContext: conversation, flow: flow.name, text, token })
  const host = await startHost(() => server)
  const given: ClientArguments = { url: server.address?.(host.url) ?? host.url, token, text, flow: flow.name }
  const client = driver(given)
  const timer = setTimeout(() => conversation.end(), timeoutMs)
  let exit: ClientExit | 'running' = 'running'
  const exited = client.exit.then((how) => {
    exit = how
    conversation.end()
  })
  const trouble = await playFlow(flow, server, conversation)
  await Promise.race([exited, later(responseTimeoutMs)])
  clearTimeout(timer)
  if (trouble.harness === undefined) judgeEnding(flow, conversation, trouble.notReached !== undefined, exit)
  conversation.end()
  await client.stop()
  await host.close()
  await server.dispose?.()
  return {
    flow: flow.name,
    assessments: conversation.assessments,
    frames: conversation.frames,
    reached: server.reached,
    exit,
    ...trouble,
  }
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

/** Plays the server; returns why the flow could not be completed. */
export async function playFlow(
  flow: Flow<ScriptedServer>,
  server: ScriptedServer,
  { assess }: Conversation,
): Promise<Pick<PlayedFlow, 'notReached' | 'harness'>> {
  try {
    await flow.play(server)
    return {}
  } catch (error) {
    if (error instanceof NotStarted) assess(flow.ending.id, error.message)
    else if (!(error instanceof NotReached)) return { harness: (error as Error).stack ?? String(error) }
    server.conclude()
    return { notReached: error.message }
  }
}

/** After an incomplete flow, any exit is accepted: the client may not offer the feature. */
function judgeEnding(
  { ending }: Flow<ScriptedServer>,
  conversation: Conversation,
  isUnfinished: boolean,
  exit: ClientExit | 'running',
): void {
  if (isUnfinished) return
  conversation.assess(ending.id, endingProblem(ending.how, exit))
}

function endingProblem(how: Flow<unknown>['ending']['how'], exit: ClientExit | 'running'): string | undefined {
  if (exit === 'running') return 'the client did not end after the conversation was over'
  if (exit.code === undefined || how === 'either' || (exit.code === 0) === (how === 'well')) return undefined
  if (how === 'badly') return 'the client ended with exit code 0, as if nothing had gone wrong'
  const last = exit.output.split('\n').at(-1) ?? ''
  return `the client ended with exit code ${exit.code}${last === '' ? '' : `: ${last}`}`
}
