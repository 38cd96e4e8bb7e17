import type { Frame } from '../probe/frame.ts'
import { type Assessment, type Conversation, NotReached, NotStarted, openConversation } from './conversation.ts'
import type { ClientArguments, ClientExit, Driver } from './driver.ts'
import type { ClientSuite, Flow, ScriptedServer } from './flow.ts'
import { startHost } from './host.ts'

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
