import { Fault } from '../../base/fault.ts'
import { type Element, shaped } from '../../desktop/model/element.ts'
import { EMPTY_RECT, type Rect } from '../../desktop/model/geometry.ts'
import type { ElementTraits } from '../../desktop/model/traits.ts'
import type { CfRef, MacFunctions, MacObjects, MacValue, Ownership } from './native.ts'
import { toPixels } from './window-list.ts'

const MAX_ELEMENTS = 25_000
const MAX_LEVELS = 200
const MAX_READ_MS = 10_000

/** The attributes of an element, which are read in one call. */
const ATTRIBUTES = [
  ...['AXRole', 'AXSubrole', 'AXTitle', 'AXDescription', 'AXHelp', 'AXIdentifier', 'AXValue', 'AXPosition', 'AXSize'],
  ...['AXEnabled', 'AXFocused', 'AXSelected', 'AXExpanded', 'AXMinValue', 'AXMaxValue', 'AXChildren'],
] as const
type Values = Readonly<Record<(typeof ATTRIBUTES)[number], MacValue>>

/** The error of a program that does not answer in time. */
export const NOT_ANSWERING = -25204

/** The errors of the accessibility interface that callers can cause. */
const ERRORS: Readonly<Record<number, () => Fault>> = {
  [-25202]: () => new Fault('ElementNotFound', 'the element no longer exists'),
  [NOT_ANSWERING]: () => new Fault('Timeout', 'the program did not answer'),
  [-25205]: () => new Fault('PatternUnsupported', 'the element does not have this value'),
  [-25206]: () => new Fault('PatternUnsupported', 'the element does not have this action'),
  [-25211]: () => new Fault('PlatformUnsupported', 'allow it in System Settings, Privacy & Security, Accessibility'),
}

/** Throws the fault of an error code. */
export function assertDone(code: number): void {
  if (code !== 0)
    throw ERRORS[code]?.() ?? new Fault('PatternUnsupported', `the program answered with the error ${code}`)
}

interface KnownElement {
  readonly id: string
  readonly ref: CfRef
  /** The reading that saw it last. */
  seen: number
}

/** The elements of one window. They keep their ids as long as their program keeps them. */
export interface WindowElements {
  /** Reads the tree below the element of the window, with bounds in pixels. */
  read(window: CfRef, scale: number): Element
  /** The element of an id, borrowed until the next reading. Undefined when the last tree does not have it. */
  find(id: string): CfRef | undefined
  /** Releases all elements. */
  close(): void
}

/** Creates the elements of the window with a number, which is a part of their ids. */
export function windowElements(
  c: MacFunctions,
  objects: MacObjects,
  number: number,
  now: () => number,
): WindowElements {
  const byHash = new Map<string, KnownElement[]>()
  const byId = new Map<string, KnownElement>()
  let reading = 0
  let last = 0
  let count = 0
  let deadlineMs = 0

  const idOf = (ref: CfRef, level: number): string => {
    const key = String(c.hash(ref))
    const sameHash = byHash.get(key) ?? []
    const known = sameHash.find((each) => c.equal(each.ref, ref))
    if (known) {
      known.seen = reading
      return known.id
    }
    const entry = { id: level === 0 ? 'root' : `w${number}-e${++last}`, ref: c.retain(ref), seen: reading }
    byHash.set(key, [...sameHash, entry])
    byId.set(entry.id, entry)
    return entry.id
  }
  const forgetUnseen = (isSeen: (entry: KnownElement) => boolean) => {
    for (const [key, entries] of byHash) {
      const kept = entries.filter(isSeen)
      for (const entry of entries)
        if (!kept.includes(entry)) {
          byId.delete(entry.id)
          c.release(entry.ref)
        }
      if (kept.length > 0) byHash.set(key, kept)
      else byHash.delete(key)
    }
  }

  const valuesOf = (ref: CfRef, owner: Ownership): Values => {
    const names = owner.own(
      c.createArray(null, ATTRIBUTES.map(objects.name), ATTRIBUTES.length, c.arrayCallbacks) as CfRef,
    )
    const out: [CfRef | null] = [null]
    assertDone(c.copyAttributes(ref, names, 0, out))
    const values = objects.items(owner.own(out[0]!))
    return Object.fromEntries(ATTRIBUTES.map((name, index) => [name, objects.read(values[index]!)])) as Values
  }

  const read = (ref: CfRef, level: number, scale: number): Element =>
    objects.scope((owner) => {
      const values = valuesOf(ref, owner)
      const id = idOf(ref, level)
      const below = values.AXChildren && 'elements' in values.AXChildren ? values.AXChildren.elements : []
      const isCut = level >= MAX_LEVELS || now() > deadlineMs
      const children: Element[] = []
      for (const child of isCut ? [] : below) {
        if (++count > MAX_ELEMENTS) break
        children.push(read(child, level + 1, scale))
      }
      return shaped(elementOf(id, values, scale, children, below.length))
    })

  return {
    read(window, scale) {
      reading++
      count = 1
      deadlineMs = now() + MAX_READ_MS
      const tree = read(window, 0, scale)
      forgetUnseen(({ seen }) => seen === reading)
      return tree
    },
    find: (id) => byId.get(id)?.ref,
    close: () => forgetUnseen(() => false),
  }
}

