import { BUILTINS, methodOf } from './builtins.ts'
import { matchArguments, type Parameter } from './native.ts'
import { applyBinary, applyUnary, assertHashable, dictOf, formatValue, itemAt, setOf, sliceOf } from './operators.ts'
import { parse } from './parse.ts'
import {
  type Argument,
  type Block,
  type DictEntry,
  type ExceptionHandler,
  type ForClause,
  type FormattedValue,
  type FunctionDefinition,
  type ManagedValue,
  namesIn,
  type PythonExpression,
  type Statement,
} from './syntax.ts'
import { withLineFeeds } from './tokens.ts'
import {
  bool,
  builtinException,
  bytes,
  float,
  type GivenArguments,
  handles,
  int,
  isTrue,
  iterableItems,
  MAX_ITEMS,
  MAX_STRING_CHARACTERS,
  type Module,
  NONE,
  newException,
  PythonError,
  positioned,
  printedText,
  raisedError,
  repr,
  type SourcePosition,
  str,
  traceback,
  tuple,
  typeName,
  type Value,
} from './value.ts'

/** What a program printed, and how it ended: 0 for success, 1 for an exception. */
export interface ProgramResult {
  readonly output: string
  readonly error: string
  readonly returnCode: 0 | 1
}

export interface ProgramOptions {
  /** The modules that the program can import, by name. */
  readonly modules: ReadonlyMap<string, Module>
  /** Called before each call of a function, with its place. */
  readonly beforeCall?: (at: SourcePosition) => void
  /** Called before each expression, and awaited if it returns a promise. Throws to end the program. */
  readonly pace?: () => Promise<void> | undefined
}

/** The sum of all results of a program: characters, and items times their size. They may all be kept. */
const MAX_TOTAL_CHARACTERS = 20_000_000
const CHARACTERS_PER_ITEM = 10
/** The functions of a program that call each other. */
const MAX_CALL_DEPTH = 50
/** The sum of the rounds of all loops and comprehensions of a program, and of the calls of its functions. */
const MAX_ROUNDS = 100_000

/**
 * Runs a program of the subset. The whole program is parsed before its first statement runs. Nothing outside of the given
 * modules can be reached.
 *
 * Other errors than `PythonError` of a module's functions reject the promise.
 */
export async function runProgram(source: string, options: ProgramOptions): Promise<ProgramResult> {
  const printed = new PrintedText()
  try {
    const program = new Program(options, printed)
    await program.runBlock(parse(source))
    return { output: printed.text, error: '', returnCode: 0 }
  } catch (error) {
    if (!(error instanceof PythonError)) throw error
    return { output: printed.text, error: traceback(error, withLineFeeds(source)), returnCode: 1 }
  }
}

/** Words that agents give instead of code. Their client acts on them; the desktop does nothing. */
const AGENT_WORDS: ReadonlySet<string> = new Set(['WAIT', 'DONE', 'FAIL'])

class PrintedText {
  text = ''

  add(text: string): void {
    if (this.text.length + text.length > MAX_STRING_CHARACTERS)
      throw new PythonError('MemoryError', 'the program prints too much')
    this.text += text
  }
}

/** How a statement ended, unless the next one follows it. */
type Exit = 'break' | 'continue' | { readonly returned: Value } | undefined

class Program {
  private readonly globals = new Map<string, Value>([['__name__', str('__main__')]])
  /** The names of the function that runs, otherwise those of the program. */
  private names = this.globals
  /** The functions that run, the innermost last. */
  private readonly running: FunctionDefinition[] = []
  /** The exceptions that are being handled, the innermost last. */
  private readonly handled: PythonError[] = []
  private readonly options: ProgramOptions
  private readonly printed: PrintedText
  private characters = 0
  private rounds = 0

  constructor(options: ProgramOptions, printed: PrintedText) {
    this.options = options
    this.printed = printed
  }

  async runBlock(statements: Block): Promise<Exit> {
    for (const statement of statements) {
      const exit = await this.run(statement)
      if (exit) return exit
    }
    return undefined
  }

  private async run(statement: Statement): Promise<Exit> {
    try {
      return await this.perform(statement)
    } catch (error) {
      throw error instanceof PythonError ? positioned(error, statement) : error
    }
  }

