import type { SourcePosition } from './value.ts'

export type UnaryOperator = '-' | '+' | 'not'
export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**' | Comparison | 'and' | 'or'
export type Comparison = '==' | '!=' | '<' | '>' | '<=' | '>=' | 'in' | 'not in' | 'is' | 'is not'

/** An expression of the subset. */
export type PythonExpression = SourcePosition &
  (
    | { readonly kind: 'number'; readonly value: number; readonly isFloat: boolean }
    | { readonly kind: 'string' | 'bytes'; readonly value: string }
    | { readonly kind: 'format'; readonly parts: readonly (string | FormattedValue)[] }
    | { readonly kind: 'constant'; readonly value: boolean | null }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'list' | 'tuple' | 'set'; readonly items: readonly PythonExpression[] }
    | { readonly kind: 'dict'; readonly entries: readonly DictEntry[] }
    | { readonly kind: 'comprehension'; readonly result: ComprehensionResult; readonly clauses: readonly ForClause[] }
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
    /** `first < a <= b`: each operand is compared with the one before it. */
    | { readonly kind: 'chain'; readonly first: PythonExpression; readonly links: readonly ChainLink[] }
    | {
        readonly kind: 'conditional'
        readonly test: PythonExpression
        readonly then: PythonExpression
        readonly otherwise: PythonExpression
      }
  )

export type DictEntry = readonly [key: PythonExpression, value: PythonExpression]

export interface ChainLink {
  readonly operator: Comparison
  readonly operand: PythonExpression
}

/** What a comprehension collects. A generator expression is evaluated at once, as a list. */
export type ComprehensionResult =
  | { readonly kind: 'list' | 'set'; readonly item: PythonExpression }
  | { readonly kind: 'dict'; readonly entry: DictEntry }

/** `for target in iterable`, with the conditions that follow it in a comprehension. */
export interface ForClause {
  readonly target: PythonExpression
  readonly iterable: PythonExpression
  readonly conditions: readonly PythonExpression[]
}

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

/** A statement of the subset. */
export type Statement = SourcePosition &
  (
    | { readonly kind: 'expression'; readonly value: PythonExpression }
    | { readonly kind: 'assignment'; readonly targets: readonly PythonExpression[]; readonly value: PythonExpression }
    | { readonly kind: 'import'; readonly modules: readonly ImportedName[] }
    | { readonly kind: 'import_from'; readonly module: string; readonly names: readonly ImportedName[] | '*' }
    | { readonly kind: 'pass' | 'break' | 'continue' }
    /** Without a value, `raise` raises the exception that is being handled. */
    | { readonly kind: 'raise'; readonly value?: PythonExpression }
    | { readonly kind: 'return'; readonly value?: PythonExpression }
    | FunctionDefinition
    | { readonly kind: 'with'; readonly managers: readonly ManagedValue[]; readonly body: Block }
    | { readonly kind: 'if'; readonly test: PythonExpression; readonly then: Block; readonly otherwise: Block }
    | { readonly kind: 'while'; readonly test: PythonExpression; readonly body: Block; readonly otherwise: Block }
    | {
        readonly kind: 'for'
        readonly target: PythonExpression
        readonly iterable: PythonExpression
        readonly body: Block
        readonly otherwise: Block
      }
    | {
        readonly kind: 'try'
        readonly body: Block
        readonly handlers: readonly ExceptionHandler[]
        readonly otherwise: Block
        readonly finally: Block
      }
  )

/** `def name(a, b=1):`. Annotations are left out. */
export interface FunctionDefinition {
  readonly kind: 'def'
  readonly name: string
  readonly parameters: readonly { readonly name: string; readonly default?: PythonExpression }[]
  /** The names that the body assigns, which are its own. */
  readonly locals: ReadonlySet<string>
  readonly body: Block
}

/** `value as name` of `with`. */
export interface ManagedValue {
  readonly value: PythonExpression
  readonly name?: string
}

/** Statements of one indentation. An absent `else` or `finally` has none. */
export type Block = readonly Statement[]

/** `except type as name:` */
export interface ExceptionHandler {
  /** An exception class or a tuple of them. Without it every exception is handled. */
  readonly type?: PythonExpression
  readonly name?: string
  readonly body: Block
}

/** The blocks of a statement, in the order of the program. */
export function blocksOf(statement: Statement): readonly Block[] {
  switch (statement.kind) {
    case 'if':
      return [statement.then, statement.otherwise]
    case 'def':
    case 'with':
      return [statement.body]
    case 'while':
    case 'for':
      return [statement.body, statement.otherwise]
    case 'try':
      return [statement.body, ...statement.handlers.map(({ body }) => body), statement.otherwise, statement.finally]
    case 'expression':
    case 'assignment':
    case 'import':
    case 'import_from':
    case 'pass':
    case 'break':
    case 'continue':
    case 'return':
    case 'raise':
      return []
  }
}

/** The names that statements assign, not those in functions that they define. */
export const assignedNames = (block: Block): readonly string[] =>
  block.flatMap((statement) => [
    ...namesOf(statement),
    ...(statement.kind === 'def' ? [] : blocksOf(statement).flatMap(assignedNames)),
  ])

function namesOf(statement: Statement): readonly string[] {
  switch (statement.kind) {
    case 'assignment':
      return statement.targets.flatMap(namesIn)
    case 'for':
      return namesIn(statement.target)
    case 'import':
      return statement.modules.map(({ as }) => as.split('.')[0]!)
    case 'import_from':
      return statement.names === '*' ? [] : statement.names.map(({ as }) => as)
    case 'try':
      return statement.handlers.flatMap(({ name }) => name ?? [])
    case 'with':
      return statement.managers.flatMap(({ name }) => name ?? [])
    case 'def':
      return [statement.name]
    case 'if':
    case 'while':
    case 'expression':
    case 'pass':
    case 'break':
    case 'continue':
    case 'return':
    case 'raise':
      return []
  }
}

/** The names in the target of an assignment. */
export const namesIn = (target: PythonExpression): readonly string[] =>
  target.kind === 'name'
    ? [target.name]
    : target.kind === 'tuple' || target.kind === 'list'
      ? target.items.flatMap(namesIn)
      : []
