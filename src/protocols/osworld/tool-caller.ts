import { type CallOptions, call } from '../../observer/call.ts'
import { findTool } from '../../observer/registry.ts'
import type { Session } from '../../observer/session/session.ts'
import type { Audience } from '../../observer/tool.ts'
import type { ToolInput, ToolOutput } from '../../observer/tool-types.ts'

/** A caller of the tools of a session, who translates a request of this protocol. */
export interface ToolCaller {
  readonly session: Session
  readonly audience: Audience
  /** What the request is, for traces. Contains no secret. */
  readonly source: unknown
  /** Ends waits and programs. */
  readonly signal?: AbortSignal
  /** Called after each action on the desktop. */
  readonly onAction?: () => Promise<void>
}

/** The options of a caller's calls. */
export const callOptions = ({
  audience,
  source,
  signal,
}: Pick<ToolCaller, 'audience' | 'source' | 'signal'>): CallOptions => ({
  caller: 'osworld',
  audience,
  door: { door: 'osworld', call: source },
  ...(signal && { watch: { signal } }),
})

/** Calls a tool. Throws the fault that refuses the call. */
export async function callTool<Name extends string>(
  { session, ...caller }: ToolCaller,
  name: Name,
  args: ToolInput<Name>,
): Promise<ToolOutput<Name>> {
  const { body, fault } = await call(session, name, args, callOptions(caller))
  if (fault) throw fault
  if (caller.onAction && findTool(name)?.kind === 'act') await caller.onAction()
  return body as ToolOutput<Name>
}

/** Waits in the time of the desktop. */
export async function waitFor(caller: ToolCaller, durationMs: number): Promise<void> {
  for (let leftMs = Math.round(durationMs); leftMs > 0; leftMs -= MAX_WAIT_MS)
    await callTool(caller, 'wait', { duration_ms: Math.min(leftMs, MAX_WAIT_MS) })
}

/** The longest duration of one call of a tool. */
export const MAX_WAIT_MS = 60_000
