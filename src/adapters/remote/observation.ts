import { Fault } from '../../base/fault.ts'
import type { Monitor } from '../../desktop/model/desktop.ts'
import { type Element, shaped } from '../../desktop/model/element.ts'
import { intersect, type Rect, sameRect, translate, unite } from '../../desktop/model/geometry.ts'
import { isSecretRole } from '../../desktop/model/role.ts'
import type { ElementTraits } from '../../desktop/model/traits.ts'
import { isSameTree } from '../../desktop/tree/diff.ts'
import { bytesOf, fromPixels, fromPng, type Picture, wordsOf } from '../../paint/picture.ts'
import { checkSize, imageType, sizeOf } from '../../paint/png/read-png.ts'
import type { WindowInfo } from '../computer.ts'
import type { RemoteAnswer } from './connection.ts'

/** More windows than a desktop has; each is compared with each other one. */
const MAX_WINDOWS = 1000

/** The windows of `GET /api/windows`, as they are listed. Undefined for anything else, and for far too many. */
export function toWindows({ windows }: RemoteAnswer): readonly WindowInfo[] | undefined {
  if (!Array.isArray(windows) || windows.length > MAX_WINDOWS) return undefined
  const read = windows.map((each): WindowInfo | undefined => {
    const { window_uid: uid, handle, title, process, pid, focused, ...more } = Object(each) as RemoteAnswer
    const bounds = rectOf(more.bounds)
    if (typeof uid !== 'string' || !bounds) return undefined
    return {
      uid,
      handle: typeof handle === 'string' ? handle : uid,
      title: typeof title === 'string' ? title : '',
      process: typeof process === 'string' ? process : '',
      pid: typeof pid === 'number' ? pid : 0,
      bounds,
      focused: focused === true,
      ...(typeof more.monitor_index === 'number' && { monitorIndex: more.monitor_index }),
      ...(typeof more.scale_factor === 'number' && { scaleFactor: more.scale_factor }),
      ...(typeof more.popup_of === 'string' && { popupOf: more.popup_of }),
      ...(more.state === 'minimized' && { state: more.state }),
      ...(typeof more.workspace === 'string' && { workspace: more.workspace }),
    }
  })
  return read.every((window) => window !== undefined) ? read : undefined
}

/** The monitors of `GET /api/monitors`. Undefined for anything else. */
export function toMonitors({ monitors }: RemoteAnswer): readonly Monitor[] | undefined {
  if (!Array.isArray(monitors)) return undefined
  const read = monitors.map((each, place): Monitor | undefined => {
    const { index, primary, bounds, physical_bounds, scale_factor } = Object(each) as RemoteAnswer
    const area = rectOf(physical_bounds) ?? rectOf(bounds)
    if (!area) return undefined
    return {
      index: typeof index === 'number' ? index : place,
      primary: primary === true,
      bounds: area,
      scaleFactor: typeof scale_factor === 'number' && scale_factor > 0 ? scale_factor : 1,
    }
  })
  return read.every((monitor) => monitor !== undefined) ? read : undefined
}

/** One monitor that shows all windows, for servers that list no monitors. */
export function assumedMonitors(windows: readonly WindowInfo[]): readonly Monitor[] {
  const { width, height, x, y } = windows.map(({ bounds }) => bounds).reduce(unite, { x: 0, y: 0, width: 1, height: 1 })
  return [{ index: 0, primary: true, bounds: { x: 0, y: 0, width: x + width, height: y + height }, scaleFactor: 1 }]
}

/** The windows that overlap another one, whose place in the stack is not known from the list. */
export const overlapping = (windows: readonly WindowInfo[]): readonly WindowInfo[] =>
  windows.filter((window) => windows.some((other) => other !== window && intersect(other.bounds, window.bounds)))

/**
 * Orders windows front to back. Of two that overlap, the one is in front that shows in their common area; a popup is in front of its
 * owner. Where nothing is known, the order stays that of the list.
 * @param regions The visible parts of windows, by uid.
 */
export function stackingOrder(
  windows: readonly WindowInfo[],
  regions: ReadonlyMap<string, readonly Rect[]>,
): readonly WindowInfo[] {
  const covers = (a: WindowInfo, b: WindowInfo): boolean => {
    if (a.popupOf === b.uid) return true
    const common = intersect(a.bounds, b.bounds)
    return common !== undefined && (regions.get(a.uid) ?? []).some((region) => intersect(region, common))
  }
  const left = [...windows]
  const ordered: WindowInfo[] = []
  while (left.length > 0) {
    const front = left.findIndex((each) => !left.some((other) => other !== each && covers(other, each)))
    // Windows that cover each other in turn stay in the order of the list.
    ordered.push(...left.splice(Math.max(0, front), 1))
  }
  return ordered
}

const MAX_LEVELS = 1000
const MAX_ELEMENTS = 200_000

/** The value that a Backlot server sends for secret fields. */
const SECRET_VALUE_ON_WIRE = '<filled>'

/**
 * Converts a tree of the other server to elements. Subtrees that equal those of `before`, the last tree of the window, are the same
 * objects again. Returns undefined for anything but a tree.
 */
