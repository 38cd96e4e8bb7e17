import { parse } from './python/parse.ts'
import { PythonError, type SourcePosition } from './python/python-error.ts'
import { type Block, blocksOf, type Statement } from './python/syntax.ts'
import { type Token, tokenize, withLineFeeds } from './python/tokens.ts'

const MAX_SHOWN_CHARACTERS = 200

/** A statement of a program, as traces show it. */
export interface TracedStatement extends SourcePosition {
  readonly python: string
}

/**
 * The statements of a program for traces, which may hide what is typed: a statement with text or numbers that may be typed
 * is cut before them. None for a program that cannot be parsed, which does not run either.
 */
export function tracedStatements(code: string): readonly TracedStatement[] {
  try {
    const source = withLineFeeds(code)
    const tokens = tokenize(source)
    const lineStarts = startsOfLines(source)
    const offsetOf = ({ line, column }: SourcePosition): number => lineStarts[line - 1]! + column
    let next = 0
    const statements = withInnerStatements(parse(source))
    return statements.map((statement, index) => {
      const start = offsetOf(statement)
      const following = statements[index + 1]
      const end = following ? offsetOf(following) : source.length
      while (offsetOf(tokens[next]!) < start) next++
      const first = next
      while (!endsStatement(tokens[next]!) && offsetOf(tokens[next]!) < end) next++
      const parts = tokens.slice(first, next)
      const literal = isPointing(statement) ? undefined : parts.find(isLiteral)
      const text = literal ? `${source.slice(start, offsetOf(literal))}…` : source.slice(start, parts.at(-1)?.end)
      return { line: statement.line, column: statement.column, python: firstLine(text) }
    })
  } catch (thrown) {
    if (thrown instanceof PythonError) return []
    throw thrown
  }
}

/** The statement with a place of the program in it. Undefined before the first. */
export function statementAt(
  statements: readonly TracedStatement[],
  { line, column }: SourcePosition,
): { readonly python: string; readonly line: number } | undefined {
  const found = statements.findLast((one) => one.line < line || (one.line === line && one.column <= column))
  return found && { python: found.python, line: found.line }
}

/** All statements in the order of the program. One with blocks stands for the line with its keyword. */
const withInnerStatements = (block: Block): readonly Statement[] =>
  block.flatMap((statement) => [statement, ...blocksOf(statement).flatMap(withInnerStatements)])

function startsOfLines(source: string): readonly number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

const endsStatement = (token: Token): boolean =>
  token.kind === 'newline' || token.kind === 'end' || (token.kind === 'operator' && token.text === ';')

const isLiteral = ({ kind }: Token): boolean => kind === 'string' || kind === 'format' || kind === 'number'

function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return line.length > MAX_SHOWN_CHARACTERS ? `${line.slice(0, MAX_SHOWN_CHARACTERS)}…` : line
}

/** Functions whose arguments are places, durations, and names of keys and buttons. */
const POINTING =
  /^(?:pyautogui\.(?:\w*[cC]lick|moveTo|moveRel|move|dragTo|dragRel|drag|mouseDown|mouseUp|hotkey|keyDown|keyUp|v?scroll|hscroll|sleep)|time\.sleep)$/

/** Whether a statement is one call of such a function, with no other call in its arguments. */
function isPointing(statement: Statement): boolean {
  if (statement.kind !== 'expression' || statement.value.kind !== 'call') return false
  const { callee, arguments: given } = statement.value
  if (callee.kind !== 'attribute' || callee.object.kind !== 'name') return false
  return POINTING.test(`${callee.object.name}.${callee.name}`) && !hasCall(given)
}

/** Whether a part of a program has a call in it. */
function hasCall(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(hasCall)
  if (typeof part !== 'object' || part === null) return false
  return (part as { readonly kind?: unknown }).kind === 'call' || Object.values(part).some(hasCall)
}
