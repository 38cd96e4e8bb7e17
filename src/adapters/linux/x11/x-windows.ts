import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../base/fault.ts'
import { EMPTY_RECT, intersect, isEmptyRect, type Rect } from '../../../desktop/model/geometry.ts'
import { type DesktopWindow, type Edges, NO_EDGES, type WindowSystem } from '../desktop-backend.ts'
import { cardinals, type Display, pidOfClient, processName } from './display.ts'

/** A window of the X server, with the facts of the window manager. */
export interface XWindow extends DesktopWindow {
  /** The child of the root window that contains it and its decoration. */
  readonly topLevel: number
}

const UNMAPPED = 0
const VIEWABLE = 2
const INPUT_ONLY = 2
const ICONIC = 3

const xWindowUid = (id: number): string => `x11:${id.toString(16)}`

/** The X window id of a uid `x11:<hex>`. Undefined for any other uid. */
function xWindowId(uid: string): number | undefined {
  const digits = /^x11:([0-9a-f]{1,8})$/.exec(uid)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

/** The windows of an X server. */
export const xWindowSystem = (display: Display): WindowSystem<XWindow> => ({
  uidOf: xWindowUid,
  idOf: xWindowId,
  list: () => listXWindows(display),
  listAll: () => listAllXWindows(display),
  active: () => activeWindow(display),
  activate: (id) => activateXWindow(display, id),
  close: (id) => closeXWindow(display, id),
  minimize: (id) => minimizeWindow(display, id),
  maximize: (id, to) => maximizeWindow(display, id, to),
})

/** The visible windows front to back, with popups, without the window of the desktop background. */
export const listXWindows = async (display: Display): Promise<readonly XWindow[]> =>
  (await listAllXWindows(display)).filter(({ away }) => !away)

/** As `listXWindows`, with the managed windows that are minimised or on another workspace. */
async function listAllXWindows(display: Display): Promise<readonly XWindow[]> {
  const { root } = display
  // The facts that follow are those of now.
  await display.sync()
  const management = await windowManagerKindOf(display)
  const [active, screen, topLevels = [], managed] = await Promise.all([
    activeWindow(display, management),
    boundsOf(display, root),
    display.children(root),
    management === 'ewmh' ? managedWindows(display) : NO_WINDOWS,
  ])
  const clients = new Map<number, number>()
  await Promise.all([...managed].map(async (id) => clients.set((await ancestry(display, id)).at(-1)!, id)))
  const windows = await Promise.all(
    topLevels.toReversed().map(async (topLevel) => {
      const id = management === 'icccm' ? await clientWindowIn(display, topLevel) : clients.get(topLevel)
      return id === undefined
        ? readUnmanaged(display, topLevel, screen ?? EMPTY_RECT, management !== 'none', active)
        : readClient(display, id, topLevel, management, active)
    }),
  )
  return assignPopupOwners(
    windows.filter((window) => window !== undefined),
    display.info.resource_mask,
  )
}

const NO_WINDOWS: ReadonlySet<number> = new Set()

/** The focused window, from the window manager or else from the X server. 0 when there is none. */
export async function activeWindow(display: Display, management?: WindowManagerKind): Promise<number> {
  const by = management ?? (await windowManagerKindOf(display))
  if (by === 'ewmh') {
    // The window that was active a moment ago may not be any more.
    if (management === undefined) await display.sync()
    return cardinals(await display.property(display.root, '_NET_ACTIVE_WINDOW'))[0] ?? 0
  }
  const window = await keyboardWindow(display)
  if (window === 0) return 0
  const topLevel = (await ancestry(display, window)).at(-1)!
  return by === 'icccm' ? ((await clientWindowIn(display, topLevel)) ?? 0) : topLevel
}

/** A window and its ancestors up to the child of the root window. */
export async function ancestry(display: Display, id: number): Promise<readonly [number, ...number[]]> {
  const chain: [number, ...number[]] = [id]
  while (chain.length < 16) {
    const last = chain.at(-1)!
    const parent = await display.parent(last)
    if (!parent || parent === display.root) break
    chain.push(parent)
  }
  return chain
}

async function readClient(
  display: Display,
  id: number,
  topLevel: number,
  management: WindowManagerKind,
  active: number,
): Promise<XWindow | undefined> {
  const [common, state, kind, frame, shadowBytes, wmState, atoms] = await Promise.all([
    readCommon(display, id),
    display.property(id, '_NET_WM_STATE').then(cardinals),
    display.property(id, '_NET_WM_WINDOW_TYPE').then(cardinals),
    display.property(id, '_NET_FRAME_EXTENTS').then(cardinals),
    display.property(id, '_GTK_FRAME_EXTENTS').then(cardinals),
    display.property(id, 'WM_STATE').then(cardinals),
    Promise.all([display.atom('_NET_WM_STATE_HIDDEN'), display.atom('_NET_WM_WINDOW_TYPE_DESKTOP')]),
  ])
  const [hidden, background] = atoms
  if (!common || kind.includes(background)) return undefined
  const isShown = common.isViewable && wmState[0] !== ICONIC && !state.includes(hidden)
  const workspace = isShown ? undefined : await workspaceOf(display, id)
  // Window managers also call windows of other workspaces iconic.
  const isMinimized = !isShown && (state.includes(hidden) || (wmState[0] === ICONIC && workspace === undefined))
  // A window that is neither is about to be shown, or withdrawn.
  if (!isShown && !isMinimized && workspace === undefined) return undefined
  const away = isShown ? undefined : { isMinimized, workspace }
  const shadow = edgesOf(shadowBytes)
  const { inner } = common
  // A manager that does not report the width of its frame has a frame window.
  const framed = management === 'icccm' && topLevel !== id ? await boundsOf(display, topLevel) : undefined
  // A window that paints its own shadow also paints its decoration, so the manager adds none.
  const outer = framed ?? (shadow === NO_EDGES ? grow(inner, edgesOf(frame)) : grow(inner, negative(shadow)))
  return { ...common, topLevel, bounds: outer, shadow, focused: id === active, popup: false, owner: undefined, away }
}

/** The name of the workspace of a window that is not on the current one, else its number from 1. */
async function workspaceOf(display: Display, id: number): Promise<string | undefined> {
  const [number, names] = await Promise.all([
    otherWorkspaceOf(display, id),
    display.property(display.root, '_NET_DESKTOP_NAMES'),
  ])
  return number === undefined ? undefined : names?.toString('utf8').split('\0')[number] || String(number + 1)
}

/** The number of the workspace of a window, from 0. Undefined if it is on the current one. */
async function otherWorkspaceOf(display: Display, id: number): Promise<number | undefined> {
  const [[own], [current]] = await Promise.all([
    display.property(id, '_NET_WM_DESKTOP').then(cardinals),
    display.property(display.root, '_NET_CURRENT_DESKTOP').then(cardinals),
  ])
  return own === current || current === undefined || own === ON_ALL_WORKSPACES ? undefined : own
}

const ON_ALL_WORKSPACES = 0xffff_ffff

async function readUnmanaged(
  display: Display,
  id: number,
  screen: Rect,
  managed: boolean,
  active: number,
): Promise<XWindow | undefined> {
  const attributes = await display.attributes(id)
  if (attributes?.mapState !== VIEWABLE || attributes.klass === INPUT_ONLY) return undefined
  if (managed && !attributes.overrideRedirect) return undefined
  const [common, shadowBytes, owner] = await Promise.all([
    readCommon(display, id),
    display.property(id, '_GTK_FRAME_EXTENTS').then(cardinals),
    display.property(id, 'WM_TRANSIENT_FOR').then(cardinals),
  ])
  if (!common) return undefined
  const { inner } = common
  // Programs keep invisible helper windows of a pixel or two outside the screen.
  if (inner.width < 4 || inner.height < 4 || !intersect(inner, screen)) return undefined
  const shadow = edgesOf(shadowBytes)
  const bounds = shadow === NO_EDGES ? inner : grow(inner, negative(shadow))
  const popup = Boolean(attributes.overrideRedirect)
  return {
    ...common,
    topLevel: id,
    bounds,
    shadow,
    focused: id === active,
    popup,
    owner: owner[0],
    away: undefined,
  }
}

/** The bounds of a child of the root window, with its border, or of the root window. */
async function boundsOf(display: Display, id: number): Promise<Rect | undefined> {
  const geometry = await display.geometry(id)
  if (!geometry) return undefined
  const { xPos: x, yPos: y, borderWidth } = geometry
  return { x, y, width: geometry.width + 2 * borderWidth, height: geometry.height + 2 * borderWidth }
}

/** Reads the properties that every window has. Undefined when it has closed. */
async function readCommon(display: Display, id: number) {
  const [place, netName, plainName, pids] = await Promise.all([
    placeOf(display, id),
    display.property(id, '_NET_WM_NAME'),
    display.property(id, 'WM_NAME'),
    display.property(id, '_NET_WM_PID').then(cardinals),
  ])
  if (!place) return undefined
  const pid = pids[0] ?? (await pidOfClient(display, id))
  const title = netName?.toString('utf8') ?? plainName?.toString('latin1') ?? ''
  return isEmptyRect(place.inner) ? undefined : { id, title, pid, process: processName(pid), ...place }
}

/**
 * Where a window is on the screen, and whether it and all that it is in are mapped. Both follow from facts about the windows
 * that it is in, so that nothing is requested again while they stay.
 */
async function placeOf(display: Display, id: number) {
  const chain = await ancestry(display, id)
  const facts = await Promise.all(
    chain.map(async (each) => ({ at: await display.geometry(each), is: await display.attributes(each) })),
  )
  const [{ at: own } = {}] = facts
  if (!own) return undefined
  let [x, y] = [0, 0]
  for (const { at } of facts) {
    if (!at) return undefined
    x += at.xPos + at.borderWidth
    y += at.yPos + at.borderWidth
  }
  const isViewable = facts.every(({ is }) => is !== undefined && is.mapState !== UNMAPPED)
  return { inner: { x, y, width: own.width, height: own.height }, isViewable }
}

/** Assigns a popup without an owner to the front window of its program. Window ids of one program share their base. */
function assignPopupOwners(windows: readonly XWindow[], mask: number): readonly XWindow[] {
  const programOf = (window: XWindow) => window.id & ~mask
  return windows.map((window) => {
    if (!window.popup) return window
    const named = windows.find((other) => other.id === window.owner && !other.popup)
    const siblings = windows.filter((other) => !other.popup && !other.away && programOf(other) === programOf(window))
    const owner = named ?? siblings.find((other) => other.focused) ?? siblings[0]
    if (!owner) return { ...window, owner: undefined }
    return {
      ...window,
      owner: owner.id,
      pid: window.pid || owner.pid,
      process: window.process || owner.process,
    }
  })
}

function edgesOf([left, right, top, bottom]: readonly number[]): Edges {
  if (left === undefined || right === undefined || top === undefined || bottom === undefined) return NO_EDGES
  return left + right + top + bottom === 0 ? NO_EDGES : { left, right, top, bottom }
}

const negative = ({ left, right, top, bottom }: Edges): Edges => ({
  left: -left,
  right: -right,
  top: -top,
  bottom: -bottom,
})

const grow = (rect: Rect, { left, right, top, bottom }: Edges): Rect => ({
  x: rect.x - left,
  y: rect.y - top,
  width: rect.width + left + right,
  height: rect.height + top + bottom,
})

const SOURCE_PAGER = 2
const REVERT_TO_PARENT = 2
const MAX_CHANGE_MS = 1000

/** Raises a window and gives it the keyboard. Throws `Timeout` when the window manager does not. */
async function activateXWindow(display: Display, id: number): Promise<void> {
  const { client } = display
  if ((await windowManagerKindOf(display)) === 'ewmh') {
    // Some window managers only mark a window of another workspace as urgent.
    const workspace = await otherWorkspaceOf(display, id)
    if (workspace !== undefined) await sendMessage(display, display.root, '_NET_CURRENT_DESKTOP', [workspace, 0])
    await sendMessage(display, id, '_NET_ACTIVE_WINDOW', [SOURCE_PAGER, 0, 0])
  } else {
    client.RaiseWindow(id)
    client.SetInputFocus(id, REVERT_TO_PARENT)
    await display.sync()
  }
  await waitUntil(async () => (await activeWindow(display)) === id, `the window ${xWindowUid(id)} was not activated`)
}

/** Asks the program to close the window, as the close button does. The program may ask the user first. */
async function closeXWindow(display: Display, id: number): Promise<void> {
  if ((await windowManagerKindOf(display)) === 'ewmh')
    return sendMessage(display, id, '_NET_CLOSE_WINDOW', [0, SOURCE_PAGER])
  const [protocols, deletes] = await Promise.all(['WM_PROTOCOLS', 'WM_DELETE_WINDOW'].map(display.atom))
  if (!cardinals(await display.property(id, 'WM_PROTOCOLS')).includes(deletes!))
    throw new Fault('PlatformUnsupported', 'the program of this window does not support closing it (WM_DELETE_WINDOW)')
  display.client.SendClientMessage(id, id, protocols!, 32, [deletes!, 0, 0, 0, 0], 0)
  await display.sync()
}

async function minimizeWindow(display: Display, id: number): Promise<void> {
  if ((await windowManagerKindOf(display)) === 'none') throw noWindowManager('minimised')
  await sendMessage(display, id, 'WM_CHANGE_STATE', [ICONIC])
}

/** Maximises or restores a window. A minimised window is restored as well. */
async function maximizeWindow(display: Display, id: number, to: boolean): Promise<void> {
  const management = await windowManagerKindOf(display)
  if (management === 'none') throw noWindowManager(to ? 'maximised' : 'restored')
  if (management === 'icccm') {
    if (to) throw new Fault('PlatformUnsupported', `the window manager cannot maximise windows on request; ${REMEDY}`)
    display.client.MapWindow(id)
    return activateXWindow(display, id)
  }
  const directions = ['_NET_WM_STATE_MAXIMIZED_HORZ', '_NET_WM_STATE_MAXIMIZED_VERT'].map(display.atom)
  const [horizontal, vertical] = await Promise.all(directions)
  await sendMessage(display, id, '_NET_WM_STATE', [to ? 1 : 0, horizontal!, vertical!, SOURCE_PAGER])
  if (!to) await sendMessage(display, id, '_NET_ACTIVE_WINDOW', [SOURCE_PAGER, 0, 0])
}

const REMEDY = 'start one that follows EWMH, such as openbox'

const noWindowManager = (how: string): Fault =>
  new Fault('PlatformUnsupported', `no window manager is running, so windows cannot be ${how}; ${REMEDY}`)

async function sendMessage(display: Display, id: number, message: string, data: readonly number[]): Promise<void> {
  display.client.SendClientMessage(display.root, id, await display.atom(message), 32, data)
  await display.sync()
}

async function waitUntil(holds: () => Promise<boolean>, otherwise: string): Promise<void> {
  const deadline = Date.now() + MAX_CHANGE_MS
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Fault('Timeout', otherwise)
    await sleep(3)
  }
}

