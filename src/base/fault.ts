/** What a caller can cause. Anything else that is thrown is a bug of ours and becomes `Internal`. */
interface FaultRow {
  /** Whether trying again, perhaps after the remedy, can succeed. */
  readonly retry: boolean
  readonly says: string
  /** The remedy, as the name of a tool. */
  readonly try?: string
}

/** The 18 codes of the observer's document (section "Errors"), then those of the agent protocols. */
export const FAULTS = {
  ElementNotFound: { retry: true, says: 'no element matches', try: 'find_element' },
  ElementOccluded: { retry: true, says: 'the element is covered or off the screen', try: 'bring_to_foreground' },
  ElementDisabled: { retry: true, says: 'the element is disabled', try: 'wait_for' },
  WindowGone: { retry: true, says: 'the window does not exist', try: 'list_windows' },
  WindowOccluded: { retry: true, says: 'the window is covered by others', try: 'bring_to_foreground' },
  Timeout: { retry: true, says: 'it took too long' },
  PatternUnsupported: { retry: true, says: 'the element does not support this', try: 'click_element' },
  RateLimited: { retry: true, says: 'too many actions in a short time', try: 'get_budget_status' },
  BudgetExceeded: { retry: false, says: 'the budget is used up' },
  PermissionDenied: { retry: false, says: 'the operator does not allow this' },
  ConfirmationRequired: { retry: true, says: 'the action needs a confirmation token', try: 'propose_action' },
  ConfirmationInvalid: { retry: true, says: 'the confirmation token does not fit', try: 'propose_action' },
  SnapshotExpired: { retry: true, says: 'the snapshot is no longer held' },
  ScenarioInvalid: { retry: false, says: 'the scenario cannot be used' },
  PlatformUnsupported: { retry: false, says: 'this computer cannot do that', try: 'get_capabilities' },
  PredicateUnsupported: { retry: false, says: 'the predicate cannot be evaluated here' },
  BadRequest: { retry: false, says: 'the request does not fit the schema' },
  Internal: { retry: false, says: 'a bug on our side' },

  SessionNotFound: { retry: false, says: 'there is no such session' },
  Unauthorized: { retry: false, says: 'a valid token is needed' },
  Conflict: { retry: false, says: 'it has been decided already' },
  Busy: { retry: true, says: 'too much is waiting' },
  EventsEvicted: { retry: false, says: 'the log no longer holds that event' },
  TooLarge: { retry: false, says: 'it is larger than allowed' },
  StorageFailed: { retry: true, says: 'the server cannot keep this' },
} as const satisfies Record<string, FaultRow>

/** What the system and the database say when a disk is to blame, and what of it a caller reads. */
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

/** An outcome that the caller caused, such as `ElementNotFound`. Every other error is a bug. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly context: FaultContext
  /** What the answer carries beside the error, such as how long was waited. */
  readonly facts: FaultContext
  /** A tool that helps in this case; that of the table otherwise. */
  readonly remedy: string | undefined

  /** `message` says what was wrong and what would be right; without one the table's sentence is used. */
  constructor(
    code: FaultCode,
    message: string = FAULTS[code].says,
    context: FaultContext = {},
    facts: FaultContext = {},
    remedy?: string,
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
   * The one conversion at a boundary: a failure of the disk becomes `StorageFailed`, any other stranger `Internal`, with
   * its cause kept for the log only.
   */
  static from(thrown: unknown): Fault {
    if (thrown instanceof Fault) return thrown
    const storage = storageProblem(thrown)
    const fault = storage === undefined ? new Fault('Internal') : new Fault('StorageFailed', storage)
    fault.cause = thrown
    return fault
  }
}

/** What is wrong with the disk or the database, in words; undefined when it is something else. */
export function storageProblem(thrown: unknown): string | undefined {
  const code = String((thrown as { readonly code?: unknown } | null | undefined)?.code)
  const name = Object.keys(STORAGE).find(
    (each) => code === each || (each.startsWith('SQLITE') && code.startsWith(each)),
  )
  return name && STORAGE[name]
}
