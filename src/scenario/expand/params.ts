import { drawInteger, type Random } from '../../base/random.ts'
import { didYouMean } from '../../base/strings.ts'
import { dataSizeOf } from '../data/run-data.ts'
import { type DataValue, isList } from '../expression/data-type.ts'
import { isExpressionName } from '../expression/environment.ts'
import { roundTo } from '../expression/formats.ts'
import { childOf, type MapNode, plainValue, type Report, type SourceNode } from '../source/source-node.ts'
import { spend } from '../source/template.ts'
import { isOfParamType, optionIn } from './components.ts'
import { type Expansion, evaluateNode } from './expand-text.ts'
import { type FakeData, NO_FAKE_DATA } from './fake-data.ts'
import { type Names, NO_NAMES, withNames } from './names.ts'

/** What parameters are drawn with. */
export interface Draw {
  readonly random: Random
  readonly fake?: FakeData
  /** Values that are chosen from outside instead of drawn. */
  readonly chosen?: Readonly<Record<string, DataValue>>
  /** Whether the seed is that of the file, under which parameters with a `default` have it. */
  readonly isOwnSeed?: boolean
}

/** How often all parameters are drawn again until `distinct` and `assert` hold. */
const MAX_DRAWS = 200

/** Draws the parameters of a scenario in their order. A parameter may use those before it. */
export function drawParams(
  params: MapNode | undefined,
  assertions: SourceNode | undefined,
  draw: Draw,
  expansion: Expansion,
): Names {
  if (!params) return NO_NAMES
  let current = draw.random
  for (let attempt = 1; ; attempt++) {
    const problems: Parameters<Report>[] = []
    const trial: Expansion = {
      ...expansion,
      budget: { ...expansion.budget },
      report: (...problem) => problems.push(problem),
    }
    const drawn = drawOnce(params, { ...draw, random: current }, trial)
    const failed = problems.length === 0 ? failedAssertion(assertions, drawn.names, trial) : undefined
    if (problems.length > 0 || !failed) {
      for (const problem of problems) expansion.report(...problem)
      Object.assign(expansion.budget, trial.budget)
      return drawn.names
    }
    if (attempt === MAX_DRAWS) {
      expansion.report(failed.place, `does not hold for any of ${MAX_DRAWS} draws of the parameters`)
      return drawn.names
    }
    current = drawn.random
  }
}

function drawOnce(
  params: MapNode,
  { random, fake = NO_FAKE_DATA, chosen = {}, isOwnSeed = false }: Draw,
  expansion: Expansion,
): { readonly names: Names; readonly random: Random } {
  let names = NO_NAMES
  const generators = new Map<string, WrittenGenerator>()
  let current = random
  for (const [name, { node, keyPlace }] of params.entries) {
    if (!/^[A-Za-z_]\w*$/.test(name))
      expansion.report(keyPlace, `${JSON.stringify(name)} is not a name; expected letters, digits and _`)
    else if (!isExpressionName(name))
      expansion.report(keyPlace, `${name} already has a meaning in expressions; choose another name`)
    const option = optionIn(node)
    const authored = option?.value ?? node
    const given = authored.kind === 'map' ? generatorOf(name, authored, names, expansion) : undefined
    const filled = given ? undefined : evaluateNode(authored, names, { ...expansion, random: current })
    if (filled) current = filled.random ?? current
    let value: DataValue = filled ? plainValue(filled.node) : null
    if (given) {
      generators.set(name, given)
      const state: DrawState = { random: current, fake, generators, values: names.values }
      value = parameterValue(given, state, isOwnSeed)
      current = state.random
      if (!spend(expansion.budget, dataSizeOf(value), keyPlace, expansion.report)) value = null
    }
    if (Object.hasOwn(chosen, name)) value = chosen[name]!
    if (option && !isOfParamType(value, option.type))
      expansion.report(authored.place, `${name} is ${JSON.stringify(value)}; expected ${option.type}`)
    names = withNames(names, [[name, value]])
  }
  return { names, random: current }
}

function generatorOf(name: string, node: MapNode, names: Names, expansion: Expansion): WrittenGenerator | undefined {
  const key = generatorKeyOf(node)
  if (key === undefined) return undefined
  const known = [key, ...GENERATORS[key]!.options]
  for (const [option, { keyPlace }] of node.entries)
    if (!known.includes(option))
      expansion.report(
        keyPlace,
        `unknown key ${JSON.stringify(option)}${didYouMean(option, known) || `; the keys here are ${known.join(', ')}`}`,
      )
  const filled = evaluateNode(node, names, expansion).node
  return {
    name,
    node,
    values: plainValue(filled) as Readonly<Record<string, DataValue>>,
    fail: (option, message) => {
      expansion.report(childOf(node, option)?.place ?? node.place, message)
      return undefined
    },
  }
}

