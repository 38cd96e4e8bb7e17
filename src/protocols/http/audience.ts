import type { IncomingHttpHeaders } from 'node:http'
import type { Session } from '../../observer/session/session.ts'
import type { Audience } from '../../observer/tool.ts'
import { type AccessPolicy, matchesSecret } from './guard.ts'

/** The header with the harness token. */
export const HARNESS_HEADER = 'x-harness-token'

/** Further callers that count as the harness, besides those with the token of a session. */
export interface HarnessAccess {
  /** The token that makes a caller the harness of every session. */
  readonly harnessToken?: string | undefined
  /** Whether every caller is the harness, as on the harness port. */
  readonly harnessOnly?: boolean
}

/** Who may call a server over the tools of a session. Of web pages, only its own and those of listed origins. */
export interface ServerAccess extends Omit<AccessPolicy, 'pages'>, HarnessAccess {
  /** If set, every request must carry it as `Authorization: Bearer …`. */
  readonly token: string | undefined
}

/** The audience of a caller of a session. */
export function audienceOf(session: Session, headers: IncomingHttpHeaders, guard: HarnessAccess): Audience {
  if (session.audience === 'all' || guard.harnessOnly) return 'harness'
  const given = headers[HARNESS_HEADER]
  const tokens = [guard.harnessToken, session.harnessToken]
  return tokens.some((token) => token !== undefined && matchesSecret(given, token)) ? 'harness' : 'agent'
}
