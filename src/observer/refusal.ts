import { FAULTS, type Fault } from '../base/fault.ts'
import { withoutExcerpts } from '../scenario/load/problem.ts'
import { CallOutcome, type ToolResult } from './result.ts'
import { sanitize } from './wire/sanitize.ts'

/** The body of a refusal in the document's spelling: `error`, the fields of the first version and the fault's facts. No file is quoted. */
export function toRefusal(thrown: Fault, about: ToolResult = {}): CallOutcome {
  const fault = withoutExcerpts(thrown)
  const row = FAULTS[fault.code]
  const error = {
    code: fault.code,
    message: fault.message,
    recoverable: row.retry,
    suggested_next_tool: fault.remedy === undefined && 'remedy' in row ? row.remedy : (fault.remedy ?? null),
    context: withoutNulls(fault.context),
  }
  return new CallOutcome({ ok: false, success: false, ...about, error: sanitize(error), ...fault.facts }, fault)
}

const withoutNulls = (context: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(context).filter(([, value]) => value !== undefined && value !== null))
