import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../../base/fault.ts'
import type { Monitor } from '../../../../desktop/model/desktop.ts'
import type { Point, Rect } from '../../../../desktop/model/geometry.ts'
import { type DesktopWindow, type Edges, NO_EDGES, type WindowSystem } from '../../desktop-backend.ts'
import { processName } from '../../x11/display.ts'
import type { KWinScripts } from './kwin-scripts.ts'

/** A window as a script in KWin describes it. Positions may be fractions of a logical pixel. */
export interface KWinNode {
  /** Its UUID in braces. */
  readonly uuid: string
  readonly pid: number
  readonly title: string
  /** Its bounds with decoration, without shadows. */
  readonly frame: Rect
  /** The part of the frame that the decoration of KWin leaves. */
  readonly client: Rect
  /** What the program draws, with its own shadows. */
  readonly buffer: Rect
  readonly active: boolean
  readonly minimized: boolean
  readonly isXwayland: boolean
  /** The desktop that it is on when that is not shown. */
  readonly elsewhere: string | null
}

/** A screen as a script in KWin describes it, in logical pixels. */
export interface KWinScreen {
  readonly name: string
  readonly bounds: Rect
}

/** A window of KWin. */
export interface KWinWindow extends DesktopWindow {
  /** Its UUID in braces. */
  readonly uuid: string
}

const RECT = 'function rect(r) { return { x: r.x, y: r.y, width: r.width, height: r.height } }'

/** Menus, the desktop and keyboards on the screen are no windows. The class of a window tells the server of its program. */
const LIST_WINDOWS = `${RECT}
var shown = workspace.currentDesktop
function isWindow(w) {
  return w.managed && !w.deleted && !w.hidden && !w.popupWindow && !w.desktopWindow && !w.inputMethod && !w.outline
}
return workspace.stackingOrder.filter(isWindow).map(function (w) {
  var isHere = w.onAllDesktops || w.desktops.length === 0 || w.desktops.some(function (d) { return d === shown })
  return {
    uuid: String(w.internalId), pid: w.pid, title: w.caption, active: w === workspace.activeWindow, minimized: w.minimized,
    frame: rect(w.frameGeometry), client: rect(w.clientGeometry), buffer: rect(w.bufferGeometry),
    isXwayland: String(w).indexOf('X11Window') >= 0, elsewhere: isHere ? null : w.desktops[0].name
  }
})`

const LIST_SCREENS = `${RECT}
return workspace.screenOrder.map(function (s) { return { name: s.name, bounds: rect(s.geometry) } })`

const POINTER = 'return { x: workspace.cursorPos.x, y: workspace.cursorPos.y }'

/** As many digits of its UUID tell a window apart from all others. */
const ID_DIGITS = 12
const hexOf = (id: number): string => id.toString(16).padStart(ID_DIGITS, '0')
const uidOf = (id: number): string => `kwin:${hexOf(id)}`

