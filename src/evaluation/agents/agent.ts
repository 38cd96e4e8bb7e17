import type { EnvironmentVariables } from '../../base/host.ts'
import type { Driver } from '../../compose/driver.ts'
import type { MemorySession } from '../../compose/memory-session.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { PlannedEpisode } from '../suite/suite-file.ts'

/** A program that is evaluated. */
export interface EvaluatedAgent {
  /** As the operator named it. */
  readonly name: string
  /** Files that sessions can read, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Plays an episode until the agent ends it or `signal` aborts. Throws when the agent crashes. */
  play(context: AgentContext): Promise<AgentReport>
  /** Ends what the agent keeps open between episodes. */
  close?(): Promise<void>
}

/** The parts that agents are opened with. */
export interface AgentServices {
  readonly environment: EnvironmentVariables
  /** Called with the process group of each agent when it starts, and with `isRunning` false when it has ended. */
  readonly onProcess: (group: number, isRunning: boolean) => void
}

/** A kind of agent, which the operator writes after `--agent`. `AGENT_KINDS` lists all. */
export interface AgentKind {
  /** How the operator writes it, for help, messages and the guide: itself, `"NAME ARGUMENT"`, or a phrase. */
  readonly syntax: string
  /** The part of a name that matters, if a name is of this kind. Undefined for other names. */
  readonly read: (name: string) => string | undefined
  /**
   * Opens the agent.
   * @throws A `SuiteError` for a wrong name, and an `AgentUnavailable` for an agent that does not load.
   */
  readonly open: (argument: string, parts: AgentServices) => EvaluatedAgent | Promise<EvaluatedAgent>
  /** A SHA-256 of its content. Null without content. */
  readonly hash: (argument: string, environment: EnvironmentVariables) => string | null
  /** Whether it is a part of this program, which every worker plays. */
  readonly isBuiltin?: boolean
}

/** What an agent gets for an episode. */
export interface AgentContext {
  readonly episode: PlannedEpisode
  readonly scenario: Scenario
  /** The task in words. */
  readonly task: string
  readonly desktop: MemorySession
  /** Calls tools as an agent: the tools of the harness are refused. */
  readonly driver: Driver
  /** Aborts when the budget is spent or the operator stops the evaluation. */
  readonly signal: AbortSignal
  /** A seed of the agent's own, which differs from run to run. */
  readonly agentSeed: number
}

/** What an agent reports about its model. */
export interface ModelUsage {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cost_usd: number | null
}

/** What is known about an agent after an episode. */
export interface AgentReport {
  readonly usage?: ModelUsage | undefined
  /** What its program wrote. */
  readonly log?: string | undefined
  /** How often it called the program `sleep`. */
  readonly sleeps?: number
}

/** The program of an agent has failed. */
export class AgentCrash extends Error {
  /** What it wrote until then. */
  readonly log: string

  constructor(message: string, log: string) {
    super(message)
    this.log = log
  }
}

/** An episode says nothing about the agent: its model, the network or its own start has failed. */
export class NoResult extends AgentCrash {}

/** The agent cannot be opened, such as a module that does not load. No episode has a result then. */
export class AgentUnavailable extends Error {}
