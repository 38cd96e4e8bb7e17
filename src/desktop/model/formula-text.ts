/**
 * The text of a formula of a spreadsheet, as a user types it: its tokens, and its references when it is copied or when rows are
 * inserted and removed.
 */

/** The most characters of a formula. */
export const MAX_FORMULA_LENGTH = 1000

/** The rows that a reference can have, as in common spreadsheets. Columns end at ZZZ. */
const MAX_ROW = 1_048_576

/** A reference to a cell. Rows and columns count from 0. */
export interface CellReference {
  readonly row: number
  readonly column: number
  /** Whether the row or the column has a `$`, so that a copy keeps it. */
  readonly isRowFixed: boolean
  readonly isColumnFixed: boolean
}

/** A part of a formula with its place in the text. */
export type FormulaToken = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  /** An operator, a parenthesis, or a separator of arguments, which is always a comma here. */
  | { readonly kind: 'sign'; readonly value: string }
  | { readonly kind: 'error'; readonly value: string }
  /** A function, TRUE, FALSE or a name without a meaning, in upper case. */
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'cell'; readonly cell: CellReference; readonly sheet: string | undefined }
  /** Whole columns, such as B:C. */
  | {
      readonly kind: 'columns'
      readonly from: CellReference
      readonly to: CellReference
      readonly sheet: string | undefined
    }
)

/** Why a text is not a formula, and where. */
export interface FormulaProblem {
  readonly message: string
  readonly start: number
  readonly end: number
}

/** Whether the content of a cell is a formula. */
export const isFormula = (content: string): boolean => content.length > 1 && content.startsWith('=')

