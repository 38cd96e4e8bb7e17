import { Fault } from '../../base/fault.ts'
import { captionPlace, namePlacements } from '../../desktop/caption.ts'
import type { Action } from '../../desktop/input/action.ts'
import { type Desktop, type Target, type Window, windowByUid } from '../../desktop/model/desktop.ts'
import {
  changeAt,
  type Element,
  memoize,
  nodeAt,
  nodeById,
  pathOf,
  shaped,
  withFields,
} from '../../desktop/model/element.ts'
import { EMPTY_RECT, intersect, type Rect } from '../../desktop/model/geometry.ts'
import { type RoleKind, roleKind, rolesWhere, rolesWith } from '../../desktop/model/role.ts'
import type { ElementTraits } from '../../desktop/model/traits.ts'
import { popupBounds, visibilityOf } from '../../desktop/tree/visibility.ts'
import { openPopups } from '../../desktop/widgets/popup.ts'
import { isEdgeBar, rowsViewOf, stays } from '../../desktop/widgets/scrolling.ts'
import {
  type AddedContainer,
  addedId,
  authoredId,
  LABEL,
  type Personality,
  POPUP,
  type RoleView,
  viewedKind,
} from './personality.ts'

/** The tree of a window as a platform shows it. Unchanged elements keep their projected node. */
export const asSeenOn = (personality: Personality, tree: Element): Element => projectionOf(personality)(tree)

const projections = new WeakMap<Personality, (tree: Element) => Element>()

function projectionOf(personality: Personality): (tree: Element) => Element {
  const known = projections.get(personality)
  if (known) return known
  const made = createProjection(personality)
  projections.set(personality, made)
  return made
}

/** The parent of an element, as far as the view of the element depends on it. */
type Place = 'window' | 'elsewhere' | 'menubar' | 'menu'

const placeIn = (parent: RoleKind): Place =>
  parent === 'menubar' ? 'menubar' : parent === 'menu' || parent === 'menuitem' ? 'menu' : 'elsewhere'

const PARENT: Readonly<Record<Place, RoleKind>> = {
  window: 'other',
  elsewhere: 'other',
  menubar: 'menubar',
  menu: 'menu',
}

/** Containers of rows or text that toolkits put into a scroll pane. */
const SCROLLED = rolesWith('scrollPane')
/** Containers of rows, of which some may be out of view. */
const HOLDS_ROWS = rolesWhere(({ container }) => container === 'items')