function failedAssertion(
  assertions: SourceNode | undefined,
  names: Names,
  expansion: Expansion,
): SourceNode | undefined {
  if (!assertions) return undefined
  return (assertions.kind === 'list' ? assertions.items : [assertions]).find((assertion) => {
    const value = plainValue(evaluateNode(assertion, names, expansion).node)
    if (typeof value === 'boolean') return !value
    expansion.report(assertion.place, 'expected an expression that is true or false, such as "{{ a != b }}"')
    return false
  })
}

const MAX_COUNT = 10_000

/** The keys that make a map under `params` a generator; each has a function that draws one value. */
const GENERATORS: Readonly<Record<string, Generator>> = {
  pick: { options: ['count', 'not', 'default'], draw: drawPick, canDraw: isPicked },
  shuffle: { options: ['default'], draw: drawShuffle, canDraw: isShuffled },
  between: { options: ['count', 'decimals', 'not', 'default'], draw: drawBetween, canDraw: isBetween },
  fake: { options: ['count', 'unique', 'locale', 'not', 'default'], draw: drawFake, canDraw: isRecord },
  decoy: { options: ['count', 'default'], draw: drawDecoy, canDraw: () => true },
}

interface Generator {
  readonly options: readonly string[]
  readonly draw: (given: WrittenGenerator, state: DrawState) => DataValue
  /** Whether one value can be drawn, as far as that is decided by what is written. */
  readonly canDraw: (given: WrittenGenerator, value: DataValue) => boolean
}

/** A generator as it is written, with its templates filled. */
interface WrittenGenerator {
  readonly name: string
  readonly node: MapNode
  readonly values: Readonly<Record<string, DataValue>>
  readonly fail: (key: string, message: string) => undefined
}

/** What a value is drawn with. */
interface DrawState {
  random: Random
  readonly fake: FakeData
  /** How each parameter before is generated, for decoys. */
  readonly generators: ReadonlyMap<string, WrittenGenerator>
  readonly values: ReadonlyMap<string, DataValue>
}

/** The key of a map under `params` that makes it a generator. */
const generatorKeyOf = (node: MapNode): string | undefined =>
  [...node.entries.keys()].find((key) => Object.hasOwn(GENERATORS, key))

/** The value of a parameter: its default under the seed of the file, otherwise a drawn one. */
function parameterValue(given: WrittenGenerator, state: DrawState, isOwnSeed: boolean): DataValue {
  if (!isOwnSeed || !Object.hasOwn(given.values, 'default')) return generatorIn(given).draw(given, state)
  checkDefault(given, state)
  return given.values.default!
}

const generatorIn = ({ node }: WrittenGenerator): Generator => GENERATORS[generatorKeyOf(node)!]!

/** Reports a default that no seed can draw, so that the other seeds vary the same task. */
function checkDefault(given: WrittenGenerator, state: DrawState): void {
  const drawn = generatorKeyOf(given.node) === 'decoy' ? asDecoy(given, state) : given
  if (!drawn) return
  const { default: value = null } = given.values
  const { count } = drawn.values
  const values = count !== undefined && isList(value) ? value : [value]
  const texts = values.map((each) => keyOf(drawn, each))
  const isPossible =
    (count === undefined || (isList(value) && value.length === count && new Set(texts).size === count)) &&
    values.every((each) => generatorIn(drawn).canDraw(drawn, each)) &&
    !excludedBy(drawn).some((each) => texts.includes(each))
  if (!isPossible) given.fail('default', 'expected a value that can be drawn')
}

function isRecord(_: WrittenGenerator, value: DataValue): boolean {
  return typeof value === 'object' && value !== null && !isList(value)
}

/** One value, or a list of `count` values, each different from the others and from `not`. */
function several(given: WrittenGenerator, one: () => DataValue, choices = Number.POSITIVE_INFINITY): DataValue {
  const { count } = given.values
  const excluded = new Set(excludedBy(given))
  if (count === undefined) return different(given, one, excluded)
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > MAX_COUNT)
    return given.fail('count', `expected an integer from 0 to ${MAX_COUNT}`) ?? null
  if (count > choices) return given.fail('count', `only ${choices} values can be chosen`) ?? null
  return Array.from({ length: count }, () => different(given, one, excluded))
}

/** The values under `not`, as texts that can be compared. */
function excludedBy(given: WrittenGenerator): readonly string[] {
  const { not } = given.values
  return (not === undefined ? [] : isList(not) ? not : [not]).map((value) => keyOf(given, value))
}

/** A value as a text that differs between different values: of records, the field under `unique`. */
function keyOf(given: WrittenGenerator, value: DataValue): string {
  const { unique } = given.values
  return typeof unique === 'string' && isRecord(given, value)
    ? JSON.stringify((value as Readonly<Record<string, DataValue>>)[unique] ?? null)
    : JSON.stringify(value)
}

const MAX_TRIES = 1000

