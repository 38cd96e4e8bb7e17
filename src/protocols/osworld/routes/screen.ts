import * as z from 'zod'
import { Fault } from '../../../base/fault.ts'
import { noteText } from '../../../observer/sights.ts'
import type { Route } from '../../http/route.ts'
import { accessibilityPlatform, accessibilityXml, readAccessibleDesk } from '../accessibility/accessibility-xml.ts'
import { FORM, getAnswers, MISSING, postAnswers, route, type ServerContext, sendText } from '../commands.ts'
import { callOptions, callTool, platformName, screenSize, type ToolCaller } from '../machine.ts'
import { formFields, MissingFault, ScreenSize } from '../wire.ts'

/** Routes that look at the screen. */
export const SCREEN_ROUTES: readonly Route<ServerContext>[] = [
  route(
    {
      method: 'get',
      path: '/screenshot',
      summary: 'A picture of the screen, or of one monitor, with the pointer.',
      query: z.object({ monitor: z.int().min(0).optional().describe('The index of a monitor; by default the screen') }),
      responses: getAnswers('image/png'),
    },
    async ({ callerOf }, { request, reply }) => {
      const data = await screenshot(callerOf(request), monitorIn(request.query))
      return reply.type('image/png').send(Buffer.from(data, 'base64'))
    },
  ),

  route(
    {
      method: 'get',
      path: '/terminal',
      summary: 'The text of the focused terminal.',
      responses: getAnswers(z.object({ output: z.string().nullable(), status: z.string() })),
    },
    async ({ callerOf }, { request }) => ({ output: await terminalText(callerOf(request)), status: 'success' }),
  ),

  route(
    {
      method: 'get',
      path: '/accessibility',
      summary: 'The accessibility tree as XML.',
      responses: getAnswers(z.object({ AT: z.string() })),
    },
    async ({ callerOf }, { request }) => {
      const { session, ...options } = callerOf(request)
      const desk = await readAccessibleDesk(session, callOptions(options))
      const AT = accessibilityXml(desk, accessibilityPlatform(session.computer.info.platform))
      await noteText(session.context, AT)
      return { AT }
    },
  ),

  route(
    { method: 'get', path: '/platform', summary: 'The name of the platform.', responses: getAnswers('text/plain') },
    ({ callerOf }, { request, reply }) => sendText(reply, platformName(callerOf(request))),
  ),

  route(
    {
      method: 'get',
      path: '/cursor_position',
      summary: 'The position of the pointer.',
      responses: getAnswers(z.tuple([z.int(), z.int()])),
    },
    async ({ callerOf }, { request }) => {
      const { x, y } = await callTool(callerOf(request), 'get_pointer', {})
      return [x, y]
    },
  ),

  route(
    { method: 'post', path: '/screen_size', summary: 'The size of the screen.', responses: postAnswers(ScreenSize) },
    ({ callerOf }, { request }) => screenSize(callerOf(request)),
  ),

  route(
    {
      method: 'post',
      path: '/window_size',
      summary: 'The size of the window of a program.',
      body: z.object({ app_class_name: z.string() }),
      bodyType: FORM,
      responses: { ...postAnswers(ScreenSize), ...MISSING },
    },
    async ({ callerOf }, { request }) => {
      const { app_class_name: name } = await formFields(request)
      if (name === undefined || name === '') throw new Fault('BadRequest', 'the form field app_class_name is missing')
      const window = await findWindow(callerOf(request), { name, isClass: true, isStrict: false })
      return { width: window.bounds.width, height: window.bounds.height }
    },
  ),
]

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
  readonly id: string
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
  if (!terminal) return null
  const output = (terminal.value ?? '').trimEnd()
  await noteText(caller.session.context, JSON.stringify({ id: terminal.id, value: output }))
  return output
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