  private async perform(statement: Statement): Promise<Exit> {
    switch (statement.kind) {
      case 'pass':
        return undefined
      case 'break':
      case 'continue':
        return statement.kind
      case 'expression':
        await this.evaluate(statement.value)
        return undefined
      case 'import':
        for (const { name, as } of statement.modules) this.importModule(name, as)
        return undefined
      case 'import_from':
        this.importNames(statement.module, statement.names)
        return undefined
      case 'assignment': {
        const value = await this.evaluate(statement.value)
        for (const target of statement.targets) await this.assign(target, value)
        return undefined
      }
      case 'raise':
        return this.raise(statement.value)
      case 'return':
        return { returned: statement.value ? await this.evaluate(statement.value) : NONE }
      case 'def':
        this.names.set(statement.name, await this.functionOf(statement))
        return undefined
      case 'with':
        return this.runManaged(statement.managers, statement.body)
      case 'if':
        return this.runBlock(isTrue(await this.evaluate(statement.test)) ? statement.then : statement.otherwise)
      case 'while':
        while (isTrue(await this.evaluate(statement.test))) {
          await this.nextRound()
          const exit = await this.runBlock(statement.body)
          if (exit === 'break') return undefined
          if (exit && exit !== 'continue') return exit
        }
        return this.runBlock(statement.otherwise)
      case 'for':
        for (const item of await this.items(statement.iterable)) {
          await this.nextRound()
          await this.assign(statement.target, item)
          const exit = await this.runBlock(statement.body)
          if (exit === 'break') return undefined
          if (exit && exit !== 'continue') return exit
        }
        return this.runBlock(statement.otherwise)
      case 'try':
        return this.attempt(statement)
    }
  }

  /** A function of the program. Its defaults are evaluated once. */
  private async functionOf(definition: FunctionDefinition): Promise<Value> {
    const parameters: Parameter[] = []
    for (const { name, default: written } of definition.parameters)
      parameters.push({ name, ...(written && { default: await this.evaluate(written) }) })
    const { name } = definition
    return {
      kind: 'function',
      name,
      call: async (given) => this.callFunction(definition, matchArguments(name, parameters, given)),
    }
  }

  private async callFunction(definition: FunctionDefinition, bound: ReadonlyMap<string, Value>): Promise<Value> {
    if (this.running.length >= MAX_CALL_DEPTH)
      throw new PythonError(
        'RecursionError',
        `functions call each other at most ${MAX_CALL_DEPTH} deep on this desktop`,
      )
    await this.nextRound()
    const caller = this.names
    this.names = new Map(bound)
    this.running.push(definition)
    try {
      const exit = await this.runBlock(definition.body)
      return typeof exit === 'object' ? exit.returned : NONE
    } finally {
      this.running.pop()
      this.names = caller
    }
  }

  /** Errors other than exceptions of the program end it, without leaving what is managed. */
  private async runManaged([first, ...inner]: readonly ManagedValue[], body: Block): Promise<Exit> {
    if (!first) return this.runBlock(body)
    const value = await this.evaluate(first.value)
    if (value.kind !== 'object' || !value.manager)
      throw new PythonError('TypeError', `'${typeName(value)}' object does not support the context manager protocol`)
    await value.manager.enter()
    if (first.name !== undefined) this.names.set(first.name, NONE)
    const { exit, error } = await outcomeOf(() => this.runManaged(inner, body))
    await value.manager.exit()
    if (error) throw error
    return exit
  }

  private async raise(expression: PythonExpression | undefined): Promise<never> {
    const error = expression ? raisedError(await this.evaluate(expression)) : this.handled.at(-1)
    throw error ?? new PythonError('RuntimeError', 'No active exception to reraise')
  }

  /** Errors other than exceptions of the program end it, without its `finally`. */
  private async attempt(statement: Extract<Statement, { kind: 'try' }>): Promise<Exit> {
    const { exit, error } = await outcomeOf(() => this.runHandlers(statement))
    const later = await this.runBlock(statement.finally)
    if (later) return later
    if (error) throw error
    return exit
  }

  private async runHandlers({ body, handlers, otherwise }: Extract<Statement, { kind: 'try' }>): Promise<Exit> {
    const { exit, error } = await outcomeOf(() => this.runBlock(body))
    if (!error) return exit ?? this.runBlock(otherwise)
    for (const handler of handlers)
      if (!handler.type || handles(await this.evaluate(handler.type), error)) return this.handle(handler, error)
    throw error
  }

