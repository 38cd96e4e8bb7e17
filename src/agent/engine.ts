import { type Clock, realClock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import { type IdSource, systemIds } from '../base/ids.ts'
import { AgentSession } from './agent-session.ts'
import type { ProtocolCapabilities } from './engine-tools.ts'
import type { ChatHistory, HistoryStore } from './history/history.ts'
import type { Model } from './models/model.ts'
import { DEFAULT_PROFILE, type Permissions, type Profile } from './profiles.ts'
import { joinToolboxes, NO_TOOLS, type Toolbox } from './toolbox.ts'

/** The models, tools and profiles that all sessions of a server share. */
export interface AgentOptions {
  /** One model for all sessions, or a function that selects one by profile and by the model that the client requested. */
  readonly model: Model | ((profile: Profile, asked: string | undefined) => Model)
  /** Opens the tools of a session. Each session may have its own desktop. */
  readonly openToolbox?: (sessionId: string) => Toolbox
  readonly clock?: Clock
  readonly ids?: IdSource
  /** The available profiles. The first is the default. */
  readonly profiles?: readonly Profile[]
  readonly askBeforeActs?: boolean
  /** Called with unexpected internal errors. */
  readonly onBug?: (cause: unknown) => void
}

export interface AgentSessionOptions {
  readonly id?: string
  /** The name of the protocol, for traces. */
  readonly protocol?: string
  readonly profileId?: string
  readonly capabilities?: Partial<ProtocolCapabilities>
  readonly permissions?: Partial<Permissions>
  readonly history?: ChatHistory
  readonly historyStore?: HistoryStore
  readonly queueLimit?: number
  readonly logCapacity?: number
  /** False drops messages that a summary covers, for protocols that cannot show them. */
  readonly keepsFullHistory?: boolean
  /** Replaces the toolbox that `openToolbox` returns. */
  readonly toolbox?: Toolbox
  /** Additional tools. They override tools of the same name from `openToolbox`. */
  readonly moreTools?: Toolbox
}

/** Opens sessions that share models and profiles. */
export interface Agent {
  readonly clock: Clock
  readonly ids: IdSource
  readonly profiles: readonly Profile[]
  open(options?: AgentSessionOptions): AgentSession
}

const MAX_QUEUED_MESSAGES = 128
const MAX_LOG_EVENTS = 1000
const DEFAULT_CAPABILITIES: ProtocolCapabilities = {
  parallel: 1,
  results: 'together',
  permissions: 'ask',
  questions: 'ask',
}

export function createAgent(options: AgentOptions): Agent {
  const { clock = realClock(), ids = systemIds, onBug = () => {} } = options
  const profiles = options.profiles?.length ? options.profiles : [DEFAULT_PROFILE]
  const { model } = options
  const chooseModel = typeof model === 'function' ? model : () => model

  function profileOf(id: string | undefined): Profile {
    const profile = id === undefined ? profiles[0] : profiles.find((candidate) => candidate.id === id)
    if (!profile) throw new Fault('SessionNotFound', `unknown profile ${JSON.stringify(id)}`, { profile_id: id })
    return profile
  }

  return {
    clock,
    ids,
    profiles,
    open(session = {}) {
      const id = session.id ?? ids.uuid()
      const toolbox = session.toolbox ?? options.openToolbox?.(id) ?? NO_TOOLS
      return new AgentSession({
        id,
        protocol: session.protocol ?? '',
        clock,
        ids,
        profiles,
        chooseModel,
        onBug,
        profile: profileOf(session.profileId),
        toolbox: session.moreTools ? joinToolboxes(toolbox, session.moreTools) : toolbox,
        capabilities: { ...DEFAULT_CAPABILITIES, ...session.capabilities },
        permissions: { askBeforeActs: options.askBeforeActs ?? false, ...session.permissions },
        history: session.history ?? { messages: [] },
        historyStore: session.historyStore,
        queueLimit: session.queueLimit ?? MAX_QUEUED_MESSAGES,
        logCapacity: session.logCapacity ?? MAX_LOG_EVENTS,
        keepsFullHistory: session.keepsFullHistory ?? true,
      })
    },
  }
}
