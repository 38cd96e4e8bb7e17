import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { rolesWith } from '../../desktop/model/role.ts'
import {
  cellsOfText,
  controlLabel,
  cutTo,
  isSilent,
  labelRoom,
  legendLabel,
  type SketchSymbols,
  textLines,
  titlesOf,
  valueLines,
} from './labels.ts'
import {
  type GridArea,
  type GridPlacement,
  type GridPlacements,
  MIN_TITLED_CELLS,
  TITLE_INDENT_CELLS,
} from './placement.ts'
import { OPAQUE, type SketchPart, type SketchParts } from './sketch-model.ts'

export interface SketchDrawing {
  readonly grid: CharacterGrid
  /** The key of each part that has one, by its index in the tree. */
  readonly keys: ReadonlyMap<number, string>
  /** Key to description, in tree order. */
  readonly legend: Readonly<Record<string, string>>
  /** The parts with cells of their own, by their index in the tree. */
  readonly drawn: ReadonlySet<number>
  /** The number of controls with neither a label nor a key. */
  readonly unlabelled: number
}

/** Draws the placed parts: front parts take their cells first, and each writes its label only in its own cells. */
export function renderSketch(
  parts: SketchParts,
  places: GridPlacements,
  area: GridArea,
  signs: SketchSymbols,
): SketchDrawing {
  const grid = new CharacterGrid(area.width, area.height)
  const taken = takeCells(grid, parts, places)
  const keys = new Map<number, string>()
  const legend: Record<string, string> = {}
  const drawn = new Set([0])
  let without = 0
  for (const part of parts.parts) {
    const place = places.parts[part.place]
    if (!place || part.place === 0) continue
    const runs = taken.get(part)!
    if (runs.length > 0) drawn.add(part.place)
    if (writeLabel(grid, part, place, runs, signs) || part.holds) continue
    const key = keyOf(keys.size)
    if (!writeKey(grid, key, place.form === 'box' ? insideOf(place.cells, runs) : runs)) {
      without++
      continue
    }
    keys.set(part.place, key)
    legend[key] = legendLabel(part.element, part.kind)
  }
  writeRootTitle(grid, parts.parts[0]!, signs)
  return { grid, keys, legend, drawn, unlabelled: without }
}

/** Assigns cells to parts: popups before the elements below them, later elements before earlier ones. */
function takeCells(
  grid: CharacterGrid,
  { parts, cards }: SketchParts,
  places: GridPlacements,
): ReadonlyMap<SketchPart, readonly CellRun[]> {
  const taken = new Map<SketchPart, readonly CellRun[]>()
  const layers = Array.from({ length: cards.length + 1 }, (): SketchPart[] => [])
  for (const part of parts) if (places.parts[part.place]) layers[part.layer]!.push(part)
  for (let layer = cards.length; layer >= 0; layer--) {
    for (const part of frontToBack(layers[layer]!, parts)) {
      const { cells, form } = places.parts[part.place]!
      taken.set(part, grid.take(cells, form === 'label' ? 'blank' : form))
    }
    const card = places.cards[layer - 1]
    if (card) grid.take(card, 'box')
  }
  return taken
}

/** Orders parts front to back. Transparent ones come after everything else at their level. */
function frontToBack(layer: readonly SketchPart[], parts: readonly SketchPart[]): readonly SketchPart[] {
  const order: SketchPart[] = []
  const glass = new Map<SketchPart, SketchPart[]>()
  const withGlass = (ground: SketchPart) => {
    for (const part of glass.get(ground) ?? []) order.push(part)
    glass.delete(ground)
  }
  for (const part of layer.toReversed()) {
    if (isGlass(part)) {
      const ground = groundOf(part, parts)
      const others = glass.get(ground) ?? []
      others.push(part)
      glass.set(ground, others)
      continue
    }
    withGlass(part)
    order.push(part)
  }
  for (const ground of [...glass.keys()]) withGlass(ground)
  return order
}

