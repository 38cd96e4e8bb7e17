import { Fault } from '../../base/fault.ts'
import { call } from '../../observer/call.ts'
import type { ToolInput, ToolOutput } from '../../observer/registry.ts'
import type { ToolResult } from '../../observer/result.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { DesktopSessions } from '../../observer/session/sessions.ts'
import { TaskList } from './tasks.ts'
import type { EpisodeAction, ResetArguments } from './wire.ts'

/** What a reset chooses for the steps after it. */
type ObservationChoice = Pick<ResetArguments, 'observe' | 'screenshot' | 'max_steps'>

/** The environment of a client: a session, and the episode that is played on it. */
export class Episode {
  readonly session: DesktopSession
  readonly #sessions: DesktopSessions
  #id: string | null = null
  #steps = 0
  #task: string | null
  #choice: ObservationChoice = {}

  constructor(session: DesktopSession, sessions: DesktopSessions) {
    this.session = session
    this.#sessions = sessions
    this.#task = session.computer.simulation?.task ?? null
  }

  /** Starts an episode. Throws the fault of arguments that do not fit. */
  async reset(args: ResetArguments): Promise<ToolResult> {
    const { episode_id, seed, scenario, variant, faults, split, index, ...choice } = args
    if ((split === undefined) !== (index === undefined))
      throw new Fault('BadRequest', `${split === undefined ? 'split' : 'index'} is missing; give split and index`)
    const task = split === undefined ? undefined : await this.#taskAt(args)
    const { observation, info } = await this.#call('session_reset', {
      ...choice,
      seed: seed ?? task?.seed,
      scenario: scenario ?? task?.scenario,
      variant,
      ...(faults && { faults: [...faults] }),
    })
    const { task: asked, ...metadata } = info
    this.#id = episode_id ?? this.session.context.secretIds.hex(16)
    this.#steps = 0
    this.#task = (asked as string | undefined) ?? null
    this.#choice = choice
    return { observation: { task: this.#task, ...observation }, reward: null, done: false, metadata }
  }

  async #taskAt({ split, index, scenario }: ResetArguments) {
    if (scenario !== undefined)
      throw new Fault('BadRequest', 'scenario: a task names its own; give either scenario, or split and index')
    return new TaskList(await this.#sessions.scenarios()).at(split!, index!)
  }

  /** Performs an action. An action that the desktop refuses is a step; the metadata has its fault. */
  async step({ metadata: _, ...action }: EpisodeAction): Promise<ToolResult> {
    const { observation, reward, terminated, truncated, info } = await this.#call('session_step', {
      ...this.#choice,
      ...('actions' in action ? action : { action }),
    })
    this.#steps++
    return {
      observation: { task: this.#task, ...observation },
      reward,
      done: terminated || truncated,
      metadata: { ...info, terminated, truncated },
    }
  }

  state(): ToolResult {
    const { scenario, seed, variant } = this.session.computer.simulation!
    return {
      episode_id: this.#id,
      step_count: this.#steps,
      session_id: this.session.id,
      scenario,
      seed,
      ...(variant && { variant }),
    }
  }

  /** Calls a tool as an agent, outside of the steps. */
  async callTool(tool: string, args: unknown) {
    return call(this.session, tool, args, {
      caller: 'openenv',
      audience: 'agent',
      door: { door: 'openenv', call: tool },
    })
  }

  async #call<Name extends 'session_reset' | 'session_step'>(
    tool: Name,
    args: ToolInput<Name>,
  ): Promise<ToolOutput<Name>> {
    const { body, fault } = await call(this.session, tool, args, {
      caller: 'openenv',
      audience: 'harness',
      door: { door: 'openenv', call: tool },
    })
    if (fault) throw fault
    return body as ToolOutput<Name>
  }
}
