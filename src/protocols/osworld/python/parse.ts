import { ExpressionParser } from './parse-expression.ts'
import {
  assignedNames,
  type BinaryOperator,
  type Block,
  type ExceptionHandler,
  type FunctionDefinition,
  type ImportedName,
  type ManagedValue,
  type PythonExpression,
  type Statement,
} from './syntax.ts'
import { tokenize, UNSUPPORTED_KEYWORDS } from './tokens.ts'
import { PythonError, type SourcePosition } from './value.ts'

const AUGMENTED: Readonly<Record<string, BinaryOperator>> = {
  '+=': '+',
  '-=': '-',
  '*=': '*',
  '/=': '/',
  '//=': '//',
  '%=': '%',
  '**=': '**',
}

/**
 * Parses a program of the subset. The whole program is parsed, so that none of it runs if a part is refused.
 *
 * @throws {PythonError} `SyntaxError` and similar for text that is not Python, `NotImplementedError` for Python outside of
 *   the subset, each with the position.
 */
export const parse = (source: string): Block => new Parser(tokenize(source)).program()

class Parser extends ExpressionParser {
  /** The indentation of the blocks around the statement, from the outermost. */
  private readonly margins: string[] = ['']
  private loops = 0
  private isInFunction = false

  program(): Block {
    const statements = this.lines()
    if (this.peek().kind !== 'end') this.invalid()
    return statements
  }

  /** The lines with the innermost margin. */
  private lines(): Block {
    const statements: Statement[] = []
    for (;;) {
      while (this.peek().kind === 'newline' || this.is(';')) this.at++
      const token = this.peek()
      if (token.kind === 'end') return statements
      const margin = token.kind === 'indent' ? token.text : ''
      if (margin !== this.margins.at(-1)) {
        if (this.margins.includes(margin)) return statements
        throw new PythonError(
          'IndentationError',
          this.margins.length === 1 || margin.startsWith(this.margins.at(-1)!)
            ? 'unexpected indent'
            : 'unindent does not match any outer indentation level',
          this.position(),
        )
      }
      if (token.kind === 'indent') this.at++
      statements.push(...this.line())
    }
  }

  private line(): Block {
    const position = this.position()
    const token = this.peek()
    const compound = token.kind === 'name' ? this.compound(token.text, position) : undefined
    return compound ? [compound] : this.simpleLine()
  }

  /** Simple statements with `;` between them, to the end of the line. */
  private simpleLine(): Block {
    const statements: Statement[] = []
    for (;;) {
      statements.push(this.statement())
      if (this.peek().kind === 'newline') return statements
      if (!this.take(';')) this.invalid()
      while (this.take(';'));
      if (this.peek().kind === 'newline') return statements
    }
  }

  /** A statement with blocks, if the keyword begins one. */
  private compound(keyword: string, position: SourcePosition): Statement | undefined {
    if (!COMPOUND.has(keyword)) return undefined
    return this.nested(() => {
      this.at++
      switch (keyword) {
        case 'if':
          return this.conditional(position)
        case 'while':
          return {
            kind: 'while',
            test: this.expression(),
            body: this.loopBody(),
            otherwise: this.elseBlock(),
            ...position,
          }
        case 'for': {
          const target = this.loopTarget()
          const iterable = this.expressionList()
          return { kind: 'for', target, iterable, body: this.loopBody(), otherwise: this.elseBlock(), ...position }
        }
        case 'def':
          return this.definition(position)
        case 'with':
          return { kind: 'with', managers: this.managers(), body: this.block(), ...position }
        default:
          return this.attempt(position)
      }
    })
  }

  private definition(position: SourcePosition): Statement {
    if (this.isInFunction) this.unsupported('functions in functions are', position)
    const name = this.identifier()
    this.expect('(')
    const parameters = this.parameters()
    if (this.take('->')) this.expression()
    const { loops } = this
    this.loops = 0
    this.isInFunction = true
    const body = this.block()
    this.isInFunction = false
    this.loops = loops
    const locals = new Set([...parameters.map((parameter) => parameter.name), ...assignedNames(body)])
    return { kind: 'def', name, parameters, locals, body, ...position }
  }

  /** The parameters of a function, and the `)` after them. */
  private parameters(): FunctionDefinition['parameters'] {
    const parameters: { name: string; default?: PythonExpression }[] = []
    while (!this.take(')')) {
      for (const sign of ['*', '**', '/']) if (this.is(sign)) this.unsupported(`'${sign}' in parameters is`)
      const name = this.identifier()
      if (parameters.some((parameter) => parameter.name === name))
        this.invalid(`duplicate argument '${name}' in function definition`)
      if (this.take(':')) this.expression()
      const value = this.take('=') ? this.expression() : undefined
      if (!value && parameters.at(-1)?.default)
        this.invalid('parameter without a default follows parameter with a default')
      parameters.push({ name, ...(value && { default: value }) })
      if (!this.take(',') && !this.is(')')) this.invalid()
    }
    return parameters
  }

  private managers(): readonly ManagedValue[] {
    const managers: ManagedValue[] = []
    do {
      const value = this.expression()
      managers.push({ value, ...(this.take('as') && { name: this.identifier() }) })
    } while (this.take(','))
    return managers
  }

  private conditional(position: SourcePosition): Statement {
    const test = this.expression()
    const then = this.block()
    const next = this.position()
    if (!this.takeClause('elif')) return { kind: 'if', test, then, otherwise: this.elseBlock(), ...position }
    return { kind: 'if', test, then, otherwise: [this.nested(() => this.conditional(next))], ...position }
  }

