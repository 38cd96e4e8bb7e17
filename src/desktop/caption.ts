import { type Element, valueText } from './model/element.ts'
import { intersect, type Rect } from './model/geometry.ts'
import { type RoleKind, roleKind, rolesWhere, rolesWith } from './model/role.ts'
import { textWidth } from './model/text-width.ts'
import { widgetOf } from './roles/widgets.ts'
import { isDialog } from './tree/modal.ts'
import { visibilityOf } from './tree/visibility.ts'

/**
 * The position of the caption of a laid out control: above it, to its left, or where its form has it. `value` is only a
 * slider's number, to its right.
 */
export type Caption = 'above' | 'left' | 'value' | 'form'

/** Pixels that a layout keeps free above a control for its caption. */
export const CAPTION_HEIGHT = 18
/** Pixels between a caption and the control beside it. */
export const CAPTION_GAP = 8
const FONT = 12
const VALUE_GAP_PX = 12
/** A caption is written in a medium weight, which is a little wider than the measured one. */
const WEIGHT = 1.05

/** Controls that do not show their own name. */
const FIELDS = rolesWhere((role) => role.caption === 'field')
/** Areas with many items, which do not show their name. */
const AREAS = rolesWhere((role) => role.caption === 'area')
/** One line high: a caption fits only beside a control. */
const STRIPS = rolesWhere((role) => role.captions === 'beside')
const CAPTION_HOLDERS = rolesWhere((role) => role.captions === 'above')
/** Containers that show their own name. */
const NAMED = rolesWith('titled')

/** Returns the caption of each laid out child of an element, or undefined if it needs none. */
export function captionsOf(parent: Element): (child: Element) => Caption | undefined {
  const owner = roleKind(parent.role)
  if (!CAPTION_HOLDERS.has(owner) && !STRIPS.has(owner)) return () => undefined
  let flowing: readonly Element[] | undefined
  let labels: ReadonlySet<string> | undefined
  return (child) => {
    const kind = roleKind(child.role)
    if (!child.place || child.name === '' || (!FIELDS.has(kind) && !AREAS.has(kind))) return undefined
    flowing ??= flowingIn(parent)
    if (STRIPS.has(owner)) return captionInStrip(child, kind, flowing)
    labels ??= new Set(parent.children.filter(isLabel).map(({ name }) => plain(name)))
    const isShown = labels.has(plain(child.name)) || isNamedBeside(parent, child, kind, flowing)
    const own = child.traits?.formLabel ? 'form' : 'above'
    if (kind === 'slider') return isShown ? 'value' : own
    return isShown ? undefined : own
  }
}

/** A field in a strip shows its name as a placeholder; other controls have it to their left. */
function captionInStrip(child: Element, kind: RoleKind, flowing: readonly Element[]): Caption | undefined {
  if (kind === 'edit' || !FIELDS.has(kind)) return undefined
  const before = flowing[flowing.indexOf(child) - 1]
  return before && isLabel(before) ? undefined : 'left'
}

/** Whether a neighbour of a control, or its parent, shows its name. */
function isNamedBeside(parent: Element, child: Element, kind: RoleKind, flowing: readonly Element[]): boolean {
  const at = flowing.indexOf(child)
  const before = flowing[at - 1]
  if (NAMED.has(roleKind(parent.role)) && mentions(parent.name, child.name)) return true
  const { arrange } = parent.layout ?? {}
  if ((arrange === 'row' || arrange === 'grid') && mentions(child.traits?.placeholder ?? '', child.name)) return true
  if (isBesideBefore(parent, at)) {
    if (before && isLabel(before)) return true
  } else if (before && isLabel(before) && mentions(before.name, child.name)) return true
  if (kind === 'progress') return [before, flowing[at + 1]].some((each) => each !== undefined && isLabel(each))
  if (!AREAS.has(kind)) return false
  // Areas without a gap are parts of one view, which needs no names for them.
  return parent.layout?.gap === 0 || (before !== undefined && isWords(before) && mentions(before.name, child.name))
}

/** Whether a child is to the right of the one before it. */
function isBesideBefore({ layout }: Element, at: number): boolean {
  if (layout?.arrange === 'grid') return at % (layout.columns ?? 2) > 0
  return layout?.arrange === 'row' && at > 0
}

const flowingIn = (parent: Element): readonly Element[] =>
  parent.children.filter((child) => {
    if (!child.place || child.traits?.hidden || isDialog(child)) return false
    const fold = visibilityOf(parent, child)
    return fold === 'inline' || fold === 'loose'
  })

