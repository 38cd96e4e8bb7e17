import type { Agent } from '../../agent/engine.ts'
import type { Toolbox } from '../../agent/toolbox.ts'
import type { SpeechSynthesizer } from '../../perception/perception.ts'
import type { Artifacts } from './artifacts.ts'
import type { Journal } from './errors.ts'
import type { AuthMode, Installs } from './identity.ts'
import type { Catalogue } from './models.ts'
import type { Parser } from './parser.ts'

/** Where the server draws lines (WindieOS document, "Limits"). */
export interface Limits {
  readonly messageBytes: number
  readonly tasks: number
  readonly receiveTimeoutMs: number
}

export const LIMITS: Limits = { messageBytes: 10 * 1024 * 1024, tasks: 50, receiveTimeoutMs: 3_600_000 }

/** What all connections of a server share. */
export interface House {
  readonly agent: Agent
  readonly auth: AuthMode
  readonly installs: Installs
  readonly artifacts: Artifacts
  /** The tools that run here. */
  readonly backend: Toolbox
  readonly catalogue: Catalogue
  readonly parser: Parser
  readonly speaker: SpeechSynthesizer
  readonly journal: Journal
  readonly limits: Limits
  /** A client that does not answer a tool call in this time has failed. */
  readonly toolTimeoutMs: number
  readonly countTokens: (text: string) => number
  /** The moment as frames tell it: ISO 8601, to the millisecond. */
  readonly timestamp: () => string
  readonly onBug: (cause: unknown) => void
}
