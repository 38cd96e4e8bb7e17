import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { act, begin, click, element, type } from '../../../test/support/scenario/player.ts'
import { changed, DRAFTS, demandSameWindows } from '../../../test/support/scenario/window-edits.ts'
import { Fault } from '../../base/fault.ts'
import { windowByUid } from '../../desktop/model/desktop.ts'
import { walk } from '../../desktop/model/element.ts'
import { checkScenario, parseScenario } from '../load/load.ts'
import { openPacked } from '../load/packed.ts'
import { startScenario } from '../run/step.ts'
import { entriesOf, type ScenarioRun } from '../scenario-run.ts'

/** The windows, front to back, with their titles. */
const shown = ({ desktop }: ScenarioRun): readonly string[] =>
  desktop.windows.map(({ uid, title }) => `${uid} ${title}`)
const close = (run: ScenarioRun, window: string): ScenarioRun => act(run, { type: 'window', window, to: 'close' }).run
const skipped = (run: ScenarioRun) => entriesOf(run.log).map(({ fields }) => fields?.reason)
const START = ['draft-2 To bo', 'draft-1 To ana', 'mail Mail']

describe('windows that follow the data', () => {
  it('[CMP24] are open for each item, with the ids of the file', () => {
    const run = begin(DRAFTS)
    expect(shown(run)).toEqual(START)
    expect([...walk(windowByUid(run.desktop, 'draft-2')!.tree)].map(({ id, name }) => `${id} ${name}`)).toEqual([
      'root To bo',
      'to To',
      'memo Memo',
      'root.2 0 characters',
      'hint Write something.',
      'other-1 ana',
      'send Send',
      'shut Shut',
    ])
  })

  it('[CMP24] [CMP30] open while their condition holds and their owner is open', () => {
    const asked = click(begin(DRAFTS), 'ask')
    expect([shown(asked)[0], asked.desktop.active]).toEqual(['sure Sure?', 'sure'])
    expect(shown(changed(asked, { var: 'asking', to: false }))).not.toContain('sure Sure?')
    const alone = close(changed(asked, { var: 'asking', to: false }), 'mail')
    expect(shown(changed(alone, { var: 'asking', to: true }))).not.toContain('sure Sure?')
  })

  it('[CMP25] show their item in the title and the tree, and write what the user types', () => {
    const run = type(click(begin(DRAFTS), 'to', 'draft-1'), '!')
    expect(shown(run)).toEqual(['draft-1 To ana!', 'draft-2 To bo', 'mail Mail'])
    expect([run.data.drafts, element(run, 'other-1', 'draft-2').name]).toEqual([
      [
        { id: 1, to: 'ana!', text: 'Hello' },
        { id: 2, to: 'bo', text: '' },
      ],
      'ana!',
    ])
    const [moved] = changed(run, { var: 'drafts', to: [{ id: 2, to: 'bo', text: '' }] }).desktop.windows
    expect([moved!.uid, moved!.bounds.x]).toEqual(['draft-2', 340])
  })

  it('[CMP25] keep a title and busy that an effect sets, unless these follow the item', () => {
    const fixed = DRAFTS.replace("title: 'To {{ draft.to }}'", 'title: Draft').replace(
      'set: [{close: draft}]',
      'set: [{window: draft, title: Sent, busy: true}]',
    )
    const run = click(begin(fixed), 'shut', 'draft-1')
    const later = changed(run, { var: 'drafts', where: (row) => row.id === 1, change: () => ({ text: '' }) })
    const { title, busy } = windowByUid(later.desktop, 'draft-1')!
    expect([title, busy, element(later, 'hint', 'draft-1').name]).toEqual(['Sent', true, 'Write something.'])
  })

  it('[CMP26] open in front, and a step beside another at their place', () => {
    const run = click(click(begin(DRAFTS), 'new'), 'new')
    expect(shown(run).slice(0, 3)).toEqual(['draft-4 To ', 'mail Mail', 'draft-3 To '])
    const same = begin(DRAFTS.replace("'{{ 300 + 40 * draft_index }}'", '300'))
    expect(same.desktop.windows.map(({ bounds: { x, y } }) => [x, y])).toEqual([
      [332, 112],
      [300, 80],
      [20, 40],
    ])
  })

  it('[CMP27] change the data when they are closed, by the user or by an effect', () => {
    const run = begin(DRAFTS)
    const once = close(run, 'draft-1')
    expect([shown(once), once.data.drafts]).toEqual([['draft-2 To bo', 'mail Mail'], [{ id: 2, to: 'bo', text: '' }]])
    expect(shown(click(once, 'shut'))).toEqual(['mail Mail'])
    const answered = click(click(run, 'ask'), 'no')
    expect([shown(answered).toSorted(), answered.data.asking]).toEqual([START.toSorted(), false])
  })

  it('[CMP27] [CMP28] [CMP29] leave closing to a reaction, and stay while the data want them', () => {
    const reaction = '  - {on: {tool: close_window, window: draft}, set: [{var: event.item.text, to: Closed}]}'
    const run = close(type(click(begin(`${DRAFTS}${reaction}`), 'memo', 'draft-1'), 'kept'), 'draft-1')
    expect([shown(run), element(run, 'memo', 'draft-1').value, run.data.drafts]).toEqual([
      ['draft-1 To ana', 'draft-2 To bo', 'mail Mail'],
      'kept',
      [
        { id: 1, to: 'ana', text: 'Closed' },
        { id: 2, to: 'bo', text: '' },
      ],
    ])
  })

  it('[CMP29] are meant by a uid and an id of the file where the event is', () => {
    const run = click(begin(DRAFTS), 'other-2', 'draft-1')
    expect([element(run, 'memo', 'draft-1').value, element(run, 'memo', 'draft-2').value]).toEqual(['bo', null])
    expect(run.data.drafts).toEqual([
      { id: 1, to: 'ana', text: 'Hello' },
      { id: 2, to: 'bo', text: 'ana' },
    ])
    expect(shown(click(run, 'send', 'draft-1'))).toEqual(['draft-2 To bo', 'mail Mail'])
  })

  it('[CMP31] are cut, and of two with one key the second has another uid', () => {
    const twice = changed(begin(DRAFTS), { var: 'drafts', append: { id: 2, to: 'cy', text: '' } })
    expect([shown(twice)[0], skipped(twice)]).toEqual([
      'draft-2~2 To cy',
      [
        'two windows would have the uid draft-2; the second is draft-2~2',
        'two elements would have the id other-2; the second is other-2~2',
      ],
    ])
    const many = Array.from({ length: 51 }, (_, id) => ({ id, to: '', text: 'x' }))
    const run = changed(begin(DRAFTS), { var: 'drafts', to: many })
    expect([run.desktop.windows.length, skipped(run)]).toEqual([
      51,
      ['repeat: drafts has windows for more than 50 items; 50 are shown'],
    ])
  })

  it('[CMP32] come back as they were left, without those of items that are gone', () => {
    const run = type(click(click(begin(DRAFTS), 'ask'), 'note'), 'typed')
    const typed = type(click(changed(run, { var: 'asking', to: false }), 'memo', 'draft-1'), 'kept')
    const away = click(typed, 'away')
    expect(shown(away)).toEqual(['mail Mail'])
    const back = click(changed(away, { var: 'drafts', where: (row) => row.id === 2, remove: true }), 'away')
    expect([shown(back), element(back, 'memo', 'draft-1').value]).toEqual([['draft-1 To ana', 'mail Mail'], 'kept'])
  })

  it('[CMP54] are the same in a scenario that was sent to another thread', () => {
    const { pack } = checkScenario(DRAFTS)
    const there = startScenario(openPacked(structuredClone(pack())), { atMs: 0 })
    const here = begin(DRAFTS)
    expect(there.desktop.windows.map(({ uid, bounds, handle }) => [uid, bounds, handle])).toEqual(
      here.desktop.windows.map(({ uid, bounds, handle }) => [uid, bounds, handle]),
    )
  })

  it('[CMP1] [CMP53] are in any variant where they are without it, moved together', () => {
    const { desktop } = startScenario(parseScenario(DRAFTS, { variant: { window_position: 'top-left' } }), { atMs: 0 })
    const [second, first] = desktop.windows
    expect(second!.bounds.x - first!.bounds.x).toBe(40)
  })

  it('[CMP1] are after each edit what they are when made from the start', () => {
    expect.hasAssertions()
    const run = begin(DRAFTS)
    const edit = fc.tuple(fc.nat(8), fc.nat(20))
    fc.assert(
      fc.property(fc.array(edit, { minLength: 8, maxLength: 12 }), (edits) => {
        edits.reduce((now, each) => {
          const next = edited(now, each)
          demandSameWindows(next)
          return next
        }, run)
      }),
      { numRuns: 12, seed: 1 },
    )
  })
})

