import type { Monitor } from '../../desktop/model/desktop.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { WindowInfo } from '../computer.ts'
import { type CfRef, type MacFunctions, toPoints } from './native.ts'
import type { MacObjects } from './objects.ts'

/** Windows that are on the screen, without the desktop background. */
const ON_SCREEN = 1 | 16
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
  readonly bounds: Rect
}

/** The windows front to back. */
export function listMacWindows(c: MacFunctions, objects: MacObjects): readonly MacWindow[] {
  return objects.scope((owner) =>
    objects.items(owner.own(c.copyWindows(ON_SCREEN, 0))).flatMap((info): MacWindow[] => {
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

/** The displays, in points. The main one is at the origin. */
export function listMacMonitors(c: MacFunctions): readonly Monitor[] {
  const [ids, count]: [number[], number[]] = [new Array(MAX_DISPLAYS).fill(0), [0]]
  if (c.displays(MAX_DISPLAYS, ids, count) !== 0) return []
  return ids.slice(0, count[0]).map((id, index) => ({
    index,
    primary: id === c.mainDisplay(),
    bounds: toPoints(c.displayBounds(id)),
    scaleFactor: 1,
  }))
}

export const macWindowUid = (number: number): string => `mac:${number}`

/** The number in a uid. Undefined for the uid of something else. */
export function macWindowNumber(uid: string): number | undefined {
  const number = uid.startsWith('mac:') ? Number(uid.slice('mac:'.length)) : Number.NaN
  return Number.isInteger(number) ? number : undefined
}

/** The windows as callers see them. The first window of the program with the keyboard is focused. */
export function toWindowInfos(windows: readonly MacWindow[], frontPid: number | undefined): readonly WindowInfo[] {
  const focused = windows.find(({ pid }) => pid === frontPid)
  return windows.map((window) => ({
    uid: macWindowUid(window.number),
    handle: String(window.number),
    title: window.title,
    process: window.process,
    pid: window.pid,
    bounds: window.bounds,
    focused: window === focused,
  }))
}
