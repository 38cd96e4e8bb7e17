import { type Element, withFields } from '../model/element.ts'
import { isEmptyRect } from '../model/geometry.ts'
import type { ElementTraits } from '../model/traits.ts'
import { projectRect, type ScreenProjection } from './projection.ts'

/** Projected elements by projection and element. */
const projected = new WeakMap<ScreenProjection, WeakMap<Element, Element>>()

/** A tree with its bounds in pixels of the screen. */
export function projectTree(projection: ScreenProjection, tree: Element): Element {
  const known = projected.get(projection) ?? new WeakMap()
  projected.set(projection, known)
  return project(projection, tree, known)
}

function project(projection: ScreenProjection, element: Element, known: WeakMap<Element, Element>): Element {
  const found = known.get(element)
  if (found) return found
  const made = withFields(element, {
    bounds: isPlaced(element) ? projectRect(projection, element.bounds) : element.bounds,
    children: element.children.map((child) => project(projection, child, known)),
    ...(element.traits && { traits: projectTraits(projection, element.traits) }),
  })
  known.set(element, made)
  return made
}

/** The traits that are measured in pixels and by which callers decide what is visible. */
function projectTraits(projection: ScreenProjection, traits: ElementTraits): ElementTraits {
  const { popup, overflow } = traits
  if (!popup && !overflow) return traits
  const scaled = (pixels: number) => Math.round(pixels * projection.ratio)
  return {
    ...traits,
    ...(popup && { popup: projectRect(projection, popup) }),
    ...(overflow && {
      overflow: { top: scaled(overflow.top), bottom: scaled(overflow.bottom), end: scaled(overflow.end) },
    }),
  }
}

/** Whether an element is somewhere: hidden elements of a platform have no bounds. */
const isPlaced = ({ bounds, traits }: Element): boolean => !traits?.hidden || !isEmptyRect(bounds)
