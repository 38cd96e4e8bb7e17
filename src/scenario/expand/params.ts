import { drawInteger, type Random } from '../../base/random.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import { type DataValue, isList } from '../expression/data-type.ts'
import { roundTo } from '../expression/numbers.ts'
import { type Expansion, evaluateNode } from './expand-text.ts'
import { type FakeData, NO_FAKE_DATA } from './fake-data.ts'
import { type Names, NO_NAMES, withNames } from './names.ts'
import { childOf, type MapNode, plainValue, type Report, type SourceNode } from './source-node.ts'

/** What parameters are drawn with. */
export interface Draw {
  readonly random: Random
  readonly fake?: FakeData
  /** Values that are chosen from outside instead of drawn. */
  readonly chosen?: Readonly<Record<string, DataValue>>
}

/** How often all parameters are drawn again until `distinct` and `assert` hold. */
const MAX_DRAWS = 200
const MAX_COUNT = 10_000

/** The keys that make a map under `params` a generator; each has a function that draws one value. */
const GENERATORS: Readonly<Record<string, Generator>> = {
  pick: { options: ['count', 'not'], draw: drawPick },
  shuffle: { options: [], draw: drawShuffle },
  between: { options: ['count', 'decimals', 'not'], draw: drawBetween },
  fake: { options: ['count', 'unique', 'locale', 'not'], draw: drawFake },
  decoy: { options: ['count'], draw: drawDecoy },
}

interface Generator {
  readonly options: readonly string[]
  readonly draw: (given: Given, state: DrawState) => DataValue
}

/** A generator as it is written, with its templates filled. */
interface Given {
  readonly name: string
  readonly node: MapNode
  readonly values: Readonly<Record<string, DataValue>>
  readonly fail: (key: string, message: string) => undefined
}

interface DrawState {
  random: Random
  readonly fake: FakeData
  /** How each parameter before is generated, for decoys. */
  readonly generators: ReadonlyMap<string, Given>
  readonly values: ReadonlyMap<string, DataValue>
}