/** Longer texts are not names. */
const MAX_CAPTION_CHARACTERS = 200

const isWords = (element: Element): boolean =>
  roleKind(element.role) === 'text' &&
  element.name !== '' &&
  element.name.length <= MAX_CAPTION_CHARACTERS &&
  element.traits?.hidden !== true

/** Whether a text may be the label of a field. Headings name sections, never one field. */
export const isLabel = (element: Element): boolean => isWords(element) && element.role.toLowerCase() !== 'heading'

/** Whether a text in an element shows its name. */
export const showsOwnName = ({ name, children }: Element): boolean =>
  children.some((child) => isWords(child) && plain(child.name) === plain(name))

/** The words in lower case, without a colon or asterisk at the end. */
export const plain = (words: string): string =>
  words
    .slice(0, MAX_CAPTION_CHARACTERS)
    .toLowerCase()
    .replace(/[\s:*?!.…]+$/, '')
    .trimStart()

/** Whether one of two texts contains the other as whole words. */
export function mentions(words: string, name: string): boolean {
  if (words.length > MAX_CAPTION_CHARACTERS || name.length > MAX_CAPTION_CHARACTERS) return false
  const [one, other] = [` ${lettersOf(words)} `, ` ${lettersOf(name)} `]
  return one.trim() !== '' && other.trim() !== '' && (one.includes(other) || other.includes(one))
}

const lettersOf = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The width of the caption of a control: its name and, for a slider, the longest number that it can show. */
export function captionWidth(element: Element, caption: Caption): number {
  const name = caption === 'value' ? 0 : widthOf(element.name)
  if (roleKind(element.role) !== 'slider') return name
  const numbers = [valueText(element) ?? '', ...[element.valueMin ?? 0, element.valueMax ?? 100].map(String)]
  return name + (name > 0 ? VALUE_GAP_PX : 0) + Math.max(...numbers.map(widthOf))
}

const widthOf = (words: string): number => Math.ceil(textWidth(words.slice(0, MAX_CAPTION_CHARACTERS), FONT) * WEIGHT)

/** Where a control's name is shown: by itself or a label (`shown`), in a caption, or inside it while it is empty. */
export type NamePlacement = 'shown' | Caption | 'inside'

/** Rows and strips have no room for captions. */
const CRAMPED = rolesWith('cramped')
/** With more texts than this, the parent is not a form. */
const MAX_TEXTS = 100

/** The height of the line below a field for the message about its content. */
export const PROBLEM_HEIGHT = 18
const MIN_PROBLEM_WIDTH = 240

/** Where the message about the content of a field is written. */
export const problemPlace = ({ bounds: { x, y, width, height } }: Element): Rect => ({
  x,
  y: y + height + 2,
  width: Math.max(width, MIN_PROBLEM_WIDTH),
  height: PROBLEM_HEIGHT - 4,
})

/** A caption ends two pixels above its control. */
const WORDS_HEIGHT = CAPTION_HEIGHT - 2

/**
 * Returns where the name of each child is shown, within the `area` of the parent, so that sighted users know the
 * purpose of a field.
 */
export function namePlacements(parent: Element, area: Rect): (child: Element) => NamePlacement {
  let captionOf: ReturnType<typeof captionsOf> | undefined
  let texts: readonly Element[] | undefined
  return (child) => {
    const kind = roleKind(child.role)
    if (!FIELDS.has(kind) && !AREAS.has(kind)) return 'shown'
    if (child.name === '') return 'shown'
    // A layout reserved space for a caption, unless it had none.
    captionOf ??= captionsOf(parent)
    const caption = child.place && captionOf(child)
    if (caption && isIn(area, captionPlace(child, caption))) return caption
    if (!FIELDS.has(kind)) return 'shown'
    if (child.place && !caption) return kind === 'edit' && CRAMPED.has(roleKind(parent.role)) ? 'inside' : 'shown'
    texts ??= parent.children.filter((other) => isLabel(other))
    const isShown = texts.length > MAX_TEXTS || texts.some((text) => isNameOf(text, child) || isNextTo(text, child))
    if (isShown)
      return kind === 'slider' && isFree(captionPlace(child, 'value'), child, parent, area) ? 'value' : 'shown'
    return !CRAMPED.has(roleKind(parent.role)) && hasRoomAbove(child, parent, area) ? 'above' : 'inside'
  }
}

