import type { Element } from '../desktop/element.ts'
import { foldOf, popupBounds } from '../desktop/fold.ts'
import { encloses, intersect, type Rect } from '../desktop/geometry.ts'
import { type Kind, kindOf } from '../desktop/role.ts'

/** An element of a tree as a sketch sees it. */
export interface Part {
  readonly element: Element
  readonly kind: Kind
  /** How many elements that are to be seen it stands in. */
  readonly depth: number
  /** Its place in tree order, and that of the first element after all that is in it. */
  readonly place: number
  readonly end: number
  /** The place of what it stands in; its own for the root. */
  readonly parent: number
  /** In how many items of a tree it stands, for such an item. */
  readonly level: number
  /** 0 for the window, more for what has come up over it. */
  readonly layer: number
  /** What is to be seen of it, in screen pixels; absent when nothing is. */
  readonly shown?: Rect
  /** Whether something else in the window lies over all of it. */
  readonly isOccluded: boolean
  /** Whether other elements are to be seen in it. */
  readonly holds: boolean
}

/** What an open popup covers. */
export interface Card {
  readonly shown: Rect
  readonly layer: number
  readonly depth: number
}

export interface Parts {
  /** Every element in tree order. */
  readonly parts: readonly Part[]
  readonly cards: readonly Card[]
}

type Draft = { -readonly [Name in keyof Part]: Part[Name] }

/** Parts of these belong to them and are not shown by themselves. */
export const WHOLE: ReadonlySet<Kind> = new Set<Kind>([
  'button',
  'splitbutton',
  'toggle',
  'checkbox',
  'radio',
  'link',
  'edit',
  'combo',
  'date',
  'scrollbar',
  'slider',
  'spinner',
  'progress',
  'image',
  'text',
])

/** What these lie over cannot be seen; others are taken for glass. */
export const OPAQUE: ReadonlySet<Kind> = new Set<Kind>([
  'window',
  'dialog',
  'document',
  'list',
  'tree',
  'table',
  'tooltip',
  'toast',
  'calendar',
])

/** Every element of a tree, with what is to be seen of it inside the reference rectangle. */
export function partsOf(tree: Element, reference: Rect): Parts {
  const parts: Draft[] = []
  const cards: Card[] = []
  const visit = (element: Element, clip: Rect | undefined, depth: number, layer: number, parent: number): void => {
    const kind = kindOf(element.role)
    const place = parts.length
    const shown = place > 0 ? clip && intersect(element.bounds, clip) : reference
    const level = kind === 'treeitem' && parts[parent]?.kind === 'treeitem' ? parts[parent].level + 1 : 0
    const own: Draft = {
      element,
      kind,
      depth,
      place,
      end: place,
      parent,
      level,
      layer,
      isOccluded: false,
      holds: false,
    }
    if (shown) own.shown = shown
    parts.push(own)
    const popup = clip && popupBounds(element)
    const card = popup && intersect(popup, reference)
    const above = card ? cards.push({ shown: card, layer: cards.length + 1, depth: depth + 1 }) : layer
    for (const child of element.children) {
      const fold = foldOf(element, child)
      const isGone = fold === 'folded' || child.traits?.hidden === true || (WHOLE.has(kind) && fold === 'inline')
      if (isGone) visit(child, undefined, depth + 1, layer, place)
      else if (fold === 'popup') visit(child, card, depth + 2, above, place)
      else if (fold === 'loose') visit(child, clip, depth + 1, layer, place)
      else visit(child, shown && clip && intersect(clip, shown), depth + 1, layer, place)
    }
    own.end = parts.length
  }
  visit(tree, reference, 0, 0, 0)
  hideWhatIsUnder(parts, cards)
  for (const { shown, isOccluded, layer, parent, place } of parts) {
    const holder = parts[parent]!
    if (place === 0 || !shown || isOccluded || layer !== holder.layer) continue
    // What hangs from a tree item or a tab is not in it.
    if (holder.shown && intersect(shown, holder.shown)) holder.holds = true
  }
  return { parts, cards }
}

/** More covers than these, the largest, are not looked at for each element. */
const COVERS_MOST = 20

function hideWhatIsUnder(parts: readonly Draft[], cards: readonly Card[]): void {
  const opaque = parts.flatMap(({ kind, shown, layer, place }) =>
    shown && place > 0 && OPAQUE.has(kind) ? [{ shown, layer, place }] : [],
  )
  // A card is under all that stands on it.
  const covers = [...opaque, ...cards.map((card) => ({ ...card, place: -1 }))]
    .toSorted((a, b) => b.shown.width * b.shown.height - a.shown.width * a.shown.height)
    .slice(0, COVERS_MOST)
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
