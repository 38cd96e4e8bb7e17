import type { Frame } from '../probe/frame.ts'
import type { ClientSuite } from './client-suites.ts'
import { type Conversation, type Judgement, NotReached, NotStarted, openConversation } from './conversation.ts'
import type { Driver, Exit, Given } from './driver.ts'
import type { Flow, ScriptedServer } from './flow.ts'
import { listen } from './host.ts'

/** What one conversation came to. */
export interface Played {
  readonly flow: string
  readonly judgements: ReadonlyMap<string, Judgement>
  readonly frames: readonly Frame[]
  /** Whether the client sent the smallest exchange. */
  readonly reached: boolean
  /** What the client did not do, so that the flow could not be played to its end. */
  readonly notReached?: string
  /** An error of the suite. */
  readonly harness?: string
  readonly exit: Exit | 'running'
}

export interface PlayOptions {
  readonly text: string
  readonly token: string
  /** Milliseconds for something that a client does at once, as ending after its conversation. */
  readonly patienceMs: number
  /** Milliseconds for one whole conversation. */
  readonly timeoutMs: number
}

/** Plays one flow with a client that the driver starts, on a port of its own. */
export async function play(
  suite: ClientSuite,
  flow: Flow<ScriptedServer>,
  driver: Driver,
  options: PlayOptions,
): Promise<Played> {
  const { text, token, patienceMs, timeoutMs } = options
  const conversation = openConversation(options)
  const server = suite.open({ judge: conversation, flow: flow.name, text, token })
  const host = await listen(() => server)
  const given: Given = { url: server.address?.(host.url) ?? host.url, token, text, flow: flow.name }
  const client = driver(given)
  const timer = setTimeout(() => conversation.end(), timeoutMs)
  let exit: Exit | 'running' = 'running'
  const exited = client.exit.then((how) => {
    exit = how
    conversation.end()
  })
  const trouble = await playFlow(flow, server, conversation)
  await Promise.race([exited, later(patienceMs)])
  clearTimeout(timer)
  if (trouble.harness === undefined) judgeEnding(flow, conversation, trouble.notReached !== undefined, exit)
  conversation.end()
  await client.stop()
  await host.close()
  await server.dispose?.()
  return {
    flow: flow.name,
    judgements: conversation.judgements,
    frames: conversation.frames,
    reached: server.reached,
    exit,
    ...trouble,
  }
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())

/** Plays the server's part; gives why it could not be played to its end. */
export async function playFlow(
  flow: Flow<ScriptedServer>,
  server: ScriptedServer,
  { judge }: Conversation,
): Promise<Pick<Played, 'notReached' | 'harness'>> {
  try {
    await flow.play(server)
    return {}
  } catch (error) {
    if (error instanceof NotStarted) judge(flow.ending.id, error.message)
    else if (!(error instanceof NotReached)) return { harness: (error as Error).stack ?? String(error) }
    server.conclude()
    return { notReached: error.message }
  }
}

/** A client that could not be played to its end may end as it likes: the flow may be about something it does not offer. */
function judgeEnding(
  { ending }: Flow<ScriptedServer>,
  conversation: Conversation,
  isUnfinished: boolean,
  exit: Exit | 'running',
): void {
  if (isUnfinished) return
  conversation.judge(ending.id, endingProblem(ending.how, exit))
}

function endingProblem(how: Flow<unknown>['ending']['how'], exit: Exit | 'running'): string | undefined {
  if (exit === 'running') return 'the client did not end after the conversation was over'
  if (exit.code === undefined || how === 'either' || (exit.code === 0) === (how === 'well')) return undefined
  if (how === 'badly') return 'the client ended with exit code 0, as if nothing had gone wrong'
  const last = exit.output.split('\n').at(-1) ?? ''
  return `the client ended with exit code ${exit.code}${last === '' ? '' : `: ${last}`}`
}
