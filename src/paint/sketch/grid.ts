import type { Rect } from '../../desktop/model/geometry.ts'

/** Adjacent cells of a row, from the first to the one after the last. */
export interface CellRun {
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
export class CharacterGrid {
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
  take(cells: Rect, look: CellStyle): readonly CellRun[] {
    const runs: CellRun[] = []
    const right = cells.x + cells.width
    for (let row = cells.y; row < cells.y + cells.height; row++) {
      let column = this.#freeFrom(row, cells.x)
      while (column < right) {
        const from = column
        while (column < right && this.#next[row * (this.width + 1) + column] === column) {
          if (look !== 'blank') this.#lines[row * this.width + column] = lineAt(cells, column, row, look)
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
function lineAt({ x, y, width, height }: Rect, column: number, row: number, look: 'box' | 'line'): number {
  if (look === 'line') return width >= height ? LEFT | RIGHT : UP | DOWN
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
