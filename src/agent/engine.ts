import { type Clock, realClock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import { type IdSource, systemIds } from '../base/ids.ts'
import type { ChatHistory } from './history/history.ts'
import type { Model } from './models/model.ts'
import type { Permissions } from './profiles/permissions.ts'
import { DEFAULT_PROFILE, type Profile } from './profiles/profiles.ts'
import type { ProtocolCapabilities } from './run/run-context.ts'
import { AgentSession, type HistoryStore } from './session.ts'
import { joinToolboxes, NO_TOOLS, type Toolbox } from './tools/toolbox.ts'

/** What agents are made of, for all sessions of a server. */
export interface AgentOptions {
  /** What decides turns: one model for all, or a choice by profile and by what the client asked for. */
  readonly model: Model | ((profile: Profile, asked: string | undefined) => Model)
  /** The tools of a session; each session may have a desktop of its own. */
  readonly openToolbox?: (sessionId: string) => Toolbox
  readonly clock?: Clock
  readonly ids?: IdSource
  /** The first is the default. */
  readonly profiles?: readonly Profile[]
  readonly askBeforeActs?: boolean
  /** Hears of throws that nobody caused. */
  readonly onBug?: (cause: unknown) => void
}

export interface AgentSessionOptions {
  readonly id?: string
  readonly profileId?: string
  readonly capabilities?: Partial<ProtocolCapabilities>
  readonly permissions?: Partial<Permissions>
  readonly history?: ChatHistory
  readonly historyStore?: HistoryStore
  readonly queueLimit?: number
  readonly logCapacity?: number
  /** False: messages that a summary covers are forgotten, for a protocol that cannot show them. */
  readonly keepsFullHistory?: boolean
  /** In place of the one that `openToolbox` gives. */
  readonly toolbox?: Toolbox
  /** Tools beside those that `openToolbox` gives, which come before others of the same name. */
  readonly moreTools?: Toolbox
}

/** The engine: it opens sessions, all with the same models and profiles. */
export interface Agent {
  readonly clock: Clock
  readonly ids: IdSource
  readonly profiles: readonly Profile[]
  open(options?: AgentSessionOptions): AgentSession
}

const QUEUE_LIMIT = 128
const LOG_CAPACITY = 1000
const DEFAULT_MANNERS: ProtocolCapabilities = { parallel: 1, results: 'together', permissions: 'ask', questions: 'ask' }

export function createAgent(options: AgentOptions): Agent {
  const { clock = realClock(), ids = systemIds, onBug = () => {} } = options
  const profiles = options.profiles?.length ? options.profiles : [DEFAULT_PROFILE]
  const { model } = options
  const chooseModel = typeof model === 'function' ? model : () => model

  function profileOf(id: string | undefined): Profile {
    const profile = id === undefined ? profiles[0] : profiles.find((candidate) => candidate.id === id)
    if (!profile) throw new Fault('SessionNotFound', `there is no profile ${JSON.stringify(id)}`, { profile_id: id })
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
        clock,
        ids,
        profiles,
        chooseModel,
        onBug,
        profile: profileOf(session.profileId),
        toolbox: session.moreTools ? joinToolboxes(toolbox, session.moreTools) : toolbox,
        capabilities: { ...DEFAULT_MANNERS, ...session.capabilities },
        permissions: { askBeforeActs: options.askBeforeActs ?? false, ...session.permissions },
        history: session.history ?? { messages: [] },
        historyStore: session.historyStore,
        queueLimit: session.queueLimit ?? QUEUE_LIMIT,
        logCapacity: session.logCapacity ?? LOG_CAPACITY,
        keepsFullHistory: session.keepsFullHistory ?? true,
      })
    },
  }
}
