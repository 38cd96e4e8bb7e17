import type { Element } from '../../desktop/model/element.ts'
import { encloses, intersect, type Rect } from '../../desktop/model/geometry.ts'
import { type RoleKind, roleKind, rolesWhere, rolesWith } from '../../desktop/model/role.ts'
import { popupBounds, visibilityOf } from '../../desktop/tree/visibility.ts'
import { rowsViewOf, stays } from '../../desktop/widgets/scrolling.ts'

/** An element of a tree in a sketch. */
export interface SketchPart {
  readonly element: Element
  readonly kind: RoleKind
  /** The number of visible ancestors. */
  readonly depth: number
  /** Its index in tree order, and that of the first element after its descendants. */
  readonly place: number
  readonly end: number
  /** The index of its parent; its own for the root. */
  readonly parent: number
  /** The number of tree items that contain it, for a tree item. */
  readonly level: number
  /** 0 for the window, more for popups. */
  readonly layer: number
  /** Its visible bounds in screen pixels. Absent if it is not visible. */
  readonly shown?: Rect
  /** Whether it is an open menu, painted as its card. */
  readonly isCard: boolean
  /** Whether another element of the window covers it completely. */
  readonly isOccluded: boolean
  /** Whether other elements are visible in it. */
  readonly holds: boolean
}

/** The area of an open popup. */
export interface Card {
  readonly shown: Rect
  readonly layer: number
  readonly depth: number
}

export interface SketchParts {
  /** Every element in tree order. */
  readonly parts: readonly SketchPart[]
  readonly cards: readonly Card[]
}

type Draft = { -readonly [Name in keyof SketchPart]: SketchPart[Name] }

/** Their parts are not shown separately. */
const WHOLE = rolesWhere(({ sketch }) => sketch.parts === 'merged')

/** These hide elements below them; others are transparent. */
export const OPAQUE = rolesWith('opaque')

/** These have a card of their own as popups. Other popups share one. */
const BRINGS_CARD = rolesWith('card')

/** All elements of a tree, with their visible bounds inside the reference rectangle. */
export function partsOf(tree: Element, reference: Rect): SketchParts {
  const parts: Draft[] = []
  const cards: Card[] = []
  addParts(tree, { parts, cards, reference }, { clip: reference, depth: 0, layer: 0, parent: 0, isRaised: false })
  hideWhatIsUnder(parts, cards)
  for (const { shown, isOccluded, layer, parent, place } of parts) {
    const holder = parts[parent]!
    if (place === 0 || !shown || isOccluded || layer !== holder.layer) continue
    // Rows below a tree item and pages of a tab are not inside it.
    if (holder.shown && intersect(shown, holder.shown)) holder.holds = true
  }
  return { parts, cards }
}

/** The context of a part. */
interface Setting {
  /** The clip of its ancestors. Undefined if they are not visible. */
  readonly clip: Rect | undefined
  readonly depth: number
  readonly layer: number
  readonly parent: number
  /** Whether it is a popup with a card of its own. */
  readonly isRaised: boolean
}

interface Collection {
  readonly parts: Draft[]
  readonly cards: Card[]
  readonly reference: Rect
}

function addParts(element: Element, into: Collection, setting: Setting): void {
  const { parts, cards, reference } = into
  const { clip, depth, layer, parent, isRaised } = setting
  const kind = roleKind(element.role)
  const place = parts.length
  const shown = place === 0 ? reference : clip && intersect(element.bounds, clip)
  const level = kind === 'treeitem' && parts[parent]?.kind === 'treeitem' ? parts[parent].level + 1 : 0
  const isCard = isRaised && kind === 'menu'
  const own: Draft = {
    element,
    kind,
    depth,
    place,
    end: 0,
    parent,
    level,
    layer,
    isCard,
    isOccluded: false,
    holds: false,
  }
  if (shown) own.shown = shown
  parts.push(own)
  const raise = (bounds: Rect | undefined, child: Setting): Setting => {
    const seen = clip && bounds && intersect(bounds, reference)
    if (seen) cards.push({ shown: seen, layer: cards.length + 1, depth: depth + 1 })
    return { ...child, clip: seen, depth: depth + 2, layer: seen ? cards.length : layer }
  }
  const inside: Setting = { clip: shown, depth: depth + 1, layer, parent: place, isRaised: false }
  const view = rowsViewOf(element)
  const rows = view ? { ...inside, clip: shown && intersect(shown, view) } : inside
  let together: Setting | undefined
  for (const child of element.children) {
    const fold = visibilityOf(element, child)
    if (fold === 'folded' || child.traits?.hidden || (WHOLE.has(kind) && fold === 'inline'))
      addParts(child, into, { ...inside, clip: undefined })
    else if (fold === 'loose') addParts(child, into, { ...inside, clip })
    else if (fold === 'inline' || isCard) addParts(child, into, stays(element, child) ? inside : rows)
    else if (BRINGS_CARD.has(roleKind(child.role)))
      addParts(child, into, { ...raise(child.traits?.popup ?? child.bounds, inside), isRaised: true })
    else {
      together ??= raise(popupBounds(element), inside)
      addParts(child, into, together)
    }
  }
  own.end = parts.length
}

/** Only this many covers, the largest, are compared with each element. */
const MAX_COVERS = 20

function hideWhatIsUnder(parts: readonly Draft[], cards: readonly Card[]): void {
  const opaque = parts.flatMap(({ kind, shown, layer, place }) =>
    shown && place > 0 && OPAQUE.has(kind) ? [{ shown, layer, place }] : [],
  )
  // A card is below its items.
  const covers = [...opaque, ...cards.map((card) => ({ ...card, place: -1 }))]
    .toSorted((a, b) => b.shown.width * b.shown.height - a.shown.width * a.shown.height)
    .slice(0, MAX_COVERS)
  for (const part of parts) {
    const { shown } = part
    if (!shown || part.place === 0) continue
    part.isOccluded = covers.some(
      (cover) =>
        (cover.layer > part.layer || (cover.layer === part.layer && cover.place >= part.end)) &&
        encloses(cover.shown, shown),
    )
  }
}
