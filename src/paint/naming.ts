import type { Element } from '../desktop/element.ts'
import { intersect, type Rect } from '../desktop/geometry.ts'
import { type Kind, kindOf } from '../desktop/role.ts'
import type { Mark } from './mark.ts'
import { label } from './text.ts'
import { fontFor, type Naming, type Setting, softInkOf } from './widgets/widget.ts'

/** Controls that do not show their own name. */
const NAMELESS: ReadonlySet<Kind> = new Set<Kind>(['edit', 'combo', 'date', 'spinner', 'slider', 'progress'])
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

const CAPTION_HEIGHT = 16

/** How each child of an element is named, which has `area` for its children: a sighted reader should know what a field is for. */
export function namerOf(parent: Element, area: Rect): (child: Element) => Naming {
  let texts: readonly Element[] | undefined
  return (child) => {
    if (child.name === '' || !NAMELESS.has(kindOf(child.role))) return 'said'
    texts ??= parent.children.filter((other) => kindOf(other.role) === 'text' && other.traits?.hidden !== true)
    if (texts.length > TEXTS_MOST || texts.some((text) => says(text, child) || standsBy(text.bounds, child.bounds)))
      return 'said'
    return !CRAMPED.has(kindOf(parent.role)) && hasRoomAbove(child, parent, area) ? 'above' : 'inside'
  }
}

/** Whether a text is the control's name, perhaps with a colon or an asterisk. */
const says = (text: Element, control: Element): boolean =>
  text.name.toLowerCase().replace(/[:*]?\s*$/, '') === control.name.toLowerCase()

const NEAR = 24

/** Whether a text stands directly to the left of a control, or directly above its beginning. */
function standsBy(text: Rect, control: Rect): boolean {
  const middle = text.y + text.height / 2
  const isLeft = middle > control.y && middle < control.y + control.height && text.x < control.x
  const gap = control.y - (text.y + text.height)
  const isAbove = gap >= 0 && gap < NEAR && Math.abs(text.x - control.x) < NEAR
  return (isLeft && control.x - (text.x + text.width) < NEAR) || isAbove
}

function captionPlace({ bounds }: Element): Rect {
  return { x: bounds.x, y: bounds.y - CAPTION_HEIGHT, width: bounds.width, height: CAPTION_HEIGHT - 2 }
}

function hasRoomAbove(child: Element, parent: Element, area: Rect): boolean {
  const place = captionPlace(child)
  if (place.width < 40 || place.y < area.y + 4) return false
  return !parent.children.some((other) => other !== child && intersect(other.bounds, place))
}

/** The name of a control, small, above it. */
export function captionOf(element: Element, setting: Setting): readonly Mark[] {
  const style = { font: fontFor(18, 500, 12), colour: softInkOf(element, setting) }
  return label(captionPlace(element), element.name, style)
}
