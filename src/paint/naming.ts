import {
  CAPTION_GAP,
  CAPTION_HEIGHT,
  type Caption,
  captionsOf,
  captionWidth,
  FIELDS,
  isLabel,
  numberShown,
  plain,
} from '../desktop/caption.ts'
import type { Element } from '../desktop/element.ts'
import { intersect, type Rect } from '../desktop/geometry.ts'
import { type Kind, kindOf } from '../desktop/role.ts'
import type { Mark } from './mark.ts'
import { label, labels } from './text.ts'
import { fontFor, inkOf, type Naming, type Setting, softInkOf } from './widgets/widget.ts'

/** Rows and strips have no room for captions. */
const CRAMPED: ReadonlySet<Kind> = new Set<Kind>([
  'combo',
  'date',
  'spinner',
  'toolbar',
  'statusbar',
  'row',
  'cell',
  'listitem',
])
/** More texts than these are not a form. */
const TEXTS_MOST = 100

/** A caption ends two pixels above its control. */
const WORDS_HEIGHT = CAPTION_HEIGHT - 2

/** How each child of an element is named, which has `area` for its children: a sighted reader should know what a field is for. */
export function namerOf(parent: Element, area: Rect): (child: Element) => Naming {
  const captionOf = captionsOf(parent)
  let texts: readonly Element[] | undefined
  return (child) => {
    if (child.name === '') return 'said'
    // A layout has made room for a caption, unless it had none itself.
    const caption = child.place && captionOf(child)
    if (caption && isIn(area, captionPlace(child, caption))) return caption
    const kind = kindOf(child.role)
    if (!FIELDS.has(kind)) return 'said'
    if (child.place && !caption) return kind === 'edit' && CRAMPED.has(kindOf(parent.role)) ? 'inside' : 'said'
    texts ??= parent.children.filter((other) => isLabel(other))
    const isSaid =
      texts.length > TEXTS_MOST || texts.some((text) => says(text, child) || standsBy(text.bounds, child.bounds))
    if (isSaid) return kind === 'slider' && isFree(captionPlace(child, 'value'), child, parent, area) ? 'value' : 'said'
    return !CRAMPED.has(kindOf(parent.role)) && hasRoomAbove(child, parent, area) ? 'above' : 'inside'
  }
}

/** Whether a text is the control's name, perhaps with a colon or an asterisk. */
const says = (text: Element, control: Element): boolean => plain(text.name) === plain(control.name)

const NEAR = 24

/** Whether a text stands directly to the left of a control, or directly above its beginning. */
function standsBy(text: Rect, control: Rect): boolean {
  const middle = text.y + text.height / 2
  const isLeft = middle > control.y && middle < control.y + control.height && text.x < control.x
  const gap = control.y - (text.y + text.height)
  const isAbove = gap >= 0 && gap < NEAR && Math.abs(text.x - control.x) < NEAR
  return (isLeft && control.x - (text.x + text.width) < NEAR) || isAbove
}

function captionPlace(element: Element, caption: Caption): Rect {
  const { bounds } = element
  const width = captionWidth(element, caption)
  if (caption === 'left') return { ...bounds, x: bounds.x - width - CAPTION_GAP, width }
  if (caption === 'value') return { ...bounds, x: bounds.x + bounds.width + CAPTION_GAP, width }
  const wide = element.place ? Math.max(bounds.width, width) : bounds.width
  return { x: bounds.x, y: bounds.y - WORDS_HEIGHT, width: wide, height: WORDS_HEIGHT - 2 }
}

/** Whether a place is in an area from its top left corner on. */
const isIn = (area: Rect, place: Rect): boolean => place.y >= area.y && place.x >= area.x

function hasRoomAbove(child: Element, parent: Element, area: Rect): boolean {
  const place = captionPlace(child, 'above')
  return place.width >= 40 && place.y >= area.y + 4 && isFree(place, child, parent, area)
}

/** Whether a place is in an area, and nothing else is there. */
const isFree = (place: Rect, child: Element, parent: Element, area: Rect): boolean =>
  isIn(area, place) &&
  place.x + place.width <= area.x + area.width &&
  !parent.children.some((other) => other !== child && intersect(other.bounds, place))

/** The name of a control, small, above it or beside it; with what a slider is set to. */
export function captionOf(element: Element, setting: Setting): readonly Mark[] {
  const { naming } = setting
  if (naming === 'said' || naming === 'inside') return []
  const place = captionPlace(element, naming)
  const name = { content: element.name, font: fontFor(18, 500, 12), colour: softInkOf(element, setting) }
  if (kindOf(element.role) !== 'slider') return label(place, name.content, name)
  const number = { content: numberShown(element), font: name.font, colour: inkOf(element, setting) }
  if (naming === 'value') return label(place, number.content, number)
  return labels(place, name, number)
}