/**
 * The window manager of a screen: `ewmh` publishes its state, `icccm` is an older one that publishes nothing, such as twm,
 * and `none` means that no window manager runs.
 */
export type WindowManagerKind = 'ewmh' | 'icccm' | 'none'

const SUBSTRUCTURE_REDIRECT = 1 << 20
/** Window managers place a client in one or two frame windows. */
const MAX_FRAME_DEPTH = 3

/** The kind of window manager that manages a screen, as of the last reply of the server. */
export async function windowManagerKindOf(display: Display): Promise<WindowManagerKind> {
  const { client, root } = display
  const [own] = cardinals(await display.property(root, '_NET_SUPPORTING_WM_CHECK'))
  // A window manager that was killed leaves its properties behind, but not its own window.
  if (own !== undefined && (await display.property(own, '_NET_SUPPORTING_WM_CHECK')) !== undefined) return 'ewmh'
  // No event tells who selects events on the root window.
  const attributes = await display.tryRequest<{ allEventMasks: number }>((done) =>
    client.GetWindowAttributes(root, done),
  )
  return (attributes?.allEventMasks ?? 0) & SUBSTRUCTURE_REDIRECT ? 'icccm' : 'none'
}

/** The windows of an EWMH window manager. Some set the list in stacking order only once there are two windows. */
async function managedWindows(display: Display): Promise<ReadonlySet<number>> {
  const names = ['_NET_CLIENT_LIST_STACKING', '_NET_CLIENT_LIST']
  const lists = await Promise.all(names.map((name) => display.property(display.root, name).then(cardinals)))
  return new Set(lists.flat())
}

