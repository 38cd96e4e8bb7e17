import type { CommandResult } from '../contract.ts'

/** The codes of errors. */
export type ErrorCode =
  | 'PERM_DENIED'
  | 'ELEMENT_NOT_FOUND'
  | 'APP_NOT_FOUND'
  | 'ACTION_FAILED'
  | 'ACTION_NOT_SUPPORTED'
  | 'STALE_REF'
  | 'AMBIGUOUS_TARGET'
  | 'WINDOW_NOT_FOUND'
  | 'PLATFORM_NOT_SUPPORTED'
  | 'TIMEOUT'
  | 'INVALID_ARGS'
  | 'NOTIFICATION_NOT_FOUND'
  | 'SNAPSHOT_NOT_FOUND'
  | 'POLICY_DENIED'
  | 'APP_UNRESPONSIVE'
  | 'INTERNAL'

/** What became of an action on its way, and whether it may be repeated. */
const RETRIES = {
  not_delivered: 'safe',
  delivery_uncertain: 'unsafe',
  delivered_unverified: 'unsafe',
  delivered_verified: 'unsafe',
  unknown: 'unknown',
} as const
export type Delivery = keyof typeof RETRIES

export const dispositionOf = (delivery: Delivery) => ({ delivery, retry: RETRIES[delivery] })

/** How to recover from an error. Only these codes have it, and only where a retry is safe. */
const RECOVERIES: Partial<Record<ErrorCode, object>> = {
  STALE_REF: recovery('refresh_snapshot_then_retry_original', true),
  SNAPSHOT_NOT_FOUND: recovery('refresh_snapshot_then_retry_original', true),
  POLICY_DENIED: recovery('request_explicit_policy_then_retry_original', false),
  APP_UNRESPONSIVE: { ...recovery('inspect_state_then_retry_original', true), retry_after_ms: 250 },
}

function recovery(strategy: string, requires_fresh_snapshot: boolean) {
  return { strategy, retryable: true, requires_fresh_snapshot }
}

/** What an error says besides its code and message. */
interface ErrorDetails {
  readonly delivery?: Delivery
  readonly suggestion?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly platformDetail?: string
}

/** A failed command. */
export class CommandError extends Error {
  readonly code: ErrorCode
  readonly about: ErrorDetails

  constructor(code: ErrorCode, message: string, about: ErrorDetails = {}) {
    super(message)
    this.code = code
    this.about = about
  }
}

/** The `error` of an envelope. Arguments are checked before anything is known about delivery. */
export function errorOf({ code, message, about }: CommandError): object {
  const { delivery = 'unknown', suggestion, details, platformDetail } = about
  const disposition = dispositionOf(delivery)
  const recovers = disposition.retry === 'safe' ? RECOVERIES[code] : undefined
  return {
    code,
    message,
    disposition,
    ...(suggestion !== undefined && { suggestion }),
    ...(recovers && { recovery: recovers }),
    ...(platformDetail !== undefined && { platform_detail: platformDetail }),
    ...(details && { details }),
  }
}

export const PROCESS_EXIT = { ok: 0, error: 1, usage: 2 } as const

/** One JSON value on one line, as every command prints. */
export const successOf = (version: string, command: string, data: unknown): CommandResult => ({
  stdout: `${JSON.stringify({ version, ok: true, command, data })}\n`,
  stderr: '',
  exit: PROCESS_EXIT.ok,
})

export const failureOf = (
  version: string,
  command: string,
  error: CommandError,
  exit: number = PROCESS_EXIT.error,
): CommandResult => ({
  stdout: `${JSON.stringify({ version, ok: false, command, error: errorOf(error) })}\n`,
  stderr: '',
  exit,
})
