import { Fault } from '../../base/fault.ts'
import { call } from '../../observer/call.ts'
import type { Session } from '../../observer/session.ts'

/** What a client may attach to a conversation: each is one tool's answer as it is now. */
export const RESOURCES = [
  {
    uri: 'backlot://screenshot',
    name: 'screenshot',
    description: 'The primary monitor as it is now',
    mimeType: 'image/png',
  },
  {
    uri: 'backlot://tree',
    name: 'tree',
    description: 'The focused window as an element tree',
    mimeType: 'application/json',
  },
  {
    uri: 'backlot://scenario',
    name: 'scenario',
    description: 'What is playing, and in which state',
    mimeType: 'application/json',
  },
] as const

/** The contents of a resource. Throws `BadRequest` for an unknown one, and the fault of the tool behind it. */
export async function readResource(session: Session, uri: string) {
  if (uri === 'backlot://screenshot') {
    const body = await bodyOf(session, 'get_screenshot')
    return { uri, mimeType: 'image/png', blob: String(body.data) }
  }
  if (uri === 'backlot://tree') {
    const body = await bodyOf(session, 'get_window_structure')
    return { uri, mimeType: 'application/json', text: JSON.stringify(body, undefined, 2) }
  }
  if (uri === 'backlot://scenario') {
    const { stage } = session.computer
    const about = stage ? { scenario: stage.scenario, state: stage.state, states: stage.states } : { scenario: null }
    return { uri, mimeType: 'application/json', text: JSON.stringify(about, undefined, 2) }
  }
  throw new Fault('BadRequest', `there is no resource ${JSON.stringify(uri)}; resources/list names them all`, { uri })
}

async function bodyOf(session: Session, tool: string) {
  const { body, fault } = await call(session, tool, {}, { caller: 'mcp' })
  if (fault) throw fault
  return body
}
