import type {
  Argument,
  BinaryOperator,
  ChainLink,
  Comparison,
  DictEntry,
  ForClause,
  FormattedValue,
  PythonExpression,
} from './syntax.ts'
import {
  type FormatPart,
  MAX_NESTING,
  PYTHON_KEYWORDS,
  type Token,
  TokenReader,
  tokenize,
  UNSUPPORTED_KEYWORDS,
} from './tokens.ts'
import { PythonError, type SourcePosition } from './value.ts'

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
    return token.kind === 'operator' && [')', ']', '}', '=', ';', ':'].includes(token.text)
  }

  protected expression(): PythonExpression {
    return this.nested(() => {
      const position = this.position()
      if (this.is('lambda')) this.unsupported("'lambda' is")
      const then = this.binary(0)
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
    if (operators === COMPARISONS) return this.comparison(left, level + 1)
    for (;;) {
      const operator = this.operatorOf(operators)
      if (!operator) return left
      left = { kind: 'binary', operator, left, right: this.binary(level + 1), ...position }
    }
  }

  private comparison(first: PythonExpression, level: number): PythonExpression {
    const { line, column } = first
    const links: ChainLink[] = []
    for (let operator = this.operatorOf(COMPARISONS); operator; operator = this.operatorOf(COMPARISONS))
      links.push({ operator, operand: this.binary(level) })
    const [link, next] = links
    if (!link) return first
    if (next) return { kind: 'chain', first, links, line, column }
    return { kind: 'binary', operator: link.operator, left: first, right: link.operand, line, column }
  }

  private operatorOf<Operator extends BinaryOperator>(operators: readonly Operator[]): Operator | undefined {
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

  protected postfix(): PythonExpression {
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
      if (found.length === 1 && this.is('for')) {
        const { value, keyword, isSpread } = found[0]!
        if (keyword !== undefined || isSpread) this.invalid()
        const generator = this.comprehension({ kind: 'list', item: value }, value)
        this.expect(')')
        return [{ value: generator }]
      }
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
      case 'bytes':
      case 'format':
        this.at--
        return this.strings(position)
      case 'name':
        return this.nameOrConstant(token.text, position)
      case 'operator':
        if (token.text === '(') return this.parenthesized(position)
        if (token.text === '[') return this.brackets(position)
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
    const isBytes = this.peek().kind === 'bytes'
    for (let token = this.peek(); isText(token); token = this.peek()) {
      if (isBytes !== (token.kind === 'bytes')) this.invalid('cannot mix bytes and nonbytes literals')
      this.at++
      if (token.kind !== 'format') parts.push(token.value)
      else {
        isFormat = true
        for (const part of token.parts) parts.push(typeof part === 'string' ? part : this.formatted(part))
      }
    }
    if (isFormat) return { kind: 'format', parts, ...position }
    return { kind: isBytes ? 'bytes' : 'string', value: parts.join(''), ...position }
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
    if (this.is(':=')) this.unsupported("':=' is")
    const found =
      this.is('for') && value.kind !== 'tuple' ? this.comprehension({ kind: 'list', item: value }, position) : value
    this.expect(')')
    return found
  }

  private brackets(position: SourcePosition): PythonExpression {
    const items: PythonExpression[] = []
    while (!this.take(']')) {
      const item = this.expression()
      if (items.length === 0 && this.is('for')) {
        const found = this.comprehension({ kind: 'list', item }, position)
        this.expect(']')
        return found
      }
      items.push(item)
      if (!this.is(']')) this.expect(',')
    }
    return { kind: 'list', items, ...position }
  }

  private braces(position: SourcePosition): PythonExpression {
    const entries: DictEntry[] = []
    const items: PythonExpression[] = []
    while (!this.take('}')) {
      const key = this.expression()
      const entry: DictEntry | undefined = items.length === 0 && this.take(':') ? [key, this.expression()] : undefined
      if (entries.length + items.length === 0 && this.is('for')) {
        const found = this.comprehension(entry ? { kind: 'dict', entry } : { kind: 'set', item: key }, position)
        this.expect('}')
        return found
      }
      if (entry) entries.push(entry)
      else items.push(key)
      if (entries.length > 0 && items.length > 0) this.invalid()
      if (!this.is('}')) this.expect(',')
    }
    return items.length > 0 ? { kind: 'set', items, ...position } : { kind: 'dict', entries, ...position }
  }

  /** The `for` clauses after what a comprehension collects. */
  private comprehension(
    result: Extract<PythonExpression, { kind: 'comprehension' }>['result'],
    { line, column }: SourcePosition,
  ): PythonExpression {
    const clauses: ForClause[] = []
    while (this.take('for')) {
      const target = this.loopTarget()
      const iterable = this.binary(0)
      const conditions: PythonExpression[] = []
      while (this.take('if')) conditions.push(this.binary(0))
      clauses.push({ target, iterable, conditions })
    }
    return { kind: 'comprehension', result, clauses, line, column }
  }

  /** The target of `for target in`, with the word `in`. */
  protected loopTarget(): PythonExpression {
    const position = this.position()
    const items = [this.postfix()]
    let isTuple = false
    while (this.take(',')) {
      isTuple = true
      if (this.is('in')) break
      items.push(this.postfix())
    }
    const target: PythonExpression = isTuple ? { kind: 'tuple', items, ...position } : items[0]!
    this.assertTarget(target, true)
    this.expect('in')
    return target
  }

  /** Throws unless values can be assigned to the expression: a name, an attribute, or names in a tuple or list. */
  protected assertTarget(target: PythonExpression, mayUnpack: boolean): void {
    if (target.kind === 'name' || target.kind === 'attribute') return
    if (mayUnpack && (target.kind === 'tuple' || target.kind === 'list')) {
      for (const item of target.items) this.assertTarget(item, true)
      return
    }
    if (target.kind === 'index' || target.kind === 'slice') this.unsupported('assignments to items are', target)
    const { line, column } = target
    throw new PythonError('SyntaxError', 'cannot assign to this expression', { line, column })
  }
}

type TextToken = Extract<Token, { kind: 'string' | 'bytes' | 'format' }>
const isText = (token: Token): token is TextToken =>
  token.kind === 'string' || token.kind === 'bytes' || token.kind === 'format'

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

const COMPARISONS: readonly Comparison[] = ['not in', 'in', 'is not', 'is', '==', '!=', '<=', '>=', '<', '>']
const LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['or'],
  ['and'],
  [],
  COMPARISONS,
  ['+', '-'],
  ['*', '//', '/', '%'],
]
const NOT_LEVEL = 2
