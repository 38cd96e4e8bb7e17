import { callNow } from '../../observer/call.ts'
import { findTool } from '../../observer/registry.ts'
import type { CallOutcome, ToolArguments, ToolResult } from '../../observer/result.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { Audience, CallWatch } from '../../observer/tool.ts'
import type { CommandRequest } from './contract.ts'

/** The name of the door in traces and logs. */
export const DESK_DOOR = 'desk'

/** A session as one command uses it: every look and every action is a call of a tool. */
export interface DeskSession {
  readonly session: DesktopSession
  /** Calls a tool. Throws the fault that refuses it. `sent`: what of the command this call is, by default as `attempt`. */
  readonly call: (tool: string, args?: ToolArguments, sent?: readonly string[]) => Promise<ToolResult>
  /**
   * Calls a tool, and returns its refusal. A trace has the words of the command beside an action, and its name beside a look:
   * words may be a text that the trace hides with the arguments of the action.
   */
  readonly attempt: (tool: string, args?: ToolArguments, sent?: readonly string[]) => Promise<CallOutcome>
}

/** Who sent a command. */
export interface DeskCaller {
  readonly session: DesktopSession
  readonly audience: Audience
  readonly watch: CallWatch
}

export function openDeskSession({ session, audience, watch }: DeskCaller, { argv }: CommandRequest): DeskSession {
  const attempt: DeskSession['attempt'] = async (tool, args = {}, sent) => {
    const words = sent ?? (findTool(tool)?.kind === 'act' ? argv : argv.slice(0, 1))
    return callNow(session, tool, args, {
      caller: DESK_DOOR,
      audience,
      watch,
      door: { door: DESK_DOOR, call: words },
      passesOn: 'pictures',
    })
  }
  return {
    session,
    attempt,
    call: async (tool, args, sent) => {
      const { body, fault } = await attempt(tool, args, sent)
      if (fault) throw fault
      return body
    },
  }
}