  private async handle({ name, body }: ExceptionHandler, error: PythonError): Promise<Exit> {
    this.handled.push(error)
    if (name !== undefined) this.names.set(name, { kind: 'exception', error })
    try {
      return await this.runBlock(body)
    } finally {
      this.handled.pop()
      if (name !== undefined) this.names.delete(name)
    }
  }

  /** Counts a round of a loop. Throws `RuntimeError` when the program has too many, from then on in every loop. */
  private async nextRound(): Promise<void> {
    if (++this.rounds > MAX_ROUNDS)
      throw new PythonError('RuntimeError', `the loops of a program have at most ${MAX_ROUNDS} rounds on this desktop`)
    const pause = this.options.pace?.()
    if (pause) await pause
  }

  private async items(iterable: PythonExpression): Promise<readonly Value[]> {
    const value = await this.evaluate(iterable)
    const items = iterableItems(value)
    if (!items) throw new PythonError('TypeError', `'${typeName(value)}' object is not iterable`)
    return items
  }

  private moduleNamed(name: string): Module {
    const found = this.options.modules.get(name)
    if (found) return found
    const known = [...this.options.modules.keys()].join(', ')
    throw new PythonError('ModuleNotFoundError', `No module named '${name}' (this desktop has ${known})`)
  }

  private importModule(name: string, as: string): void {
    this.names.set(as === name ? name.split('.')[0]! : as, as === name ? this.parentOf(name) : this.moduleNamed(name))
  }

  /** `import a.b` binds `a`, and fails if `a.b` does not exist. */
  private parentOf(name: string): Module {
    this.moduleNamed(name)
    return this.moduleNamed(name.split('.')[0]!)
  }

  private importNames(name: string, names: readonly { name: string; as: string }[] | '*'): void {
    const module = this.moduleNamed(name)
    if (names === '*') {
      for (const [attribute, value] of module.attributes) this.names.set(attribute, value)
      return
    }
    for (const wanted of names) {
      const value = module.attributes.get(wanted.name)
      if (!value) throw new PythonError('ImportError', `cannot import name '${wanted.name}' from '${name}'`)
      this.names.set(wanted.as, value)
    }
  }

  private async assign(target: PythonExpression, value: Value): Promise<void> {
    if (target.kind === 'name') {
      this.names.set(target.name, value)
      return
    }
    if (target.kind === 'attribute') {
      const object = await this.evaluate(target.object)
      if (object.kind !== 'module' || !object.assign)
        throw new PythonError('AttributeError', `attributes of '${typeName(object)}' cannot be assigned`)
      return object.assign(target.name, value)
    }
    if (target.kind !== 'tuple' && target.kind !== 'list') return
    const items = iterableItems(value)
    if (!items) throw new PythonError('TypeError', `cannot unpack non-iterable ${typeName(value)} object`)
    if (items.length < target.items.length)
      throw new PythonError(
        'ValueError',
        `not enough values to unpack (expected ${target.items.length}, got ${items.length})`,
      )
    if (items.length > target.items.length)
      throw new PythonError('ValueError', `too many values to unpack (expected ${target.items.length})`)
    for (const [index, item] of target.items.entries()) await this.assign(item, items[index]!)
  }

  private async evaluate(expression: PythonExpression): Promise<Value> {
    const pause = this.options.pace?.()
    if (pause) await pause
    const value = await this.valueOf(expression)
    if (expression.kind !== 'name') this.count(value)
    return value
  }

  /** Counts a result, which may be new. Throws `MemoryError` when the program has made too many. */
  private count(value: Value): void {
    if (value.kind === 'str' || value.kind === 'bytes') this.characters += value.value.length
    else if (value.kind === 'list' || value.kind === 'tuple' || value.kind === 'set')
      this.characters += value.items.length * CHARACTERS_PER_ITEM
    else if (value.kind === 'dict') this.characters += 2 * value.entries.length * CHARACTERS_PER_ITEM
    if (this.characters > MAX_TOTAL_CHARACTERS)
      throw new PythonError('MemoryError', 'the program makes too many values')
  }

