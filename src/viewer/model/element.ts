/** An element as the page shows it: the fields of the observer document, as `get_window_structure` returns them. */
export interface ViewerElement {
  readonly id: string
  readonly role: string
  readonly name: string
  readonly value: string | null
  readonly bounds: Box
  readonly enabled: boolean
  readonly focused: boolean
  readonly keyboard_shortcut: string | null
  readonly description: string | null
  readonly children: readonly ViewerElement[]
  readonly selected?: boolean
  readonly expanded?: boolean
  readonly value_now?: number
  readonly value_min?: number
  readonly value_max?: number
  readonly identifier?: string
  readonly hidden?: boolean
}

/** A window as the page shows it. */
export interface ViewerWindow {
  readonly uid: string
  readonly title: string
  readonly process: string
  readonly bounds: Box
  readonly focused: boolean
  /** The uid of the window that this menu, list or tooltip belongs to. */
  readonly popupOf?: string
  /** Undefined if the program does not answer, or has no tree. */
  readonly tree?: ViewerElement
}

/** An element and the window that it is in. */
export interface ElementPlace {
  readonly window: string
  readonly element: string
}

/** The topmost element at a point: of the first window there, the deepest element. Windows are front to back. */
export function viewerElementAt(windows: readonly ViewerWindow[], at: ScreenPoint): ElementPlace | undefined {
  for (const { uid, bounds, tree } of windows) {
    if (!isInBox(at, bounds)) continue
    const element = tree && deepestAt(tree, at)
    return element && { window: uid, element: element.id }
  }
  return undefined
}

/** The deepest visible element at a point. A popup may be outside of its parent, so children are always looked at. */
function deepestAt(element: ViewerElement, at: ScreenPoint): ViewerElement | undefined {
  for (const child of element.children.toReversed()) {
    const found = deepestAt(child, at)
    if (found) return found
  }
  return !element.hidden && isInBox(at, element.bounds) ? element : undefined
}

/** Finds an element. */
export function elementOfPlace(
  windows: readonly ViewerWindow[],
  { window, element }: ElementPlace,
): ViewerElement | undefined {
  const tree = windows.find(({ uid }) => uid === window)?.tree
  return tree && findBelow(tree, element)
}

function findBelow(element: ViewerElement, id: string): ViewerElement | undefined {
  if (element.id === id) return element
  for (const child of element.children) {
    const found = findBelow(child, id)
    if (found) return found
  }
  return undefined
}

/** The value of an element in words. Undefined without one. */
export const elementValue = ({ value, value_now }: ViewerElement): string | undefined =>
  value ?? (value_now === undefined ? undefined : String(value_now))

/** The properties of an element that say something, as names and texts. */
export function propertiesOf(element: ViewerElement): readonly (readonly [name: string, text: string])[] {
  const { x, y, width, height } = element.bounds
  const properties: readonly (readonly [string, unknown])[] = [
    ['id', element.id],
    ['role', element.role],
    ['name', element.name],
    ['value', element.value],
    ['value now', element.value_now],
    ['range', element.value_min === undefined ? undefined : `${element.value_min} – ${element.value_max}`],
    ['bounds', `${x}, ${y} · ${width} × ${height}`],
    ['enabled', element.enabled],
    ['focused', element.focused || undefined],
    ['selected', element.selected],
    ['expanded', element.expanded],
    ['hidden', element.hidden],
    ['shortcut', element.keyboard_shortcut],
    ['identifier', element.identifier],
    ['description', element.description],
  ]
  return properties.flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)] as const],
  )
}

/** A rectangle in pixels of the screen. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A point in pixels of the screen. */
export interface ScreenPoint {
  readonly x: number
  readonly y: number
}

const isInBox = ({ x, y }: ScreenPoint, box: Box): boolean =>
  x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height
