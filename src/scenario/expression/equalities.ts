import type { ASTNode } from '@marcbachmann/cel-js'
import { nodesOf } from './instrument.ts'

/** A condition `NAME.FIELD == VALUE` without which an expression cannot be true. */
export interface FieldEquality {
  readonly name: string
  readonly field: string
  /** The other side, which does not mention the name. */
  readonly value: string
}

/** The equalities that an expression joins by `&&`. */
export function equalitiesOf(ast: ASTNode, text: string): readonly FieldEquality[] {
  if (ast.op === '&&') return (ast.args as readonly ASTNode[]).flatMap((side) => equalitiesOf(side, text))
  if (ast.op !== '==') return []
  const [left, right] = ast.args as readonly [ASTNode, ASTNode]
  return [...equality(left, right, text), ...equality(right, left, text)]
}

function equality(side: ASTNode, other: ASTNode, text: string): readonly FieldEquality[] {
  if (side.op !== '.') return []
  const [record, field] = side.args as readonly [ASTNode, unknown]
  if (record.op !== 'id' || typeof field !== 'string') return []
  const name = record.args as string
  const isFixed = [...nodesOf(other)].every(({ op, args }) => op !== 'id' || args !== name)
  return isFixed ? [{ name, field, value: text.slice(other.start, other.end) }] : []
}
