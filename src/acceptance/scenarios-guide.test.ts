import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { verifyScenario } from '../compose/verify/verify.ts'
import { ROLES } from '../desktop/model/role.ts'
import { FUNCTIONS, REPLACEMENTS } from '../scenario/expression/functions.ts'
import { checkScenario, parseScenario } from '../scenario/load/load.ts'
import { keysAt } from '../scenario/load/schema-keys.ts'
import type { KeyPath } from '../scenario/load/source.ts'
import { Predicate } from '../scenario/oracles/predicate.ts'
import { PlannedFault } from '../scenario/schema/fault.ts'
import { WrittenScenario } from '../scenario/schema/scenario.ts'

const guide = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8')

const examples = [...guide.matchAll(/```yaml\n(name: (\S+)\n.*?)```/gs)].map(
  ([, text = '', name = '']) => [name, text] as const,
)

/** The rows of the table below a mark, as the words in code of each cell. */
function rowsBelow(mark: string): readonly (readonly (readonly string[])[])[] {
  const [, after = ''] = guide.split(`<!-- ${mark} -->`)
  const [table = ''] = after.trimStart().split('\n\n')
  return table
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => [...cell.matchAll(/`([^`{]+)`/g)].map(([, word = '']) => word)),
    )
}

const firstCells = (mark: string): readonly string[] => rowsBelow(mark).flatMap(([first = []]) => first)

const TREE: KeyPath = ['states', 'any', 'windows', 0, 'tree']
const TABLES: readonly (readonly [mark: string, path: KeyPath])[] = [
  ['keys of the scenario', []],
  ['keys of a window', ['states', 'any', 'windows', 0]],
  ['keys of an element', TREE],
  ['keys of a rule for a field', [...TREE, 'validation']],
  ['keys of a layout', [...TREE, 'layout']],
  ['keys of a file command', [...TREE, 'file_command']],
  ['keys of a reaction', ['reactions', 0]],
  ['keys of a trigger', ['reactions', 0, 'on']],
  ['keys of a guard', ['reactions', 0, 'when', 0]],
  ['keys of a timer', ['timers', 0]],
]

describe("the author's guide", () => {
  it.each(TABLES)('has all %s, and no others', (mark, path) => {
    expect([...new Set(firstCells(mark))].sort()).toEqual([...keysAt(WrittenScenario, path)].sort())
  })

  it('has all keys of a planned fault, and no others', () => {
    expect([...new Set(firstCells('keys of a fault'))].sort()).toEqual([...keysAt(PlannedFault, [])].sort())
  })

  it('has all keys of a change, the marked ones of elements among them', () => {
    const marked = [...guide.matchAll(/`(\w+)` ✎/g)].map(([, key = '']) => key)
    const listed = [...new Set([...firstCells('keys of a change'), ...marked])].sort()
    expect(listed).toEqual([...keysAt(WrittenScenario, ['reactions', 0, 'set', 0])].sort())
  })

  it('has all roles with their aliases', () => {
    const listed = rowsBelow('roles').map(([name = [], aliases = []]) => [...name, ...aliases])
    const inOrder = (roles: readonly (readonly string[])[]) => [...roles].sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
    expect(inOrder(listed)).toEqual(inOrder(ROLES))
  })

  it('has all kinds of predicates with their keys', () => {
    const listed = rowsBelow('kinds of predicates').flatMap(([kinds = [], keys = []]) =>
      kinds.map((kind) => [kind, keys.filter((key) => !['tree', 'ocr', 'auto'].includes(key)).sort()]),
    )
    const known = Predicate.options.map(({ shape }) => [
      [...shape.kind.values][0],
      Object.keys(shape)
        .filter((key) => key !== 'kind')
        .sort(),
    ])
    expect(listed).toEqual(
      known.sort((a, b) => listed.findIndex(([kind]) => kind === a[0]) - listed.findIndex(([kind]) => kind === b[0])),
    )
  })

  it('is preceded by an example in the README that proves itself without a warning', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const [, text = ''] = /```yaml\n(name: greet\n.*?)```/s.exec(readme) ?? []
    const { scenario, warnings } = checkScenario(text, { file: 'README.md' })
    expect(warnings([])).toEqual([])
    expect((await verifyScenario(scenario)).map(({ name, passed: holds }) => [name, holds])).toEqual([
      ['solution', true],
      ['idle', true],
      ['random', true],
      ['repeats', true],
      ['start', true],
      ['omitted_step', true],
      ['other_value', true],
      ['side_effects', true],
    ])
  })

  it('lists every function of expressions', () => {
    const [, table = ''] = guide.split('<!-- functions -->')
    const described = [...FUNCTIONS, ...REPLACEMENTS.matches!].filter(
      ({ example }) => !table.includes(`| \`${example}\` |`),
    )
    const names = described.map(({ example }) => /(\w+)\(/.exec(example)![1])
    expect(names.filter((name) => !table.includes(`${name}(`))).toEqual([])
  })

  it.each(examples)('contains a working example: %s', async (_name, text) => {
    const scenario = parseScenario(text, { file: 'docs/scenarios.md' })
    expect(scenario.states.size).toBeGreaterThan(0)
    if (scenario.solutions.length === 0) return
    expect((await verifyScenario(scenario)).filter(({ passed: holds }) => !holds)).toEqual([])
  })
})
