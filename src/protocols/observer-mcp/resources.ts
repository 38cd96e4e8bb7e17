import { Fault } from '../../base/fault.ts'
import { call } from '../../observer/call.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { Audience } from '../../observer/tool.ts'

/** The resources that a client may attach to a conversation. Each is the current result of a tool. */
const RESOURCES = [
  {
    uri: 'backlot://screenshot',
    name: 'screenshot',
    description: 'The current primary monitor',
    mimeType: 'image/png',
  },
  {
    uri: 'backlot://tree',
    name: 'tree',
    description: 'The focused window as an element tree',
    mimeType: 'application/json',
  },
  {
    uri: 'backlot://task',
    name: 'task',
    description: 'The task of the agent on this desktop',
    mimeType: 'application/json',
  },
  {
    uri: 'backlot://scenario',
    name: 'scenario',
    description: 'The running scenario and its state',
    mimeType: 'application/json',
  },
] as const

/** Only for the harness, because the states of a scenario reveal its course. */
const HARNESS_RESOURCES: ReadonlySet<string> = new Set(['backlot://scenario'])

/** The resources that clients of an audience may read. */
export const resourcesFor = (audience: Audience) =>
  RESOURCES.filter(({ uri }) => audience === 'harness' || !HARNESS_RESOURCES.has(uri))

/** Reads a resource. Throws `BadRequest` for an unlisted one, and the fault of its tool. */
export async function readResource(session: DesktopSession, asked: string, audience: Audience) {
  const uri = resourcesFor(audience).find((each) => each.uri === asked)?.uri
  if (uri === 'backlot://screenshot') {
    const body = await bodyOf(session, 'get_screenshot', audience)
    return { uri, mimeType: 'image/png', blob: String(body.data) }
  }
  if (uri === 'backlot://tree') {
    const body = await bodyOf(session, 'get_window_structure', audience)
    return { uri, mimeType: 'application/json', text: JSON.stringify(body) }
  }
  if (uri === 'backlot://task') {
    const task = session.computer.simulation?.task ?? null
    return { uri, mimeType: 'application/json', text: JSON.stringify({ task }) }
  }
  if (uri === 'backlot://scenario') {
    const { simulation } = session.computer
    const about = simulation
      ? { scenario: simulation.scenario, state: simulation.state, states: simulation.states }
      : { scenario: null }
    return { uri, mimeType: 'application/json', text: JSON.stringify(about) }
  }
  throw new Fault('BadRequest', `there is no resource ${JSON.stringify(asked)}; see resources/list`, {
    uri: asked,
  })
}

async function bodyOf(session: DesktopSession, tool: string, audience: Audience) {
  const { body, fault } = await call(session, tool, {}, { caller: 'mcp', audience })
  if (fault) throw fault
  return body
}