export function toElements(wire: unknown, before?: Element): Element | undefined {
  let count = 0
  const convert = (value: unknown, before: Element | undefined, level: number): Element => {
    const node = fieldsOf(value)
    if (!node || ++count > MAX_ELEMENTS || level > MAX_LEVELS) throw MALFORMED
    const known = before?.children ?? []
    const byId = new Map(known.map((child) => [child.id, child]))
    const given = Array.isArray(node.children) ? node.children : []
    const children = given.map((child, index) => {
      const id = fieldsOf(child)?.id
      const twin = known[index]?.id === id ? known[index] : byId.get(id as string)
      return convert(child, twin, level + 1)
    })
    const fresh = shaped(elementOf(node, children))
    return before && isSameTree(before, fresh) ? before : fresh
  }
  try {
    return convert(wire, before, 0)
  } catch (thrown) {
    if (thrown === MALFORMED) return undefined
    throw thrown
  }
}

const MALFORMED = new Error('the tree is malformed')

function elementOf(node: RemoteAnswer, children: readonly Element[]): Element {
  const bounds = rectOf(node.bounds)
  if (typeof node.id !== 'string' || typeof node.role !== 'string' || !bounds) throw MALFORMED
  const { value, selected, expanded, value_now: now, value_min: min, value_max: max, identifier } = node
  const traits = traitsOf(node)
  return {
    id: node.id,
    role: node.role,
    name: textOr(node.name, ''),
    value: value === undefined || value === null ? null : String(value),
    bounds,
    enabled: node.enabled !== false,
    focused: node.focused === true,
    keyboardShortcut: textOr(node.keyboard_shortcut, null),
    description: textOr(node.description, null),
    children,
    ...(typeof selected === 'boolean' && { selected }),
    ...(typeof expanded === 'boolean' && { expanded }),
    ...(typeof now === 'number' && { valueNow: now }),
    ...(typeof min === 'number' && { valueMin: min }),
    ...(typeof max === 'number' && { valueMax: max }),
    ...(typeof identifier === 'string' && { identifier }),
    ...(traits && { traits }),
  }
}

/** What the wire tells about the traits. A secret field is recognised by its value, its role or its raw role. */
function traitsOf({
  role,
  hidden,
  truncated,
  child_count: count,
  value,
  identifier,
}: RemoteAnswer): ElementTraits | undefined {
  const isSecret = value === SECRET_VALUE_ON_WIRE || [role, identifier].some((name) => isSecretRole(String(name)))
  if (hidden !== true && truncated !== true && !isSecret) return undefined
  return {
    ...(isSecret && { secret: true }),
    ...(hidden === true && { hidden: true }),
    ...(truncated === true && { childCount: typeof count === 'number' ? count : 0 }),
  }
}

/** A rectangle of whole pixels. Undefined for anything else. */
export function rectOf(value: unknown): Rect | undefined {
  const { x, y, width, height } = fieldsOf(value) ?? {}
  const numbers = [x, y, width, height]
  if (!numbers.every((each) => typeof each === 'number' && Number.isFinite(each))) return undefined
  const [left = 0, top = 0, wide = 0, high = 0] = (numbers as number[]).map(Math.round)
  return { x: left, y: top, width: Math.max(0, wide), height: Math.max(0, high) }
}

const fieldsOf = (value: unknown): RemoteAnswer | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RemoteAnswer) : undefined

function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === 'string' ? value : other
}

/** The picture in an answer. Its pixels are decoded when they are needed. Undefined for anything but a PNG. */
export function toPicture({ data }: RemoteAnswer): Picture | undefined {
  if (typeof data !== 'string') return undefined
  const file = Buffer.from(data, 'base64')
  const size = imageType(file) === 'image/png' ? sizeOf(file) : undefined
  if (!size || !isPlausible(size)) return undefined
  let decoded: Uint8Array | undefined
  return {
    ...size,
    pixels() {
      decoded ??= decode(file)
      return decoded
    },
    png: () => file,
    base64: () => data,
  }
}

function isPlausible(size: { readonly width: number; readonly height: number }): boolean {
  try {
    checkSize(size)
    return size.width > 0 && size.height > 0
  } catch (thrown) {
    if (thrown instanceof Fault) return false
    throw thrown
  }
}

function decode(file: Buffer): Uint8Array {
  try {
    return fromPng(file).pixels()
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    throw new Fault('PlatformUnsupported', `the other server sent a picture that cannot be read: ${thrown.message}`)
  }
}

const BLACK = 0xff000000

/** A picture of an area outside of the screen. */
export const blackPicture = ({ width, height }: Rect): Picture =>
  fromPixels(width, height, bytesOf(new Uint32Array(width * height).fill(BLACK)))

/** The part `wanted` of the screen, from a picture that shows the part `shown`. Black where the picture shows nothing. */
export function partOfScreen(picture: Picture, shown: Rect, wanted: Rect): Picture {
  if (sameRect(shown, wanted)) return picture
  const common = intersect(shown, wanted)
  const words = new Uint32Array(wanted.width * wanted.height).fill(BLACK)
  if (common) {
    const source = wordsOf(picture.pixels())
    const [from, to] = [translate(common, -shown.x, -shown.y), translate(common, -wanted.x, -wanted.y)]
    for (let row = 0; row < common.height; row++) {
      const start = (from.y + row) * picture.width + from.x
      words.set(source.subarray(start, start + common.width), (to.y + row) * wanted.width + to.x)
    }
  }
  return fromPixels(wanted.width, wanted.height, bytesOf(words))
}