/** Draws the parameters of a scenario in their order. A parameter may use those before it. */
export function drawParams(
  params: MapNode | undefined,
  assertions: SourceNode | undefined,
  { random, fake = NO_FAKE_DATA, chosen = {} }: Draw,
  expansion: Expansion,
): Names {
  if (!params) return NO_NAMES
  let current = random
  for (let attempt = 1; ; attempt++) {
    const problems: Parameters<Report>[] = []
    const trial: Expansion = { ...expansion, report: (...problem) => problems.push(problem) }
    const drawn = drawOnce(params, current, fake, chosen, trial)
    const failed = problems.length === 0 ? failedAssertion(assertions, drawn.names, trial) : undefined
    if (problems.length > 0 || !failed) {
      for (const problem of problems) expansion.report(...problem)
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
  random: Random,
  fake: FakeData,
  chosen: Readonly<Record<string, DataValue>>,
  expansion: Expansion,
): { readonly names: Names; readonly random: Random } {
  let names = NO_NAMES
  const generators = new Map<string, Given>()
  let current = random
  for (const [name, { node, keyPlace }] of params.entries) {
    if (!/^[A-Za-z_]\w*$/.test(name))
      expansion.report(keyPlace, `${JSON.stringify(name)} is not a name; expected letters, digits and _`)
    const given = node.kind === 'map' ? generatorOf(name, node, names, expansion) : undefined
    const filled = given ? undefined : evaluateNode(node, names, { ...expansion, random: current })
    if (filled) current = filled.random ?? current
    let value: DataValue = filled ? plainValue(filled.node) : null
    if (given) {
      generators.set(name, given)
      const state: DrawState = { random: current, fake, generators, values: names.values }
      value = GENERATORS[keyOf(given.node)!]!.draw(given, state)
      current = state.random
    }
    names = withNames(names, [[name, Object.hasOwn(chosen, name) ? chosen[name]! : value]])
  }
  return { names, random: current }
}

const keyOf = (node: MapNode): string | undefined =>
  [...node.entries.keys()].find((key) => Object.hasOwn(GENERATORS, key))

function generatorOf(name: string, node: MapNode, names: Names, expansion: Expansion): Given | undefined {
  const key = keyOf(node)
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

/** One value, or a list of `count` values, each different from the others and from `not`. */
function several(given: Given, one: () => DataValue, choices = Number.POSITIVE_INFINITY): DataValue {
  const { count, not } = given.values
  const excluded = new Set((not === undefined ? [] : isList(not) ? not : [not]).map((value) => JSON.stringify(value)))
  if (count === undefined) return different(given, one, excluded)
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > MAX_COUNT)
    return given.fail('count', `expected an integer from 0 to ${MAX_COUNT}`) ?? null
  if (count > choices) return given.fail('count', `only ${choices} values can be chosen`) ?? null
  return Array.from({ length: count }, () => different(given, one, excluded))
}

const MAX_TRIES = 1000

function different(given: Given, one: () => DataValue, excluded: Set<string>): DataValue {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const value = one()
    const unique = given.values.unique
    const key =
      typeof unique === 'string' && typeof value === 'object' && value !== null && !isList(value)
        ? JSON.stringify((value as Readonly<Record<string, DataValue>>)[unique] ?? null)
        : JSON.stringify(value)
    if (excluded.has(key)) continue
    excluded.add(key)
    return value
  }
  return given.fail(keyOf(given.node)!, `no different value was found in ${MAX_TRIES} draws`) ?? null
}

function next(state: DrawState, low: number, high: number): number {
  const [value, random] = drawInteger(state.random, low, high)
  state.random = random
  return value
}

function listIn(given: Given, key: string): readonly DataValue[] | undefined {
  const list = given.values[key]
  if (list !== undefined && isList(list) && list.length > 0) return list
  return given.fail(key, 'expected a list with at least one item')
}

function drawPick(given: Given, state: DrawState): DataValue {
  const list = listIn(given, 'pick')
  if (!list) return null
  const distinct = new Set(list.map((item) => JSON.stringify(item))).size
  return several(given, () => list[next(state, 0, list.length - 1)]!, distinct)
}

function drawShuffle(given: Given, state: DrawState): DataValue {
  const items = [...(listIn(given, 'shuffle') ?? [])]
  for (let last = items.length - 1; last > 0; last--) {
    const other = next(state, 0, last)
    const moved = items[last]!
    items[last] = items[other]!
    items[other] = moved
  }
  return items
}

function drawBetween(given: Given, state: DrawState): DataValue {
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

function drawFake(given: Given, state: DrawState): DataValue {
  const { fake: kind, locale = 'en' } = given.values
  const { kinds, locales } = state.fake
  if (typeof kind !== 'string' || !kinds.includes(kind))
    return given.fail('fake', `expected one of ${kinds.join(', ')}${didYouMean(String(kind), kinds)}`) ?? null
  if (typeof locale !== 'string' || !locales.includes(locale))
    return given.fail('locale', `expected one of ${locales.join(', ')}`) ?? null
  return several(given, () => state.fake.make(kind, locale, next(state, 0, 0x7fff_ffff)))
}

/** Values made like another parameter's, and different from it. */
function drawDecoy(given: Given, state: DrawState): DataValue {
  const of = given.values.decoy
  const model = typeof of === 'string' ? state.generators.get(of) : undefined
  const key = model && keyOf(model.node)
  if (!model || !key || key === 'shuffle')
    return (
      given.fail(
        'decoy',
        'expected the name of a parameter before this one that is drawn with pick, between or fake',
      ) ?? null
    )
  const original = state.values.get(of as string) ?? null
  const { count: _, not: __, ...values } = model.values
  const decoy: Given = {
    ...model,
    fail: given.fail,
    values: {
      ...values,
      not: isList(original) ? original : [original],
      ...(given.values.count === undefined ? {} : { count: given.values.count }),
    },
  }
  return GENERATORS[key]!.draw(decoy, state)
}
