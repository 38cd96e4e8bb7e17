import type { Element } from '../desktop/element.ts'
import { foldOf } from '../desktop/fold.ts'
import { encloses, intersect, isEmpty, type Rect } from '../desktop/geometry.ts'
import { type Kind, kindOf } from '../desktop/role.ts'
import { Grid } from './grid.ts'
import { controlLabel, legendLabel, oneLine, titlesOf } from './sketch-labels.ts'

export interface SketchOptions {
  /** The size of the grid in characters; the caller sees to it that it is not too large. */
  readonly width: number
  readonly height: number
  /** What the grid shows, in screen pixels; usually the bounds of the window. */
  readonly reference: Rect
  /** Box characters instead of `+ - |`. */
  readonly unicode?: boolean
}

export interface Sketch {
  readonly text: string
  readonly width: number
  readonly height: number
  /** Every element in tree order, in the words of the wire. */
  readonly elements: readonly SketchElement[]
  /** What stands for the elements that are too small for a label: key to description. */
  readonly legend: Readonly<Record<string, string>>
}

export interface SketchElement {
  readonly id: string
  readonly role: string
  readonly name: string
  readonly value: string | null
  readonly bounds_screen: Rect
  /** First column, first row, last column, last row; absent when it is not drawn. */
  readonly bounds_grid?: readonly [number, number, number, number]
  readonly state: {
    readonly focused: boolean
    readonly enabled: boolean
    readonly selected?: boolean
    readonly expanded?: boolean
  }
  readonly legend_key?: string
  readonly tab_index?: number
  /** Whether something else in the window lies over all of it. */
  readonly occluded: boolean
  readonly value_now?: number
  readonly value_min?: number
  readonly value_max?: number
  readonly identifier?: string
  readonly keyboard_shortcut?: string
}

/** An element and where it stands in the grid. */
interface Placed {
  readonly element: Element
  readonly kind: Kind
  readonly occluded: boolean
  /** Absent when it is not to be seen. */
  readonly cells?: Rect
  /** Whether elements are drawn in it. */
  holds: boolean
  key?: string
}

/** A smaller grid shows nothing. */
const LEAST = { width: 8, height: 4 }

/**
 * A tree as characters (observer document, "Sketch"): the root is the frame; a control of a row or two is its label, a
 * larger one a box. Labels of controls are written first, those of what holds them where room is left, lines last.
 */
export function sketch(tree: Element, options: SketchOptions): Sketch {
  const { width, height, unicode = false } = options
  const placed = placeAll(tree, options)
  const legend: Record<string, string> = {}
  let rows: readonly string[] = []
  if (width >= LEAST.width && height >= LEAST.height && !isEmpty(options.reference)) {
    const grid = new Grid(width, height)
    writeLabels(grid, placed, legend)
    drawLines(grid, placed)
    rows = grid.rows(unicode)
  }
  const text = [...rows, ...legendRows(legend, unicode)].join('\n')
  return { text, width, height, elements: describeAll(placed), legend }
}

/** Parts of these belong to them and are not drawn by themselves. */
const WHOLE: ReadonlySet<Kind> = new Set<Kind>(['button', 'checkbox', 'radio', 'link', 'edit', 'scrollbar', 'slider'])
/** What these lie over cannot be seen. */
const OPAQUE: ReadonlySet<Kind> = new Set<Kind>([
  'window',
  'dialog',
  'document',
  'list',
  'tree',
  'table',
  'tooltip',
  'toast',
])
/** More than these are not looked at for each element. */
const OPAQUE_MOST = 20

/** Every element in tree order, with its cells when it is to be seen. */
function placeAll(tree: Element, { width, height, reference }: SketchOptions): readonly Placed[] {
  const inside = insideOf(width, height)
  const placed: Placed[] = []
  const visit = (element: Element, clip: Rect | undefined, occluded: boolean, holder: Placed | undefined) => {
    const kind = kindOf(element.role)
    const shown = clip && !occluded ? intersect(element.bounds, clip) : undefined
    const cells = holder ? shown && cellsOf(shown, reference, inside) : { x: 0, y: 0, width, height }
    const own: Placed = { element, kind, occluded, holds: false, ...(cells && { cells }) }
    placed.push(own)
    if (cells && holder) holder.holds = true
    const above = element.children.filter((child) => OPAQUE.has(kindOf(child.role))).slice(-OPAQUE_MOST)
    element.children.forEach((child, place) => {
      const fold = foldOf(element, child)
      const isGone = fold === 'folded' || child.traits?.hidden === true || WHOLE.has(kind)
      const around = fold === 'popup' ? reference : fold === 'loose' ? clip : clip && intersect(clip, element.bounds)
      const isUnder = above.some(
        (other) => element.children.indexOf(other) > place && encloses(other.bounds, child.bounds),
      )
      visit(child, isGone ? undefined : around, occluded || isUnder, own)
    })
  }
  visit(tree, reference, false, undefined)
  return placed
}