const isGlass = ({ place, kind, holds }: SketchPart): boolean => place > 0 && holds && !OPAQUE.has(kind)

function groundOf(part: SketchPart, parts: readonly SketchPart[]): SketchPart {
  let ground = parts[part.parent]!
  while (isGlass(ground) && ground.layer === part.layer) ground = parts[ground.parent]!
  return ground
}

function writeRootTitle(grid: CharacterGrid, { element }: SketchPart, signs: SketchSymbols): void {
  const row = grid.height >= MIN_TITLED_CELLS ? 1 : 0
  const room = grid.width - 4
  const titles = titlesOf(element, signs)
  const title = titles.find((letters) => letters.length <= room) ?? cutTo(titles[0]!, room)
  grid.write(row, 1, [' ', ...title, ' '])
}

/** Writes the label of a part. Returns whether it needs no key. */
function writeLabel(
  grid: CharacterGrid,
  part: SketchPart,
  { form, cells }: GridPlacement,
  runs: readonly CellRun[],
  signs: SketchSymbols,
): boolean {
  const { element, kind } = part
  if (isSilent(element, kind)) return true
  if (part.holds)
    return form === 'box' ? writeEdgeTitle(grid, part, cells, runs, signs) : writeAtEnd(grid, part, runs, signs)
  if (form === 'box' && !PLAIN_FACES.has(kind) && writeEdgeTitle(grid, part, cells, runs, signs)) {
    writeValue(grid, part, cells, runs)
    return true
  }
  return writeControl(grid, part, form === 'box' ? insideOf(cells, runs) : runs, form, signs)
}

/** These show their label in their middle at any size. */
const PLAIN_FACES = rolesWith('plainFace')

/** Writes the title of a box in its upper line. */
function writeEdgeTitle(
  grid: CharacterGrid,
  { element }: SketchPart,
  cells: Rect,
  runs: readonly CellRun[],
  signs: SketchSymbols,
): boolean {
  const edge = longest(runs.filter(({ row }) => row === cells.y).map((run) => withoutSides(run, cells)))
  if (!edge) return false
  const room = edge.to - edge.from - 2
  const title = titlesOf(element, signs).find((letters) => letters.length <= room)
  if (!title) return false
  grid.write(edge.row, edge.from, [' ', ...title, ' '])
  return true
}

/** A value needs this many cells next to an element that covers its box, unless no other cells are free. */
const VALUE_WIDTH = 24

/** Writes the value of a box without children below its title. */
function writeValue(grid: CharacterGrid, { element }: SketchPart, cells: Rect, runs: readonly CellRun[]): void {
  const inside = insideOf(cells, runs)
  const widest = longest(inside)
  if (!widest) return
  const enough = Math.min(VALUE_WIDTH, widest.to - widest.from)
  const first = inside.find(({ from, to }) => to - from >= enough)!
  const rows = inside.filter(({ row, from, to }) => row >= first.row && from <= first.from && to >= first.to)
  const lines = valueLines(element, first.to - first.from - 1, rows.length)
  lines.forEach((line, index) => {
    grid.write(rows[index]!.row, first.from + 1, line)
  })
}

function writeControl(
  grid: CharacterGrid,
  { element, kind, level }: SketchPart,
  runs: readonly CellRun[],
  form: GridPlacement['form'],
  signs: SketchSymbols,
): boolean {
  if (kind === 'text' && writeParagraph(grid, element, runs, signs)) return true
  // Text in a box or on a line has a blank before it.
  const before = form === 'label' ? level * TITLE_INDENT_CELLS : 1
  for (const { row, from, to } of fromMiddle(runs)) {
    const letters = controlLabel(element, kind, to - from - before, signs)
    if (!letters) continue
    const after = form === 'line' ? [' '] : []
    grid.write(row, from, [...new Array<string>(before).fill(' '), ...letters, ...after])
    return true
  }
  return false
}

const PARAGRAPH_WIDTH = 12

