import {
  type CellReference,
  type FormulaProblem,
  type FormulaToken,
  formulaTokens,
  isFormula,
} from '../../desktop/model/formula-text.ts'
import { SheetError, type SheetErrorCode } from './cell-value.ts'

/** Formulas of spreadsheets as trees. */

/** A part of a formula that has a value. */
export type FormulaNode =
  | { readonly kind: 'value'; readonly value: number | string | boolean | SheetError | null }
  | { readonly kind: 'area'; readonly area: Area }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly FormulaNode[]; readonly index: number }
  | { readonly kind: 'unary'; readonly sign: '-' | '+' | '%'; readonly operand: FormulaNode }
  | { readonly kind: 'binary'; readonly sign: BinarySign; readonly left: FormulaNode; readonly right: FormulaNode }

export type BinarySign = '+' | '-' | '*' | '/' | '^' | '&' | '=' | '<>' | '<' | '>' | '<=' | '>='

/** Cells next to each other, both ends included; undefined as last row for whole columns. */
export interface Area {
  /** Undefined for the sheet of the formula. */
  readonly sheet: string | undefined
  readonly top: number
  readonly left: number
  readonly bottom: number | undefined
  readonly right: number
}

/** A formula that was read. */
export interface Formula {
  readonly root: FormulaNode
  /** The cells that it reads. */
  readonly areas: readonly Area[]
  /** The functions that it calls. */
  readonly calls: ReadonlySet<string>
  /** Names that are neither functions nor references. */
  readonly unknown: readonly { readonly name: string; readonly start: number; readonly end: number }[]
}

/** The most levels of a formula. */
const MAX_DEPTH = 64

const isProblem = (value: object): value is FormulaProblem => 'message' in value

/** Reads a formula. Returns where it is not one. */
export function parseFormula(text: string): Formula | FormulaProblem {
  if (!isFormula(text)) return { message: 'a formula begins with =', start: 0, end: text.length }
  const tokens = formulaTokens(text)
  if (isProblem(tokens)) return tokens
  const parser = new Parser(tokens, text.length)
  try {
    return parser.formula()
  } catch (error) {
    if (error instanceof Misread) return error.problem
    throw error
  }
}

class Misread extends Error {
  readonly problem: FormulaProblem
  constructor(message: string, start: number, end: number) {
    super(message)
    this.problem = { message, start, end }
  }
}

/** Binary operators by how tightly they bind, the loosest first. */
const LEVELS: readonly (readonly BinarySign[])[] = [
  ['=', '<>', '<', '>', '<=', '>='],
  ['&'],
  ['+', '-'],
  ['*', '/'],
  ['^'],
]

class Parser {
  readonly #tokens: readonly FormulaToken[]
  readonly #length: number
  readonly #areas: Area[] = []
  readonly #calls: string[] = []
  readonly #unknown: Formula['unknown'][number][] = []
  #at = 0
  #depth = 0

  constructor(tokens: readonly FormulaToken[], length: number) {
    this.#tokens = tokens
    this.#length = length
  }

  formula(): Formula {
    const root = this.#binary(0)
    const rest = this.#tokens[this.#at]
    if (rest) this.#fail(`unexpected ${this.#shown(rest)}`, rest)
    return { root, areas: this.#areas, calls: new Set(this.#calls), unknown: this.#unknown }
  }

  #binary(level: number): FormulaNode {
    const signs = LEVELS[level]
    if (!signs) return this.#unary()
    let left = this.#binary(level + 1)
    for (let sign = this.#sign(signs); sign; sign = this.#sign(signs))
      left = { kind: 'binary', sign, left, right: this.#binary(level + 1) }
    return left
  }

  /** A sign binds more tightly than a power, as in spreadsheets: -2^2 is 4. */
  #unary(): FormulaNode {
    const sign = this.#sign(['-', '+'] as const)
    if (!sign) return this.#postfix()
    return this.#deeper(() => ({ kind: 'unary', sign, operand: this.#unary() }))
  }

  #postfix(): FormulaNode {
    let operand = this.#primary()
    while (this.#sign(['%'] as const)) operand = { kind: 'unary', sign: '%', operand }
    return operand
  }

  #primary(): FormulaNode {
    const token = this.#tokens[this.#at]
    if (!token) this.#fail('the formula ends too early; expected a value, a reference or a function')
    this.#at++
    switch (token.kind) {
      case 'number':
      case 'text':
        return { kind: 'value', value: token.value }
      case 'error':
        return { kind: 'value', value: SheetError.of(token.value as SheetErrorCode) }
      case 'cell':
        return this.#area(token)
      case 'columns': {
        const [left, right] = ordered(token.from.column, token.to.column)
        return this.#areaNode({ sheet: token.sheet, top: 0, bottom: undefined, left, right })
      }
      case 'name':
        return this.#named(token)
      case 'sign': {
        if (token.value !== '(') this.#fail(`unexpected ${this.#shown(token)}`, token)
        const inside = this.#deeper(() => this.#binary(0))
        this.#close()
        return inside
      }
    }
  }