function createProjection(personality: Personality): (tree: Element) => Element {
  const { roles, reportsNativeRole, page, scrollPane, labels, flatRows, formulas, closed, scrolledOut } = personality

  const views = new Map<string, (element: Element) => Element>()
  /** The memoised view of elements in such a place. */
  function viewsIn(place: Place, isShown: boolean): (element: Element) => Element {
    const key = `${place} ${isShown}`
    const made = views.get(key) ?? memoize((element: Element) => view(element, place, isShown))
    views.set(key, made)
    return made
  }

  function view(element: Element, place: Place, isShown: boolean): Element {
    const row = roles[viewedKind(element, PARENT[place])]
    const role = row.role === '' ? element.role : row.role
    const name = nameOf(element, row)
    const inside = childrenOf(element, isShown)
    const children = place === 'window' ? within(page, element, inside.children) : inside.children
    const isWritten = role === element.role && name === element.name
    const traits: ElementTraits = {
      ...element.traits,
      ...((place === 'window' || !isWritten) && { authored: { role: element.role, name: element.name } }),
      ...(!isShown && { hidden: true }),
      ...(inside.omitted > 0 && { childCount: element.traits?.childCount ?? element.children.length }),
    }
    return withFields(element, {
      role,
      name,
      value: row.hasNoValue ? null : (element.value ?? row.value ?? null),
      description: element.description ?? (formulas ? (element.traits?.formula ?? null) : null),
      bounds: isShown ? element.bounds : EMPTY_RECT,
      children,
      selected: row.hasNoSelected ? undefined : element.selected,
      identifier: reportsNativeRole ? row.native : element.identifier,
      traits: Object.keys(traits).length > 0 ? traits : undefined,
    })
  }

  function childrenOf(element: Element, isShown: boolean): { children: readonly Element[]; omitted: number } {
    if (element.children.length === 0) return { children: element.children, omitted: 0 }
    const kind = roleKind(element.role)
    const place = placeIn(kind)
    const placementOf = labels && isShown ? namePlacements(element, element.bounds) : undefined
    const isOutOfView = isShown && scrolledOut !== 'kept' ? outOfView(element, kind) : undefined
    const children: Element[] = []
    let omitted = 0
    for (const child of element.children) {
      const isOpen = isShown && visibilityOf(element, child) !== 'folded'
      if (!isOpen && !isKept(kind)) continue
      const isOut = isOutOfView?.(child) === true
      if (isOut && scrolledOut === 'absent') {
        omitted++
        continue
      }
      const placement = placementOf?.(child)
      if (placement === 'above' || placement === 'left' || placement === 'form')
        children.push(labelOf(child, captionPlace(child, placement)))
      const view = viewsIn(place, isOpen && !isOut)(child)
      const seen = isBarInView(element, child) ? pinned(view) : view
      if (flatRows && roleKind(child.role) === 'row' && seen.children.length > 0) children.push(...cellsOf(seen))
      else
        children.push(scrollPane && isOpen && SCROLLED.has(roleKind(child.role)) ? addAround(scrollPane, seen) : seen)
    }
    return { children, omitted }
  }

  const pinned = memoize((bar: Element) => withFields(bar, { traits: { ...bar.traits, pinned: true } }))

  /** Whether content that is not shown is in the tree below elements of a kind. */
  const isKept = (owner: RoleKind): boolean => closed === 'zero' || (closed === 'options' && owner === 'combo')

  function within(containers: readonly AddedContainer[], window: Element, children: readonly Element[]) {
    let inside = children
    for (const container of containers.toReversed())
      inside = [added(container, window, window.bounds, inside, pageTraits(window))]
    return inside
  }

  const labelled = memoize((field: Element) => new Map<string, Element>([[field.name, field]]))
  /** The label of a field, the same node as long as the field and its place are. */
  function labelOf(field: Element, bounds: Rect): Element {
    const known = labelled(field)
    const key = `${bounds.x},${bounds.y},${bounds.width},${bounds.height}`
    const label = known.get(key) ?? added({ id: LABEL, ...roles.text, isNamed: true }, field, bounds, [])
    known.set(key, label)
    return label
  }

  const cells = memoize((row: Element): readonly Element[] => {
    const authored = { id: row.id, role: row.traits?.authored?.role ?? row.role, name: row.name }
    return row.children.map((cell) =>
      withFields(cell, {
        ...(row.selected !== undefined && { selected: row.selected }),
        traits: { ...cell.traits, writtenRow: authored },
      }),
    )
  })
  /** The cells of a row that is not in the tree. */
  const cellsOf = (row: Element): readonly Element[] => cells(row)

  const around = memoize((seen: Element) => added(scrollPane!, { ...seen, enabled: true }, seen.bounds, [seen]))
  const addAround = (_pane: AddedContainer, seen: Element): Element => around(seen)

  function added(
    { id, role, native, isNamed = false }: AddedContainer,
    owner: Element,
    bounds: Rect,
    children: readonly Element[],
    traits?: ElementTraits,
  ): Element {
    return shaped({
      id: addedId(id, owner.id),
      role,
      name: isNamed ? owner.name : '',
      value: null,
      bounds,
      enabled: owner.enabled,
      focused: false,
      keyboardShortcut: null,
      description: null,
      children,
      ...(reportsNativeRole && { identifier: native }),
      traits: { ...traits, added: true },
    })
  }

  return viewsIn('window', true)
}

