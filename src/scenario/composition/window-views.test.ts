import { describe, expect, it } from 'vitest'
import { begin, click, type } from '../../../test/support/scenario/player.ts'
import { changed, DRAFTS } from '../../../test/support/scenario/window-edits.ts'
import { windowByUid } from '../../desktop/model/desktop.ts'
import { type Element, nodeById, walk } from '../../desktop/model/element.ts'
import { tasksOf } from '../../desktop/shell/bars.ts'
import { visibleAreas } from '../../paint/annotations/areas.ts'
import { parseScenario } from '../load/load.ts'
import { PERSONALITIES } from '../personalities/personalities.ts'
import { asSeenOn } from '../personalities/platform-view.ts'
import { startScenario } from '../run/step.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { withVariant } from '../seeds.ts'

/** Windows that follow the data, as other windows are shown: on platforms, in other languages, in variants, in masks, in bars. */

const WORDS = `locales: {de: {Memo: Notiz, Shut: Zu, Write something.: Schreib etwas., Sure?: Sicher?, "To {{ draft.to }}": "An {{ draft.to }}"}}\n`
const inVariant = (choices: Parameters<typeof withVariant>[1]): ScenarioRun =>
  startScenario(withVariant(parseScenario(WORDS + DRAFTS), choices), { atMs: 0 })
const namesIn = (run: ScenarioRun, uid: string) =>
  [...walk(windowByUid(run.desktop, uid)!.tree)].map(({ name }) => name)

describe('windows for items', () => {
  it.each(PERSONALITIES.map((personality) => [personality.name, personality] as const))(
    '[CMP34] have the tree of a platform: %s',
    (_, personality) => {
      const run = click(begin(DRAFTS), 'ask')
      for (const uid of ['draft-1', 'draft-2', 'sure']) {
        const { tree } = windowByUid(run.desktop, uid)!
        const seen = asSeenOn(personality, tree)
        const kept = [...walk(tree)].map(({ id }) => id).filter((id) => nodeById(seen, id))
        expect(kept).toEqual([...walk(tree)].map(({ id }) => id))
        expect(asSeenOn(personality, tree)).toBe(seen)
      }
      const before = windowByUid(run.desktop, 'draft-2')!
      const after = changed(run, { var: 'drafts', where: (row) => row.id === 1, change: () => ({ text: 'More' }) })
      const memoIn = (tree: Element) => nodeById(asSeenOn(personality, tree), 'memo')
      expect(memoIn(windowByUid(after.desktop, 'draft-2')!.tree)).toBe(memoIn(before.tree))
    },
  )

  it('[CMP34] show the words of a locale, also after they open', () => {
    const run = changed(click(inVariant({ locale: 'de' }), 'ask'), {
      var: 'drafts',
      append: { id: 3, to: 'cy', text: '' },
    })
    expect([windowByUid(run.desktop, 'draft-3')!.title, windowByUid(run.desktop, 'sure')!.title]).toEqual([
      'An cy',
      'Sicher?',
    ])
    expect(namesIn(run, 'draft-3')).toEqual(expect.arrayContaining(['Notiz', 'Zu', 'Schreib etwas.', 'ana', 'bo']))
  })

  it.each([
    { theme: 'dark' },
    { text_size: 1.5 },
    { style: 'gnome' },
    { scale: 1.5 },
    { contrast: 'high' },
    { window_position: 'random' },
    { distractors: 1 },
  ] as readonly Record<string, unknown>[])('[CMP34] write the same data in a variant: %j', (choices) => {
    const run = type(click(inVariant(choices as Parameters<typeof withVariant>[1]), 'to', 'draft-1'), '!')
    expect((run.data.drafts as readonly { to: string }[]).map(({ to }) => to)).toEqual(['ana!', 'bo'])
  })

  it('[CMP34] keep the ids of their elements in masks while others open and close', () => {
    const run = begin(DRAFTS)
    const owners = ({ desktop }: ScenarioRun) =>
      visibleAreas(desktop)
        .filter(({ window }) => window === 'draft-2')
        .map(({ element }) => element.id)
    const more = changed(run, { var: 'drafts', append: { id: 3, to: 'cy', text: '' } })
    const less = changed(more, { var: 'drafts', where: (row) => row.id === 3, remove: true })
    expect(owners(less)).toEqual(owners(run))
    expect(new Set(visibleAreas(more.desktop).map(({ window }) => window))).toContain('draft-3')
  })

  it('[CMP33] are together with the windows of their program in the bars', () => {
    const inMail = DRAFTS.replace('vars:', 'style: windows\npanel: true\nvars:')
      .replace('as: draft\n', 'as: draft\n        process: mail.exe\n')
      .replace('title: Mail\n', 'title: Mail\n        process: mail.exe\n')
    const other = '      - {uid: notes, title: Notes, bounds: {x: 600, y: 400, width: 200, height: 100}}\n  away:'
    const run = begin(inMail.replace('  away:', other))
    const bar = ({ desktop }: ScenarioRun) => tasksOf(desktop).map(({ id, app }) => `${app?.name}: ${id}`)
    expect(bar(run)).toEqual(['Mail: mail', 'Mail: draft-1', 'Mail: draft-2', 'Notes: notes'])
    const closed = changed(run, { var: 'drafts', where: (row) => row.id === 1, remove: true })
    expect(bar(closed)).toEqual(['Mail: mail', 'Mail: draft-2', 'Notes: notes'])
  })
})
