import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { ROLES } from '../../src/desktop/model/role.ts'
import { TOOL_NAMES } from '../../src/scenario/tools.ts'
import {
  type Diagnostic,
  type LanguageServer,
  type OpenFile,
  type Position,
  startLanguageServer,
} from '../support/editor/language-server.ts'

// The schemas in the language server that editors such as VS Code run, at the places of real files.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILES = ['scenarios', 'fixtures'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .map((path) => join(folder, path)),
)

const SCENARIO = '# yaml-language-server: $schema=../docs/reference/scenario.schema.json\n'
const INCLUDED = '# yaml-language-server: $schema=../docs/reference/scenario-include.schema.json\n'

let server: LanguageServer
beforeAll(async () => {
  server = await startLanguageServer()
})
afterAll(() => server.close())

let files = 0
const open = (text: string): OpenFile => server.open(join(ROOT, 'scenarios', `test-${++files}.yaml`), text)

/** A text without its mark ‸, and the place of the mark. */
function marked(text: string): { readonly text: string; readonly position: Position } {
  const [before = '', after = ''] = text.split('‸')
  const lines = before.split('\n')
  return { text: before + after, position: { line: lines.length, column: lines.at(-1)!.length + 1 } }
}

function completionsIn(written: string, head = SCENARIO): Promise<readonly string[]> {
  const { text, position } = marked(head + written)
  return open(text).completions(position)
}

function hoverIn(written: string, head = SCENARIO): Promise<string> {
  const { text, position } = marked(head + written)
  return open(text).hover(position)
}

/** The problems of a text in the order of their lines; its first line has the number 1. */
async function problemsIn(written: string, head = SCENARIO): Promise<readonly string[]> {
  const found = await open(head + written).diagnostics()
  return found
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, message }) => `${line - 1}:${column} ${message}`)
}

describe('completion', () => {
  it('[ED10] suggests the keys of a scenario, a window and an element', async () => {
    expect(await completionsIn('‸')).toEqual(
      expect.arrayContaining(['states', 'reactions', 'oracles', 'vars', 'include']),
    )
    expect(await completionsIn('states:\n  start:\n    windows:\n      - ‸')).toEqual(
      expect.arrayContaining(['uid', 'title', 'bounds', 'tree', 'use', 'repeat']),
    )
    expect(await completionsIn('states:\n  start:\n    windows:\n      - tree:\n          ‸')).toEqual(
      expect.arrayContaining(['role', 'name', 'children', 'validation', 'bind']),
    )
  })

  it('[ED10] suggests the roles', async () => {
    const roles = await completionsIn('states:\n  start:\n    windows:\n      - tree:\n          role: ‸')
    expect(roles).toEqual(expect.arrayContaining(ROLES.map(([name]) => name)))
  })

  it('[ED10] suggests the tools in solutions and the scripts of agents', async () => {
    expect((await completionsIn('solution:\n  - call: ‸')).toSorted()).toEqual([...TOOL_NAMES])
    expect(await completionsIn('agent:\n  - call: ‸')).toEqual(expect.arrayContaining([...TOOL_NAMES]))
  })

  it('[ED10] suggests the arguments of the tool of a step, also in loops', async () => {
    const click = ['selector', 'element_id', 'button', 'count']
    const type = ['text']
    const step = (tool: string) => `solution:\n  - call: ${tool}\n    with:\n      ‸`
    const inLoop = 'solution:\n  - for: 3\n    do:\n      - call: set_value\n        with:\n          ‸'
    expect(await completionsIn(step('click_element'))).toEqual(expect.arrayContaining(click))
    expect(await completionsIn(step('type_text'))).toEqual(expect.arrayContaining(type))
    expect(await completionsIn(step('type_text'))).not.toContain('button')
    expect(await completionsIn(inLoop)).toEqual(expect.arrayContaining(['value', 'clear_first', 'selector']))
  })

  it('[ED10] suggests the keys of a kind of oracle, effect and fault', async () => {
    expect(await completionsIn('oracles:\n  success:\n    - kind: text_visible\n      ‸')).toEqual(
      expect.arrayContaining(['regex', 'mode', 'window_uid', 'message', 'weight']),
    )
    expect(await completionsIn('reactions:\n  - on: {keys: F1}\n    set:\n      - toast: Saved\n        ‸')).toEqual(
      expect.arrayContaining(['title', 'icon', 'for_ms', 'actions']),
    )
    expect(await completionsIn('faults:\n  - fault: ‸')).toContain('lost-click')
  })

  it('[ED10] suggests the sections of an included file and the keys of a component', async () => {
    const sections = await completionsIn('‸', INCLUDED)
    expect(sections).toEqual(expect.arrayContaining(['components', 'states', 'reactions', 'include']))
    expect(sections).not.toContain('oracles')
    expect(await completionsIn('components:\n  row:\n    ‸', INCLUDED)).toEqual(
      expect.arrayContaining(['about', 'params', 'element', 'window', 'item', 'reactions', 'timers']),
    )
    expect(await completionsIn('params:\n  customer:\n    ‸', INCLUDED)).toContain('pick')
  })
})

