import type { Agent } from '../../agent/engine.ts'
import type { Toolbox } from '../../agent/tools/toolbox.ts'
import type { SpeechSynthesizer } from '../../perception/perception.ts'
import type { Artifacts } from './artifacts/artifacts.ts'
import type { FailureLog } from './errors.ts'
import type { JsonParser } from './parser.ts'
import type { AuthMode, Installations } from './users/identity.ts'
import type { Catalogue } from './users/models.ts'

/** Where the server draws lines (WindieOS document, "Limits"). */
export interface ConnectionLimits {
  readonly messageBytes: number
  readonly tasks: number
  readonly receiveTimeoutMs: number
}

export const DEFAULT_LIMITS: ConnectionLimits = {
  messageBytes: 10 * 1024 * 1024,
  tasks: 50,
  receiveTimeoutMs: 3_600_000,
}

/** What all connections of a server share. */
export interface ServerContext {
  readonly agent: Agent
  readonly auth: AuthMode
  readonly installs: Installations
  readonly artifacts: Artifacts
  /** The tools that run here. */
  readonly backendTools: Toolbox
  readonly catalogue: Catalogue
  readonly parser: JsonParser
  readonly speechSynthesizer: SpeechSynthesizer
  readonly logFailure: FailureLog
  readonly limits: ConnectionLimits
  /** A client that does not answer a tool call in this time has failed. */
  readonly toolTimeoutMs: number
  readonly countTokens: (text: string) => number
  /** The moment as frames tell it: ISO 8601, to the millisecond. */
  readonly timestamp: () => string
  readonly onBug: (cause: unknown) => void
}
