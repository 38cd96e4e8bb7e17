/** A value of a program. */
export type Value =
  | { readonly kind: 'none' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int' | 'float'; readonly value: number }
  | { readonly kind: 'str'; readonly value: string }
  /** Bytes, as a character for each from U+0000 to U+00FF. */
  | { readonly kind: 'bytes'; readonly value: string }
  | { readonly kind: 'list' | 'set'; readonly items: readonly Value[] }
  | {
      readonly kind: 'tuple'
      readonly items: readonly Value[]
      /** The class and the names of the fields of a named tuple, such as `Point(x=1, y=2)`. */
      readonly named?: NamedTuple
    }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [Value, Value])[] }
  | NativeFunction
  | Module
  | ExceptionClass
  | { readonly kind: 'exception'; readonly error: PythonError }
  /** An object without contents, such as a tween of pyautogui, or what its `hold` returns. */
  | { readonly kind: 'object'; readonly text: string; readonly manager?: ContextManager }

/** What `with` does before and after its block. */
export interface ContextManager {
  enter(): Promise<void>
  exit(): Promise<void>
}

export interface NamedTuple {
  readonly type: string
  readonly fields: readonly string[]
}

/** A class of exceptions. */
interface ExceptionClass {
  readonly kind: 'class'
  readonly name: string
}

/** A function that the desktop implements. */
export interface NativeFunction {
  readonly kind: 'function'
  readonly name: string
  readonly call: (given: GivenArguments) => Value | Promise<Value>
}

export interface GivenArguments {
  readonly positional: readonly Value[]
  readonly keywords: ReadonlyMap<string, Value>
}

/** A module. Programs may assign to some of its attributes. */
export interface Module {
  readonly kind: 'module'
  readonly name: string
  readonly attributes: ReadonlyMap<string, Value>
  readonly assign?: (name: string, value: Value) => void
}

export const NONE: Value = { kind: 'none' }
export const bool = (value: boolean): Value => ({ kind: 'bool', value })
export const str = (value: string): Value => ({ kind: 'str', value })
export const bytes = (value: string): Value => ({ kind: 'bytes', value })
export const float = (value: number): Value => ({ kind: 'float', value })
export const tuple = (items: readonly Value[], named?: NamedTuple): Value =>
  named ? { kind: 'tuple', items, named } : { kind: 'tuple', items }

/** Throws `OverflowError` beyond 2**53, where numbers stop being exact. */
export function int(value: number): Value {
  if (!Number.isSafeInteger(value)) throw new PythonError('OverflowError', 'integers beyond 2**53 are not supported')
  return { kind: 'int', value: value === 0 ? 0 : value }
}

export const MAX_STRING_CHARACTERS = 1_000_000
export const MAX_ITEMS = 100_000

/** The name of the value's class. */
export function typeName(value: Value): string {
  switch (value.kind) {
    case 'none':
      return 'NoneType'
    case 'function':
      return 'function'
    case 'tuple':
      return value.named?.type ?? 'tuple'
    case 'class':
      return 'type'
    case 'exception':
      return value.error.type
    case 'object':
    case 'int':
    case 'bool':
    case 'list':
    case 'set':
    case 'float':
    case 'str':
    case 'bytes':
    case 'dict':
    case 'module':
      return value.kind
  }
}

/** The number of an int, a float or a bool, as `True + 1` works. */
export const numberOf = (value: Value): number | undefined =>
  value.kind === 'int' || value.kind === 'float' ? value.value : value.kind === 'bool' ? Number(value.value) : undefined

export const iterableItems = (value: Value): readonly Value[] | undefined =>
  value.kind === 'list' || value.kind === 'tuple' || value.kind === 'set'
    ? value.items
    : value.kind === 'str'
      ? [...value.value].map(str)
      : value.kind === 'bytes'
        ? [...value.value].map((character) => int(character.charCodeAt(0)))
        : value.kind === 'dict'
          ? value.entries.map(([key]) => key)
          : undefined

