import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { act, begin, click, element, key, setValue, until } from '../../../test/support/scenario/player.ts'
import { windowByUid } from '../../desktop/model/desktop.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import type { RunData } from '../data/run-data.ts'
import { MAX_UNDO_GROUPS, withGroupApplied } from '../data/undo.ts'
import { entriesOf, type ScenarioRun } from '../scenario-run.ts'

const MAIL = `
vars:
  other: 0
  mails:
    - {id: 1, from: Ana, folder: inbox, was: '', note: ''}
    - {id: 2, from: Bo, folder: inbox, was: '', note: ''}
    - {id: 3, from: Cem, folder: later, was: '', note: ''}
undo: [mails]
states:
  open:
    windows:
      - uid: app
        bounds: {x: 0, y: 0, width: 700, height: 700}
        tree:
          role: Window
          children:
            - {id: field, role: Edit, name: Field}
            - {id: can, role: Text, name: '{{ can_undo("last") }} {{ can_undo("archive") }} {{ can_redo("last") }}'}
            - {id: all, role: Button, name: Archive all}
            - {id: undo-menu, role: Button, name: Undo}
            - {id: redo-menu, role: Button, name: Redo}
            - {id: undo-archive, role: Button, name: Undo archive}
            - repeat: mails
              as: mail
              id: mail
              role: Group
              name: '{{ mail.from }} in {{ mail.folder }}'
              children:
                - {id: archive, role: Button, name: Archive}
                - {id: trash, role: Button, name: Trash}
                - {id: restore, role: Button, name: Restore}
                - {id: note, role: Edit, name: Note, bind: mail.note}
reactions:
  - id: archive
    on: {tool: click_element, target_id: archive}
    set:
      - {var: event.item, change: {folder: archive}}
      - {toast: 'Conversation with {{ event.item.from }} archived.', for_ms: 5000, undo: true}
  - {on: {tool: click_element, target_id: trash}, set: [{var: event.item, change: {was: '{{ row.folder }}', folder: trash}}]}
  - {on: {tool: click_element, target_id: restore}, set: [{var: event.item, change: {folder: '{{ row.was }}', was: ''}}, {toast: Restored, actions: [{id: undo, name: Undo}]}]}
  - on: {tool: click_element, target_id: all}
    set: [{var: mails, where: 'true', change: {folder: archive}}, {var: mails, where: row.id == 1, remove: true}, {var: other, to: 1}]
  - {on: {tool: click_element, target_id: undo-menu}, set: [{undo: last}]}
  - {on: {tool: click_element, target_id: redo-menu}, set: [{redo: last}]}
  - {on: {tool: click_element, target_id: undo-archive}, set: [{undo: archive}]}
timers:
  - {after_ms: 3000, set: [{var: mails, append: {id: 4, from: Dee, folder: inbox, was: '', note: ''}}]}
`

const folders = ({ data }: ScenarioRun): string =>
  (data.mails as readonly { id: number; folder: string }[]).map(({ id, folder }) => `${id} ${folder}`).join(', ')
const START = '1 inbox, 2 inbox, 3 later'
const isShown = ({ desktop }: ScenarioRun, uid: string): boolean => windowByUid(desktop, uid) !== undefined
const skipped = ({ log }: ScenarioRun) =>
  entriesOf(log).flatMap(({ kind, name, fields }) => (kind === 'effect-skipped' ? [`${name}: ${fields?.reason}`] : []))

