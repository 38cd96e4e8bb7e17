import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ROLES } from '../../desktop/model/role.ts'
import { ALL_TOOLS } from '../../observer/registry.ts'
import { EVERYWHERE, TOP_KEYS } from '../../scenario/expand/composition-keys.ts'
import { FUNCTIONS, SCREEN_FUNCTIONS } from '../../scenario/expression/functions.ts'
import { FAULT_CATALOGUE } from '../../scenario/faults/catalogue.ts'
import { Predicate } from '../../scenario/predicate.ts'
import { AuthoredScenario } from '../../scenario/scenario-file.ts'
import { Oracle } from '../../scenario/schema/oracles.ts'
import { objectsAt } from '../../scenario/source/schema-keys.ts'
import type { KeyPath } from '../../scenario/source/source.ts'
import { AXES } from '../../scenario/variants/axes.ts'
import { REFERENCE } from '../reference.ts'
import { prose, referencePage } from './reference-page.ts'

const page = referencePage()
const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)

/** The keys in the tables of a section, with those of its subsections. */
function keysIn(section: string): readonly string[] {
  const [, after = ''] = page.split(`\n## ${section}\n`)
  const [text = ''] = after.split('\n## ')
  return [...text.matchAll(/^\| (?:\*\*)?`([^`]+)`/gm)].map(([, key = '']) => key)
}

const keysAt = (path: KeyPath) => objectsAt(AuthoredScenario, path).flatMap(({ shape }) => Object.keys(shape))
const ELEMENT: KeyPath = ['states', 'any', 'windows', 0, 'tree']

describe('the examples of oracles', () => {
  const sections = [...page.matchAll(/^### Oracle (\w+)\n([\s\S]*?)(?=^#)/gm)]
  it.each(sections.map(([, kind = '', text = '']) => [kind, text] as const))(
    'make an oracle of the kind %s',
    (_, text) => {
      const required = [...text.matchAll(/^\| \*\*`(\w+)`\*\* \|.*\| `(.*)` \|$/gm)]
      const [, kind = ''] = /^\| \*\*`kind`\*\* \| `(\w+)`/m.exec(text) ?? []
      const oracle = Object.fromEntries(required.map(([, key = '', example = '']) => [key, parse(example)]))
      expect(Oracle.safeParse({ kind, ...oracle }).error).toBeUndefined()
    },
  )
})

describe('the reference of scenario files', () => {
  it.each<[string, KeyPath]>([
    ['Scenario', []],
    ['State', ['states', 'any']],
    ['Window', ['states', 'any', 'windows', 0]],
    ['Element', ELEMENT],
    ['TableColumn', [...ELEMENT, 'columns', 0]],
    ['Reaction', ['reactions', 0]],
    ['Timer', ['timers', 0]],
    ['Trigger', ['reactions', 0, 'on']],
    ['Guard', ['reactions', 0, 'when', 0]],
    ['PlannedFault', ['faults', 0]],
  ])('[ED15] has all keys of a %s', (section, path) => {
    const known =
      section === 'PlannedFault'
        ? objectsAt(AuthoredScenario, path)
            .slice(0, 1)
            .flatMap(({ shape }) => Object.keys(shape))
        : keysAt(path).filter((key) => !Object.hasOwn(EVERYWHERE, key))
    expect(keysIn(section)).toEqual(expect.arrayContaining(known))
  })

  it('[ED15] has the keys of composition, and of effects in their own section or with a mark at the element', () => {
    expect(keysIn('Scenario')).toEqual(expect.arrayContaining(Object.keys(TOP_KEYS)))
    const marked = [...page.matchAll(/^\| `(\w+)` ✎/gm)].map(([, key = '']) => key)
    const described = [...keysIn('Effect'), ...marked]
    expect(described).toEqual(expect.arrayContaining(keysAt(['reactions', 0, 'set', 0])))
  })

  it('[ED15] has every kind of oracle, fault, axis, role, function and tool', () => {
    const kinds = Predicate.options.map(({ shape }) => `Oracle ${[...shape.kind.values][0]}`)
    expect(headings).toEqual(expect.arrayContaining(kinds))
    expect(headings).toEqual(expect.arrayContaining(FAULT_CATALOGUE.map(({ id }) => `CatalogueFault ${id}`)))
    expect(keysIn('Axes of variants')).toEqual(AXES.map(({ name }) => name))
    expect(keysIn('Roles').toSorted()).toEqual(ROLES.map(([name]) => name).toSorted())
    const examples = [...FUNCTIONS, ...SCREEN_FUNCTIONS].map(({ example }) => example)
    expect(keysIn('Functions of expressions')).toEqual(expect.arrayContaining(examples))
    expect(keysIn('Tools')).toEqual(ALL_TOOLS.map(({ name }) => name))
  })

  it('[ED16] links to headings that exist', () => {
    const anchors = headings.map((heading) => `#${heading.toLowerCase().replaceAll(' ', '-')}`)
    const links = [...page.matchAll(/\]\((#[^)]*)\)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !anchors.includes(link))).toEqual([])
  })

  it('[ED16] links to files that exist', () => {
    const files = [...page.matchAll(/\]\(([^#)]+)[^)]*\)/g)].map(([, file = '']) => file)
    const missing = files.filter((file) => !file.startsWith('https:') && !existsSync(join(REFERENCE, file)))
    expect([...new Set(missing)]).toEqual([])
  })

  it('[ED16] has as many cells in each row as its table has columns', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('|'))
    const cells = (row: string) => row.replaceAll('\\|', '').split('|').length
    let columns = 0
    const wrong = rows.filter((row) => {
      if (/^\| (key|role|example|axis|tool) \|/.test(row)) columns = cells(row)
      return cells(row) !== columns
    })
    expect(wrong).toEqual([])
  })

  it('[ED16] writes templates as code, which sites do not evaluate', () => {
    expect(prose('An expression in {{ }} or {text}, a < b')).toBe('An expression in `{{ }}` or `{text}`, a &lt; b')
    expect(prose('Over `row`, such as `{{ row.id }}`')).toBe('Over `row`, such as `{{ row.id }}`')
  })
})