  private async valueOf(expression: PythonExpression): Promise<Value> {
    switch (expression.kind) {
      case 'number':
        return expression.isFloat ? float(expression.value) : int(expression.value)
      case 'string':
        return str(expression.value)
      case 'bytes':
        return bytes(expression.value)
      case 'constant':
        return expression.value === null ? NONE : bool(expression.value)
      case 'format':
        return this.format(expression.parts)
      case 'name':
        return this.named(expression.name)
      case 'list':
        return { kind: 'list', items: await this.all(expression.items) }
      case 'set':
        return setOf(await this.all(expression.items))
      case 'comprehension':
        return this.comprehension(expression)
      case 'tuple':
        return tuple(await this.all(expression.items))
      case 'dict':
        return this.dictionary(expression.entries)
      case 'attribute':
        return this.attribute(await this.evaluate(expression.object), expression.name)
      case 'index':
        return itemAt(await this.evaluate(expression.object), await this.evaluate(expression.index))
      case 'slice':
        return this.slice(expression)
      case 'call':
        return this.call(expression)
      case 'unary':
        return applyUnary(expression.operator, await this.evaluate(expression.operand))
      case 'binary':
        return this.binary(expression)
      case 'chain':
        return this.chain(expression)
      case 'conditional':
        return this.evaluate(isTrue(await this.evaluate(expression.test)) ? expression.then : expression.otherwise)
    }
  }

  private async all(expressions: readonly PythonExpression[]): Promise<readonly Value[]> {
    const values: Value[] = []
    for (const expression of expressions) values.push(await this.evaluate(expression))
    return values
  }

  private async dictionary(entries: readonly DictEntry[]): Promise<Value> {
    const values: (readonly [Value, Value])[] = []
    for (const entry of entries) values.push(await this.entry(entry))
    return dictOf(values)
  }

  private async entry([keyExpression, expression]: DictEntry): Promise<readonly [Value, Value]> {
    const key = await this.evaluate(keyExpression)
    assertHashable(key)
    return [key, await this.evaluate(expression)]
  }

  /** The names of its targets are its own. */
  private async comprehension({
    result,
    clauses,
  }: Extract<PythonExpression, { kind: 'comprehension' }>): Promise<Value> {
    const outer = clauses.flatMap(({ target }) => namesIn(target)).map((name) => [name, this.names.get(name)] as const)
    const items: Value[] = []
    const entries: (readonly [Value, Value])[] = []
    try {
      await this.eachOf(clauses, async () => {
        if (result.kind === 'dict') entries.push(await this.entry(result.entry))
        else items.push(await this.evaluate(result.item))
      })
    } finally {
      for (const [name, value] of outer) {
        if (value) this.names.set(name, value)
        else this.names.delete(name)
      }
    }
    if (result.kind === 'dict') return dictOf(entries)
    return result.kind === 'set' ? setOf(items) : { kind: 'list', items }
  }

  /** Calls the function for each combination of items that meets the conditions. */
  private async eachOf([clause, ...inner]: readonly ForClause[], each: () => Promise<void>): Promise<void> {
    if (!clause) return each()
    for (const item of await this.items(clause.iterable)) {
      await this.nextRound()
      await this.assign(clause.target, item)
      if (await this.meetsAll(clause.conditions)) await this.eachOf(inner, each)
    }
  }

  private async meetsAll(conditions: readonly PythonExpression[]): Promise<boolean> {
    for (const condition of conditions) if (!isTrue(await this.evaluate(condition))) return false
    return true
  }

  private async chain({ first, links }: Extract<PythonExpression, { kind: 'chain' }>): Promise<Value> {
    let left = await this.evaluate(first)
    let result: Value = bool(true)
    for (const { operator, operand } of links) {
      const right = await this.evaluate(operand)
      result = applyBinary(operator, left, right)
      if (!isTrue(result)) return result
      left = right
    }
    return result
  }

  private async format(parts: readonly (string | FormattedValue)[]): Promise<Value> {
    let text = ''
    for (const part of parts) {
      text += typeof part === 'string' ? part : await this.formatted(part)
      if (text.length > MAX_STRING_CHARACTERS) throw new PythonError('MemoryError', 'the text is too long')
    }
    return str(text)
  }

