import { Fault } from '../../base/fault.ts'
import type { ToolCallArguments } from '../events.ts'
import type { QuestionForm } from '../tools/form.ts'

/** A pending request of the agent. */
export type DecisionRequest =
  | { readonly kind: 'permission'; readonly id: string; readonly tool: string; readonly args: ToolCallArguments }
  | { readonly kind: 'question'; readonly id: string; readonly form: QuestionForm }

export type Decision = PermissionDecision | QuestionDecision

export interface PermissionDecision {
  readonly kind: 'permission'
  readonly allowed: boolean
  readonly by: 'client' | 'timeout'
  /** The reason of a denial, for the model. */
  readonly message?: string
  /** Whether a denial ends the run. */
  readonly interrupt?: boolean
  /** Replaces the model's arguments. */
  readonly args?: ToolCallArguments
}

export interface QuestionDecision {
  readonly kind: 'question'
  /** As the client gave them. */
  readonly answers: unknown
  /** As the model reads them. */
  readonly text: string
}

interface Pending {
  readonly ask: DecisionRequest
  readonly settle: (decision: Decision) => void
}

/** Pending requests. Each is decided exactly once; later decisions throw `Conflict`. */
export class PendingDecisions {
  readonly #pending = new Map<string, Pending>()

  /** Waits for the decision. Never settles if the request is withdrawn. */
  request(ask: Extract<DecisionRequest, { kind: 'permission' }>): Promise<PermissionDecision>
  request(ask: Extract<DecisionRequest, { kind: 'question' }>): Promise<QuestionDecision>
  request(ask: DecisionRequest): Promise<Decision> {
    return new Promise((settle) => this.#pending.set(ask.id, { ask, settle }))
  }

  find(id: string): DecisionRequest | undefined {
    return this.#pending.get(id)?.ask
  }

  get pending(): readonly DecisionRequest[] {
    return [...this.#pending.values()].map((pending) => pending.ask)
  }

  /** Throws `Conflict` if no request of that kind and id is pending. */
  decide(id: string, decision: Decision): void {
    const pending = this.#pending.get(id)
    if (!pending)
      throw new Fault('Conflict', `${JSON.stringify(id)} is not pending: it was already decided or never requested`, {
        id,
      })
    if (pending.ask.kind !== decision.kind)
      throw new Fault('Conflict', `${JSON.stringify(id)} is a ${pending.ask.kind}, not a ${decision.kind}`, { id })
    this.#pending.delete(id)
    pending.settle(decision)
  }

  withdraw(id: string): void {
    this.#pending.delete(id)
  }
}
