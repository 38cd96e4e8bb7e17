import { FAULTS, type Fault } from '../base/fault.ts'
import { withoutExcerpts } from '../scenario/problem.ts'
import { type Answer, Outcome } from './answer.ts'
import { cleaned } from './clean.ts'

/** A fault as the document writes it: the error object, the older fields beside it, and what was measured meanwhile; no file is quoted. */
export function refusal(thrown: Fault, about: Answer = {}): Outcome {
  const fault = withoutExcerpts(thrown)
  const row = FAULTS[fault.code]
  const error = {
    code: fault.code,
    message: fault.message,
    recoverable: row.retry,
    suggested_next_tool: fault.remedy ?? ('try' in row ? row.try : null),
    context: withoutNulls(fault.context),
  }
  return new Outcome({ ok: false, success: false, ...about, error: cleaned(error), ...fault.facts }, fault)
}

const withoutNulls = (context: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(context).filter(([, value]) => value !== undefined && value !== null))