const SPACE = /[ \t\r\n]+/y
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const TEXT = /"(?:[^"]|"")*"/y
const SIGN = /<=|>=|<>|[-+*/^&=<>%(),;:]/y
const ERROR = /#(?:DIV\/0!|REF!|NAME\?|VALUE!|N\/A|NUM!|NULL!)/iy
const SHEET = /\$?(?:'((?:[^']|'')*)'|([\p{L}_][\p{L}\p{N}_]*))[!.](?=\$?[A-Za-z]{1,3}(?:\$?\d|:))/uy
const COLUMNS = /(\$?)([A-Za-z]{1,3}):(\$?)([A-Za-z]{1,3})(?![\p{L}\p{N}_$(.])/uy
const CELL = /(\$?)([A-Za-z]{1,3})(\$?)([1-9]\d{0,6})(?![\p{L}\p{N}_(.!])/uy
const NAME = /[\p{L}_][\p{L}\p{N}_.]*/uy

/** The tokens of a formula without its equals sign. Positions count from the equals sign. */
export function formulaTokens(text: string): readonly FormulaToken[] | FormulaProblem {
  if (text.length > MAX_FORMULA_LENGTH) {
    const message = `the formula has ${text.length} characters; at most ${MAX_FORMULA_LENGTH} are allowed`
    return { message, start: 0, end: text.length }
  }
  const tokens: FormulaToken[] = []
  let at = 1
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  while (at < text.length) {
    const space = match(SPACE)
    if (space) {
      at += space[0].length
      continue
    }
    const token = tokenAt(at, match)
    if (!token) {
      const isOpen = text[at] === '"'
      const message = isOpen ? 'a text without an end; expected another "' : `unexpected ${JSON.stringify(text[at])}`
      return { message, start: at, end: isOpen ? text.length : at + 1 }
    }
    tokens.push(token)
    at = token.end
  }
  return tokens
}

function tokenAt(start: number, match: (pattern: RegExp) => RegExpExecArray | null): FormulaToken | undefined {
  const text = match(TEXT)
  if (text)
    return { kind: 'text', value: text[0].slice(1, -1).replaceAll('""', '"'), start, end: start + text[0].length }
  const error = match(ERROR)
  if (error) return { kind: 'error', value: error[0].toUpperCase(), start, end: start + error[0].length }
  const reference = referenceAt(start, match)
  if (reference) return reference
  const number = match(NUMBER)
  if (number) return { kind: 'number', value: Number(number[0]), start, end: start + number[0].length }
  const name = match(NAME)
  if (name) return { kind: 'name', value: name[0].toUpperCase(), start, end: start + name[0].length }
  const sign = match(SIGN)
  if (!sign) return undefined
  return { kind: 'sign', value: sign[0] === ';' ? ',' : sign[0], start, end: start + sign[0].length }
}

function referenceAt(start: number, match: (pattern: RegExp) => RegExpExecArray | null): FormulaToken | undefined {
  const prefix = match(SHEET)
  const sheet = prefix ? (prefix[1]?.replaceAll("''", "'") ?? prefix[2]) : undefined
  const at = start + (prefix?.[0].length ?? 0)
  const here = (pattern: RegExp) => {
    // The prefix is not part of the reference, so that matching goes on behind it.
    if (!prefix) return match(pattern)
    pattern.lastIndex = at
    return pattern.exec(prefix.input)
  }
  const columns = here(COLUMNS)
  if (columns) {
    const [all, fixed, from = '', alsoFixed, to = ''] = columns
    const column = (letters: string, sign = ''): CellReference => ({
      row: 0,
      column: columnOf(letters),
      isRowFixed: true,
      isColumnFixed: sign !== '',
    })
    return { kind: 'columns', from: column(from, fixed), to: column(to, alsoFixed), sheet, start, end: at + all.length }
  }
  const cell = here(CELL)
  const reference = cell && cellReference(cell)
  return cell && reference ? { kind: 'cell', cell: reference, sheet, start, end: at + cell[0].length } : undefined
}

function cellReference([, fixedColumn, letters = '', fixedRow, digits = '']: RegExpExecArray):
  | CellReference
  | undefined {
  const row = Number(digits) - 1
  if (row >= MAX_ROW) return undefined
  return { row, column: columnOf(letters), isRowFixed: fixedRow !== '', isColumnFixed: fixedColumn !== '' }
}

/** The index of a column by its letters: A is 0. */
const columnOf = (letters: string): number =>
  [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

const MAX_COLUMN = columnOf('ZZZ')

/** The letters of a column: A, B, … Z, AA, AB. */
export const columnLetter = (index: number): string =>
  (index < 26 ? '' : columnLetter(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

/** The name of a cell, such as B3. */
export const cellName = (column: number, row: number): string => `${columnLetter(column)}${row + 1}`

/** The cell with a name such as B3. Undefined for other texts. */
export function cellNamed(name: string): { readonly row: number; readonly column: number } | undefined {
  CELL.lastIndex = 0
  const found = CELL.exec(name)
  return found && found[0].length === name.length ? cellReference(found) : undefined
}

const written = ({ row, column, isRowFixed, isColumnFixed }: CellReference): string =>
  `${isColumnFixed ? '$' : ''}${columnLetter(column)}${isRowFixed ? '$' : ''}${row + 1}`

const writtenColumn = ({ column, isColumnFixed }: CellReference): string =>
  `${isColumnFixed ? '$' : ''}${columnLetter(column)}`

/** The text of a formula in which functions and references have upper case, as spreadsheets write what was typed. */
export const normalisedFormula = (content: string): string => rewritten(content, (token) => token)

/** The content of a cell copied by a distance: relative references move with it. Other contents stay. */
export function movedContent(content: string, rows: number, columns: number): string {
  if (rows === 0 && columns === 0) return content
  const moved = (cell: CellReference): CellReference | undefined => {
    const row = cell.row + (cell.isRowFixed ? 0 : rows)
    const column = cell.column + (cell.isColumnFixed ? 0 : columns)
    const isInside = row >= 0 && row < MAX_ROW && column >= 0 && column <= MAX_COLUMN
    return isInside ? { ...cell, row, column } : undefined
  }
  return rewritten(content, (token) => {
    if (token.kind === 'cell') return withCell(token, moved(token.cell))
    const [from, to] = [moved(token.from), moved(token.to)]
    return from && to ? { ...token, from, to } : undefined
  })
}

const withCell = (token: ReferenceToken & { readonly kind: 'cell' }, cell: CellReference | undefined) =>
  cell && { ...token, cell }

type ReferenceToken = Extract<FormulaToken, { readonly kind: 'cell' | 'columns' }>

/** Rows or columns that were inserted into a sheet, or removed from it. */
export interface LineShift {
  readonly sheet: string
  /** `row` by default. */
  readonly axis?: 'row' | 'column'
  readonly start: number
  readonly removed: number
  readonly inserted: number
}

/**
 * The content of a cell after rows or columns of a sheet moved. A reference to a removed cell becomes `#REF!`, a range shrinks
 * and grows with the lines in it.
 * @param own The sheet of the cell.
 */
export function contentAfterShift(
  content: string,
  own: string,
  { sheet, axis = 'row', start, removed, inserted }: LineShift,
): string {
  const isMeant = (name: string | undefined) => (name ?? own).toLowerCase() === sheet.toLowerCase()
  const end = start + removed
  const shift = inserted - removed
  const span = (one: number, other: number): readonly [number, number] | undefined => {
    const [first, last] = one <= other ? [one, other] : [other, one]
    const low = first >= end ? first + shift : first >= start ? start + inserted : first
    const high = last >= end ? last + shift : last >= start ? start - 1 : last
    if (high < low) return undefined
    return one <= other ? [low, high] : [high, low]
  }
  return rewritten(
    content,
    (token) => {
      if (!isMeant(token.sheet)) return token
      if (token.kind === 'columns') {
        const columns = axis === 'column' ? span(token.from.column, token.to.column) : undefined
        if (axis === 'row') return token
        return (
          columns && {
            ...token,
            from: { ...token.from, column: columns[0] },
            to: { ...token.to, column: columns[1] },
          }
        )
      }
      const at = token.cell[axis]
      if (at < start) return token
      return at < end ? undefined : { ...token, cell: { ...token.cell, [axis]: at + shift } }
    },
    (from, to) => {
      if (!isMeant(from.sheet)) return [from, to]
      const moved = span(from.cell[axis], to.cell[axis])
      const at = (token: CellToken, index: number): CellToken => ({ ...token, cell: { ...token.cell, [axis]: index } })
      return moved && [at(from, moved[0]), at(to, moved[1])]
    },
  )
}

type CellToken = Extract<FormulaToken, { readonly kind: 'cell' }>

const LOST = '#REF!'

/** A formula with other references; undefined for one that is lost. Contents that are no formulas stay. */
function rewritten(
  content: string,
  change: (token: ReferenceToken) => ReferenceToken | undefined,
  changeRange?: (from: CellToken, to: CellToken) => readonly [CellToken, CellToken] | undefined,
): string {
  const tokens = isFormula(content) ? formulaTokens(content) : undefined
  if (!tokens || 'message' in tokens) return content
  let text = ''
  let end = 0
  const write = (upTo: number, words: string, next: number) => {
    text += content.slice(end, upTo) + words
    end = next
  }
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    if (token.kind === 'name') write(token.start, token.value, token.end)
    if (token.kind !== 'cell' && token.kind !== 'columns') continue
    const [colon, other] = [tokens[index + 1], tokens[index + 2]]
    if (
      changeRange &&
      token.kind === 'cell' &&
      colon?.kind === 'sign' &&
      colon.value === ':' &&
      other?.kind === 'cell'
    ) {
      const range = changeRange(token, other)
      const words =
        range && `${referenceText(range[0], content)}:${referenceText({ ...range[1], sheet: undefined }, content)}`
      write(token.start, words ?? LOST, other.end)
      index += 2
      continue
    }
    const changed = change(token)
    write(token.start, changed ? referenceText(changed, content) : LOST, token.end)
  }
  return text + content.slice(end)
}

/** A reference with the name of its sheet as it is written. */
function referenceText(token: ReferenceToken, content: string): string {
  const authored = content.slice(token.start, token.end)
  const mark =
    authored.startsWith("'") || authored.startsWith("$'") ? authored.lastIndexOf("'") + 1 : authored.search(/[!.]/)
  const prefix = token.sheet === undefined ? '' : authored.slice(0, mark + 1)
  return (
    prefix + (token.kind === 'cell' ? written(token.cell) : `${writtenColumn(token.from)}:${writtenColumn(token.to)}`)
  )
}