function idOf(uid: string): number | undefined {
  const digits = /^kwin:([0-9a-f]{12})$/.exec(uid)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

/** A script for a window, or one that does nothing when it is gone. */
const forWindow = (id: number, what: string): string => `var found = workspace.stackingOrder.filter(function (w) {
  return String(w.internalId).replace(/[^0-9a-f]/g, '').slice(0, ${ID_DIGITS}) === '${hexOf(id)}'
})
var w = found[0]
if (w) { ${what} }
return w !== undefined`

const MAX_CHANGE_MS = 1000
const CHECK_INTERVAL_MS = 5

/** The windows of KWin, with those of Xwayland among them. */
export function kwinWindowSystem(scripts: KWinScripts): WindowSystem<KWinWindow> {
  const listAll = async () => kwinWindows(await scripts.run<readonly KWinNode[]>(LIST_WINDOWS))
  const active = async () => (await listAll()).find(({ focused }) => focused)?.id ?? 0
  const command = async (id: number, what: string) => {
    if (!(await scripts.run<boolean>(forWindow(id, what))))
      throw new Fault('WindowGone', `there is no window ${uidOf(id)}`, { window_uid: uidOf(id) })
  }
  return {
    uidOf,
    idOf,
    listAll,
    list: async () => (await listAll()).filter(({ away }) => !away),
    active,
    async activate(id) {
      await command(id, SHOW)
      const deadline = Date.now() + MAX_CHANGE_MS
      while ((await active()) !== id) {
        if (Date.now() > deadline) throw new Fault('Timeout', `the window ${uidOf(id)} was not activated`)
        await sleep(CHECK_INTERVAL_MS)
      }
    },
    close: (id) => command(id, 'w.closeWindow()'),
    minimize: (id) => command(id, 'w.minimized = true'),
    maximize: (id, to) => command(id, `w.minimized = false; w.setMaximize(${to}, ${to})`),
  }
}

/** Brings a window back, goes to its desktop, and gives it the keyboard. */
const SHOW = `w.minimized = false
if (!w.onAllDesktops && w.desktops.length > 0 && !w.desktops.some(function (d) { return d === workspace.currentDesktop }))
  workspace.currentDesktop = w.desktops[0]
workspace.activeWindow = w
workspace.raiseWindow(w)`

/** The windows of a list of KWin, front to back. */
export const kwinWindows = (nodes: readonly KWinNode[]): readonly KWinWindow[] => nodes.map(toWindow).reverse()

function toWindow({ uuid, pid, title, frame, client, buffer, ...node }: KWinNode): KWinWindow {
  const bounds = rounded(frame)
  const inner = rounded(client)
  return {
    uuid,
    id: Number.parseInt(uuid.replaceAll(/[^0-9a-f]/g, '').slice(0, ID_DIGITS), 16),
    title,
    pid: Math.max(0, pid),
    process: processName(Math.max(0, pid)),
    bounds,
    inner,
    shadow: shadowOf(inner, rounded(buffer)),
    focused: node.active,
    popup: false,
    owner: undefined,
    away:
      node.minimized || node.elsewhere !== null
        ? { isMinimized: node.minimized, workspace: node.elsewhere ?? undefined }
        : undefined,
    ...(node.isXwayland ? {} : { isWayland: true }),
  }
}

/** The shadows that a program draws around its window. */
function shadowOf(inner: Rect, buffer: Rect): Edges {
  const left = inner.x - buffer.x
  const top = inner.y - buffer.y
  const right = buffer.x + buffer.width - inner.x - inner.width
  const bottom = buffer.y + buffer.height - inner.y - inner.height
  return left > 0 || top > 0 || right > 0 || bottom > 0 ? { left, top, right, bottom } : NO_EDGES
}

/** Positions of KWin may be fractions where screens are scaled. */
function rounded({ x, y, width, height }: Rect): Rect {
  const [left, top] = [Math.round(x), Math.round(y)]
  return { x: left, y: top, width: Math.round(x + width) - left, height: Math.round(y + height) - top }
}

/** The screens of KWin, the primary one first. */
export const listKWinScreens = async (scripts: KWinScripts): Promise<readonly KWinScreen[]> =>
  (await scripts.run<readonly KWinScreen[]>(LIST_SCREENS)).map(({ name, bounds }) => ({
    name,
    bounds: rounded(bounds),
  }))

/** The monitors of the screens of KWin, in logical pixels. */
export const kwinMonitors = (screens: readonly KWinScreen[]): readonly Monitor[] =>
  screens.map(({ bounds }, index) => ({ index, primary: index === 0, bounds, scaleFactor: 1 }))

/** Where the pointer is, also when a person has moved it. */
export async function kwinPointer(scripts: KWinScripts): Promise<Point> {
  const { x, y } = await scripts.run<Point>(POINTER)
  return { x: Math.round(x), y: Math.round(y) }
}