export function isTrue(value: Value): boolean {
  switch (value.kind) {
    case 'none':
      return false
    case 'bool':
      return value.value
    case 'int':
    case 'float':
      return value.value !== 0
    case 'str':
    case 'bytes':
      return value.value !== ''
    case 'list':
    case 'tuple':
    case 'set':
      return value.items.length > 0
    case 'dict':
      return value.entries.length > 0
    case 'object':
    case 'function':
    case 'module':
    case 'class':
    case 'exception':
      return true
  }
}

/** What `print` shows. */
export const printedText = (value: Value): string =>
  value.kind === 'str' ? value.value : value.kind === 'exception' ? value.error.message : repr(value)

/** What `repr` returns. */
export const repr = (value: Value): string => limited(writeValue(value, 0))

const MAX_REPR_DEPTH = 100

function writeValue(value: Value, depth: number): string {
  if (depth > MAX_REPR_DEPTH) throw new PythonError('RecursionError', 'maximum recursion depth exceeded')
  const all = (items: readonly Value[]) => {
    let text = ''
    for (const item of items) text = limited(text + (text === '' ? '' : ', ') + writeValue(item, depth + 1))
    return text
  }
  switch (value.kind) {
    case 'none':
      return 'None'
    case 'bool':
      return value.value ? 'True' : 'False'
    case 'int':
      return String(value.value)
    case 'float':
      return floatText(value.value)
    case 'str':
      return quoted(value.value)
    case 'bytes':
      return `b${quoted(value.value, true)}`
    case 'list':
      return `[${all(value.items)}]`
    case 'set':
      return value.items.length === 0 ? 'set()' : `{${all(value.items)}}`
    case 'tuple':
      return value.named
        ? `${value.named.type}(${value.items.map((item, index) => `${value.named!.fields[index]}=${writeValue(item, depth + 1)}`).join(', ')})`
        : `(${all(value.items)}${value.items.length === 1 ? ',' : ''})`
    case 'dict':
      return `{${value.entries.map(([key, item]) => `${writeValue(key, depth + 1)}: ${writeValue(item, depth + 1)}`).join(', ')}}`
    case 'function':
      return `<function ${value.name}>`
    case 'module':
      return `<module '${value.name}'>`
    case 'object':
      return value.text
    case 'class':
      return `<class '${value.name}'>`
    case 'exception': {
      const { type, message } = value.error
      return `${type}(${message === '' ? '' : quoted(message)})`
    }
  }
}

function limited(text: string): string {
  if (text.length > MAX_STRING_CHARACTERS) throw new PythonError('MemoryError', 'the text is too long')
  return text
}

/** Python writes 1.0, 1e+16 and 1e-05 where JavaScript writes 1, 10000000000000000 and 0.00001. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (Object.is(value, -0)) return '-0.0'
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e')
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`
  }
  const text = String(value)
  return text.includes('.') ? text : `${text}.0`
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function quoted(text: string, isBytes = false): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  let escaped = ''
  for (const character of text) {
    const code = character.codePointAt(0)!
    if (character === quote) escaped += `\\${quote}`
    else if (character in NAMED_ESCAPES) escaped += NAMED_ESCAPES[character]
    else if (code < 0x20 || (code >= 0x7f && (code < 0xa0 || isBytes)))
      escaped += `\\x${code.toString(16).padStart(2, '0')}`
    else escaped += character
  }
  return `${quote}${escaped}${quote}`
}

/** A place in a program: lines count from 1, columns from 0. */
export interface SourcePosition {
  readonly line: number
  readonly column: number
}

/** An exception of a program, with the name of Python's class: `TypeError`, `NameError`, `SyntaxError`. */
export class PythonError extends Error {
  readonly type: string
  readonly position: SourcePosition | undefined

  constructor(type: string, message: string, position?: SourcePosition) {
    super(message)
    this.type = type
    this.position = position
  }
}

/** Returns the error with a position, unless it has one. */
export const positioned = (error: PythonError, position: SourcePosition): PythonError =>
  error.position ? error : new PythonError(error.type, error.message, position)

