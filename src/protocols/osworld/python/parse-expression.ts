import { PythonError, type SourcePosition } from './python-error.ts'
import type { Argument, BinaryOperator, FormattedValue, PythonExpression } from './syntax.ts'
import { MAX_NESTING, PYTHON_KEYWORDS, TokenReader, UNSUPPORTED_KEYWORDS } from './token-reader.ts'
import { type FormatPart, tokenize } from './tokens.ts'

/** Parses expressions of the subset. */
export class ExpressionParser extends TokenReader {
  /** The only expression of the source, as of `{…}` in a formatted string. */
  only(): PythonExpression {
    const value = this.expressionList()
    while (this.peek().kind === 'newline') this.at++
    if (this.peek().kind !== 'end') this.invalid()
    return value
  }

  /** Expressions with commas between them are a tuple. */
  protected expressionList(): PythonExpression {
    const position = this.position()
    const first = this.expression()
    if (!this.is(',')) return first
    const items = [first]
    while (this.take(',')) {
      if (this.endsList()) break
      items.push(this.expression())
    }
    return { kind: 'tuple', items, ...position }
  }

  private endsList(): boolean {
    const token = this.peek()
    if (token.kind === 'newline' || token.kind === 'end') return true
    return token.kind === 'operator' && [')', ']', '}', '=', ';'].includes(token.text)
  }

  private expression(): PythonExpression {
    return this.nested(() => {
      const position = this.position()
      if (this.is('lambda')) this.unsupported("'lambda' is")
      const then = this.binary(0)
      if (this.is('for')) this.unsupported('comprehensions are')
      if (!this.take('if')) return then
      const test = this.binary(0)
      this.expect('else')
      return { kind: 'conditional', test, then, otherwise: this.expression(), ...position }
    })
  }

  /** Operators of equal precedence, from `or` to `*`; then unary operators. */
  private binary(level: number): PythonExpression {
    const position = this.position()
    if (level === NOT_LEVEL && this.take('not'))
      return this.nested(() => ({ kind: 'unary', operator: 'not', operand: this.binary(level), ...position }))
    const operators = LEVELS[level]
    if (!operators) return this.unary()
    let left = this.binary(level + 1)
    for (;;) {
      const operator = this.operatorOf(operators)
      if (!operator) return left
      const right = this.binary(level + 1)
      if (level === COMPARISON_LEVEL && this.startsComparison()) this.unsupported('chained comparisons are')
      left = { kind: 'binary', operator, left, right, ...position }
    }
  }

  private startsComparison(): boolean {
    const start = this.at
    const found = this.operatorOf(LEVELS[COMPARISON_LEVEL]!) !== undefined
    this.at = start
    return found
  }

  private operatorOf(operators: readonly BinaryOperator[]): BinaryOperator | undefined {
    const start = this.at
    for (const operator of operators) {
      this.at = start
      if (operator.split(' ').every((word) => this.take(word))) return operator
    }
    this.at = start
    return undefined
  }

  private unary(): PythonExpression {
    const position = this.position()
    const operator = this.is('-') ? '-' : this.is('+') ? '+' : undefined
    if (this.is('~')) this.unsupported("'~' is")
    if (operator) {
      this.at++
      return this.nested(() => ({ kind: 'unary', operator, operand: this.unary(), ...position }))
    }
    const base = this.postfix()
    if (!this.take('**')) return base
    return this.nested(() => ({ kind: 'binary', operator: '**', left: base, right: this.unary(), ...position }))
  }

  private postfix(): PythonExpression {
    let value = this.atom()
    for (let count = 0; ; count++) {
      if (count > MAX_NESTING)
        throw new PythonError('RecursionError', 'the program is nested too deeply', this.position())
      const position = { line: value.line, column: value.column }
      if (this.take('.')) value = { kind: 'attribute', object: value, name: this.identifier(), ...position }
      else if (this.take('(')) value = { kind: 'call', callee: value, arguments: this.arguments(), ...position }
      else if (this.take('[')) value = this.subscript(value, position)
      else return value
    }
  }

  private subscript(object: PythonExpression, position: SourcePosition): PythonExpression {
    const from = this.is(':') ? undefined : this.expressionList()
    if (from && this.take(']')) return { kind: 'index', object, index: from, ...position }
    this.expect(':')
    if (this.is(':')) this.unsupported('steps of slices are')
    const to = this.is(']') ? undefined : this.expression()
    if (this.is(':')) this.unsupported('steps of slices are')
    this.expect(']')
    return { kind: 'slice', object, ...(from && { from }), ...(to && { to }), ...position }
  }

  private arguments(): readonly Argument[] {
    const found: Argument[] = []
    while (!this.take(')')) {
      found.push(this.argument(found))
      if (!this.is(')')) this.expect(',')
    }
    return found
  }

