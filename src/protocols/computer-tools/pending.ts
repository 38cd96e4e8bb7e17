import type { Session } from '../../observer/session/session.ts'

/** A call that stopped at a step for which the confirmation gate requires a token. */
export interface PendingCall {
  /** The token, which is also the id to acknowledge. */
  readonly id: string
  /** Identifies the call: its JSON. */
  readonly key: string
  /** The index of the action at which it continues. */
  readonly action: number
  /** The index of the step in that action at which it continues. */
  readonly from: number
  /** The index of the step that the token confirms. */
  readonly confirmed: number
}

const MAX_PENDING = 100

const waiting = new WeakMap<Session, Map<string, PendingCall>>()

/** Remembers a call until it is acknowledged. Forgets the oldest of more than a hundred. */
export function addPending(session: Session, pending: PendingCall): void {
  const calls = waiting.get(session) ?? new Map<string, PendingCall>()
  waiting.set(session, calls)
  for (const [id, { key }] of calls) if (key === pending.key || calls.size >= MAX_PENDING) calls.delete(id)
  calls.set(pending.id, pending)
}

/** Removes and returns the call that an acknowledgement continues. Undefined for an unknown id and for another call. */
export function takePending(
  session: Session,
  key: string,
  acknowledged: readonly string[] | boolean,
): PendingCall | undefined {
  if (acknowledged === false) return undefined
  const calls = waiting.get(session)
  for (const pending of calls?.values() ?? []) {
    if (pending.key !== key || (acknowledged !== true && !acknowledged.includes(pending.id))) continue
    calls!.delete(pending.id)
    return pending
  }
  return undefined
}
