import type { Session } from '../../observer/session/session.ts'

/** A session, or something that has one, such as a test desktop or a testbed. */
export type ComputerTarget = Session | { readonly session: Session }

/** The session of a target. */
export const sessionIn = (target: ComputerTarget): Session => ('session' in target ? target.session : target)
