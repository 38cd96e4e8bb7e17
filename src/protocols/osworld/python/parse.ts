import { ExpressionParser } from './parse-expression.ts'
import { PythonError, type SourcePosition } from './python-error.ts'
import type { BinaryOperator, ImportedName, PythonExpression, Statement } from './syntax.ts'
import { UNSUPPORTED_KEYWORDS } from './token-reader.ts'
import { tokenize } from './tokens.ts'

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
 * Parses a program of the subset: imports, assignments and expressions, without blocks.
 *
 * @throws {PythonError} `SyntaxError` and similar for text that is not Python, `NotImplementedError` for Python outside of
 *   the subset, each with the position.
 */
export const parse = (source: string): readonly Statement[] => new Parser(tokenize(source)).program()

class Parser extends ExpressionParser {
  program(): readonly Statement[] {
    const statements: Statement[] = []
    for (;;) {
      while (this.peek().kind === 'newline' || this.is(';')) this.at++
      if (this.peek().kind === 'end') return statements
      statements.push(this.statement())
      if (this.peek().kind !== 'newline' && !this.is(';')) this.invalid()
    }
  }

  private statement(): Statement {
    const position = this.position()
    const token = this.peek()
    if (token.kind === 'indent') throw new PythonError('IndentationError', 'unexpected indent', position)
    if (token.kind === 'operator' && token.text === '@') this.unsupported('decorators are')
    if (token.kind === 'name' && UNSUPPORTED_KEYWORDS.has(token.text))
      this.unsupported(`'${token.text}' statements are`)
    if (this.take('pass')) return { kind: 'pass', ...position }
    if (this.take('import')) return { kind: 'import', modules: this.importedNames(true), ...position }
    if (this.take('from')) return this.importFrom(position)
    return this.assignmentOrExpression(position)
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

  /** Throws unless values can be assigned to the expression: a name, an attribute, or names in a tuple or list. */
  private assertTarget(target: PythonExpression, mayUnpack: boolean): void {
    if (target.kind === 'name' || target.kind === 'attribute') return
    if (mayUnpack && (target.kind === 'tuple' || target.kind === 'list')) {
      for (const item of target.items) this.assertTarget(item, true)
      return
    }
    if (target.kind === 'index' || target.kind === 'slice') this.unsupported('assignments to items are', target)
    throw new PythonError('SyntaxError', 'cannot assign to this expression', {
      line: target.line,
      column: target.column,
    })
  }
}