/** Writes a text that is too long for one row in several rows. */
function writeParagraph(
  grid: CharacterGrid,
  element: Element,
  runs: readonly CellRun[],
  signs: SketchSymbols,
): boolean {
  const first = runs[0]
  if (!first || runs.length < 2 || runs.some(({ from, to }) => from !== first.from || to !== first.to)) return false
  const width = first.to - first.from - 1
  if (width < PARAGRAPH_WIDTH || labelRoom(element, 'text', signs) <= width + 1) return false
  textLines(element, width, runs.length).forEach((line, index) => {
    grid.write(runs[index]!.row, first.from, line)
  })
  return true
}

/** Writes the title of a group without a box at the right end of its first row. */
function writeAtEnd(
  grid: CharacterGrid,
  { element, kind }: SketchPart,
  runs: readonly CellRun[],
  signs: SketchSymbols,
): boolean {
  const last = runs.findLast(({ row }) => row === runs[0]!.row)
  if (!last || CELLS.has(kind)) return false
  const room = last.to - last.from - LABEL_GAP_CELLS
  const title = titlesOf(element, signs).find((letters) => letters.length <= room)
  if (!title) return false
  grid.write(last.row, last.to - title.length - 1, title)
  return true
}

const LABEL_GAP_CELLS = 4
/** Identified by their content. */
const CELLS = rolesWith('keyless')

/** Writes a key in brackets, or without them if space is short. */
function writeKey(grid: CharacterGrid, key: string, runs: readonly CellRun[]): boolean {
  for (const letters of [cellsOfText(`[${key}]`), cellsOfText(key)]) {
    const run = fromMiddle(runs).find(({ from, to }) => to - from >= letters.length)
    if (!run) continue
    grid.write(run.row, run.from, letters)
    return true
  }
  return false
}

/** Runs by the distance of their rows from the middle one, the upper of two first. */
function fromMiddle(runs: readonly CellRun[]): readonly CellRun[] {
  if (runs.length < 2) return runs
  const middle = (runs[0]!.row + runs.at(-1)!.row - 1) / 2
  return runs.toSorted((a, b) => Math.abs(a.row - middle) - Math.abs(b.row - middle) || b.to - b.from - (a.to - a.from))
}

const longest = (runs: readonly CellRun[]): CellRun | undefined =>
  runs.reduce<CellRun | undefined>(
    (best, run) => (best && best.to - best.from >= run.to - run.from ? best : run),
    undefined,
  )

/** The runs inside the lines of a box. */
const insideOf = (cells: Rect, runs: readonly CellRun[]): readonly CellRun[] =>
  runs
    .filter(({ row }) => row > cells.y && row < cells.y + cells.height - 1)
    .map((run) => withoutSides(run, cells))
    .filter(({ from, to }) => to > from)

const withoutSides = ({ row, from, to }: CellRun, { x, width }: Rect): CellRun => ({
  row,
  from: Math.max(from, x + 1),
  to: Math.min(to, x + width - 1),
})

/** `A` to `Z`, then `A1` to `Z1`, and so on. */
function keyOf(count: number): string {
  const letter = String.fromCharCode(65 + (count % 26))
  return count < 26 ? letter : `${letter}${Math.floor(count / 26)}`
}

/** Adjacent cells of a row, from the first to the one after the last. */
interface CellRun {
  readonly row: number
  readonly from: number
  readonly to: number
}

/** The drawing of taken cells until text is written in them. */
export type CellStyle = 'blank' | 'box' | 'line'

const UP = 1
const RIGHT = 2
const DOWN = 4
const LEFT = 8

/**
 * Characters in rows and columns. A cell belongs to the first part that takes it, so front parts take their cells
 * first. A part writes only in its own cells.
 */
