import { centerOf, contains, intersect, isEmptyRect, type Rect } from '../../src/desktop/model/geometry.ts'
import { type RoleKind, roleKind } from '../../src/desktop/model/role.ts'

/** What the detector of docs/transfer.md finds. */
export const CONTROL_CLASSES = ['button', 'field', 'check', 'item', 'tab'] as const
export type ControlClass = (typeof CONTROL_CLASSES)[number]

/** An element of a screen, synthetic or real, and the part of it that is visible. */
export interface ScreenElement {
  readonly role: string
  /** The smallest rectangle around what is visible. */
  readonly visible: Rect
  /** The visible share of the element's own rectangle. */
  readonly share: number
  readonly parent: ScreenElement | undefined
}

/** The boxes of a picture: those to find, and those that are neither right nor wrong. */
export interface ScreenLabels {
  readonly boxes: readonly { readonly is: ControlClass; readonly box: Rect }[]
  readonly ignored: readonly Rect[]
}

const CLASS_OF: Readonly<Partial<Record<RoleKind, ControlClass>>> = {
  button: 'button',
  splitbutton: 'button',
  toggle: 'button',
  edit: 'field',
  spinner: 'field',
  combo: 'field',
  date: 'field',
  checkbox: 'check',
  radio: 'check',
  listitem: 'item',
  treeitem: 'item',
  menuitem: 'item',
  row: 'item',
  tab: 'tab',
}

/** Controls that are none of the classes. */
const IGNORED_KINDS: ReadonlySet<RoleKind> = new Set(['headeritem', 'link', 'cell', 'slider', 'expander', 'image'])

const MIN_SHARE = 0.6
const MIN_SIDE_PX = 8
/** GTK 3 reports the page in the place of a tab that is not drawn. */
const MAX_TAB_PX = 64
/** An element counts instead of one of its class around it that is so many times as large. */
const OUTER_RATIO = 2

/** The class of an element. Undefined for an element of none of the five classes. */
export function controlClassOf({ role, parent }: Pick<ScreenElement, 'role' | 'parent'>): ControlClass | undefined {
  const kind = roleKind(role)
  const around = parent && roleKind(parent.role)
  // Qt reports a button that stays pressed as a check box.
  if (around === 'toolbar' && (kind === 'checkbox' || kind === 'radio')) return 'button'
  if (around === 'menubar' && kind === 'menu') return 'item'
  return CLASS_OF[kind]
}

const areaOf = ({ width, height }: Rect): number => width * height

/** The labels of a screen by the rules of docs/transfer.md. The same element in two trees counts once. */
export function labelsOf(elements: readonly ScreenElement[]): ScreenLabels {
  const classes = new Map(elements.map((element) => [element, controlClassOf(element)]))
  const isLarge = ({ visible, share }: ScreenElement) =>
    share >= MIN_SHARE && visible.width >= MIN_SIDE_PX && visible.height >= MIN_SIDE_PX
  const isPage = (element: ScreenElement) => classes.get(element) === 'tab' && element.visible.height > MAX_TAB_PX
  const dropped = new Set<ScreenElement>()
  for (const element of elements) {
    const is = classes.get(element)
    if (is === undefined || !isLarge(element)) continue
    let outer = element.parent
    while (outer && !(classes.get(outer) === is && contains(outer.visible, centerOf(element.visible))))
      outer = outer.parent
    if (outer) dropped.add(areaOf(outer.visible) >= OUTER_RATIO * areaOf(element.visible) ? outer : element)
  }
  const boxes: { readonly is: ControlClass; readonly box: Rect }[] = []
  const ignored: Rect[] = []
  for (const element of elements) {
    const is = classes.get(element)
    if (isEmptyRect(element.visible) || dropped.has(element)) continue
    if (is === undefined) {
      if (IGNORED_KINDS.has(roleKind(element.role))) ignored.push(element.visible)
    } else if (!isLarge(element) || isPage(element)) ignored.push(element.visible)
    else if (!boxes.some((other) => other.is === is && overlapOf(other.box, element.visible) > SAME_OVERLAP))
      boxes.push({ is, box: element.visible })
  }
  return { boxes, ignored }
}

const SAME_OVERLAP = 0.9

/** The intersection of two rectangles as a share of their union. */
export function overlapOf(one: Rect, other: Rect): number {
  const both = intersect(one, other)
  if (!both) return 0
  const shared = areaOf(both)
  return shared / (areaOf(one) + areaOf(other) - shared)
}
