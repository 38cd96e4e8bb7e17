import { createHash } from 'node:crypto'
import type { Agent } from '../../agent/engine.ts'
import type { Toolbox } from '../../agent/toolbox.ts'
import { Fault } from '../../base/fault.ts'
import type { IdSource } from '../../base/ids.ts'
import type { SpeechSynthesizer } from '../../perception/perception.ts'
import type { Store } from '../../stores/store.ts'
import type { Artifacts } from './artifacts.ts'
import type { FailureLog } from './errors.ts'
import type { JsonParser } from './parser.ts'
import type { Catalogue, UserSettings } from './settings.ts'
import type { Toolset } from './tools.ts'
import type { StreamedEvent } from './wire.ts'

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

/** An installation and its user. */
export interface Identity {
  readonly userId: string
  readonly installId: string
}

/** `install`: every caller needs the token of a registered installation. `none`: no authentication. */
export type AuthMode = 'install' | 'none'

/** The identity of every caller without authentication. */
const LOCAL: Identity = { userId: 'local-user', installId: 'local-install' }

const KIND = 'windieos.install'
const TOKEN_PREFIX = 'wnd_install_'

/** The registered installations. A token is returned once; only its hash is stored. */
export function openInstallations(store: Store, ids: IdSource) {
  const hash = (token: string) => createHash('sha256').update(token).digest('hex')

  return {
    /** Registers an installation for a new user. */
    register(operatingSystem: string | null): Identity & { readonly token: string } {
      const identity = { userId: `user_${ids.hex(24)}`, installId: `install_${ids.hex(24)}` }
      const token = TOKEN_PREFIX + ids.hex(48)
      store.put(KIND, hash(token), { ...identity, operatingSystem }, identity.userId)
      return { ...identity, token }
    },

    /** The identity of a bearer token. Throws `Unauthorized` if it is wrong, or if it is required and missing. */
    identify(header: string | undefined, mode: AuthMode): Identity {
      const token = /^Bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1]
      if (token === undefined) {
        if (mode === 'none') return LOCAL
        throw new Fault('Unauthorized', 'Missing install bearer token')
      }
      const found = store.get(KIND, hash(token)) as Identity | undefined
      if (found) return { userId: found.userId, installId: found.installId }
      throw new Fault('Unauthorized', 'Invalid install bearer token')
    },
  }
}

type Installations = ReturnType<typeof openInstallations>

/** A connected client, as conversations see it. */
export interface ConnectedClient {
  readonly user: { readonly id: string; readonly config: UserSettings }
  readonly toolset: Toolset
  /** The runtime that executes tool calls in its place, if one is connected. */
  runtime(): ConnectedClient | undefined
  /** Sends an event of a turn or an operation, with its sequence number. */
  sendEvent(event: StreamedEvent, conversation: string, turn: string, sequence: number): void
  /** Sends an error with the id of the failed request. */
  sendError(message: string, id?: string, of?: { readonly conversation: string; readonly turn: string }): void
  /** Speaks a text after the previous ones, if the user has enabled speech. */
  speak(text: string, isWanted?: () => boolean): void
  close(): void
  /** Ends the connection without a closing handshake, like a network failure. */
  terminate(): void
}

/** Sends an event to the client that sent the query, or to `to`. */
export type SendEvent = (event: StreamedEvent, to?: ConnectedClient) => void
