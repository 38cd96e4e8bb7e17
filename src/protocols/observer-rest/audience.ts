import type { IncomingHttpHeaders } from 'node:http'
import type { Session } from '../../observer/session/session.ts'
import type { Audience } from '../../observer/tool.ts'
import { matchesSecret } from '../http/guard.ts'

/** The header by which a caller proves to be the harness. */
export const HARNESS_HEADER = 'x-harness-token'

/** Who counts as the harness besides callers with the token of a session. */
export interface HarnessAccess {
  /** With this token a caller is the harness of every session. */
  readonly harnessToken?: string | undefined
  /** Every caller is the harness: this is its own port. */
  readonly harnessOnly?: boolean
}

/** The audience that a caller of a session belongs to. */
export function audienceOf(session: Session, headers: IncomingHttpHeaders, guard: HarnessAccess): Audience {
  if (session.audience === 'all' || guard.harnessOnly) return 'harness'
  const given = headers[HARNESS_HEADER]
  const tokens = [guard.harnessToken, session.harnessToken]
  return tokens.some((token) => token !== undefined && matchesSecret(given, token)) ? 'harness' : 'agent'
}