/** What is left of the grid inside the frame and below the title. */
function insideOf(width: number, height: number): Rect {
  const top = hasTitleRow(height) ? 2 : 1
  return { x: 1, y: top, width: width - 2, height: height - top - 1 }
}

const hasTitleRow = (height: number): boolean => height >= 8

/** The cells of a rectangle of pixels; neighbours do not share any, and there is at least one. */
function cellsOf(rect: Rect, reference: Rect, inside: Rect): Rect {
  const column = (x: number) => Math.floor(((x - reference.x) * inside.width) / reference.width)
  const row = (y: number) => Math.floor(((y - reference.y) * inside.height) / reference.height)
  const x = Math.min(column(rect.x), inside.width - 1)
  const y = Math.min(row(rect.y), inside.height - 1)
  return {
    x: inside.x + x,
    y: inside.y + y,
    width: Math.max(1, column(rect.x + rect.width) - x),
    height: Math.max(1, row(rect.y + rect.height) - y),
  }
}

/** These come up over everything that stands before them in the tree. */
const CARDS: ReadonlySet<Kind> = new Set<Kind>(['dialog', 'tooltip', 'toast'])

function writeLabels(grid: Grid, placed: readonly Placed[], legend: Record<string, string>): void {
  writeRootTitle(grid, placed[0]!.element)
  const cards = placed.flatMap(({ kind, cells }, place) =>
    place > 0 && cells && CARDS.has(kind) ? [{ place, cells }] : [],
  )
  const isUnder = (place: number, cells: Rect) =>
    cards.some((card) => card.place > place && encloses(card.cells, cells))
  const withoutLabel: Placed[] = []
  placed.forEach((own, place) => {
    if (place === 0 || own.holds || !own.cells || isUnder(place, own.cells)) return
    if (!writeControl(grid, own, own.cells)) withoutLabel.push(own)
  })
  placed.forEach((own, place) => {
    if (place > 0 && own.holds && own.cells && !isUnder(place, own.cells)) writeTitle(grid, own.element, own.cells)
  })
  withoutLabel.forEach((own, count) => {
    own.key = keyOf(count)
    legend[own.key] = legendLabel(own.element, own.kind)
    writeKey(grid, own.key, own.cells!)
  })
}

function writeRootTitle(grid: Grid, root: Element): void {
  const row = hasTitleRow(grid.height) ? 1 : 0
  const room = grid.width - 4
  const title = titlesOf(root).find((words) => Array.from(words).length <= room) ?? titlesOf(root)[0]!
  grid.write(2, row, Array.from(title).slice(0, room))
}

/** Writes a control's label into its place; false when there is no room in which it could be read. */
function writeControl(grid: Grid, { element, kind }: Placed, cells: Rect): boolean {
  if (kind === 'separator' || kind === 'splitter') return true
  if (isBox(kind, cells)) return writeInBox(grid, element, cells)
  for (const row of rowsFromMiddle(cells)) {
    const { column, length } = grid.freeStretch(row, cells.x, cells.x + cells.width - 1)
    const found = controlLabel(element, kind, length)
    if (!found) continue
    const letters = Array.from(found.text)
    if (found.isBracketed) grid.write(column, row, bracketed(letters, length, kind))
    else grid.write(column, row, grid.isFree(column + letters.length, row) ? [...letters, ' '] : letters)
    return true
  }
  return element.name === '' && !element.value
}

/** A label in brackets that are as far apart as the control is wide: a button's in the middle, a field's at the left. */
function bracketed(letters: readonly string[], width: number, kind: Kind): readonly string[] {
  const spare = width - 2 - letters.length
  const before = kind === 'button' || kind === 'splitbutton' ? spare >> 1 : 0
  const blanks = (count: number) => new Array<string>(count).fill(' ')
  return ['[', ...blanks(before), ...letters, ...blanks(spare - before), ']']
}

/** The middle row of some cells, then the others by their distance from it. */
function rowsFromMiddle({ y, height }: Rect): readonly number[] {
  const middle = y + ((height - 1) >> 1)
  return Array.from({ length: height }, (_, place) => y + place).sort(
    (a, b) => Math.abs(a - middle) - Math.abs(b - middle),
  )
}

/** The title of a large control, and its value in the rows below. */
function writeInBox(grid: Grid, element: Element, cells: Rect): boolean {
  const left = cells.x + 2
  const right = cells.x + cells.width - 3
  const titleRow = cells.y + 1
  const title = fitting(titlesOf(element), grid.freeStretch(titleRow, left, right))
  if (!title) return false
  grid.write(title.column, titleRow, title.letters)
  const value = element.traits?.secret ? '' : (element.value ?? '')
  value
    .split('\n')
    .slice(0, cells.height - 3)
    .forEach((line, place) => {
      const { column, length } = grid.freeStretch(titleRow + 1 + place, left, right)
      grid.write(column, titleRow + 1 + place, Array.from(oneLine(line)).slice(0, length))
    })
  return true
}

