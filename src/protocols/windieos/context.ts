import type { Agent } from '../../agent/engine.ts'
import type { Toolbox } from '../../agent/toolbox.ts'
import type { SpeechSynthesizer } from '../../perception/perception.ts'
import type { Artifacts } from './artifacts/artifacts.ts'
import type { FailureLog } from './errors.ts'
import type { JsonParser } from './parser.ts'
import type { AuthMode, Installations } from './users/identity.ts'
import type { Catalogue } from './users/models.ts'

/** The limits of connections (WindieOS document, "Limits"). */
export interface ConnectionLimits {
  /** The largest message in bytes. */
  readonly messageBytes: number
  /** The most concurrent turns of a connection. */
  readonly tasks: number
  /** The time without a frame after which a connection is closed. */
  readonly receiveTimeoutMs: number
}

/** The documented limits. */
export const DEFAULT_LIMITS: ConnectionLimits = {
  messageBytes: 10 * 1024 * 1024,
  tasks: 50,
  receiveTimeoutMs: 3_600_000,
}

/** The state and services that all connections of a server share. */
export interface ServerContext {
  readonly agent: Agent
  readonly auth: AuthMode
  readonly installs: Installations
  readonly artifacts: Artifacts
  /** The tools that run in the server. */
  readonly backendTools: Toolbox
  readonly catalogue: Catalogue
  readonly parser: JsonParser
  readonly speechSynthesizer: SpeechSynthesizer
  readonly logFailure: FailureLog
  readonly limits: ConnectionLimits
  /** A tool call fails if the client does not answer in this time. */
  readonly toolTimeoutMs: number
  readonly countTokens: (text: string) => number
  /** The current time in the format of frames: ISO 8601 with milliseconds. */
  readonly timestamp: () => string
  readonly onBug: (cause: unknown) => void
}