/** A change of the data, or an action in some window. */
function edited(run: ScenarioRun, [kind, at]: readonly [number, number]): ScenarioRun {
  const drafts = run.data.drafts as readonly { readonly id: number }[]
  const id = drafts[at % Math.max(1, drafts.length)]?.id
  const where = (row: { readonly id?: unknown }) => row.id === id
  const window = run.desktop.windows[at % run.desktop.windows.length]
  if (kind === 0) return changed(run, { var: 'drafts', append: { id: at % 6, to: `${at}`, text: '' } })
  if (kind === 1) return changed(run, { var: 'drafts', where, remove: true })
  if (kind === 2)
    return changed(run, { var: 'drafts', where, change: () => ({ text: at % 2 ? '' : 'x', to: `${at}` }) })
  if (kind === 3) return changed(run, { var: 'asking', to: at % 2 === 0 })
  if (kind === 4) return changed(run, { var: 'drafts', to: drafts.toReversed() })
  try {
    if (kind === 5 && window) return close(run, window.uid)
    if (kind === 6) return type(run, 'ab')
    if (!window) return run
    const targets = [...walk(window.tree)].filter(({ role }) => /Edit|Button/.test(role))
    return click(run, targets[at % targets.length]!.id, window.uid)
  } catch (error) {
    if (error instanceof Fault) return run
    throw error
  }
}