function different(given: WrittenGenerator, one: () => DataValue, excluded: Set<string>): DataValue {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const value = one()
    const key = keyOf(given, value)
    if (excluded.has(key)) continue
    excluded.add(key)
    return value
  }
  return given.fail(generatorKeyOf(given.node)!, `no different value was found in ${MAX_TRIES} draws`) ?? null
}

function next(state: DrawState, low: number, high: number): number {
  const [value, random] = drawInteger(state.random, low, high)
  state.random = random
  return value
}

function listIn(given: WrittenGenerator, key: string): readonly DataValue[] | undefined {
  const list = given.values[key]
  if (list !== undefined && isList(list) && list.length > 0) return list
  return given.fail(key, 'expected a list with at least one item')
}

function drawPick(given: WrittenGenerator, state: DrawState): DataValue {
  const list = listIn(given, 'pick')
  if (!list) return null
  const distinct = new Set(list.map((item) => JSON.stringify(item))).size
  return several(given, () => list[next(state, 0, list.length - 1)]!, distinct)
}

function isPicked({ values: { pick } }: WrittenGenerator, value: DataValue): boolean {
  return (
    isList(pick ?? null) &&
    (pick as readonly DataValue[]).some((item) => JSON.stringify(item) === JSON.stringify(value))
  )
}

function drawShuffle(given: WrittenGenerator, state: DrawState): DataValue {
  const items = [...(listIn(given, 'shuffle') ?? [])]
  for (let last = items.length - 1; last > 0; last--) {
    const other = next(state, 0, last)
    const moved = items[last]!
    items[last] = items[other]!
    items[other] = moved
  }
  return items
}

function isShuffled({ values: { shuffle = null } }: WrittenGenerator, value: DataValue): boolean {
  const sorted = (list: DataValue) => isList(list) && list.map((item) => JSON.stringify(item)).sort()
  return JSON.stringify(sorted(shuffle)) === JSON.stringify(sorted(value))
}

function drawBetween(given: WrittenGenerator, state: DrawState): DataValue {
  const { between, decimals = 0 } = given.values
  const [low, high] = between !== undefined && isList(between) ? between : []
  if (typeof low !== 'number' || typeof high !== 'number' || low > high)
    return given.fail('between', 'expected two numbers, the smaller first, such as [1, 6]') ?? null
  if (typeof decimals !== 'number' || !Number.isInteger(decimals) || decimals < 0 || decimals > 6)
    return given.fail('decimals', 'expected an integer from 0 to 6') ?? null
  const unit = 10 ** decimals
  const [first, last] = [Math.ceil(low * unit), Math.floor(high * unit)]
  if (last < first || last - first > 0xffff_ffff)
    return given.fail('between', 'expected a range of 1 to 4294967296 values') ?? null
  return several(given, () => roundTo(next(state, first, last) / unit, decimals), last - first + 1)
}

function isBetween({ values: { between = null, decimals = 0 } }: WrittenGenerator, value: DataValue): boolean {
  const [low, high] = isList(between) ? between : []
  return (
    typeof value === 'number' &&
    value >= Number(low) &&
    value <= Number(high) &&
    roundTo(value, Number(decimals)) === value
  )
}

function drawFake(given: WrittenGenerator, state: DrawState): DataValue {
  const { fake: kind, locale = 'en' } = given.values
  const { kinds, locales } = state.fake
  if (typeof kind !== 'string' || !kinds.includes(kind))
    return given.fail('fake', `expected one of ${kinds.join(', ')}${didYouMean(String(kind), kinds)}`) ?? null
  if (typeof locale !== 'string' || !locales.includes(locale))
    return given.fail('locale', `expected one of ${locales.join(', ')}`) ?? null
  return several(given, () => state.fake.make(kind, locale, next(state, 0, 0x7fff_ffff)))
}

/** Values made like another parameter's, and different from it. */
function drawDecoy(given: WrittenGenerator, state: DrawState): DataValue {
  const decoy = asDecoy(given, state)
  return decoy ? generatorIn(decoy).draw(decoy, state) : null
}

/** The generator of the other parameter, without its value. */
function asDecoy(given: WrittenGenerator, state: DrawState): WrittenGenerator | undefined {
  const of = given.values.decoy
  const model = typeof of === 'string' ? state.generators.get(of) : undefined
  const key = model && generatorKeyOf(model.node)
  if (!model || !key || key === 'shuffle')
    return given.fail(
      'decoy',
      'expected the name of a parameter before this one that is drawn with pick, between or fake',
    )
  const original = state.values.get(of as string) ?? null
  const { count: _, not: __, default: ___, ...values } = model.values
  return {
    ...model,
    fail: given.fail,
    values: {
      ...values,
      not: isList(original) ? original : [original],
      ...(given.values.count === undefined ? {} : { count: given.values.count }),
    },
  }
}
