import type { FastifyInstance } from 'fastify'
import { Fault } from '../../../base/fault.ts'
import { accessibilityXml } from '../accessibility/accessibility-xml.ts'
import { accessibilityPlatform, readAccessibleDesk } from '../accessibility/read-desk.ts'
import type { ServerContext } from '../context.ts'
import { MissingFault } from '../errors.ts'
import { formFields } from '../forms.ts'
import { platformName, screenSize } from '../machine.ts'
import { callOptions, callTool, type ToolCaller } from '../tool-caller.ts'

/** Routes that look at the screen. */
export function screenRoutes(app: FastifyInstance, { callerOf }: ServerContext): void {
  app.get('/screenshot', async (request, reply) => {
    const data = await screenshot(callerOf(request), monitorIn(request.query))
    return reply.type('image/png').send(Buffer.from(data, 'base64'))
  })

  app.get('/accessibility', async (request) => {
    const { session, ...options } = callerOf(request)
    const desk = await readAccessibleDesk(session, callOptions(options))
    return { AT: accessibilityXml(desk, accessibilityPlatform(session.computer.info.platform)) }
  })

  app.get('/terminal', async (request) => ({ output: await terminalText(callerOf(request)), status: 'success' }))

  app.post('/screen_size', (request) => screenSize(callerOf(request)))

  app.get('/cursor_position', async (request) => {
    const { x, y } = await callTool(callerOf(request), 'get_pointer', {})
    return [x, y]
  })

  app.post('/window_size', async (request) => {
    const { app_class_name: name } = await formFields(request)
    if (name === undefined || name === '') throw new Fault('BadRequest', 'the form field app_class_name is missing')
    const window = await findWindow(callerOf(request), { name, isClass: true, isStrict: false })
    return { width: window.bounds.width, height: window.bounds.height }
  })

  app.get('/platform', async (request, reply) =>
    reply.type('text/plain; charset=utf-8').send(platformName(callerOf(request))),
  )
}

async function screenshot(caller: ToolCaller, monitor: number | undefined): Promise<string> {
  const { data } = await callTool(caller, 'capture_screen', {
    pointer: true,
    ...(monitor !== undefined && { monitor }),
  })
  return data
}

/** The monitor that a query chooses. Throws `BadRequest` for what is not an index. */
function monitorIn(query: unknown): number | undefined {
  const { monitor } = query as { readonly monitor?: unknown }
  if (monitor === undefined) return undefined
  if (typeof monitor === 'string' && /^\d{1,3}$/.test(monitor)) return Number(monitor)
  throw new Fault('BadRequest', 'monitor: expected the index of a monitor', { field: 'monitor' })
}

interface WindowQuery {
  /** The title, or the name of the program. */
  readonly name: string
  readonly isClass: boolean
  /** Whether the whole title must match. */
  readonly isStrict: boolean
}

/** The first window that matches. Throws `MissingFault`. */
export async function findWindow(caller: ToolCaller, { name, isClass, isStrict }: WindowQuery) {
  const { windows } = await callTool(caller, 'list_windows', {})
  const wanted = isClass ? programName(name) : name.toLowerCase()
  const found = windows.find(({ title, process, popup_of }) => {
    if (popup_of !== undefined) return false
    if (!isClass) return isStrict ? title === name : title.toLowerCase().includes(wanted)
    const program = programName(process)
    return isStrict ? program === wanted : program.includes(wanted)
  })
  if (found) return found
  const open = windows.map(({ title, process }) => JSON.stringify(isClass ? process : title))
  const shown = JSON.stringify(name.slice(0, MAX_SHOWN_NAME))
  throw new MissingFault(`no window matches ${shown}; open are ${open.join(', ') || 'none'}`)
}

const MAX_SHOWN_NAME = 100

/** The name of a program in any case, with or without the end of its file. */
const programName = (process: string): string => process.toLowerCase().replace(/\.(?:exe|bin)$/, '')

/** An element of a tree, as far as terminals need it. */
interface TreeNode {
  readonly role: string
  readonly name: string
  readonly value: string | null
  readonly focused: boolean
  readonly children?: readonly TreeNode[]
}

/** The text of the focused terminal, or null when none has the focus. */
async function terminalText(caller: ToolCaller): Promise<string | null> {
  const { windows } = await callTool(caller, 'list_windows', {})
  const active = windows.find(({ focused }) => focused)
  if (!active) return null
  const path = focusedPath(await windowTree(caller, active.window_uid))
  const terminal = path?.find(({ role, name }) => /^terminal$/i.test(role) || /^terminal$/i.test(name))
  return terminal ? (terminal.value ?? '').trimEnd() : null
}

/** The tree of a window. Undefined for a window without one. */
async function windowTree(caller: ToolCaller, window_uid: string): Promise<TreeNode | undefined> {
  try {
    return (await callTool(caller, 'get_window_structure', { window_uid })).tree as unknown as TreeNode
  } catch (thrown) {
    // Runners ask for the terminal to learn whether the server is ready.
    if (thrown instanceof Fault && ['PlatformUnsupported', 'WindowGone'].includes(thrown.code)) return undefined
    throw thrown
  }
}

/** The focused element and what it is in, from the inside out. Undefined when nothing has the focus. */
function focusedPath(node: TreeNode | undefined): readonly TreeNode[] | undefined {
  if (node?.focused) return [node]
  for (const child of node?.children ?? []) {
    const path = focusedPath(child)
    if (path) return [...path, node!]
  }
  return undefined
}