const textIn = (value: MacValue): string => (value && 'text' in value ? value.text : '')
const numberIn = (value: MacValue): number | undefined => (value && 'number' in value ? value.number : undefined)
const flagIn = (value: MacValue): boolean | undefined => (value && 'flag' in value ? value.flag : undefined)

function elementOf(
  id: string,
  values: Values,
  scale: number,
  children: readonly Element[],
  childCount: number,
): Element {
  const role = textIn(values.AXRole)
  const subrole = textIn(values.AXSubrole)
  const kind = observerRole(role, subrole)
  const [now, min, max] = [values.AXValue, values.AXMinValue, values.AXMaxValue].map(numberIn)
  const isText = role === 'AXStaticText'
  const label = textIn(values.AXTitle) || textIn(values.AXDescription)
  const value = values.AXValue && 'text' in values.AXValue ? values.AXValue.text : null
  const isToggle = kind === 'CheckBox' || kind === 'RadioButton' || kind === 'TabItem'
  const isNumber = now !== undefined && !isToggle
  const selected = isToggle && now !== undefined ? now > 0 : flagIn(values.AXSelected)
  const expanded = flagIn(values.AXExpanded)
  const traits = traitsOf(subrole, children.length < childCount ? childCount : undefined)
  return {
    id,
    role: kind,
    name: isText ? (value ?? label) : label,
    value: isText ? null : value,
    bounds: toPixels(boundsIn(values), scale),
    enabled: flagIn(values.AXEnabled) !== false,
    focused: flagIn(values.AXFocused) === true,
    keyboardShortcut: null,
    description: textIn(values.AXHelp) || null,
    children,
    identifier: textIn(values.AXIdentifier) || (subrole ? `${role}/${subrole}` : role),
    ...(selected !== undefined && { selected }),
    ...(expanded !== undefined && { expanded }),
    ...(isNumber && { valueNow: now }),
    ...(isNumber && min !== undefined && { valueMin: min }),
    ...(isNumber && max !== undefined && { valueMax: max }),
    ...(traits && { traits }),
  }
}

function traitsOf(subrole: string, childCount: number | undefined): ElementTraits | undefined {
  const secret = subrole === 'AXSecureTextField'
  if (!secret && childCount === undefined) return undefined
  return { ...(secret && { secret }), ...(childCount !== undefined && { childCount }) }
}

function boundsIn({ AXPosition: at, AXSize: size }: Values): Rect {
  if (!at || !size || !('point' in at) || !('point' in size)) return EMPTY_RECT
  const [x, y, width, height] = [at.point.x, at.point.y, size.point.x, size.point.y].map(Math.round)
  return { x: x!, y: y!, width: width!, height: height! }
}

/** The observer's roles of the accessibility roles of macOS. Subroles after a slash take precedence. */
const ROLES: Readonly<Record<string, string>> = {
  AXWindow: 'Window',
  AXSheet: 'Dialog',
  AXDrawer: 'Pane',
  AXGroup: 'Group',
  'AXGroup/AXTabPanel': 'Pane',
  AXButton: 'Button',
  AXMenuButton: 'Button',
  AXCheckBox: 'CheckBox',
  AXRadioButton: 'RadioButton',
  'AXRadioButton/AXTabButton': 'TabItem',
  AXRadioGroup: 'Group',
  AXTextField: 'Edit',
  'AXTextField/AXSecureTextField': 'PasswordEdit',
  AXTextArea: 'Document',
  AXStaticText: 'Text',
  AXHeading: 'Heading',
  AXPopUpButton: 'ComboBox',
  AXComboBox: 'ComboBox',
  AXList: 'List',
  AXTable: 'Table',
  AXOutline: 'Tree',
  AXRow: 'DataItem',
  'AXRow/AXOutlineRow': 'TreeItem',
  AXCell: 'Cell',
  AXSlider: 'Slider',
  AXIncrementor: 'Spinner',
  AXProgressIndicator: 'ProgressBar',
  AXBusyIndicator: 'ProgressBar',
  AXScrollBar: 'ScrollBar',
  AXScrollArea: 'ScrollArea',
  AXMenuBar: 'MenuBar',
  AXMenuBarItem: 'MenuItem',
  AXMenu: 'Menu',
  AXMenuItem: 'MenuItem',
  AXToolbar: 'ToolBar',
  AXTabGroup: 'Tab',
  AXLink: 'Link',
  AXImage: 'Image',
  AXSplitter: 'Separator',
  AXSplitGroup: 'Pane',
  AXHelpTag: 'ToolTip',
  AXWebArea: 'Document',
}

/** The role that clients see. Unknown roles lose their prefix. */
const observerRole = (role: string, subrole: string): string =>
  ROLES[`${role}/${subrole}`] ?? ROLES[role] ?? (role.replace(/^AX/, '') || 'Unknown')
