import type { Monitor } from '../../desktop/model/desktop.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { projectRect } from '../../desktop/projection.ts'
import { monitorOf } from '../../desktop/windows/windowing.ts'
import type { WindowInfo } from '../computer.ts'
import { type CfRef, type MacFunctions, type MacObjects, toPoints } from './native.ts'

/** Windows without the desktop background: all, or those on the screen, which leaves minimised ones out. */
const ALL = 16
const ON_SCREEN = 1 | ALL
/** Higher layers have the menu bar, the Dock and notifications. */
const MAX_LAYER = 8
const MAX_DISPLAYS = 16

/** A window of the window server. */
export interface MacWindow {
  readonly number: number
  readonly pid: number
  readonly process: string
  /** Empty unless the operator allows recording the screen. */
  readonly title: string
  /** In points. */
  readonly bounds: Rect
}

/** The windows front to back. */
export function listMacWindows(c: MacFunctions, objects: MacObjects, { minimized = false } = {}): readonly MacWindow[] {
  return objects.scope((owner) =>
    objects.items(owner.own(c.copyWindows(minimized ? ALL : ON_SCREEN, 0))).flatMap((info): MacWindow[] => {
      const value = (key: string) => c.lookUp(info, objects.name(key))
      const number = (key: string) => readWith(value(key), objects.readNumber) ?? 0
      const text = (key: string) => readWith(value(key), objects.readText) ?? ''
      const out: [{ origin: { x: number; y: number }; size: { width: number; height: number } }] = [
        { origin: { x: 0, y: 0 }, size: { width: 0, height: 0 } },
      ]
      const bounds = value('kCGWindowBounds')
      const layer = number('kCGWindowLayer')
      if (!bounds || !c.readRect(bounds, out) || layer < 0 || layer > MAX_LAYER) return []
      return [
        {
          number: number('kCGWindowNumber'),
          pid: number('kCGWindowOwnerPID'),
          process: text('kCGWindowOwnerName'),
          title: text('kCGWindowName'),
          bounds: toPoints(out[0]),
        },
      ]
    }),
  )
}

const readWith = <T>(ref: CfRef | null, read: (ref: CfRef) => T): T | undefined => (ref ? read(ref) : undefined)

/** A display as the system has it. */
export interface MacDisplay {
  readonly id: number
  readonly isMain: boolean
  /** In points. */
  readonly bounds: Rect
  /** Device pixels per point. */
  readonly scale: number
}

/** The displays. The main one is at the origin. */
export function listMacDisplays(c: MacFunctions, objects: MacObjects): readonly MacDisplay[] {
  const [ids, count]: [number[], number[]] = [new Array(MAX_DISPLAYS).fill(0), [0]]
  if (c.displays(MAX_DISPLAYS, ids, count) !== 0) return []
  return ids.slice(0, count[0]).map((id) => {
    const bounds = toPoints(c.displayBounds(id))
    const pixels = objects.scope((owner) => {
      const mode = c.copyDisplayMode(id)
      return mode ? Number(c.pixelWidth(owner.own(mode))) : 0
    })
    return { id, isMain: id === c.mainDisplay(), bounds, scale: Math.max(1, pixels / bounds.width) }
  })
}

/**
 * The pixels of this adapter per point: the scale of the display that has most. One factor for all displays keeps them side by
 * side; pictures of displays with fewer pixels are enlarged.
 */
export const macScale = (displays: readonly MacDisplay[]): number => Math.max(1, ...displays.map(({ scale }) => scale))

/** A rectangle of points in pixels. */
export const toPixels = (rect: Rect, scale: number): Rect => projectRect({ ratio: scale, scale }, rect)

/** The displays as callers see them, in pixels. */
export const toMacMonitors = (displays: readonly MacDisplay[]): readonly Monitor[] => {
  const scale = macScale(displays)
  return displays.map(({ isMain, bounds }, index) => ({
    index,
    primary: isMain,
    bounds: toPixels(bounds, scale),
    scaleFactor: scale,
  }))
}

export const macWindowUid = (number: number): string => `mac:${number}`

/** The number in a uid. Undefined for the uid of something else. */
export function macWindowNumber(uid: string): number | undefined {
  const number = uid.startsWith('mac:') ? Number(uid.slice('mac:'.length)) : Number.NaN
  return Number.isInteger(number) ? number : undefined
}

/** The windows as callers see them. The first window of the program with the keyboard is focused. */
export function toWindowInfos(
  windows: readonly MacWindow[],
  displays: readonly MacDisplay[],
  frontPid: number | undefined,
): readonly WindowInfo[] {
  const focused = windows.find(({ pid }) => pid === frontPid)
  const monitors = toMacMonitors(displays)
  const scaleFactor = macScale(displays)
  return windows.map((window) => {
    const bounds = toPixels(window.bounds, scaleFactor)
    return {
      uid: macWindowUid(window.number),
      handle: String(window.number),
      title: window.title,
      process: window.process,
      pid: window.pid,
      bounds,
      focused: window === focused,
      monitorIndex: monitorOf({ monitors }, bounds)?.index ?? 0,
      scaleFactor,
    }
  })
}
