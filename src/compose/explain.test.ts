import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { explainCall, explainElementIn, formatExplanation } from './explain.ts'

// Rules such as [SC265] are stated in scenario/SPEC.md.

it('[SC265] explains a call in a state, and a step of the solution', async () => {
  const early = formatExplanation(
    await explainCall('login', { tool: 'click_element', args: { selector: 'Button "Login"' } }),
  )
  expect(early.slice(0, 3)).toEqual([
    'click_element {"selector":"Button \\"Login\\""}',
    expect.stringMatching(/^ {2}state: /),
    expect.stringMatching(/^ {2}event: click_element on /),
  ])
  const last = await explainCall('login', { step: 5 })
  expect(last.call).toBe('step 5, click_element')
  expect(last.actions[0]?.reactions.map(({ outcome }) => outcome)).toContain('applies')
  await expect(explainCall('login', { state: 'nowhere', tool: 'click_element' })).rejects.toThrow(
    /has no state "nowhere"/,
  )
  await expect(explainCall('login', { step: 99 })).rejects.toThrow(/^the solution ends before step/)
})

describe('an explanation of elements that follow the data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-explain-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'board.yaml')
  writeFileSync(
    file,
    `vars:
  cards: [{id: 7, done: true}, {id: 8, done: false}]
states:
  open:
    windows:
      - uid: board
        tree:
          role: Window
          children:
            - {role: Text, name: Cards}
            - repeat: cards
              as: card
              id: card
              role: Group
              name: 'Card {{ card.id }}'
              children:
                - {if: card.done, id: hint, role: Text, name: Done}
                - {id: open, role: Button, name: Open}
            - {id: close, role: Button, name: Close}
  closed:
    windows: [{uid: end, tree: {role: Window, children: [{id: again, role: Button, name: Again}]}}]
reactions: [{on: {tool: click_element, target_id: open}, set: [{var: event.item, remove: true}]}]
solution: [{call: click_element, with: {element_id: card-8.open}}]
`,
  )
  const lines = (element: string, options = {}) => explainElementIn(file, element, options)

  it('[SC261] names the repeat, the key, the record and the line of the target', async () => {
    const explained = formatExplanation(await explainCall(file, { step: 1 }))
    expect(explained.filter((line) => line.startsWith('  item:'))).toEqual([
      '  item: open is card-8.open, in the item 8 of repeat: cards; event.item = {"id":8,"done":false} (line 18)',
    ])
  })

  it('[SC262] says why an element is there', async () => {
    expect(await lines('card-7.hint')).toEqual([
      'card-7.hint is in the window board',
      '  card-7.hint is there because if: card.done is true (line 17)',
      '  card-7 is the item 7 of repeat: cards; card = {"id":7,"done":true} (line 11)',
    ])
    expect(await lines('close')).toEqual(['close is in the window board', '  close is in the file as it is (line 19)'])
  })

  it('[SC263] says what leaves an element out', async () => {
    expect(await lines('card-8.hint')).toEqual([
      'card-8.hint is not on the screen',
      '  card-8.hint is left out because if: card.done is not true; card = {"id":8,"done":false} (line 17)',
    ])
    const gone = 'card-8.open is not on the screen'
    expect(await lines('card-8.open', { after: 1 })).toEqual([
      gone,
      '  no item of repeat: cards has this id; the keys are 7 (line 11)',
    ])
    expect(await lines('again')).toEqual([
      'again is not on the screen',
      '  again is in the window end of the state closed; the state is open (line 21)',
    ])
    expect(await lines('open')).toEqual([
      'open is not on the screen',
      '  nothing has the id open; it is a part of items, which have ids such as card-7.open',
    ])
    expect(await lines('clsoe')).toEqual([
      'clsoe is not on the screen',
      '  nothing has the id clsoe; did you mean "close"?',
    ])
  })
})
