import { describe, expect, it } from 'vitest'
import { act, begin, click, element } from '../../../test/support/scenario/player.ts'
import type { ScenarioRun } from '../scenario-run.ts'

// Rules such as [SC1] are stated in SPEC.md beside this file.

/** A list of a folder, a text from a file, a field and what is copied, and the reactions given. */
const office = (...more: readonly string[]): ScenarioRun =>
  begin(
    [
      'files: {/docs/a.txt: alpha, /docs/b.txt: beta, /old: ~}',
      'clipboard: before',
      'states:',
      '  start:',
      '    windows:',
      '      - &office',
      '        uid: office',
      '        bounds: {x: 100, y: 100, width: 600, height: 500}',
      '        tree:',
      '          role: Window',
      '          children:',
      '            - {id: list, role: List, name: Files, folder: /docs}',
      '            - {id: body, role: Edit, name: Body, file: /docs/a.txt}',
      '            - {id: name, role: Edit, name: Name, value: c.txt, focused: true}',
      '            - {id: go, role: Button, name: Go}',
      '  end: {windows: [{<<: *office, title: End}]}',
      ...more,
    ].join('\n'),
  )
const going = (set: string): ScenarioRun =>
  click(
    click(office('reactions:', `  - {on: {tool: click_element, target_id: go}, set: [${set}]}`), 'list/b.txt'),
    'go',
  )
const listed = (run: ScenarioRun) => element(run, 'list').children.map(({ name }) => name)

describe('files', () => {
  it('[SC17] are shown by lists of folders in every state, and provide the text of fields', () => {
    const start = office('reactions:', '  - {on: {tool: click_element, target_id: list/b.txt}, transition_to: end}')
    expect([listed(start), element(start, 'body').value]).toEqual([['a.txt', 'b.txt'], 'alpha'])
    const end = click(start, 'list/b.txt')
    expect([end.state, listed(end)]).toEqual(['end', ['a.txt', 'b.txt']])
  })

  it('[SC163] are written, copied, moved and removed by reactions, whose lists then show it', () => {
    expect(listed(going('{path: "/docs/{name.value}", text: "{list.selected}!"}'))).toEqual(['a.txt', 'b.txt', 'c.txt'])
    expect(going('{path: "/docs/{name.value}", text: "{list.selected}!"}').desktop.files!['/docs/c.txt']).toBe('b.txt!')
    expect(listed(going('{path: "/docs/{list.selected}", move_to: "/docs/{name.value}"}'))).toEqual(['a.txt', 'c.txt'])
    expect(listed(going('{path: /docs/b.txt, copy_to: /old/b.txt}, {id: list, folder: /old}'))).toEqual(['b.txt'])
    expect(listed(going('{path: /docs/b.txt, remove: true}'))).toEqual(['a.txt'])
    expect(listed(going('{path: /docs/new, text: ~}'))).toEqual(['new', 'a.txt', 'b.txt'])
  })

  it('[SC163] are not changed by impossible operations', () => {
    const before = office().desktop.files
    const refused = ['{path: /none, remove: true}', '{path: /docs/a.txt, move_to: /old}', '{path: /no/x, text: x}']
    expect(refused.map((set) => going(set).desktop.files)).toEqual(refused.map(() => before))
  })

  it('[SC163] are asked for by guards, like the clipboard', () => {
    const answers = (when: string) =>
      act(office('reactions:', `  - {on: {tool: click_element, target_id: go}, when: [${when}], transition_to: end}`), {
        type: 'invoke',
        target: { window: 'office', element: 'go' },
        at: { x: 0, y: 0 },
      }).run.state === 'end'
    expect(
      [
        '{path: /docs/a.txt, exists: true, text: alpha}',
        '{path: /docs/a.txt, text_regex: lp}',
        '{path: /none, exists: false}',
        '{clipboard: before}',
        '{path: /old, text: ""}',
        '{path: /docs/a.txt, text_regex: x}',
        '{clipboard: after}',
      ].map(answers),
    ).toEqual([true, true, true, true, false, false, false])
  })

  it('[SC163] and the clipboard are set, and fields take texts from files', () => {
    const copied = going('{clipboard: "{list.selected}"}, {id: body, file: /docs/b.txt}')
    expect([copied.desktop.clipboard, element(copied, 'body').value]).toEqual(['b.txt', 'beta'])
    const emptied = going('{id: body, file: ~, value: ""}')
    expect([element(emptied, 'body').value, element(emptied, 'body').traits?.path]).toEqual(['', undefined])
  })

  it('[SC163] the focus leaves an element that a reaction hides', () => {
    const hidden = going('{id: name, focused: true}, {id: name, hidden: true}')
    expect([hidden.desktop.windows[0]!.focus, element(hidden, 'name').focused]).toEqual([undefined, false])
  })
})
