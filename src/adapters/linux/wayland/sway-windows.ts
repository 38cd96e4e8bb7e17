import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../base/fault.ts'
import type { Monitor } from '../../../desktop/model/desktop.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { type DesktopWindow, NO_EDGES, type WindowSystem } from '../desktop-backend.ts'
import { processName } from '../x11/display.ts'
import type { SwayIpc, SwayNode, SwayOutput } from './sway-ipc.ts'

/** The workspace of windows in the scratchpad, which is what sway has for minimised ones. */
const SCRATCHPAD = '__i3_scratch'
const MAX_CHANGE_MS = 1000

const uidOf = (id: number): string => `sway:${id}`

function idOf(uid: string): number | undefined {
  const digits = /^sway:(\d{1,9})$/.exec(uid)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The windows of sway, with those of Xwayland among them. */
export function swayWindowSystem(ipc: SwayIpc): WindowSystem {
  const listAll = async () => swayWindows(await ipc.tree())
  const active = async () => (await listAll()).find(({ focused }) => focused)?.id ?? 0
  const command = async (id: number, what: string) => {
    await ipc.run(`[con_id=${id}] ${what}`)
  }
  return {
    uidOf,
    idOf,
    listAll,
    list: async () => (await listAll()).filter(({ away }) => !away),
    active,
    async activate(id) {
      // Focusing also switches the workspace and takes a window out of the scratchpad.
      await command(id, 'focus')
      const deadline = Date.now() + MAX_CHANGE_MS
      while ((await active()) !== id) {
        if (Date.now() > deadline) throw new Fault('Timeout', `the window ${uidOf(id)} was not activated`)
        await sleep(3)
      }
    },
    close: (id) => command(id, 'kill'),
    minimize: (id) => command(id, 'move scratchpad'),
    async maximize(id, to) {
      const isAway = (await listAll()).find((window) => window.id === id)?.away?.isMinimized
      if (isAway) await command(id, 'focus')
      await command(id, to ? 'fullscreen enable' : 'fullscreen disable')
    },
  }
}

interface Listed {
  readonly node: SwayNode
  readonly workspace: string | undefined
}

/** The windows of a tree, front to back: fullscreen, then floating, then tiled ones. */
export function swayWindows(root: SwayNode): readonly DesktopWindow[] {
  const collect = (node: SwayNode, workspace: string | undefined): readonly Listed[] => {
    const own = node.type === 'workspace' ? (node.name ?? '') : workspace
    if (node.pid !== undefined && node.type !== 'workspace') return [{ node, workspace: own }]
    // The last floating window is on top. Tiled windows do not overlap, but those in tabs cover each other.
    const floating = [...node.floating_nodes].reverse().flatMap((child) => collect(child, own))
    const tiled = [...node.nodes]
      .sort((a, b) => node.focus.indexOf(a.id) - node.focus.indexOf(b.id))
      .flatMap((child) => collect(child, own))
    return [...floating, ...tiled]
  }
  const listed = collect(root, undefined)
  const isFull = ({ node }: Listed) => (node.fullscreen_mode ?? 0) > 0
  return [...listed.filter(isFull), ...listed.filter((each) => !isFull(each))].map(toWindow)
}

function toWindow({ node, workspace }: Listed): DesktopWindow {
  const { rect, window_rect: inside, deco_rect: title } = node
  const isXwayland = node.shell === 'xwayland'
  const isShown = node.visible !== false
  const pid = node.pid ?? 0
  return {
    id: node.id,
    title: node.name ?? '',
    pid,
    process: processName(pid),
    // The title bar is above the rectangle of a container.
    bounds: { x: rect.x, y: rect.y - title.height, width: rect.width, height: rect.height + title.height },
    inner: { x: rect.x + inside.x, y: rect.y + inside.y, width: inside.width, height: inside.height },
    shadow: NO_EDGES,
    focused: node.focused,
    popup: false,
    owner: undefined,
    away: isShown ? undefined : awayOf(workspace),
    ...(isXwayland ? {} : { isWayland: true }),
  }
}

/** A window in a tab that is covered is on its workspace, but not on the screen. */
const awayOf = (workspace: string | undefined) =>
  workspace === SCRATCHPAD
    ? { isMinimized: true, workspace: undefined }
    : { isMinimized: false, workspace: workspace ?? '' }

/** The monitors of sway in logical pixels. The one at the origin counts as the primary one. */
export function swayMonitors(outputs: readonly SwayOutput[]): readonly Monitor[] {
  const shown = outputs.filter(({ active }) => active)
  const atOrigin = shown.findIndex(({ rect }) => rect.x === 0 && rect.y === 0)
  const first = Math.max(0, atOrigin)
  const ordered = shown.length === 0 ? [] : [shown[first]!, ...shown.filter((_, index) => index !== first)]
  return ordered.map(({ rect }, index) => ({ index, primary: index === 0, bounds: rectOf(rect), scaleFactor: 1 }))
}

const rectOf = ({ x, y, width, height }: Rect): Rect => ({ x, y, width, height })
