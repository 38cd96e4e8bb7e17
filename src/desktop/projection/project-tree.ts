import { type Element, withFields } from '../model/element.ts'
import { isEmptyRect } from '../model/geometry.ts'
import type { ElementTraits } from '../model/traits.ts'
import { memoizeProjected, type Project } from './memoize-projected.ts'
import { projectRect, type ScreenProjection } from './projection.ts'

/** A tree with its bounds in pixels of the screen. */
export const projectTree: Project<Element> = memoizeProjected((projection, element) =>
  withFields(element, {
    bounds: isPlaced(element) ? projectRect(projection, element.bounds) : element.bounds,
    children: element.children.map((child) => projectTree(projection, child)),
    ...(element.traits && { traits: projectTraits(projection, element.traits) }),
  }),
)

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
