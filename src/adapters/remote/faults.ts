import { FAULTS, Fault, type FaultCode, type FaultContext } from '../../base/fault.ts'

/** A JSON object of the other server. */
export type RemoteAnswer = Readonly<Record<string, unknown>>

const MAX_MESSAGE_LENGTH = 2000

/** The codes of other servers that would mislead clients of this one. */
const TRANSLATED: Readonly<Partial<Record<FaultCode, (message: string, at: string) => Fault>>> = {
  Unauthorized: (_, at) =>
    new Fault(
      'PermissionDenied',
      `${at} requires a token, or another one; set it with --remote-token or BACKLOT_REMOTE_TOKEN, and restart`,
    ),
  // A token of this server does not confirm at the other one.
  ConfirmationRequired: (message, at) => unconfirmed(message, at),
  ConfirmationInvalid: (message, at) => unconfirmed(message, at),
  // Not a bug of this server.
  Internal: (message, at) => new Fault('PlatformUnsupported', `${at} failed: ${message}`, FAILED),
}

/** Marks faults of the other server itself, and of what is no observer. Those of its desktop have no such mark. */
const FAILED: FaultContext = { connection: 'failed' }

const unconfirmed = (message: string, at: string): Fault =>
  new Fault(
    'PermissionDenied',
    `${at} asks for a confirmation, which this server cannot pass on (${message}); configure the rules of confirmation here instead`,
  )

/** The code of an error without one (observer document, "HTTP status codes"). */
const CODE_OF_STATUS: Readonly<Record<number, FaultCode>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'PermissionDenied',
  404: 'PlatformUnsupported',
  405: 'PlatformUnsupported',
  408: 'Timeout',
  413: 'TooLarge',
  429: 'RateLimited',
  501: 'PlatformUnsupported',
  502: 'Timeout',
  503: 'Timeout',
  504: 'Timeout',
}

/** The fault of an error of the other server, in either of its shapes. `at` names the server. */
export function toFault(status: number, answer: RemoteAnswer | undefined, at: string): Fault {
  const problem = objectIn(answer?.error) ?? objectIn(answer?.error_detail)
  const message = cut(textIn(problem?.message) ?? textIn(answer?.error) ?? `${at} answered ${status}`)
  const written = textIn(problem?.code) ?? textIn(answer?.code)
  const code = written !== undefined && isFaultCode(written) ? written : (CODE_OF_STATUS[status] ?? 'Internal')
  const translated = TRANSLATED[code]
  if (translated) return translated(message, at)
  return new Fault(code, message, objectIn(problem?.context) ?? {}, {}, textIn(problem?.suggested_next_tool))
}

/** The fault of an answer that no observer gives. */
export const misunderstood = (what: string, at: string): Fault =>
  new Fault('PlatformUnsupported', `${at} ${what}; the URL must be that of an observer`, FAILED)

/** The message of the document for a window without a tree (observer document, "structure"). */
const WITHOUT_TREE = 'Could not retrieve element tree'

/** Whether a fault says that the other desktop lacks something, and not that its server failed. */
export const isLacking = (thrown: unknown): boolean =>
  thrown instanceof Fault &&
  thrown.code === 'PlatformUnsupported' &&
  (thrown.context.connection === undefined || thrown.message.includes(WITHOUT_TREE))

export const isWindowGone = (thrown: unknown): boolean => thrown instanceof Fault && thrown.code === 'WindowGone'

/** Recovers from faults that a condition accepts. */
export const recover =
  <T>(accepts: (thrown: unknown) => boolean, otherwise: T) =>
  (thrown: unknown): T => {
    if (accepts(thrown)) return otherwise
    throw thrown
  }

const isFaultCode = (code: string): code is FaultCode => Object.hasOwn(FAULTS, code)

const cut = (text: string): string =>
  text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)}…` : text

const objectIn = (value: unknown): FaultContext | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FaultContext) : undefined

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
