import type { SourcePosition } from './python-error.ts'

export type UnaryOperator = '-' | '+' | 'not'
export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**' | Comparison | 'and' | 'or'
export type Comparison = '==' | '!=' | '<' | '>' | '<=' | '>=' | 'in' | 'not in' | 'is' | 'is not'

/** An expression of the subset. */
export type PythonExpression = SourcePosition &
  (
    | { readonly kind: 'number'; readonly value: number; readonly isFloat: boolean }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'format'; readonly parts: readonly (string | FormattedValue)[] }
    | { readonly kind: 'constant'; readonly value: boolean | null }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'list' | 'tuple' | 'set'; readonly items: readonly PythonExpression[] }
    | { readonly kind: 'dict'; readonly entries: readonly (readonly [PythonExpression, PythonExpression])[] }
    | { readonly kind: 'attribute'; readonly object: PythonExpression; readonly name: string }
    | { readonly kind: 'index'; readonly object: PythonExpression; readonly index: PythonExpression }
    | {
        readonly kind: 'slice'
        readonly object: PythonExpression
        readonly from?: PythonExpression
        readonly to?: PythonExpression
      }
    | { readonly kind: 'call'; readonly callee: PythonExpression; readonly arguments: readonly Argument[] }
    | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: PythonExpression }
    | {
        readonly kind: 'binary'
        readonly operator: BinaryOperator
        readonly left: PythonExpression
        readonly right: PythonExpression
      }
    | {
        readonly kind: 'conditional'
        readonly test: PythonExpression
        readonly then: PythonExpression
        readonly otherwise: PythonExpression
      }
  )

/** `{value!r:.2f}` of a formatted string. */
export interface FormattedValue {
  readonly value: PythonExpression
  readonly conversion?: 'r' | 's'
  readonly format?: string
}

export interface Argument {
  readonly value: PythonExpression
  /** The keyword of `keyword=value`. */
  readonly keyword?: string
  /** `*value`. */
  readonly isSpread?: true
}

export interface ImportedName {
  readonly name: string
  readonly as: string
}

/** A statement of the subset. None has a block. */
export type Statement = SourcePosition &
  (
    | { readonly kind: 'expression'; readonly value: PythonExpression }
    | { readonly kind: 'assignment'; readonly targets: readonly PythonExpression[]; readonly value: PythonExpression }
    | { readonly kind: 'import'; readonly modules: readonly ImportedName[] }
    | { readonly kind: 'import_from'; readonly module: string; readonly names: readonly ImportedName[] | '*' }
    | { readonly kind: 'pass' }
  )
