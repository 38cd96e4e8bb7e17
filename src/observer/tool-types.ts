import type { Fault } from '../base/fault.ts'
import type { ToolName } from '../scenario/tools.ts'
import type { ToolTypes } from './registry.ts'
import type { CallOutcome, ToolResult } from './result.ts'

/** The arguments of a tool. A name that is known only at run time accepts any, an unknown name none. */
export type ToolInput<Name extends string> = Name extends ToolName
  ? ToolTypes[Name]['input']
  : string extends Name
    ? unknown
    : never

/** The fields that every result has. */
interface Envelope {
  readonly ok: boolean
  readonly success: boolean
  readonly step_id: number
  readonly caused_by_step_id: number | null
}

/** The result of a tool. Servers may add fields, so other fields are unknown instead of errors. */
export type ToolOutput<Name extends string> = ToolResult &
  (Name extends ToolName ? Envelope & ToolTypes[Name]['answer'] : unknown)

/** The outcome of a call. Check `fault` first: without a fault, the body is the result of the tool. */
export type ToolOutcome<Name extends string> =
  | (CallOutcome & { readonly fault: undefined; readonly body: ToolOutput<Name> })
  | (CallOutcome & { readonly fault: Fault })

/** The arguments of a call, optional where the tool requires none. */
export type CallArguments<Name extends string> =
  undefined extends ToolInput<Name>
    ? [args?: ToolInput<Name>]
    : Record<never, never> extends ToolInput<Name>
      ? [args?: ToolInput<Name>]
      : [args: ToolInput<Name>]

/** The body of a call: the fields of the result, or `error` of a refusal. */
export type ToolReply<Name extends string> = ToolResult &
  Partial<ToolOutput<Name>> & { readonly error?: { readonly code: string } }
