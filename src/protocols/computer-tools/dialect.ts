import type * as z from 'zod'
import type { Fault } from '../../base/fault.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { DeclaredScreen } from './screen.ts'
import type { Acknowledgement, NeededConfirmation, StepCaller } from './steps.ts'

/** How a call of a vendor's computer tool is executed, and how the tool is described. */
export interface ComputerToolOptions {
  /** The version of the tool, such as `computer_20250124`. By default the newest, and calls may use all actions. */
  readonly version?: string | undefined
  /** The size of screenshots that was declared to the model, in pixels, and their monitor. By default what the vendor's models take. */
  readonly display?: DeclaredScreen | undefined
}

/** Options of a call. */
export interface ComputerCallOptions extends ComputerToolOptions {
  /** Whether screenshots show the pointer. By default they do not. */
  readonly pointer?: boolean | undefined
  /** Anthropic: whether actions are answered by a screenshot too. By default for the single tool only. */
  readonly screenshot?: boolean | undefined
  /** The ids of confirmations that a person has given. */
  readonly acknowledged?: Acknowledgement | undefined
}

/** The answer to a call of a vendor's computer tool. */
export interface ComputerCallResult<Output> {
  /** What the model gets, in the vendor's shape. */
  readonly output: Output
  /** Why the call failed, or the first of several that failed. */
  readonly fault?: Fault
  /** Set when the call waits for a person: send it again with this id. */
  readonly confirmation?: NeededConfirmation
}

/** The dialect of a vendor: translates calls to tools of the observer, and results back. */
export interface ComputerDialect<Output, Definition> {
  /** The versions of its tool, the newest last. */
  readonly versions: readonly [string, ...string[]]
  /** Executes a request. Throws `BadRequest` when it is not a call of the vendor's tool. */
  readonly run: (caller: StepCaller, body: unknown, options: ComputerCallOptions) => Promise<ComputerCallResult<Output>>
  /** The tool in a request to the vendor's API, for the screen of a session. */
  readonly define: (session: DesktopSession, options: ComputerToolOptions) => Promise<Definition>
  /** The body of an HTTP error, as the vendor's API has it. */
  readonly errorOf: (fault: Fault) => object
  /** Responds to a call that waits for a person. By default as to any call. */
  readonly pendingOf?: (confirmation: NeededConfirmation, fault: Fault) => object
  /** Schemas for the OpenAPI document. */
  readonly wire: { readonly request: z.ZodType; readonly response: z.ZodType; readonly definition: z.ZodType }
}

/** Options of what drives a desktop for an SDK of a vendor. */
export interface ComputerDriverOptions {
  /** The size of screenshots, in pixels. By default what the vendor's models take. */
  readonly display?: ComputerToolOptions['display']
  /** Whether screenshots show the pointer. By default they do not. */
  readonly pointer?: boolean | undefined
  /** Asked when the operator's rules stop a call. It continues after `true`; without this option it fails. */
  readonly acknowledge?: ((needed: NeededConfirmation) => boolean | Promise<boolean>) | undefined
}

/** Executes a call, and again with the id of each confirmation that is given. */
export async function callAcknowledged<Result extends { readonly confirmation?: NeededConfirmation }>(
  { acknowledge }: ComputerDriverOptions,
  callOnce: (acknowledged: Acknowledgement) => Promise<Result>,
): Promise<Result> {
  let result = await callOnce(false)
  while (result.confirmation && (await acknowledge?.(result.confirmation)) === true)
    result = await callOnce([result.confirmation.id])
  return result
}

/** A session, or something that has one, such as a test desktop or a testbed. */
export type ComputerTarget = DesktopSession | { readonly session: DesktopSession }

/** The session of a target. */
export const sessionIn = (target: ComputerTarget): DesktopSession => ('session' in target ? target.session : target)
