import type { RequirementSet } from '../requirement.ts'
import type { FlowContext } from './conversation.ts'
import type { Endpoint } from './host.ts'

/** How a client exits after a flow: `well` is exit code 0, `badly` any other. */
export type Ending = 'well' | 'badly' | 'either'

/** One conversation that the scripted server plays with a client. */
export interface Flow<Server> {
  readonly name: string
  /** Describes the server's actions in one sentence, for reports and for people who connect a client by hand. */
  readonly description: string
  /** The message that the client should send; a profile may replace it. */
  readonly text: string
  /** Ids of the requirements that it can fail, without those that every request can fail. */
  readonly requirements: readonly string[]
  /** How the client has to exit, and the requirement that fails otherwise. */
  readonly ending: { readonly how: Ending; readonly id: string }
  /** Plays the server. Throws `NotReached` to end early. */
  play(server: Server): Promise<void>
}

/** The requirements and flows for the clients of one protocol. */
export interface ClientSuite<Server extends ScriptedServer = ScriptedServer> {
  readonly set: RequirementSet
  /** The minimum that a client has to do, as the end of "the client did not …". */
  readonly minimum: string
  /** The first flow is played alone: it shows whether the client is reachable. */
  readonly flows: readonly Flow<Server>[]
  /**
   * The requirements that each requirement relies on: when one of them fails, failures of the requirement are not
   * judged.
   */
  readonly dependencies: Readonly<Record<string, readonly string[]>>
  /** The scripted server of one conversation. */
  open(context: ServerContext): Server
}

/** The scripted server of one conversation. */
export interface ScriptedServer extends Endpoint {
  /** Whether the client has sent the minimum exchange of the protocol. */
  readonly reached: boolean
  /** Ends the conversation in a documented way, so a waiting client can exit. */
  conclude(): void
  /** The address for the client, when it is not the URL of the host. */
  address?(hostUrl: string): string
  /** Deletes the server's temporary files. */
  dispose?(): void
}

/** The dependencies of a scripted server. */
export interface ServerContext {
  readonly flowContext: FlowContext
  readonly flow: string
  readonly text: string
  readonly token: string
}

/** Milliseconds to wait for unexpected messages of the client. */
export const WATCH_MS = 500
/** Milliseconds to wait for a client to leave after an event that it cannot read. */
export const GLANCE_MS = 250
/** Milliseconds to wait for a reconnect. */
export const RECONNECT_MS = 10_000
/** The maximum number of connections or requests per second. */
const MAX_ATTEMPTS_PER_SECOND = 5

/** The problem of a client that did something too often within a second; `done` describes it in the past. */
export const hammeringProblem = (done: string, count: number): string | undefined =>
  count > MAX_ATTEMPTS_PER_SECOND ? `${done} ${count} times within a second` : undefined

/** Builds the requirement ids and the endings for the flows of one requirement set. */
export function requirementIds<Rule extends string>(set: string) {
  const id = (rule: Rule) => `${set}:${rule}`
  return {
    id,
    ids: (...rules: readonly Rule[]): readonly string[] => rules.map(id),
    endsWell: (rule: Rule) => ({ how: 'well', id: id(rule) }) as const,
  }
}

interface ReadServer<Rule> {
  readonly flowContext: FlowContext
  readonly isOpen: boolean
  assess(rule: Rule, problem: string | undefined): boolean
}

/** Lets the client read the sent events, and fails `rule` when it leaves before `end`. */
export async function assertReads<Rule>(server: ReadServer<Rule>, rule: Rule, what: string, end: string) {
  await server.flowContext.pause(GLANCE_MS)
  const isReading = server.isOpen && !server.flowContext.isOver
  if (!isReading) server.assess(rule, `the client left after ${what}, before ${end}`)
}

/** How a protocol plays an answer around something that a client has to get over. */
interface AnswerParts<Server, Rule extends string, Started> {
  readonly rules: Pick<ReturnType<typeof requirementIds<Rule>>, 'ids' | 'endsWell'>
  /** Sends a piece of the answer, if the client waits for one. */
  say?(server: Server, started: Started): void
  /** Lets the client read, and fails the rule when it leaves. */
  reads(server: Server, rule: Rule, what: string): Promise<void>
  end(server: Server, started: Started): void
}

/** Returns a function that defines flows which send something in the middle of an answer. */
export const midAnswerFlows =
  <Server extends { started(): Promise<Started> }, Rule extends string, Started = void>(
    parts: AnswerParts<Server, Rule, Started>,
  ) =>
  (
    name: string,
    description: string,
    rule: Rule,
    send: (server: Server, started: Started) => Promise<void> | void,
  ): Flow<Server> => ({
    name,
    description,
    text: 'hello',
    requirements: parts.rules.ids(rule),
    ending: parts.rules.endsWell(rule),
    async play(server) {
      const started = await server.started()
      await send(server, started)
      parts.say?.(server, started)
      await parts.reads(server, rule, description.charAt(0).toLowerCase() + description.slice(1, -1))
      parts.end(server, started)
    },
  })

/** Picks the items of a coverage list that concern clients; `ids` is separated by spaces. */
export function pickItems(items: Readonly<Record<string, string>>, ids: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ids.split(' ').map((id) => {
      const title = items[id]
      if (title === undefined) throw new Error(`there is no item ${id}`)
      return [id, title]
    }),
  )
}