class CharacterGrid {
  readonly width: number
  readonly height: number
  /** The letter of each cell, if any. The second cell of a wide letter has an empty text. */
  readonly #letters: (string | undefined)[]
  /** The neighbours to which a cell's line leads, as a sum of `UP`, `RIGHT`, `DOWN` and `LEFT`. */
  readonly #lines: Uint8Array
  /** For each cell, the first free cell from it in its row, or one before that. */
  readonly #next: Int32Array

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.#letters = new Array(width * height).fill(undefined)
    this.#lines = new Uint8Array(width * height)
    this.#next = Int32Array.from({ length: (width + 1) * height }, (_, at) => at % (width + 1))
  }

  /** Takes the free cells of a rectangle and returns them. */
  take(cells: Rect, style: CellStyle): readonly CellRun[] {
    const runs: CellRun[] = []
    const right = cells.x + cells.width
    for (let row = cells.y; row < cells.y + cells.height; row++) {
      let column = this.#freeFrom(row, cells.x)
      while (column < right) {
        const from = column
        while (column < right && this.#next[row * (this.width + 1) + column] === column) {
          if (style !== 'blank') this.#lines[row * this.width + column] = lineAt(cells, column, row, style)
          this.#next[row * (this.width + 1) + column++] = right
        }
        runs.push({ row, from, to: column })
        column = this.#freeFrom(row, column)
      }
    }
    return runs
  }

  /** Writes letters, one per cell, in cells that the caller has taken. */
  write(row: number, column: number, letters: readonly string[]): void {
    const start = row * this.width + column
    letters.forEach((letter, offset) => {
      this.#letters[start + offset] = letter
    })
  }

  /** The rows without trailing blanks. */
  rows(unicode: boolean): readonly string[] {
    const signs = unicode ? BOX_SIGNS : PLAIN_SIGNS
    return Array.from({ length: this.height }, (_, row) => {
      let line = ''
      for (let column = 0; column < this.width; column++)
        line += this.#letters[row * this.width + column] ?? signs[this.#joined(row, column)]
      return line.trimEnd()
    })
  }

  #freeFrom(row: number, column: number): number {
    const start = row * (this.width + 1)
    let free = column
    while (this.#next[start + free] !== free) free = this.#next[start + free]!
    // Path compression: full cells are skipped in one step.
    for (let at = column; at !== free; ) {
      const further = this.#next[start + at]!
      this.#next[start + at] = free
      at = further
    }
    return free
  }

  /** The line of a cell, joined with the neighbours whose lines lead to it. */
  #joined(row: number, column: number): number {
    const at = row * this.width + column
    const own = this.#lines[at]!
    if (own === 0) return 0
    const leads = (to: number, way: number, isInside: boolean) =>
      isInside && this.#letters[to] === undefined && (this.#lines[to]! & way) !== 0
    return (
      own |
      (leads(at - this.width, DOWN, row > 0) ? UP : 0) |
      (leads(at + 1, LEFT, column + 1 < this.width) ? RIGHT : 0) |
      (leads(at + this.width, UP, row + 1 < this.height) ? DOWN : 0) |
      (leads(at - 1, RIGHT, column > 0) ? LEFT : 0)
    )
  }
}

/** The line of one cell of a box, or of a line as long as its cells. */
function lineAt({ x, y, width, height }: Rect, column: number, row: number, style: 'box' | 'line'): number {
  if (style === 'line') return width >= height ? LEFT | RIGHT : UP | DOWN
  const isTop = row === y
  const isBottom = row === y + height - 1
  const isLeft = column === x
  const isRight = column === x + width - 1
  const across = isTop || isBottom ? (isLeft ? 0 : LEFT) | (isRight ? 0 : RIGHT) : 0
  const down = isLeft || isRight ? (isTop ? 0 : UP) | (isBottom ? 0 : DOWN) : 0
  return across | down
}

const PLAIN_SIGNS = Array.from({ length: 16 }, (_, lines) => {
  if (lines === 0) return ' '
  if ((lines & (UP | DOWN)) === 0) return '-'
  return (lines & (LEFT | RIGHT)) === 0 ? '|' : '+'
})
const BOX_SIGNS = [' ', '│', '─', '└', '│', '│', '┌', '├', '─', '┘', '─', '┴', '┐', '┤', '┬', '┼']
