import { type Desktop, isOnScreen, stackedWindows } from '../../desktop/model/desktop.ts'
import type { Element, Path } from '../../desktop/model/element.ts'
import { intersect, isEmptyRect, type Rect, subtractAll, translate, unite } from '../../desktop/model/geometry.ts'
import { projectRect, type ScreenProjection } from '../../desktop/projection.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import { panelOf, primaryMonitor } from '../../desktop/windows/panel.ts'
import { acceptsClicks } from './clickable.ts'
import { withoutCorners } from './corners.ts'
import { type WindowPart, windowParts } from './window-parts.ts'

/** The visible area of an element in a picture. All rectangles are in pixels of the picture. */
export interface ElementArea {
  /** The uid of its window. */
  readonly window: string
  /** The element as the scenario has it, in pixels of the desktop. */
  readonly element: Element
  readonly path: Path
  /** The bounds of the element, which may reach beyond the picture. */
  readonly bounds: Rect
  /** The visible parts, which do not overlap; at least one. Every pixel of them hits the element or a descendant. */
  readonly parts: readonly Rect[]
  /** The number of visible pixels. */
  readonly pixels: number
  /** The smallest rectangle around the visible parts. */
  readonly box: Rect
  /** Whether a click does something: an enabled control in a window that takes input. */
  readonly clickable: boolean
}

/** The picture that areas are measured in. */
export interface AreaOptions {
  readonly projection?: ScreenProjection | undefined
  /** The whole primary monitor by default; one window alone and complete; or a part of the screen, in its pixels. */
  readonly of?: { readonly window: string } | { readonly area: Rect } | undefined
}

/**
 * The visible area of each element in a picture of a desktop, the lowest first: an element comes after its parent and after
 * all that it covers. Elements of which nothing is visible are left out.
 */
export function visibleAreas(desktop: Desktop, { projection, of }: AreaOptions = {}): readonly ElementArea[] {
  const metrics = styleMetrics(desktop.style)
  const project = (rect: Rect): Rect => (projection ? projectRect(projection, rect) : rect)
  const alone = of && 'window' in of ? stackedWindows(desktop).filter(({ uid }) => uid === of.window) : undefined
  const view = alone ? project(alone[0]?.bounds ?? NOWHERE) : of && 'area' in of ? of.area : screenOf(desktop, project)
  const found: WindowPart[] = []
  let free = alone ? alone.map(({ bounds }) => bounds) : freeOf(desktop)
  for (const window of alone ?? stackedWindows(desktop)) {
    if (!isOnScreen(window)) continue
    const { parts, left } = windowParts(window, free, metrics)
    found.push(...parts)
    free = left
  }
  return found.reverse().flatMap(({ window, element, path, rects, isInFace }) => {
    const projected = rects.map(project)
    const cut = isInFace ? withoutCorners(window, projected, metrics, projection) : projected
    const parts = cut.flatMap((rect) => {
      const part = intersect(rect, view)
      return part ? [translate(part, -view.x, -view.y)] : []
    })
    if (parts.length === 0) return []
    const bounds = translate(project(element.bounds), -view.x, -view.y)
    return {
      window: window.uid,
      element,
      path,
      bounds,
      parts,
      pixels: parts.reduce((sum, { width, height }) => sum + width * height, 0),
      box: parts.reduce(unite),
      clickable: acceptsClicks(desktop, { window, path, element }),
    }
  })
}

const NOWHERE: Rect = { x: 0, y: 0, width: 0, height: 0 }

const screenOf = (desktop: Desktop, project: (rect: Rect) => Rect): Rect =>
  project(primaryMonitor(desktop)?.bounds ?? NOWHERE)

/** The monitors without the panel, as rectangles that do not overlap. */
function freeOf(desktop: Desktop): readonly Rect[] {
  const bar = panelOf(desktop)?.bounds
  const taken: Rect[] = bar ? [bar] : []
  return desktop.monitors.flatMap(({ bounds }) => {
    const free = isEmptyRect(bounds) ? [] : subtractAll(bounds, taken)
    taken.push(bounds)
    return free
  })
}
