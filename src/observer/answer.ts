import type { Fault } from '../base/fault.ts'

/** What a caller sent to a tool, by argument. */
export type Arguments = Readonly<Record<string, unknown>>

export const isArguments = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of a successful answer, in the document's spelling. */
export type Answer = Readonly<Record<string, unknown>>

/** An answer of which a part may be the very object that was in an earlier one: its JSON need not be written again. */
export class Repeated {
  readonly same: Answer
  readonly own: Answer

  /** `own`: a few small fields beside it. */
  constructor(same: Answer, own: Answer = {}) {
    this.same = same
    this.own = own
  }
}

/** All fields of an answer. */
export const wholeOf = (answer: Answer | Repeated): Answer => (answer instanceof Repeated ? together(answer) : answer)

const together = ({ own, same }: Pick<Outcome, 'own' | 'same'>): Answer => (same ? { ...own, ...same } : own)

/** What a call came to. */
export class Outcome {
  /** The body, but for `same`. */
  readonly own: Answer
  /** The fault behind a refusal. */
  readonly fault: Fault | undefined
  /** The part that may have been in an earlier body. */
  readonly same: Answer | undefined

  constructor(own: Answer, fault?: Fault, same?: Answer) {
    this.own = own
    this.fault = fault
    this.same = same
  }

  /** The whole body in the document's spelling. */
  get body(): Answer {
    return together(this)
  }
}
