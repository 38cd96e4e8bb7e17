import { type ExceptionClass, PythonError, printedText, repr, tuple, typeName, type Value } from './value.ts'

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