  #area(token: FormulaToken & { readonly kind: 'cell' }): FormulaNode {
    const other = this.#tokens[this.#at + 1]
    const isRange = this.#isSign(':')
    if (isRange && other?.kind !== 'cell') this.#fail('expected a cell after the colon', this.#tokens[this.#at])
    if (isRange) this.#at += 2
    return this.#areaNode(areaOf(token.sheet, token.cell, isRange && other?.kind === 'cell' ? other.cell : token.cell))
  }

  #areaNode(area: Area): FormulaNode {
    this.#areas.push(area)
    return { kind: 'area', area }
  }

  #named(token: FormulaToken & { readonly kind: 'name' }): FormulaNode {
    const { value: name, start, end } = token
    if (this.#isSign('(')) {
      this.#at++
      const index = this.#calls.length
      this.#calls.push(name)
      const args = this.#deeper(() => this.#args())
      return { kind: 'call', name, args, index }
    }
    if (name === 'TRUE' || name === 'FALSE') return { kind: 'value', value: name === 'TRUE' }
    this.#unknown.push({ name, start, end })
    return { kind: 'value', value: SheetError.of('#NAME?') }
  }

  #args(): readonly FormulaNode[] {
    const args: FormulaNode[] = []
    if (this.#isSign(')')) {
      this.#at++
      return args
    }
    for (;;) {
      // An argument may be left out, such as the second of IF(A1,,3).
      args.push(this.#isSign(',') || this.#isSign(')') ? { kind: 'value', value: null } : this.#binary(0))
      if (!this.#isSign(',')) break
      this.#at++
    }
    this.#close()
    return args
  }

  #close(): void {
    if (!this.#isSign(')')) this.#fail('expected )', this.#tokens[this.#at])
    this.#at++
  }

  #deeper<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) this.#fail(`the formula has more than ${MAX_DEPTH} levels`, this.#tokens[this.#at])
    const done = read()
    this.#depth--
    return done
  }

  #isSign(value: string): boolean {
    const token = this.#tokens[this.#at]
    return token?.kind === 'sign' && token.value === value
  }

  #sign<Sign extends string>(signs: readonly Sign[]): Sign | undefined {
    const found = signs.find((sign) => this.#isSign(sign))
    if (found !== undefined) this.#at++
    return found
  }

  #shown(token: FormulaToken): string {
    return token.kind === 'text'
      ? JSON.stringify(token.value)
      : token.kind === 'cell'
        ? 'a reference'
        : `${'value' in token ? token.value : 'columns'}`
  }

  #fail(message: string, token?: FormulaToken): never {
    throw new Misread(message, token?.start ?? this.#length, token?.end ?? this.#length)
  }
}

const ordered = (a: number, b: number): readonly [number, number] => (a < b ? [a, b] : [b, a])

function areaOf(sheet: string | undefined, from: CellReference, to: CellReference): Area {
  const [top, bottom] = ordered(from.row, to.row)
  const [left, right] = ordered(from.column, to.column)
  return { sheet, top, left, bottom, right }
}
