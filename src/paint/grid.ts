import type { Rect } from '../desktop/geometry.ts'

/** Characters in rows and columns. Text that was written stays: neither lines nor other text go over it. */
export class Grid {
  readonly width: number
  readonly height: number
  /** A letter for each cell that has one. */
  readonly #letters: (string | undefined)[]
  /** Which neighbours each cell's lines lead to, as a sum of `UP`, `RIGHT`, `DOWN` and `LEFT`. */
  readonly #lines: Uint8Array

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.#letters = new Array(width * height).fill(undefined)
    this.#lines = new Uint8Array(width * height)
  }

  isFree(column: number, row: number): boolean {
    const isInside = column >= 0 && column < this.width && row >= 0 && row < this.height
    return isInside && this.#letters[row * this.width + column] === undefined
  }

  /** The longest stretch without text in a row between two columns, both included; the leftmost of equals. */
  freeStretch(row: number, from: number, to: number): { readonly column: number; readonly length: number } {
    let best = { column: from, length: 0 }
    let start = from
    for (let column = from; column <= to + 1; column++) {
      if (column <= to && this.isFree(column, row)) continue
      if (column - start > best.length) best = { column: start, length: column - start }
      start = column + 1
    }
    return best
  }

  /** One letter to a cell from a place on, in cells that are free. */
  write(column: number, row: number, letters: readonly string[]): void {
    const start = row * this.width + column
    letters.forEach((letter, offset) => {
      this.#letters[start + offset] = letter
    })
  }

  /** The edges of a rectangle of cells. */
  frame({ x, y, width, height }: Rect): void {
    const right = x + width - 1
    const bottom = y + height - 1
    for (let column = x; column < right; column++) {
      this.#join(column, y, RIGHT, LEFT, 1)
      this.#join(column, bottom, RIGHT, LEFT, 1)
    }
    for (let row = y; row < bottom; row++) {
      this.#join(x, row, DOWN, UP, this.width)
      this.#join(right, row, DOWN, UP, this.width)
    }
  }

  /** Takes the lines out of a rectangle of cells. */
  wipe({ x, y, width, height }: Rect): void {
    for (let row = y; row < y + height; row++) this.#lines.fill(0, row * this.width + x, row * this.width + x + width)
  }

  /** The rows without blanks at their ends and without empty rows at the end. */
  rows(unicode: boolean): readonly string[] {
    const signs = unicode ? BOX_SIGNS : PLAIN_SIGNS
    const rows = Array.from({ length: this.height }, (_, row) => {
      const cells = this.#letters.slice(row * this.width, (row + 1) * this.width)
      return cells
        .map((letter, column) => letter ?? signs[this.#lines[row * this.width + column]!])
        .join('')
        .trimEnd()
    })
    return rows.slice(0, rows.findLastIndex((line) => line !== '') + 1)
  }

  #join(column: number, row: number, there: number, back: number, step: number): void {
    const at = row * this.width + column
    this.#lines[at]! |= there
    this.#lines[at + step]! |= back
  }
}

const UP = 1
const RIGHT = 2
const DOWN = 4
const LEFT = 8

const PLAIN_SIGNS = Array.from({ length: 16 }, (_, lines) => {
  if (lines === 0) return ' '
  if ((lines & (UP | DOWN)) === 0) return '-'
  return (lines & (LEFT | RIGHT)) === 0 ? '|' : '+'
})
const BOX_SIGNS = [' ', '│', '─', '└', '│', '│', '┌', '├', '─', '┘', '─', '┴', '┐', '┤', '┬', '┼']
