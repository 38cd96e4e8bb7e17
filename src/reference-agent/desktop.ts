import { call } from '../observer/call.ts'
import { answerSchema, findTool } from '../observer/registry.ts'
import { isToolArguments, type ToolArguments, type ToolResult } from '../observer/result.ts'
import type { Session } from '../observer/session/session.ts'
import { clipResult } from './text.ts'

/** The desktop that the agent acts on. A refused call is a reply with `ok: false`, never an exception. */
export interface AgentDesktop {
  call(tool: string, args: ToolArguments): Promise<DesktopReply>
}

export interface DesktopReply {
  readonly ok: boolean
  /** The result in the spelling of the observer. A refusal has an `error` with a `message`. */
  readonly body: ToolResult
  /** Whether the desktop could not be reached, or did not answer as an observer does. */
  readonly isLost?: true
}

/** The desktop of a session in this process. */
export const sessionDesktop = (session: Session): AgentDesktop => ({
  call: async (tool, args) => {
    const { body, fault } = await call<string>(session, tool, args as never, { caller: 'agent', audience: 'agent' })
    return { ok: fault === undefined, body }
  },
})

/** The time that a server has for one call, in milliseconds. */
const CALL_TIMEOUT_MS = 120_000
/** The most bytes of a response, which may contain a picture. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024

/**
 * The desktop of a server, over the tools of its REST interface.
 * @param url The URL of the server, or that of one of its sessions.
 * @param signal Ends a call that is in progress.
 * @param token The bearer token of the server, if it requires one.
 */
export function remoteDesktop(url: string, signal: AbortSignal, token?: string): AgentDesktop {
  const base = url.replace(/\/+$/, '')
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  return {
    call: async (tool, args) => {
      const known = findTool(tool)
      if (!known) return refused(`there is no tool ${JSON.stringify(tool)}`)
      try {
        const response = await fetch(`${base}/api/tool/${tool}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(args),
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
        })
        const text = await limitedText(response)
        if (text === undefined) return lost('the desktop sent too much')
        const body: unknown = JSON.parse(text)
        if (!isToolArguments(body) || typeof body.ok !== 'boolean') return lost(NOT_A_SERVER)
        if (!body.ok) return { ok: false, body }
        return answerSchema(known).safeParse(body).success
          ? { ok: true, body }
          : lost(`the desktop sent a result of ${tool} that does not fit this version`)
      } catch (thrown) {
        return lost(thrown instanceof SyntaxError ? NOT_A_SERVER : 'the desktop cannot be reached')
      }
    },
  }
}

/** Returns the text of a response, or undefined if it is too long. */
async function limitedText({ body }: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body ?? []) {
    bytes += part.byteLength
    if (bytes > MAX_RESPONSE_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const NOT_A_SERVER = 'the address of the desktop is not that of an observer'

const refused = (message: string): DesktopReply => ({ ok: false, body: { error: { message } } })

const lost = (message: string): DesktopReply => ({ ...refused(message), isLost: true })

/** The reason of a refusal. */
export function refusalText({ body }: DesktopReply): string {
  const { error } = body as { readonly error?: { readonly message?: unknown } }
  return clipResult(String(error?.message ?? 'the call failed'))
}