/** The title of what holds other elements: in its upper edge, else wherever one of its rows has room. */
function writeTitle(grid: Grid, element: Element, cells: Rect): void {
  if (element.name === '' && UNNAMED.has(kindOf(element.role))) return
  for (let row = cells.y; row < cells.y + cells.height; row++) {
    const found = fitting(titlesOf(element), grid.freeStretch(row, cells.x + 1, cells.x + cells.width - 2), 2)
    if (!found) continue
    grid.write(found.column, row, [' ', ...found.letters, ' '])
    return
  }
}

/** Without a name these only hold others together. */
const UNNAMED: ReadonlySet<Kind> = new Set<Kind>(['pane', 'group', 'other', 'row', 'scrollarea'])

function fitting(
  titles: readonly string[],
  free: { column: number; length: number },
  around = 0,
): { column: number; letters: readonly string[] } | undefined {
  const letters = titles.map((title) => Array.from(title)).find((title) => title.length + around <= free.length)
  return letters && { column: free.column, letters }
}

/** A key in brackets, or bare where there is room for nothing more; in the neighbourhood when its own place is full. */
function writeKey(grid: Grid, key: string, cells: Rect): void {
  const wanted = [Array.from(`[${key}]`), Array.from(key)]
  const rows = [...rowsFromMiddle(cells), cells.y - 1, cells.y + cells.height].filter(
    (row) => row > 0 && row < grid.height - 1,
  )
  for (const letters of wanted)
    for (const row of rows) {
      const { column, length } = grid.freeStretch(row, cells.x, cells.x + cells.width - 1)
      if (length < letters.length) continue
      grid.write(column, row, letters)
      return
    }
}

/** `A` to `Z`, then `A1` to `Z1`, and so on. */
function keyOf(count: number): string {
  const letter = String.fromCharCode(65 + (count % 26))
  return count < 26 ? letter : `${letter}${Math.floor(count / 26)}`
}

/** Controls that are their words only. */
const NEVER_BOXES: ReadonlySet<Kind> = new Set<Kind>([
  'text',
  'checkbox',
  'radio',
  'toggle',
  'link',
  'menuitem',
  'tab',
  'listitem',
  'treeitem',
  'row',
  'cell',
])

const isBox = (kind: Kind, { width, height }: Rect): boolean => width >= 5 && height >= 3 && !NEVER_BOXES.has(kind)

function drawLines(grid: Grid, placed: readonly Placed[]): void {
  placed.forEach(({ kind, cells, holds }, place) => {
    if (!cells) return
    if (CARDS.has(kind) && place > 0) grid.wipe(cells)
    if (holds ? cells.width >= 3 && cells.height >= 3 : isBox(kind, cells)) grid.frame(cells)
  })
}

const RULE = 50

function legendRows(legend: Readonly<Record<string, string>>, unicode: boolean): readonly string[] {
  const entries = Object.entries(legend)
  if (entries.length === 0) return []
  const rule = (unicode ? '─' : '-').repeat(RULE)
  return ['', '  LEGEND', `  ${rule}`, ...entries.map(([key, label]) => `  ${key.padStart(4)}  ${label}`)]
}

const TAB_STOPS: ReadonlySet<Kind> = new Set<Kind>([
  'button',
  'splitbutton',
  'toggle',
  'checkbox',
  'radio',
  'combo',
  'menuitem',
  'tab',
  'edit',
  'document',
  'link',
  'slider',
  'spinner',
  'date',
])

function describeAll(placed: readonly Placed[]): readonly SketchElement[] {
  let stops = 0
  return placed.map(({ element, kind, cells, key, occluded }) => {
    const { id, role, name, bounds, focused, enabled, selected, expanded } = element
    const value = element.traits?.secret && element.value ? '***' : element.value
    const isStop = TAB_STOPS.has(kind) && enabled && cells !== undefined
    return {
      id,
      role,
      name,
      value,
      bounds_screen: bounds,
      ...(cells && { bounds_grid: [cells.x, cells.y, cells.x + cells.width - 1, cells.y + cells.height - 1] as const }),
      state: {
        focused,
        enabled,
        ...(selected !== undefined && { selected }),
        ...(expanded !== undefined && { expanded }),
      },
      ...(key !== undefined && { legend_key: key }),
      ...(isStop && { tab_index: ++stops }),
      occluded,
      ...(element.valueNow !== undefined && { value_now: element.valueNow }),
      ...(element.valueMin !== undefined && { value_min: element.valueMin }),
      ...(element.valueMax !== undefined && { value_max: element.valueMax }),
      ...(element.identifier !== undefined && { identifier: element.identifier }),
      ...(element.keyboardShortcut !== null && { keyboard_shortcut: element.keyboardShortcut }),
    }
  })
}