describe('hover', () => {
  it('[ED11] shows the description and an example of a key', async () => {
    const shown = await hoverIn('reactions:\n  - on: {tool: drag}\n    set: [{toa‸st: Saved}]')
    expect(shown).toContain('The text of a notification in the corner of the screen')
    expect(shown).toContain('```yaml\nDraft saved\n```')
  })

  it('[ED11] shows what a key means at its place and not elsewhere', async () => {
    expect(await hoverIn('states:\n  start:\n    windows:\n      - {bou‸nds: {x: 1, y: 2}}')).toContain(
      '800 × 600 at 0,0',
    )
    expect(await hoverIn('states:\n  start:\n    windows:\n      - tree: {bou‸nds: {x: 1, y: 2}}')).toContain(
      'by default the parent places it',
    )
  })

  it('[ED11] shows the summary of a tool and the meaning of an argument', async () => {
    expect(await hoverIn('solution:\n  - call: type_‸text\n    with: {text: a}')).toMatch(
      /Allowed Values:\s+\* `type_text`: Type text into/,
    )
    expect(await hoverIn('solution:\n  - call: click_element\n    with: {but‸ton: left}')).toContain('Mouse button')
  })

  it('[ED11] shows the descriptions in included files', async () => {
    expect(await hoverIn('components:\n  row:\n    elem‸ent: {role: Edit}', INCLUDED)).toContain(
      'The element that it stands for',
    )
  })
})

describe('diagnostics', () => {
  describe('[ED12] of the gallery and the fixtures', () => {
    it.each(shareOf(FILES))('are none in %s', async (file) => {
      const path = join(ROOT, file)
      expect(await server.open(path, readFileSync(path, 'utf8')).diagnostics()).toEqual<Diagnostic[]>([])
    })
  })

  it('[ED13] underlines a misspelt key and a missing one', async () => {
    expect(await problemsIn('sates: {start: null}')).toEqual(
      expect.arrayContaining(['1:1 Missing property "states".', '1:1 Property sates is not allowed.']),
    )
    const text =
      'states:\n  start:\n    windows:\n      - {uid: app, tree: {role: Edit, nmae: Name}}\nreactions:\n  - set: []'
    expect(await problemsIn(text)).toEqual(['4:39 Property nmae is not allowed.', '6:5 Missing property "on".'])
  })

  it('[ED13] underlines a value of the wrong type, and accepts templates', async () => {
    const element = (bounds: string) => `states: {start: {windows: [{tree: {role: Edit, bounds: ${bounds}}}]}}`
    expect(await problemsIn(element('{x: left, y: 0, width: 9, height: 9}'))).toEqual([
      '1:60 Expected a whole number, or a template in {{ }}.',
    ])
    expect(await problemsIn(element("{x: '{{ left }}', y: 0, width: 9, height: 9}"))).toEqual([])
  })

  it('[ED13] underlines unknown tools, and unknown and missing arguments', async () => {
    const text = [
      'states: {start: null}',
      'solution:',
      '  - {call: click_elemnt, with: {selector: Button}}',
      '  - {call: click_element, with: {selectr: Button}}',
      '  - call: type_text',
      '  - for: orders',
      '    do:',
      '      - {call: set_value, with: {selector: Edit}}',
      '      - {call: click_element, with: {selector: Edit, count: many}}',
      '      - {call: click_element, with: {selector: Edit, count: "{{ item }}"}}',
    ]
    expect(await problemsIn(text.join('\n'))).toEqual([
      expect.stringMatching(/^3:12 Value is not accepted. Valid values: "assert_state"/),
      '4:34 Property selectr is not allowed.',
      '5:5 Missing property "with".',
      '8:27 Missing property "value".',
      '9:61 Expected a whole number, or a template in {{ }}.',
    ])
  })

  it('[ED13] underlines mistakes in oracles, faults and guards', async () => {
    const text = [
      'states: {start: null}',
      'oracles:',
      '  success:',
      '    - {kind: text_visible, regexp: Saved}',
      'faults:',
      '  - {fault: lost-click, at: 5}',
      'reactions:',
      '  - on: {tool: click}',
      '    when: [{id: name, value_regx: a}]',
    ]
    expect(await problemsIn(text.join('\n'))).toEqual(
      expect.arrayContaining([
        '4:28 Property regexp is not allowed.',
        '4:7 Missing property "regex".',
        '6:25 Property at is not allowed.',
        expect.stringMatching(/^8:16 Value is not accepted. Valid values: "click_element"/),
        '9:23 Property value_regx is not allowed.',
      ]),
    )
  })

  it('[ED13] underlines mistakes in included files', async () => {
    const text = 'components:\n  row:\n    elemnt: {role: Row}\nname: rows\nsolutions:\n  all: [{call: press_key}]'
    expect(await problemsIn(text, INCLUDED)).toEqual([
      '3:5 Property elemnt is not allowed.',
      '4:1 Property name is not allowed.',
      '6:9 Missing property "with".',
    ])
  })
})
