/** Describes a failure that a caller can cause. Every other error is a bug of the server and becomes `Internal`. */
interface FaultRow {
  /** Whether another try can succeed, possibly after the remedy. */
  readonly retry: boolean
  readonly message: string
  /** The tool that helps. */
  readonly remedy?: string
}

/** The 18 codes of the observer document (section "Errors"), then those of the agent protocols. */
export const FAULTS = {
  ElementNotFound: { retry: true, message: 'no element matches', remedy: 'find_element' },
  ElementOccluded: { retry: true, message: 'the element is covered or off the screen', remedy: 'bring_to_foreground' },
  ElementDisabled: { retry: true, message: 'the element is disabled', remedy: 'wait_for' },
  WindowGone: { retry: true, message: 'the window does not exist', remedy: 'list_windows' },
  WindowOccluded: { retry: true, message: 'the window is covered by others', remedy: 'bring_to_foreground' },
  Timeout: { retry: true, message: 'it took too long' },
  PatternUnsupported: { retry: true, message: 'the element does not support this', remedy: 'click_element' },
  RateLimited: { retry: true, message: 'too many actions in a short time', remedy: 'get_budget_status' },
  BudgetExceeded: { retry: false, message: 'the budget is used up' },
  PermissionDenied: { retry: false, message: 'the operator does not allow this' },
  ConfirmationRequired: { retry: true, message: 'the action needs a confirmation token', remedy: 'propose_action' },
  ConfirmationInvalid: { retry: true, message: 'the confirmation token does not fit', remedy: 'propose_action' },
  SnapshotExpired: { retry: true, message: 'the snapshot is no longer held' },
  ScenarioInvalid: { retry: false, message: 'the scenario cannot be used' },
  PlatformUnsupported: { retry: false, message: 'this computer cannot do that', remedy: 'get_capabilities' },
  PredicateUnsupported: { retry: false, message: 'the predicate cannot be evaluated here' },
  BadRequest: { retry: true, message: 'the request does not fit the schema' },
  Internal: { retry: false, message: 'a bug on our side' },

  SessionNotFound: { retry: false, message: 'there is no such session' },
  Unauthorized: { retry: false, message: 'a valid token is needed' },
  Conflict: { retry: false, message: 'it has been decided already' },
  Busy: { retry: true, message: 'too much is waiting' },
  EventsEvicted: { retry: false, message: 'the log no longer holds that event' },
  TooLarge: { retry: false, message: 'it is larger than allowed' },
  StorageFailed: { retry: true, message: 'the server cannot keep this' },
} as const satisfies Record<string, FaultRow>

/** The error codes of a failing disk or database, with the message for the caller. */
const STORAGE: Readonly<Record<string, string>> = {
  ENOSPC: "the server's disk is full",
  EDQUOT: "the server's disk quota is used up",
  EROFS: "the server's disk is read-only",
  EIO: "the server's disk has failed",
  SQLITE_FULL: "the server's disk is full",
  SQLITE_READONLY: "the server's database is read-only",
  SQLITE_IOERR: "the server's disk has failed",
  SQLITE_CORRUPT: "the server's database is damaged",
  SQLITE_NOTADB: "the server's database is damaged",
}

/** The codes of all faults; `FAULTS` describes each. */
export type FaultCode = keyof typeof FAULTS

/** Facts about the fault for the caller; never a secret, never a stack. */
export type FaultContext = Readonly<Record<string, unknown>>

/** An error that the caller caused, such as `ElementNotFound`. Every other error is a bug. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly context: FaultContext
  /** Further fields of the response, such as the time waited. */
  readonly facts: FaultContext
  /** A tool that helps in this case, or null if none does. Overrides the remedy of `FAULTS`. */
  readonly remedy: string | null | undefined

  /** `message` states what was wrong and what would be right. Defaults to the message of `FAULTS`. */
  constructor(
    code: FaultCode,
    message: string = FAULTS[code].message,
    context: FaultContext = {},
    facts: FaultContext = {},
    remedy?: string | null,
  ) {
    super(message)
    this.code = code
    this.context = context
    this.facts = facts
    this.remedy = remedy
  }

  get row(): FaultRow {
    return FAULTS[this.code]
  }

  /**
   * Converts any error at a boundary: a disk failure becomes `StorageFailed`, any other error `Internal`. The cause is
   * kept for the log only.
   */
  static from(thrown: unknown): Fault {
    if (thrown instanceof Fault) return thrown
    const storage = storageProblem(thrown)
    const fault = storage === undefined ? new Fault('Internal') : new Fault('StorageFailed', storage)
    fault.cause = thrown
    return fault
  }
}

/** The message for a disk or database failure. Undefined for other errors. */
export function storageProblem(thrown: unknown): string | undefined {
  const code = String((thrown as { readonly code?: unknown } | null | undefined)?.code)
  const name = Object.keys(STORAGE).find(
    (each) => code === each || (each.startsWith('SQLITE') && code.startsWith(each)),
  )
  return name && STORAGE[name]
}