  private argument(before: readonly Argument[]): Argument {
    if (this.is('**')) this.unsupported("'**' in calls is")
    if (this.take('*')) return { value: this.expression(), isSpread: true }
    const token = this.peek()
    const follows = this.tokens[this.at + 1]
    if (token.kind === 'name' && follows?.kind === 'operator' && follows.text === '=') {
      const keyword = this.identifier()
      this.at++
      if (before.some((other) => other.keyword === keyword)) this.invalid(`keyword argument repeated: ${keyword}`)
      return { value: this.expression(), keyword }
    }
    if (before.some(({ keyword }) => keyword !== undefined))
      this.invalid('positional argument follows keyword argument')
    return { value: this.expression() }
  }

  private atom(): PythonExpression {
    const position = this.position()
    const token = this.next()
    switch (token.kind) {
      case 'number':
        return { kind: 'number', value: token.value, isFloat: token.isFloat, ...position }
      case 'string':
      case 'format':
        this.at--
        return this.strings(position)
      case 'name':
        return this.nameOrConstant(token.text, position)
      case 'operator':
        if (token.text === '(') return this.parenthesized(position)
        if (token.text === '[') return { kind: 'list', items: this.items(']'), ...position }
        if (token.text === '{') return this.braces(position)
    }
    this.at--
    return this.invalid()
  }

  private nameOrConstant(text: string, position: SourcePosition): PythonExpression {
    if (text === 'None') return { kind: 'constant', value: null, ...position }
    if (text === 'True' || text === 'False') return { kind: 'constant', value: text === 'True', ...position }
    if (!PYTHON_KEYWORDS.has(text)) return { kind: 'name', name: text, ...position }
    this.at--
    return UNSUPPORTED_KEYWORDS.has(text) ? this.unsupported(`'${text}' is`) : this.invalid()
  }

  /** Literals beside each other are one string. */
  private strings(position: SourcePosition): PythonExpression {
    const parts: (string | FormattedValue)[] = []
    let isFormat = false
    for (let token = this.peek(); token.kind === 'string' || token.kind === 'format'; token = this.peek()) {
      this.at++
      if (token.kind === 'string') parts.push(token.value)
      else {
        isFormat = true
        for (const part of token.parts) parts.push(typeof part === 'string' ? part : this.formatted(part))
      }
    }
    if (isFormat) return { kind: 'format', parts, ...position }
    return { kind: 'string', value: parts.join(''), ...position }
  }

  private formatted(part: Exclude<FormatPart, string>): FormattedValue {
    const { source, conversion, format } = splitFormat(part.source)
    if (source.trim() === '')
      throw new PythonError('SyntaxError', "f-string: valid expression required before '}'", part)
    if (conversion !== undefined && conversion !== 'r' && conversion !== 's')
      throw new PythonError('SyntaxError', "f-string: invalid conversion character: expected 's' or 'r'", part)
    return this.nested(() => {
      try {
        const column = part.column + source.length - source.trimStart().length
        const inner = new ExpressionParser(tokenize(source.trim(), { line: part.line, column }))
        inner.depth = this.depth
        return { value: inner.only(), ...(conversion && { conversion }), ...(format !== undefined && { format }) }
      } catch (error) {
        throw error instanceof PythonError ? new PythonError(error.type, `f-string: ${error.message}`, part) : error
      }
    })
  }

  private parenthesized(position: SourcePosition): PythonExpression {
    if (this.take(')')) return { kind: 'tuple', items: [], ...position }
    const value = this.expressionList()
    if (this.is('for')) this.unsupported('comprehensions are')
    if (this.is(':=')) this.unsupported("':=' is")
    this.expect(')')
    return value
  }

  private items(end: string): readonly PythonExpression[] {
    const items: PythonExpression[] = []
    while (!this.take(end)) {
      items.push(this.expression())
      if (!this.is(end)) this.expect(',')
    }
    return items
  }

  private braces(position: SourcePosition): PythonExpression {
    const entries: (readonly [PythonExpression, PythonExpression])[] = []
    const items: PythonExpression[] = []
    while (!this.take('}')) {
      const key = this.expression()
      if (items.length === 0 && this.take(':')) entries.push([key, this.expression()])
      else items.push(key)
      if (entries.length > 0 && items.length > 0) this.invalid()
      if (!this.is('}')) this.expect(',')
    }
    return items.length > 0 ? { kind: 'set', items, ...position } : { kind: 'dict', entries, ...position }
  }
}

/** Splits `value!r:.2f` at the first `!` and `:` outside of brackets and quotes. */
function splitFormat(text: string): { source: string; conversion?: string; format?: string } {
  let depth = 0
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === "'" || character === '"') quote = character
    else if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if (depth === 0 && character === ':') return { source: text.slice(0, at), format: text.slice(at + 1) }
    else if (depth === 0 && character === '!' && text[at + 1] !== '=') {
      const [conversion = '', ...format] = text.slice(at + 1).split(':')
      return { source: text.slice(0, at), conversion, ...(format.length > 0 && { format: format.join(':') }) }
    }
  }
  return { source: text }
}

const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['or'],
  ['and'],
  [],
  ['not in', 'in', 'is not', 'is', '==', '!=', '<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '//', '/', '%'],
]
const NOT_LEVEL = 2
const COMPARISON_LEVEL = 3
