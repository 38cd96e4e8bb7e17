import {
  callTool,
  chooseWindow,
  type DeskCall,
  type DeskCommand,
  type ListedWindow,
  listedWindows,
  nameOfApp,
  numberArg,
  requireTree,
  textArg,
  windowId,
} from './desk-call.ts'
import { CommandError } from './envelope.ts'
import { SURFACES } from './observe-commands.ts'
import { canHaveRef, walkNodes } from './tree.ts'

export const listWindows: DeskCommand = async (call) => {
  const app = textArg(call, 'app')?.toLowerCase()
  const windows = await listedWindows(call)
  return windows
    .filter((window) => app === undefined || nameOfApp(window).toLowerCase() === app.replace(/\.exe$/, ''))
    .map((window) => ({
      id: windowId(window.window_uid),
      title: window.title,
      app_name: nameOfApp(window),
      pid: window.pid,
      bounds: window.bounds,
      is_focused: window.focused,
      accessible: true,
    }))
}

export const listApps: DeskCommand = async (call) => {
  const windows = await listedWindows(call)
  const apps = new Map(windows.map((window) => [nameOfApp(window), window.pid]))
  return {
    apps: [...apps].map(([name, pid]) => ({
      name,
      pid,
      bundle_id: `desk.${name.toLowerCase()}`,
      presentation: 'regular',
    })),
  }
}

export const listDisplays: DeskCommand = async ({ desk }) => {
  const { monitors } = await callTool(desk, 'get_monitors')
  return (monitors as readonly { index: number; bounds: object; primary: boolean; scale_factor: number }[]).map(
    ({ index, bounds, primary, scale_factor }) => ({ id: index, bounds, is_primary: primary, scale: scale_factor }),
  )
}

export const listSurfaces: DeskCommand = async (call) => {
  const window = await chooseWindow(call)
  const tree = await requireTree(call, window.window_uid)
  const dialogs = [...walkNodes(tree)].filter(({ role }) => role === 'dialog' || role === 'alert')
  return [
    {
      id: windowId(window.window_uid),
      type: 'window',
      title: window.title,
      item_count: [...walkNodes(tree)].filter(canHaveRef).length,
    },
    ...dialogs.map(({ role, name, children }) => ({
      type: role === 'alert' ? 'alert' : 'sheet',
      title: name,
      item_count: children.length,
    })),
  ]
}

export const focusWindow: DeskCommand = async (call) => {
  const window = await chooseWindow(call, false)
  await callTool(call.desk, 'bring_to_foreground', { window_uid: window.window_uid })
  return { window: { id: windowId(window.window_uid), title: window.title }, is_focused: true }
}

/** Notifications are windows without a border, whose root is a toast. */
export async function notifications(call: Pick<DeskCall, 'desk'>): Promise<readonly ListedWindow[]> {
  const shown: ListedWindow[] = []
  for (const window of await listedWindows(call)) {
    const tree = await requireTree(call, window.window_uid).catch(() => undefined)
    if (tree?.role === 'alert') shown.push(window)
  }
  return shown
}

export const listNotifications: DeskCommand = async (call) => {
  const text = textArg(call, 'text')?.toLowerCase() ?? ''
  const shown = (await notifications(call)).filter(({ title }) => title.toLowerCase().includes(text))
  return {
    notifications: shown
      .slice(0, numberArg(call, 'limit') ?? shown.length)
      .map((window, at) => ({ index: at + 1, app_name: nameOfApp(window), title: window.title })),
  }
}

/** Presses a button of a notification. */
async function pressIn(call: DeskCall, index: number, name: string | undefined) {
  const window = (await notifications(call))[index - 1]
  if (!window)
    throw new CommandError('NOTIFICATION_NOT_FOUND', `There is no notification ${index}`, { delivery: 'not_delivered' })
  const tree = await requireTree(call, window.window_uid)
  const buttons = [...walkNodes(tree)].filter(({ role }) => role === 'button')
  const wanted =
    name === undefined ? buttons.at(-1) : buttons.find((button) => button.name.toLowerCase() === name.toLowerCase())
  if (!wanted)
    throw new CommandError('ACTION_NOT_SUPPORTED', 'The notification has no such action', {
      delivery: 'not_delivered',
      details: { actions: buttons.map((button) => button.name) },
    })
  await callTool(call.desk, 'invoke_element', { window_uid: window.window_uid, element_id: wanted.element.id })
  return { index, title: window.title, action: wanted.name }
}

export const notificationAction: DeskCommand = (call) =>
  pressIn(call, Number(call.args.index), String(call.args.action))

export const dismissNotification: DeskCommand = (call) => pressIn(call, Number(call.args.index), undefined)

export const dismissAll: DeskCommand = async (call) => {
  const count = (await notifications(call)).length
  for (let left = count; left > 0; left--) await pressIn(call, 1, undefined)
  return { dismissed: count }
}

export const clipboardGet: DeskCommand = async ({ desk }) => {
  const { text } = await callTool(desk, 'get_clipboard')
  return typeof text === 'string' && text !== '' ? { type: 'text', text } : { type: 'text', found: false }
}

export const clipboardSet: DeskCommand = async (call) => {
  const text = String(call.args.text)
  await callTool(call.desk, 'set_clipboard', { text })
  return { type: 'text', chars: [...text].length }
}

export const clipboardClear: DeskCommand = async ({ desk }) => {
  await callTool(desk, 'set_clipboard', { text: '' })
  return { cleared: true }
}

export const screenshot: DeskCommand = async (call) => {
  const screen = numberArg(call, 'screen')
  const isWindow = textArg(call, 'app') !== undefined || textArg(call, 'window_id') !== undefined
  const body = isWindow
    ? await callTool(call.desk, 'get_screenshot', { window_uid: (await chooseWindow(call)).window_uid })
    : await callTool(call.desk, 'capture_screen', screen === undefined ? {} : { monitor: screen })
  const path = textArg(call, 'path') ?? `${call.home}/screenshot-${String(body.step_id)}.png`
  call.files.push({ path, data: String(body.data ?? body.screenshot_b64) })
  return { path, width: body.width, height: body.height }
}

const PLATFORMS: Readonly<Record<string, string>> = { Windows: 'windows', Darwin: 'macos' }

export const status: DeskCommand = async (call) => {
  const { platform, version } = await callTool(call.desk, 'get_capabilities')
  const { latest, id } = call.session
  return {
    platform: PLATFORMS[String(platform)] ?? 'linux',
    version,
    permissions: { accessibility: true, screen_recording: true },
    snapshot_id: latest?.id ?? null,
    ref_count: latest?.entries.size ?? 0,
    session_id: id === '' ? null : id,
    tracing: false,
    supported_surfaces: SURFACES,
    state_root: 'in the server',
  }
}

export const permissions: DeskCommand = async () => ({
  accessibility: true,
  screen_recording: true,
  automation: true,
})

export const version: DeskCommand = async ({ desk, version: envelope }) => {
  const { version: server } = await callTool(desk, 'get_capabilities')
  return { version: server, envelope }
}
