import { array, assert, constantFrom, integer, option, property, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { build, button, checkbox, type Draft, edit, element, group, link, pane, rect, text } from '../model/builders.ts'
import { type Element, nodeAt, type Path } from '../model/element.ts'
import { querySelectorAll, selectorOf } from './select.ts'
import { parseSelector, type Selector, type SelectorStep } from './selector.ts'

// Rules such as [DT26] are stated in SPEC.md beside this file.

const found = (root: Element, selector: string): readonly string[] =>
  querySelectorAll(root, selector).map(({ element: { id } }) => id)

const screen = build(
  element(
    'Window',
    'Shop',
    pane('Left', { id: 'left' }, button('OK', { id: 'ok-left' }), text('Total', { id: 'total' })),
    pane(
      'Right',
      { id: 'right' },
      group('', { id: 'group' }, button('OK', { id: 'ok-right' }), button('Cancel', { id: 'cancel' })),
      button('Help', { id: 'help', enabled: false }),
    ),
    checkbox('Gift', { id: 'gift', selected: true }),
    checkbox('News', { id: 'news' }),
    element('push button', 'More – or … less', { id: 'more' }),
  ),
)

describe('select', () => {
  it.each<[string, readonly string[]]>([
    ['Window', ['root']],
    ['Button', ['ok-left', 'ok-right', 'cancel', 'help']],
    ['//Window', []],
    ['Window/Button', []],
    ['Window//Button', ['ok-left', 'ok-right', 'cancel', 'help']],
    ['Window/Pane/Button', ['ok-left', 'help']],
    ['Pane Button', ['ok-left', 'ok-right', 'cancel', 'help']],
    ['Pane[name="Right"] Button[name="OK"]', ['ok-right']],
    ['Pane "Left" Button "OK"', ['ok-left']],
    ['* * Button', ['ok-left', 'ok-right', 'cancel', 'help']],
    ['* > * > * > *', ['ok-right', 'cancel']],
    ['"OK"', ['ok-left', 'ok-right']],
  ])('[DT26] finds each element once, in document order: %s', (selector, ids) => {
    expect(found(screen, selector)).toEqual(ids)
  })

  it('[DT26] returns the path of each match', () => {
    expect(querySelectorAll(screen, 'Group "" Button')).toEqual([
      { path: [1, 0, 0], element: nodeAt(screen, [1, 0, 0]) },
      { path: [1, 0, 1], element: nodeAt(screen, [1, 0, 1]) },
    ])
  })

  it('[DT26] starts at the root alone when that fits', () => {
    const nested = build(group('A', group('B', button('x', { id: 'inner' })), button('y', { id: 'outer' })))
    expect(found(nested, 'Group/Button')).toEqual(['outer'])
    expect(found(nested, '//Group/Button')).toEqual(['inner'])
  })

  it('[DT27] has no limit on the number', () => {
    const many = build(pane('', ...Array.from({ length: 500 }, (_, i) => link(`l${i}`))))
    expect(querySelectorAll(many, 'Link')).toHaveLength(500)
  })

  it.each<[string, readonly string[]]>([
    ['Button[index=1]', ['cancel']],
    ['Button:nth-of-type(1)', ['ok-left', 'ok-right', 'help']],
    ['Pane:nth-of-type(2) > Button', ['help']],
    ['CheckBox[index=1]', ['news']],
    ['Window[index=0]', ['root']],
  ])('[DT28] counts siblings of the same role: %s', (selector, ids) => {
    expect(found(screen, selector)).toEqual(ids)
  })

  it.each<[string, readonly string[]]>([
    ['Button[enabled=false]', ['help']],
    ['Button[enabled="false"]', ['help']],
    ['CheckBox[selected=true]', ['gift']],
    ['CheckBox[selected=false]', ['news']],
    ['*[expanded=true]', []],
  ])('[DT29] takes an unknown flag for false: %s', (selector, ids) => {
    expect(found(screen, selector)).toEqual(ids)
  })

  it.each<[string, readonly string[]]>([
    ['*[name="More - or ... less"]', ['more']],
    ['*[name="More – or … less"]', ['more']],
    ['*[name*="or ..."]', ['more']],
    ['*[name~="More - .*"]', []],
    ['*[name~="More . .*"]', ['more']],
    ['*[name~="Canc"]', []],
    ['*[name~="(?i)cancel"]', ['cancel']],
    ['*[name="ok"]', []],
    ['Text[value=""]', ['total']],
  ])('[DT30] compares texts without their typography, patterns to the letter: %s', (selector, ids) => {
    expect(found(screen, selector)).toEqual(ids)
  })

  it.each<[string, readonly string[]]>([
    ['push_button', ['more']],
    ['*[role="push button"]', ['more']],
    ['push button', []],
  ])('[DT31] names a role of two words with an underscore: %s', (selector, ids) => {
    expect(found(screen, selector)).toEqual(ids)
  })

  it('[DT32] does not explode', () => {
    const level = (depth: number): Draft[] =>
      depth === 0
        ? [button('b'), edit('e')]
        : Array.from({ length: depth > 8 ? 1 : 3 }, () => group('g', ...level(depth - 1)))
    const big = build(element('Window', 'W', ...level(16)))
    const startMs = performance.now()
    expect(querySelectorAll(big, `${'* '.repeat(12)}Button`)).toHaveLength(3 ** 8)
    expect(querySelectorAll(big, `${'* '.repeat(400)}Button`)).toHaveLength(0)
    expect(performance.now() - startMs).toBeLessThan(20_000)
  })
})

const roles = constantFrom('Pane', 'Button', 'push button', 'push_button', 'a/b', '', 'dash-role', 'x*')
const names = constantFrom(
  '',
  'OK',
  'say "hi"',
  'C:\\',
  "it's",
  'a/b > c',
  'wait…',
  'wait...',
  'two\nlines',
  'n'.repeat(300),
)
const anyNode = (children: readonly Draft[]) =>
  tuple(roles, names, integer({ min: 0, max: 9 })).map(([role, name, id]) =>
    element(role, name, { id: `n${id}` }, ...children),
  )
const anyTree = array(tuple(anyNode([]), array(anyNode([]), { maxLength: 4 })), { maxLength: 5 }).chain((groups) =>
  anyNode(groups.map(([parent, children]) => ({ ...parent, children }))).map((draft) => build(draft, rect(0, 0, 9, 9))),
)

function* paths(node: Element, path: Path = []): Generator<Path> {
  yield path
  for (const [index, child] of node.children.entries()) yield* paths(child, [...path, index])
}

describe('selectorOf', () => {
  it.each<[Path, string]>([
    [[], 'Window[name="Shop"]'],
    [[0, 0], 'Window[name="Shop"]/Pane[name="Left"]/Button[name="OK"]'],
    [[1, 0, 1], 'Window[name="Shop"]/Pane[name="Right"]/Group/Button[name="Cancel"]'],
    [[4], 'Window[name="Shop"]/push_button[name="More – or … less"]'],
  ])('[DT33] names the way from the root: %j', (path, selector) => {
    expect(selectorOf(screen, path)).toBe(selector)
  })

  it('[DT33] adds the index where a name does not tell siblings apart', () => {
    const twins = build(pane('', button('OK'), button('OK'), text(''), text('')))
    expect(selectorOf(twins, [1])).toBe('Pane/Button[name="OK"][index=1]')
    expect(selectorOf(twins, [2])).toBe('Pane/Text[index=0]')
  })

  it('[DT33] uses the id in a tree so deep that the way is too long to read', () => {
    const deep = Array.from({ length: 600 }).reduce<Draft>((inner) => pane('p', inner), button('x', { id: 'deepest' }))
    const path = Array.from({ length: 600 }, () => 0)
    expect(selectorOf(build(deep), path)).toBe('*[id="deepest"]')
  })

  it('[DT34] selects that very node and no other', () => {
    const law = property(anyTree, (root) => {
      for (const path of paths(root)) {
        const matches = querySelectorAll(root, selectorOf(root, path))
        expect(matches.map((match) => match.path)).toEqual([path])
      }
    })
    assert(law, { numRuns: 300 })
  })
})

/** What a selector means, said without regard to time. */
function meaning(root: Element, { steps: [first, ...rest] }: Selector): readonly string[] {
  const all = [...paths(root)]
  const fits = (path: Path, { role, tests }: SelectorStep) => {
    const node = nodeAt(root, path)!
    const siblings = nodeAt(root, path.slice(0, -1))!.children.slice(0, path.at(-1) ?? 0)
    const index = siblings.filter((sibling) => sibling.role === node.role).length
    const isTrue = tests.every(({ key, value }) => value === (key === 'index' ? index : node.name))
    return isTrue && (role === undefined || role === node.role)
  }
  const below = all.filter((path) => path.length > 0 && fits(path, first!))
  let current = first!.reach === 'anywhere' && fits([], first!) ? [[]] : below
  for (const step of rest) {
    const isBelow = (path: Path) =>
      current.some(
        (above) =>
          (step.reach === 'child' ? path.length === above.length + 1 : path.length > above.length) &&
          sameWay(path.slice(0, above.length), above),
      )
    current = all.filter((path) => isBelow(path) && fits(path, step))
  }
  return current.map((path) => path.join('/'))
}

const sameWay = (a: Path, b: Path): boolean => a.join('/') === b.join('/')

it('[DT26] finds the matching elements', () => {
  const step = tuple(
    constantFrom('/', '//'),
    constantFrom('Pane', 'Button', '*'),
    option(constantFrom('[index=1]', '"OK"')),
  )
  const selectors = array(step, { minLength: 1, maxLength: 4 }).map((steps) =>
    steps.map((parts) => parts.join('')).join(''),
  )
  const simple = tuple(constantFrom('Pane', 'Button'), constantFrom('', 'OK'))
  const node = (children: readonly Draft[]) => simple.map(([role, name]) => element(role, name, ...children))
  const nested = (depth: number): ReturnType<typeof node> =>
    depth === 0 ? node([]) : array(nested(depth - 1), { maxLength: 3 }).chain(node)
  const law = property(nested(4), selectors, (draft, selector) => {
    const root = build(draft)
    expect(querySelectorAll(root, selector).map(({ path }) => path.join('/'))).toEqual(
      meaning(root, parseSelector(selector)),
    )
  })
  assert(law, { numRuns: 500 })
})

it('[DT23] refuses patterns that are too large together, before they are compiled', () => {
  const tests = (count: number) => Array.from({ length: count }, (_, at) => `[name~=".{0,${900 + at}}"]`).join('')
  expect(querySelectorAll(screen, `Button${tests(5)}`)).toHaveLength(4)
  expect(() => parseSelector(`Button${tests(100)}`)).toThrow('at most 10000 instructions together')
})

it('[DT24] refuses to match patterns when that is too much work for the tree', () => {
  const many = build(pane('All', ...Array.from({ length: 10_000 }, (_, at) => button(`Button number ${at}`))))
  expect(querySelectorAll(many, 'Button[name~="(?i).*(number|cipher|digit) 77.*"]')).toHaveLength(111)
  expect(() => querySelectorAll(many, 'Button[name~="(?:.?){900}[Bb].{900}"]')).toThrow('too much work')
  expect(() => querySelectorAll(many, `Button${'[name~="(.?){90}"]'.repeat(10)}`)).toThrow('too much work')
})