describe('undo', () => {
  it('[SC190] takes back what one action changed in the named variables, and makes it again', () => {
    const run = begin(MAIL)
    const changed = click(run, 'all')
    expect([folders(changed), changed.data.other]).toEqual(['2 archive, 3 archive', 1])
    const undone = click(changed, 'undo-menu')
    expect([undone.data.mails, undone.data.other]).toEqual([run.data.mails, 1])
    expect(element(undone, 'mail-1').name).toBe('Ana in inbox')
    expect(click(undone, 'redo-menu').data.mails).toEqual(changed.data.mails)
  })

  it('[SC191] takes back several actions, the latest first, and forgets what was undone at a new change', () => {
    const run = click(click(begin(MAIL), 'mail-1.trash'), 'mail-2.trash')
    const undone = click(click(run, 'undo-menu'), 'undo-menu')
    expect(folders(undone)).toBe(START)
    expect(skipped(click(undone, 'undo-menu'))).toEqual(['undo: there is nothing to undo'])
    const other = click(click(undone, 'redo-menu'), 'mail-3.trash')
    expect(folders(other)).toBe('1 trash, 2 inbox, 3 trash')
    expect(skipped(click(other, 'redo-menu'))).toEqual(['redo: there is nothing to redo'])
  })

  it('[SC192] takes back the changes of a reaction by its id, and keeps what changed since then', () => {
    const run = click(click(begin(MAIL), 'mail-1.archive'), 'mail-2.trash')
    const noted = until(setValue(run, 'mail-1.note', 'read'), 3000)
    const undone = click(noted, 'undo-archive')
    expect(folders(undone)).toBe('1 inbox, 2 trash, 3 later, 4 inbox')
    expect(undone.data.mails).toContainEqual({ id: 1, from: 'Ana', folder: 'inbox', was: '', note: 'read' })
  })

  it('[SC193] puts a removed record back to its place, beside records that came since then', () => {
    const run = until(click(begin(MAIL), 'all'), 3000)
    expect(folders(run)).toBe('2 archive, 3 archive, 4 inbox')
    expect(folders(click(run, 'undo-menu'))).toBe('1 inbox, 2 inbox, 3 later, 4 inbox')
  })

  it('[SC194] changes nothing where everything was changed since then, and records why', () => {
    const run = click(click(begin(MAIL), 'mail-1.archive'), 'mail-1.trash')
    const undone = click(run, 'undo-archive')
    expect([folders(undone), skipped(undone)]).toEqual([
      '1 trash, 2 inbox, 3 later',
      ['undo: what it changed has been changed since then'],
    ])
  })

  it('[SC196] undoes with Ctrl+Z and makes again with Ctrl+Y, except in a field', () => {
    const run = click(begin(MAIL), 'mail-1.trash')
    const undone = act(run, { type: 'key', keys: 'ctrl+z' })
    expect([folders(undone.run), undone.via]).toEqual([START, 'behaviour'])
    expect(folders(key(undone.run, 'ctrl+y'))).toBe('1 trash, 2 inbox, 3 later')
    expect(folders(key(undone.run, 'ctrl+shift+z'))).toBe('1 trash, 2 inbox, 3 later')
    expect(folders(key(click(run, 'field'), 'ctrl+z'))).toBe('1 trash, 2 inbox, 3 later')
  })

  it('[SC197] undoes with the button of a notification what its action changed, until it closes', () => {
    const both = until(click(until(click(begin(MAIL), 'mail-1.archive'), 1000), 'mail-2.archive'), 4999)
    expect([isShown(both, 'toast'), isShown(both, 'toast~2')]).toEqual([true, true])
    const first = click(both, 'undo', 'toast')
    expect(folders(first)).toBe('1 inbox, 2 archive, 3 later, 4 inbox')
    expect(folders(click(both, 'undo', 'toast~2'))).toBe('1 archive, 2 inbox, 3 later, 4 inbox')
    expect(isShown(until(both, 5000), 'toast')).toBe(false)
    expect([isShown(until(first, 5999), 'toast~2'), isShown(until(first, 6000), 'toast~2')]).toEqual([true, false])
  })

  it('[SC198] undoes nothing with the button of a later notification that has no undo', () => {
    const later = until(click(begin(MAIL), 'mail-1.archive'), 5000)
    const restored = click(click(later, 'mail-2.trash'), 'mail-2.restore')
    expect(isShown(restored, 'toast')).toBe(true)
    expect(folders(click(restored, 'undo', 'toast'))).toBe('1 archive, 2 inbox, 3 later, 4 inbox')
  })

  it('[SC199] shows whether there is something to undo', () => {
    const run = begin(MAIL)
    const changed = click(run, 'mail-1.trash')
    expect(
      [run, changed, click(changed, 'undo-menu'), click(run, 'mail-1.archive')].map(
        (each) => element(each, 'can').name,
      ),
    ).toEqual(['false false false', 'true false false', 'false false true', 'true true false'])
  })

  it('[SC200] keeps the latest 100 groups', () => {
    let run = begin(MAIL)
    for (let time = 0; time <= MAX_UNDO_GROUPS; time++) run = setValue(run, 'mail-1.note', `${time}`)
    expect(run.history.undo.length).toBe(MAX_UNDO_GROUPS)
    expect(run.history.undo[0]?.number).toBe(2)
  })

  it('[SC195] restores a record from the trash to the folder where it was', () => {
    const run = click(begin(MAIL), 'mail-3.trash')
    expect([folders(run), folders(click(run, 'mail-3.restore'))]).toEqual(['1 inbox, 2 inbox, 3 trash', START])
  })

  it('[SC201] gives the same data and screens in forks and in a second run', () => {
    const ids = ['all', 'undo-menu', 'redo-menu', 'mail-2.trash', 'mail-3.archive', 'undo-archive']
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ids), { maxLength: 8 }), (clicks) => {
        const play = (run: ScenarioRun) => clicks.reduce((next, id) => click(next, id), run)
        const fork = click(begin(MAIL), 'mail-2.archive')
        const [one, other] = [play(fork), play(click(begin(MAIL), 'mail-2.archive'))]
        expect([one.data, one.history, treeHash(windowByUid(one.desktop, 'app')!.tree)]).toEqual([
          other.data,
          other.history,
          treeHash(windowByUid(other.desktop, 'app')!.tree),
        ])
      }),
      { numRuns: 5, seed: 3 },
    )
  })

  it('[SC192] takes back exactly one of two independent changes, in either order', () => {
    const records = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 6 }).map(listOf)
    fc.assert(
      fc.property(records, records, records, (before, after, extra) => {
        const later = [...after, ...extra.map((row) => ({ ...row, id: row.id + 10 }))]
        const group = { number: 1, names: [], changes: [{ var: 'list', before, after }] }
        const undone = withGroupApplied({ list: later } as RunData, group, 'undo').list as readonly { id: number }[]
        expect(undone.filter(({ id }) => id < 10)).toEqual(before)
        expect(undone.filter(({ id }) => id > 10).length).toBe(extra.length)
      }),
      { numRuns: 200, seed: 5 },
    )
  })

  it.each([
    ['undo: [mails]', 'undo: [mals]', '8:8: undo[0]: there is no variable "mals"; did you mean "mails"?'],
    ['undo: [mails]\n', '', 'there is nothing to undo; write undo: [NAME]'],
    ['{undo: archive}', '{undo: archve}', 'there is no reaction "archve"; did you mean "archive"?'],
    ['can_undo("archive")', 'can_undo("archiv")', 'there is no reaction "archiv"; did you mean "archive"?'],
  ])('[SC202] reports %s written as %j', (right, wrong, message) => {
    expect(() => begin(MAIL.replace(right, wrong))).toThrow(message)
  })
})

const listOf = (ids: readonly number[]) => ids.map((id) => ({ id, text: `${ids.length}` }))
