import type { WindowInfo } from '../../src/adapters/computer.ts'
import type { Element } from '../../src/desktop/model/element.ts'
import { encloses, intersect, isEmptyRect, type Rect, subtractAll, unite } from '../../src/desktop/model/geometry.ts'
import { type RoleKind, roleKind } from '../../src/desktop/model/role.ts'
import { overlapOf, type ScreenElement } from './labels.ts'

/** A window of a real screen with its tree. */
export interface WindowTree {
  readonly window: Pick<WindowInfo, 'uid' | 'bounds' | 'popupOf'>
  readonly tree: Element | undefined
}

/** Their children may lie outside of them. */
const LOOSE: ReadonlySet<RoleKind> = new Set([
  ...([
    'menu',
    'menuitem',
    'menubar',
    'combo',
    'treeitem',
    'tab',
    'expander',
    'button',
    'toggle',
    'splitbutton',
  ] as const),
])

/** Containers that a popup shows. */
const POPPED_UP: ReadonlySet<RoleKind> = new Set(['menu', 'menuitem', 'combo'])

/** A popup and a container are one if they overlap by so much. */
const SAME_PLACE = 0.7

/** The visible elements of a screen whose windows are listed front to back. */
export function elementsOfScreen(windows: readonly WindowTree[], screen: Rect): readonly ScreenElement[] {
  const found: ScreenElement[] = []
  for (const [index, { window, tree }] of windows.entries()) {
    if (!tree) continue
    const popups = windows.slice(0, index).filter((other) => other.window.popupOf === window.uid)
    const visit = (node: Element, parent: ScreenElement | undefined, clip: Rect, isPoppedUp: boolean) => {
      if (node.traits?.hidden) return
      const kind = roleKind(node.role)
      const popup = popups.find(
        (other) =>
          encloses(grown(other.window.bounds), node.bounds) &&
          (isPoppedUp || overlapOf(other.window.bounds, node.bounds) > SAME_PLACE),
      )
      const room = popup ? popup.window.bounds : clip
      const above = windows.slice(0, popup ? windows.indexOf(popup) : index).map((other) => other.window.bounds)
      const inside = isEmptyRect(node.bounds) ? undefined : intersect(node.bounds, room)
      const seen = inside && intersect(inside, screen)
      const parts = seen ? subtractAll(seen, above) : []
      const area = parts.reduce((sum, { width, height }) => sum + width * height, 0)
      const element: ScreenElement = {
        role: node.role,
        visible: parts.length > 0 ? parts.reduce(unite) : { x: 0, y: 0, width: 0, height: 0 },
        share: area === 0 ? 0 : area / (node.bounds.width * node.bounds.height),
        parent,
      }
      found.push(element)
      const isLoose = LOOSE.has(kind) || isEmptyRect(node.bounds)
      const inner = isLoose ? room : intersect(room, node.bounds)
      if (!inner) return
      for (const child of node.children)
        visit(child, element, inner, popup !== undefined || (isPoppedUp && isLoose) || POPPED_UP.has(kind))
    }
    visit(tree, undefined, window.bounds, false)
  }
  return found
}

/** Frames of popups are drawn a little beside the window that the X server lists. */
const SLACK_PX = 4
const grown = ({ x, y, width, height }: Rect): Rect => ({
  x: x - SLACK_PX,
  y: y - SLACK_PX,
  width: width + 2 * SLACK_PX,
  height: height + 2 * SLACK_PX,
})