  private attempt(position: SourcePosition): Statement {
    const body = this.block()
    const handlers: ExceptionHandler[] = []
    while (this.takeClause('except')) {
      if (this.is('*')) this.unsupported("'except*' is")
      if (handlers.some(({ type }) => !type)) this.invalid("default 'except:' must be last")
      const type = this.is(':') ? undefined : this.expression()
      const name = type && this.take('as') ? this.identifier() : undefined
      handlers.push({ ...(type && { type }), ...(name !== undefined && { name }), body: this.block() })
    }
    const otherwise = handlers.length > 0 ? this.elseBlock() : []
    const cleanUp = this.takeClause('finally') ? this.block() : []
    if (handlers.length === 0 && cleanUp.length === 0) this.invalid("expected 'except' or 'finally' block")
    return { kind: 'try', body, handlers, otherwise, finally: cleanUp, ...position }
  }

  private elseBlock(): Block {
    return this.takeClause('else') ? this.block() : []
  }

  private loopBody(): Block {
    this.loops++
    const body = this.block()
    this.loops--
    return body
  }

  /** Takes the keyword of a further clause of a statement, on a line with the statement's margin. */
  private takeClause(keyword: string): boolean {
    const start = this.at
    const margin = this.margins.at(-1)!
    while (this.peek().kind === 'newline') this.at++
    const token = this.peek()
    if (token.kind === 'indent' && token.text === margin) this.at++
    if ((token.kind === 'indent' ? token.text : '') === margin && this.take(keyword)) return true
    this.at = start
    return false
  }

  /** `:` and the statements that belong to it: those after it in the line, or the lines below with a larger margin. */
  private block(): Block {
    this.expect(':')
    if (this.peek().kind !== 'newline') {
      const token = this.peek()
      if (token.kind === 'name' && COMPOUND.has(token.text)) this.invalid()
      return this.simpleLine()
    }
    while (this.peek().kind === 'newline') this.at++
    const token = this.peek()
    const margin = token.kind === 'indent' ? token.text : ''
    const outer = this.margins.at(-1)!
    if (margin.length <= outer.length)
      throw new PythonError('IndentationError', 'expected an indented block', this.position())
    if (!margin.startsWith(outer))
      throw new PythonError('TabError', 'inconsistent use of tabs and spaces in indentation', this.position())
    this.margins.push(margin)
    const statements = this.lines()
    this.margins.pop()
    return statements
  }

  private statement(): Statement {
    const position = this.position()
    const token = this.peek()
    if (token.kind === 'operator' && token.text === '@') this.unsupported('decorators are')
    if (token.kind === 'name' && UNSUPPORTED_KEYWORDS.has(token.text))
      this.unsupported(`'${token.text}' statements are`)
    if (this.take('pass')) return { kind: 'pass', ...position }
    for (const kind of ['break', 'continue'] as const) {
      if (this.is(kind) && this.loops === 0) this.invalid(`'${kind}' outside loop`)
      if (this.take(kind)) return { kind, ...position }
    }
    if (this.is('return') && !this.isInFunction) this.invalid("'return' outside function")
    if (this.take('return')) {
      const isBare = this.peek().kind === 'newline' || this.peek().kind === 'end' || this.is(';')
      return { kind: 'return', ...(!isBare && { value: this.expressionList() }), ...position }
    }
    if (this.take('raise')) return this.raise(position)
    if (this.take('import')) return { kind: 'import', modules: this.importedNames(true), ...position }
    if (this.take('from')) return this.importFrom(position)
    return this.assignmentOrExpression(position)
  }

  private raise(position: SourcePosition): Statement {
    if (this.peek().kind === 'newline' || this.is(';')) return { kind: 'raise', ...position }
    const value = this.expression()
    if (this.take('from')) this.expression()
    return { kind: 'raise', value, ...position }
  }

  private importFrom(position: SourcePosition): Statement {
    const module = this.dottedName()
    this.expect('import')
    if (this.take('*')) return { kind: 'import_from', module, names: '*', ...position }
    const inParentheses = this.take('(')
    const names = this.importedNames(false)
    if (inParentheses) this.expect(')')
    return { kind: 'import_from', module, names, ...position }
  }

  private importedNames(areModules: boolean): readonly ImportedName[] {
    const names: ImportedName[] = []
    do {
      if (!areModules && this.is(')')) break
      const name = areModules ? this.dottedName() : this.identifier()
      names.push({ name, as: this.take('as') ? this.identifier() : name })
    } while (this.take(','))
    return names
  }

  private dottedName(): string {
    let name = this.identifier()
    while (this.take('.')) name += `.${this.identifier()}`
    return name
  }

  private assignmentOrExpression(position: SourcePosition): Statement {
    const first = this.expressionList()
    const operator = this.peek()
    if (operator.kind === 'operator' && operator.text in AUGMENTED) {
      this.at++
      this.assertTarget(first, false)
      const value: PythonExpression = {
        kind: 'binary',
        operator: AUGMENTED[operator.text]!,
        left: first,
        right: this.expressionList(),
        ...position,
      }
      return { kind: 'assignment', targets: [first], value, ...position }
    }
    if (this.is(':')) this.unsupported('annotations are')
    const parts = [first]
    while (this.take('=')) parts.push(this.expressionList())
    const value = parts.pop()!
    if (parts.length === 0) return { kind: 'expression', value, ...position }
    for (const target of parts) this.assertTarget(target, true)
    return { kind: 'assignment', targets: parts, value, ...position }
  }
}

const COMPOUND: ReadonlySet<string> = new Set(['if', 'while', 'for', 'try', 'def', 'with'])