  private async formatted({ value: expression, conversion, format }: FormattedValue): Promise<string> {
    const value = await this.evaluate(expression)
    return formatValue(
      conversion === 'r' ? str(repr(value)) : conversion === 's' ? str(printedText(value)) : value,
      format ?? '',
    )
  }

  private named(name: string): Value {
    const own = this.names.get(name)
    if (own) return own
    if (this.running.at(-1)?.locals.has(name))
      throw new PythonError(
        'UnboundLocalError',
        `cannot access local variable '${name}' where it is not associated with a value`,
      )
    const value =
      this.globals.get(name) ??
      this.builtin(name) ??
      builtinException(name) ??
      (AGENT_WORDS.has(name) ? str(name) : undefined)
    if (value) return value
    const hint = this.options.modules.has(name) ? `. Did you forget to import '${name}'?` : ''
    throw new PythonError('NameError', `name '${name}' is not defined${hint}`)
  }

  private builtin(name: string): Value | undefined {
    const call = BUILTINS[name]
    return call && { kind: 'function', name, call: (given) => call(given, (text) => this.printed.add(text)) }
  }

  private attribute(object: Value, name: string): Value {
    if (object.kind === 'module') {
      const value = object.attributes.get(name)
      if (value) return value
      throw new PythonError('AttributeError', `module '${object.name}' has no attribute '${name}'`)
    }
    if (object.kind === 'tuple' && object.named) {
      const field = object.named.fields.indexOf(name)
      if (field >= 0) return object.items[field]!
    }
    if (object.kind === 'exception' && name === 'args')
      return tuple(object.error.message === '' ? [] : [str(object.error.message)])
    const method = methodOf(object, name)
    if (method) return method
    throw new PythonError('AttributeError', `'${typeName(object)}' object has no attribute '${name}'`)
  }

  private async slice({ object, from, to }: Extract<PythonExpression, { kind: 'slice' }>): Promise<Value> {
    const value = await this.evaluate(object)
    const bounds: (number | undefined)[] = []
    for (const bound of [from, to]) {
      const given = bound ? await this.evaluate(bound) : NONE
      if (given.kind !== 'none' && given.kind !== 'int')
        throw new PythonError('TypeError', 'slice indices must be integers or None')
      bounds.push(given.kind === 'int' ? given.value : undefined)
    }
    return sliceOf(value, bounds[0], bounds[1])
  }

  private async call({
    callee,
    arguments: given,
    line,
    column,
  }: Extract<PythonExpression, { kind: 'call' }>): Promise<Value> {
    const called = await this.evaluate(callee)
    if (called.kind === 'class') return newException(called.name, (await this.given(given)).positional)
    if (called.kind !== 'function') throw new PythonError('TypeError', `'${typeName(called)}' object is not callable`)
    this.options.beforeCall?.({ line, column })
    try {
      return await called.call(await this.given(given))
    } catch (error) {
      throw error instanceof PythonError ? positioned(error, { line, column }) : error
    }
  }

  private async given(expressions: readonly Argument[]): Promise<GivenArguments> {
    const positional: Value[] = []
    const keywords = new Map<string, Value>()
    for (const { value: expression, keyword, isSpread } of expressions) {
      const value = await this.evaluate(expression)
      if (keyword !== undefined) keywords.set(keyword, value)
      else if (isSpread) {
        const items = iterableItems(value)
        if (!items) throw new PythonError('TypeError', `argument after * must be an iterable, not ${typeName(value)}`)
        if (positional.length + items.length > MAX_ITEMS) throw new PythonError('MemoryError', 'too many arguments')
        for (const item of items) positional.push(item)
      } else positional.push(value)
    }
    return { positional, keywords }
  }

  private async binary({ operator, left, right }: Extract<PythonExpression, { kind: 'binary' }>): Promise<Value> {
    const first = await this.evaluate(left)
    if (operator === 'and') return isTrue(first) ? this.evaluate(right) : first
    if (operator === 'or') return isTrue(first) ? first : this.evaluate(right)
    return applyBinary(operator, first, await this.evaluate(right))
  }
}

/** How a block ended: by the end or a loop, or by an exception of the program. Other errors are thrown. */
async function outcomeOf(run: () => Promise<Exit>): Promise<{ exit?: Exit; error?: PythonError }> {
  try {
    return { exit: await run() }
  } catch (error) {
    if (error instanceof PythonError) return { error }
    throw error
  }
}