/** The client window in a frame of an ICCCM window manager, which has `WM_STATE`. Undefined when there is none. */
async function clientWindowIn(display: Display, frame: number, depth = 0): Promise<number | undefined> {
  if (await display.property(frame, 'WM_STATE')) return frame
  if (depth === MAX_FRAME_DEPTH) return undefined
  for (const child of (await display.children(frame)) ?? []) {
    const client = await clientWindowIn(display, child, depth + 1)
    if (client !== undefined) return client
  }
  return undefined
}

/** The X window that receives keys. 0 when there is none. */
export async function keyboardWindow(display: Display): Promise<number> {
  const { client, root } = display
  const { focus } = await display.request<{ focus: number }>((done) => client.GetInputFocus(done))
  if (focus !== POINTER_ROOT) return focus === root ? 0 : focus
  // The window under the pointer receives keys.
  const pointer = await display.request<{ child: number }>((done) => client.QueryPointer(root, done))
  return pointer.child
}

const POINTER_ROOT = 1

/** Asks programs whether they have processed all events of the X server. */
export interface WindowPing {
  /**
   * Pings the program of `window` (EWMH, "_NET_WM_PING"). Returns `answered` once it has processed all events so far,
   * `timeout` when it does not answer within `withinMs`, and `unsupported` when it does not know the protocol.
   */
  send(window: number, withinMs: number): Promise<'answered' | 'timeout' | 'unsupported'>
}

/** Opens the ping. Programs send their answers to the root window, whose events the display receives. */
export async function openWindowPing(display: Display): Promise<WindowPing> {
  const { client } = display
  const [protocols, ping] = await Promise.all([display.atom('WM_PROTOCOLS'), display.atom('_NET_WM_PING')])
  const waiting = new Map<number, () => void>()
  // Window managers ping with timestamps. These small numbers never collide with them.
  let last = 0
  client.on('event', ({ name, message_type, data }) => {
    if (name !== 'ClientMessage' || message_type !== protocols || data?.[0] !== ping) return
    waiting.get(data[1] ?? 0)?.()
  })
  return {
    async send(window, withinMs) {
      if (!cardinals(await display.property(window, 'WM_PROTOCOLS')).includes(ping)) return 'unsupported'
      return new Promise((resolve) => {
        const number = ++last
        const finish = (answer: 'answered' | 'timeout') => {
          clearTimeout(timer)
          waiting.delete(number)
          resolve(answer)
        }
        const timer = setTimeout(finish, withinMs, 'timeout')
        waiting.set(number, () => finish('answered'))
        client.SendClientMessage(window, window, protocols, 32, [ping, number, window, 0, 0], 0)
      })
    },
  }
}