function nameOf({ name, keyboardShortcut }: Element, { isNameless, shortcutInName }: RoleView): string {
  if (isNameless) return ''
  if (shortcutInName === undefined || !keyboardShortcut || name === '') return name
  return shortcutInName === 'after a tab' ? `${name}\t${keyboardShortcut}` : `${name} (${keyboardShortcut})`
}

/** A page scrolls as its window does, and reaches from edge to edge of it. */
function pageTraits({ traits }: Element): ElementTraits | undefined {
  const { scrolled, overflow } = traits ?? {}
  return scrolled || overflow
    ? { ...(scrolled && { scrolled }), ...(overflow && { overflow }), pinned: true }
    : undefined
}

/** Whether a child is a bar at the edge of a window whose content scrolls. */
const isBarInView = (window: Element, child: Element): boolean =>
  window.traits?.overflow !== undefined && isEdgeBar(window, child)

/** Whether a row is out of the view of its container. */
function outOfView(holder: Element, kind: RoleKind): ((child: Element) => boolean) | undefined {
  if (!HOLDS_ROWS.has(kind)) return undefined
  const view = rowsViewOf(holder) ?? holder.bounds
  return (child) => !stays(holder, child) && visibilityOf(holder, child) === 'inline' && !intersect(view, child.bounds)
}

const MARK = '#popup:'

/** The uid of the window that a window belongs to: of a popup its owner, of any other itself. */
function ownerUid(uid: string): string {
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
      return bounds && roleKind(element.role) !== 'tooltip'
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
      traits: { added: true, authored: { role: 'Menu', name: '' } },
    })
  known.set(key, root)
  return root
}

/**
 * The action on the scenario that an action on the tree of a platform is. Throws `PatternUnsupported` for an action that
 * the platform does not offer.
 */
export function toAuthored(personality: Personality, desktop: Desktop, action: Action): Action {
  const authored = (target: Target): Target => targetOn(desktop, target)
  switch (action.type) {
    case 'drag':
      return {
        ...action,
        ...(action.fromTarget && { fromTarget: authored(action.fromTarget) }),
        ...(action.toTarget && { toTarget: authored(action.toTarget) }),
      }
    case 'activate':
      return { ...action, window: ownerUid(action.window) }
    case 'window':
      if (ownerUid(action.window) !== action.window)
        throw new Fault(
          'PatternUnsupported',
          'a menu or list is not a window that can be moved or closed; press escape to close it',
          { window_uid: action.window },
          {},
          'press_key',
        )
      return action
    case 'type':
    case 'key':
    case 'press':
    case 'release':
    case 'key_down':
    case 'key_up':
    case 'hold':
    case 'set_clipboard':
    case 'write_file':
    case 'webmcp_call':
      return action
    case 'click':
    case 'hover':
    case 'scroll':
      return action.target ? { ...action, target: authored(action.target) } : action
    case 'focus':
    case 'invoke':
    case 'set_value':
    case 'select':
    case 'clear_text': {
      const target = authored(action.target)
      assertOffered(personality, desktop, target, action.type)
      return { ...action, target }
    }
  }
}

function targetOn(desktop: Desktop, { window, element }: Target): Target {
  const uid = ownerUid(window)
  const tree = windowByUid(desktop, uid)?.tree
  return { window: uid, element: tree ? authoredId(tree, element) : element }
}

function assertOffered({ name, roles }: Personality, desktop: Desktop, target: Target, type: Action['type']): void {
  const tree = windowByUid(desktop, target.window)?.tree
  const path = tree && pathOf(tree, target.element)
  if (!tree || !path) return
  const element = nodeAt(tree, path) as Element
  const parent = path.length === 0 ? undefined : nodeAt(tree, path.slice(0, -1))
  const row = roles[viewedKind(element, parent ? roleKind(parent.role) : 'other')]
  if (!row.lacks?.includes(type)) return
  throw new Fault(
    'PatternUnsupported',
    `${row.native} ${JSON.stringify(element.name)} does not offer ${type} on ${name}; click it`,
    { element_id: element.id },
  )
}
