import { type Desktop, type Window, windowByUid } from '../../desktop/model/desktop.ts'
import { changeAt, type Element, memoize, nodeById, pathOf, shaped } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { kindOf } from '../../desktop/model/role.ts'
import { popupBounds } from '../../desktop/tree/visibility.ts'
import { openPopups } from '../../desktop/widgets/popups/popup.ts'
import { addedId, POPUP } from './added-id.ts'
import type { Personality } from './personality.ts'
import { asSeenOn } from './project-tree.ts'

const MARK = '#popup:'

/** The uid of the window that a window belongs to: of a popup its owner, of any other itself. */
export function ownerUid(uid: string): string {
  const at = uid.indexOf(MARK)
  return at < 0 ? uid : uid.slice(0, at)
}

/** An open menu or list that is a window of its own. */
export interface PopupWindow {
  readonly uid: string
  readonly owner: Window
  /** The element of the scenario whose popup it is. */
  readonly menu: Element
  readonly bounds: Rect
}

/** The open menus and lists of a window, front to back, on platforms where they are windows. */
export function popupWindows({ popups }: Personality, window: Window): readonly PopupWindow[] {
  if (popups === 'inside') return []
  return openPopups(window)
    .flatMap(({ element }) => {
      const bounds = popupBounds(element)
      return bounds && kindOf(element.role) !== 'tooltip'
        ? [{ uid: `${window.uid}${MARK}${element.id}`, owner: window, menu: element, bounds }]
        : []
    })
    .toReversed()
}

/** The window of an open popup with a uid. */
export function popupWindow(personality: Personality, desktop: Desktop, uid: string): PopupWindow | undefined {
  const owner = windowByUid(desktop, ownerUid(uid))
  if (!owner || owner.uid === uid || owner.state === 'minimized') return undefined
  return popupWindows(personality, owner).find((popup) => popup.uid === uid)
}

/** The tree of the window of a popup, with `seen` in place of its element. Undefined on platforms where it has none. */
export function popupTree(
  personality: Personality,
  { owner, menu, bounds }: PopupWindow,
  seen: Element = menu,
): Element | undefined {
  if (personality.popups !== 'windows') return undefined
  const path = pathOf(owner.tree, menu.id)!
  const tree = seen === menu ? owner.tree : changeAt(owner.tree, path, () => seen)
  const element = nodeById(asSeenOn(personality, tree), menu.id)
  return element && rootOf(personality, element, bounds)
}

const roots = memoize((_element: Element) => new Map<string, Element>())

function rootOf({ roles, reportsNativeRole }: Personality, owner: Element, bounds: Rect): Element {
  const known = roots(owner)
  const key = `${reportsNativeRole} ${bounds.x},${bounds.y},${bounds.width},${bounds.height}`
  const { role, native } = roles.window
  const root =
    known.get(key) ??
    shaped({
      id: addedId(POPUP, owner.id),
      role,
      name: '',
      value: null,
      bounds,
      enabled: true,
      focused: false,
      keyboardShortcut: null,
      description: null,
      children: owner.children.filter(({ traits }) => !traits?.hidden),
      ...(reportsNativeRole && { identifier: native }),
      traits: { added: true, written: { role: 'Menu', name: '' } },
    })
  known.set(key, root)
  return root
}