describe('problems of windows that follow the data', () => {
  const problems = (yaml: string): string => {
    try {
      parseScenario(yaml)
      return 'none'
    } catch (error) {
      return (error as Fault).message
    }
  }

  it.each([
    ['        repeat: drafts', '        repeat: drafts.map(d, d)', /closing the window cannot change drafts\.map/],
    [
      'if: asking',
      'if: size(drafts) > 1',
      /closing the window cannot change size\(drafts\) > 1; write a reaction \{on: \{tool: close_window, window: sure\}/,
    ],
    ['uid: draft\n', "uid: 'draft-{{ draft.id }}'\n", /uids in a live repeat have the key added: write uid: draft/],
    [
      'set: [{close: draft}]',
      'set: [{open: draft}]',
      /the windows draft follow drafts; change it, for example with append/,
    ],
    ["title: 'To {{ draft.to }}'", "title: '{{ draft.too }}'", /unknown field "too"; did you mean "to"\?/],
    ['modal_to: mail', 'modal_to: draft', /there is a draft for each item; expected one of them, such as draft-7/],
    ['300 + 40 * draft_index', 'draft.to', /gives a text; expected an integer/],
    ['window: draft}', 'window: drafd}', /no state has a window "drafd"; did you mean "draft"\?/],
  ])('[CMP35] %s as %s', (written, wrong, message) => {
    expect(problems(DRAFTS)).toBe('none')
    expect(problems(DRAFTS.replace(written, wrong))).toMatch(message)
  })
})