/** What the standard error of `python -c` shows for the error. A syntax error shows its line and a caret. */
export function traceback({ type, message, position }: PythonError, source: string): string {
  const { line, column } = position ?? { line: 1, column: 0 }
  const summary = message === '' ? type : `${type}: ${message}`
  if (type !== 'SyntaxError')
    return `Traceback (most recent call last):\n  File "<string>", line ${line}, in <module>\n${summary}\n`
  const text = source.split('\n')[line - 1] ?? ''
  const indent = text.length - text.trimStart().length
  const caret = ' '.repeat(Math.max(0, Math.min(column, text.length) - indent))
  return `  File "<string>", line ${line}\n    ${text.trim().slice(0, MAX_SHOWN_CHARACTERS)}\n    ${caret}^\n${summary}\n`
}

const MAX_SHOWN_CHARACTERS = 2_000

/** The class above each exception class that a program can name. */
const PARENTS: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  Exception: 'BaseException',
  KeyboardInterrupt: 'BaseException',
  SystemExit: 'BaseException',
  ...all('Exception', [
    'ArithmeticError',
    'AssertionError',
    'AttributeError',
    'EOFError',
    'ImportError',
    'LookupError',
  ]),
  ...all('Exception', ['MemoryError', 'NameError', 'OSError', 'RuntimeError', 'StopIteration', 'SyntaxError']),
  ...all('Exception', ['SystemError', 'TypeError', 'ValueError', 'Warning', 'PyAutoGUIException']),
  ...all('ArithmeticError', ['OverflowError', 'ZeroDivisionError']),
  ...all('LookupError', ['IndexError', 'KeyError']),
  ...all('OSError', ['ConnectionError', 'FileExistsError', 'FileNotFoundError', 'PermissionError', 'TimeoutError']),
  ...all('RuntimeError', ['NotImplementedError', 'PyperclipException', 'RecursionError']),
  ...all('ValueError', ['UnicodeError', 'binascii.Error']),
  ...all('UnicodeError', ['UnicodeDecodeError', 'UnicodeEncodeError']),
  ModuleNotFoundError: 'ImportError',
  UnboundLocalError: 'NameError',
  FailSafeException: 'PyAutoGUIException',
  ImageNotFoundException: 'PyAutoGUIException',
})

function all(parent: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, parent]))
}

/** Other names of `OSError`. */
const OS_ERRORS: ReadonlySet<string> = new Set(['EnvironmentError', 'IOError'])
/** Classes that belong to a module. */
const OF_MODULES: ReadonlySet<string> = new Set([
  ...['PyAutoGUIException', 'FailSafeException', 'ImageNotFoundException', 'PyperclipException', 'binascii.Error'],
])

export const exceptionClass = (name: string): ExceptionClass => ({ kind: 'class', name })

/** The exception class that every program can name so. */
export function builtinException(name: string): ExceptionClass | undefined {
  if (OS_ERRORS.has(name)) return exceptionClass('OSError')
  if (name === 'BaseException' || (name in PARENTS && !OF_MODULES.has(name))) return exceptionClass(name)
  return undefined
}

/** The exception that a call of its class makes. */
export function newException(name: string, values: readonly Value[]): Value {
  const [only, ...others] = values
  const message = !only
    ? ''
    : others.length > 0
      ? repr(tuple(values))
      : name === 'KeyError'
        ? repr(only)
        : printedText(only)
  return { kind: 'exception', error: new PythonError(name, message) }
}

/** The error that `raise` throws for a value. */
export function raisedError(value: Value): PythonError {
  if (value.kind === 'class') return new PythonError(value.name, '')
  if (value.kind === 'exception') return value.error
  return new PythonError('TypeError', 'exceptions must derive from BaseException')
}

/** Whether `except expected` handles the error. Throws `TypeError` unless the value is a class or a tuple of classes. */
export function handles(expected: Value, { type }: PythonError): boolean {
  const classes = expected.kind === 'tuple' ? expected.items : [expected]
  return classes.some((one) => {
    if (one.kind !== 'class')
      throw new PythonError(
        'TypeError',
        `catching classes that do not inherit from BaseException is not allowed, not ${typeName(one)}`,
      )
    for (let name: string | undefined = type; name !== undefined; name = PARENTS[name] ?? rootOf(name))
      if (name === one.name) return true
    return false
  })
}

/** The parent of a class that is not in the table, until there is none. */
const rootOf = (name: string): string | undefined => (name === 'BaseException' ? undefined : 'Exception')
