import type { Random } from '../../base/random.ts'
import { didYouMean } from '../../base/text/suggest.ts'
import { dataSizeOf } from '../data/data-size.ts'
import type { DataValue } from '../expression/data-type.ts'
import { isExpressionName } from '../expression/environment.ts'
import { type Expansion, evaluateNode } from './expand-text.ts'
import { spend } from './expansion-budget.ts'
import { type FakeData, NO_FAKE_DATA } from './fake-data.ts'
import { type DrawState, GENERATORS, generatorKeyOf, parameterValue, type WrittenGenerator } from './generators.ts'
import { type Names, NO_NAMES, withNames } from './names.ts'
import { childOf, type MapNode, plainValue, type Report, type SourceNode } from './source-node.ts'

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
    const given = node.kind === 'map' ? generatorOf(name, node, names, expansion) : undefined
    const filled = given ? undefined : evaluateNode(node, names, { ...expansion, random: current })
    if (filled) current = filled.random ?? current
    let value: DataValue = filled ? plainValue(filled.node) : null
    if (given) {
      generators.set(name, given)
      const state: DrawState = { random: current, fake, generators, values: names.values }
      value = parameterValue(given, state, isOwnSeed)
      current = state.random
      if (!spend(expansion.budget, dataSizeOf(value), keyPlace, expansion.report)) value = null
    }
    names = withNames(names, [[name, Object.hasOwn(chosen, name) ? chosen[name]! : value]])
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