/** Whether a text is the control's name, optionally with a colon or an asterisk. */
const isNameOf = (text: Element, control: Element): boolean => plain(text.name) === plain(control.name)

const MAX_CAPTION_GAP_PX = 24

/** Whether a text is directly left of a control, or directly above its start. */
export function isNextTo({ bounds: text }: Element, { bounds: control }: Element): boolean {
  const middle = text.y + text.height / 2
  const isLeft = middle > control.y && middle < control.y + control.height && text.x < control.x
  const gap = control.y - (text.y + text.height)
  const isAbove = gap >= 0 && gap < MAX_CAPTION_GAP_PX && Math.abs(text.x - control.x) < MAX_CAPTION_GAP_PX
  return (isLeft && control.x - (text.x + text.width) < MAX_CAPTION_GAP_PX) || isAbove
}

/** Where the caption of a control is written. */
export function captionPlace(element: Element, caption: Caption): Rect {
  const { bounds } = element
  if (caption === 'form') return formLabelPlace(element)
  const width = captionWidth(element, caption)
  if (caption === 'left') return { ...bounds, x: bounds.x - width - CAPTION_GAP, width }
  if (caption === 'value') return { ...bounds, x: bounds.x + bounds.width + CAPTION_GAP, width }
  const wide = element.place ? Math.max(bounds.width, width) : bounds.width
  return { x: bounds.x, y: bounds.y - WORDS_HEIGHT, width: wide, height: WORDS_HEIGHT - 2 }
}

/** Where the name of a control of a form is. */
export function formLabelPlace({ bounds, traits }: Element): Rect {
  const { x = 0, width = 0 } = traits?.formLabel ?? {}
  return { ...bounds, x: bounds.x + x, width }
}

/** Whether a rectangle starts inside an area. */
const isIn = (area: Rect, place: Rect): boolean => place.y >= area.y && place.x >= area.x

function hasRoomAbove(child: Element, parent: Element, area: Rect): boolean {
  const place = captionPlace(child, 'above')
  return place.width >= 40 && place.y >= area.y + 4 && isFree(place, child, parent, area)
}

/** Whether a rectangle is inside an area and overlaps no other child. */
const isFree = (place: Rect, child: Element, parent: Element, area: Rect): boolean =>
  isIn(area, place) &&
  place.x + place.width <= area.x + area.width &&
  !parent.children.some((other) => other !== child && intersect(other.bounds, place))

/** Pressed as a whole: all their content is part of them. */
const PRESSED = rolesWhere((role) => role.label === 'parts')
/** Selectable items. Their parts label them if they have no name. */
const CHOSEN = rolesWhere((role) => role.label === 'parts when nameless')
/** Selectable in any container. */
const SEPARATE = rolesWith('separate')
/** Contain more than their label: a page, items, a menu. */
const CONTENT_HOLDERS = rolesWith('moreThanLabel')
const LABELS = rolesWith('labels')

/**
 * All texts that label an element: its name and, for a control, the texts of its parts, one by one and joined, with and
 * without blanks. The parts of a selectable item count only if it has no name. `reacts` means that a reaction handles
 * clicks on the element although its role is not clickable, so it counts as such an item.
 */
export function labelsOf(element: Element, { reacts = false } = {}): readonly string[] {
  const kind = roleKind(element.role)
  const labels = [element.name]
  if (PRESSED.has(kind)) collect(element, (part) => !SEPARATE.has(roleKind(part.role)), labels)
  else if ((CHOSEN.has(kind) || reacts) && isNameless(element))
    collect(element, CONTENT_HOLDERS.has(kind) ? isLabelPart : isPlainPart, labels)
  if (labels.length <= 2) return labels
  const words = labels.filter((text) => text.trim() !== '')
  return [...labels, words.join(' '), words.join('')]
}

/** A name without a letter or digit, such as an icon of a symbol font, does not count. */
const isNameless = ({ name }: Element): boolean => !/[\p{L}\p{N}]/u.test(name)

const isLabelPart = ({ role }: Element): boolean => LABELS.has(roleKind(role))
const isPlainPart = (part: Element): boolean => roleKind(part.role) === 'cell' || !widgetOf(part)?.click

function collect(element: Element, isPart: (element: Element) => boolean, into: string[]): void {
  for (const text of [element.value, element.description]) if (text !== null) into.push(text)
  for (const child of element.children) {
    if (!isPart(child)) continue
    into.push(child.name)
    collect(child, isPart, into)
  }
}
