import { describe, expect, it } from 'vitest'
import { seededRandom } from '../base/random.ts'
import { hitTest } from '../desktop/hit.ts'
import {
  button,
  desktop,
  edit,
  element,
  group,
  list,
  listItem,
  monitor,
  rect,
  spinner,
  text,
  treeItem,
  treeView,
  window,
} from '../desktop/model/builders.ts'
import type { Desktop, Window } from '../desktop/model/desktop.ts'
import { withShell } from '../desktop/shell/shell.ts'
import { visibleAreas } from '../paint/annotations/areas.ts'
import { annotationsOf } from '../paint/annotations/coco.ts'
import { createPainter } from '../paint/painter.ts'
import { groundingOf } from './grounding.ts'

// Rules such as [DS13] are stated in README.md beside this file.

const at = (x: number, y: number, width = 80, height = 24) => ({ bounds: rect(x, y, width, height) })
const SCREEN = rect(0, 0, 640, 400)

function pairsOf(shown: Desktop, seed = 1) {
  const picture = createPainter().screen(shown)
  const areas = visibleAreas(shown)
  const image = { id: 1, file_name: 'a.png', width: SCREEN.width, height: SCREEN.height }
  const { annotations } = annotationsOf(areas, picture.text ?? [], image)
  return groundingOf(shown, areas, annotations, picture.text ?? [], seededRandom(seed))
}

/** The instructions of a desktop without their verbs, whichever order of words is drawn. */
const wordsOf = (shown: Desktop) =>
  pairsOf(shown).map(({ kind, instruction }) => {
    const words = instruction.replace(/^(Click into|Put the cursor into|Switch to|\S+) /, '')
    return `${kind}: ${words.replace(/^the “([^”]*)” (item|button|text field|check box|row header|column header|menu item)\b/, 'the $2 “$1”')}`
  })

const screen = (...parts: readonly (Window | { readonly panel: boolean })[]): Desktop =>
  desktop(...parts, { monitors: [monitor(SCREEN)] })

describe('instructions', () => {
  const shown = screen(
    window(
      'Front',
      { uid: 'front', ...at(20, 20, 300, 370) },
      group('Sender', at(30, 60, 280, 54), edit('Name', { id: 'n1', ...at(40, 84) })),
      group('Receiver', at(30, 120, 280, 54), edit('Name', { id: 'n2', ...at(40, 144) })),
      button('Send', { id: 'send', ...at(40, 190) }),
      button('Close', { id: 'close', ...at(140, 190) }),
      list(
        'Parcels',
        { ...at(40, 220, 120, 100) },
        listItem('Red', at(40, 220, 120)),
        listItem('Red', at(40, 244, 120)),
        listItem('Blue', at(40, 268, 120)),
      ),
    ),
    window('Back', { uid: 'back', ...at(330, 40, 300, 300) }, button('send…', { id: 'other', ...at(340, 80) })),
  )

  it('[DS13] [DS14] [DS16] [DS18] name one element only, by its window or container if needed', () => {
    expect(wordsOf(shown)).toEqual([
      'window: the button “send…” in the window “Back”',
      'container: the text field “Name” in the group “Sender”',
      'container: the text field “Name” in the group “Receiver”',
      'window: the button “Send” in the window “Front”',
      'position: item 1 of the only list',
      'position: the second item of the only list',
      'name: the item “Blue”',
      'position: the third item of the only list',
    ])
  })

  it('[DS18] name the only element of its kind without its name', () => {
    const alone = window('App', at(20, 40, 300, 300), edit('', { id: 'e', ...at(40, 80) }))
    expect(wordsOf(screen(alone))).toEqual(['only: the only text field'])
    const beside = window('App', at(20, 40, 300, 300), edit('', at(40, 80)), spinner('', at(40, 120)))
    expect(wordsOf(screen(beside))).toEqual([])
  })

  it('[DS14] [DS15] leave out names that the shell, the panel or a title bar has too', () => {
    const windows = [window('Orders', { uid: 'o', ...at(20, 40, 280, 300) }, button('Help', at(40, 100)))]
    const chat = window('Help', { uid: 'h', ...at(330, 40, 280, 300) }, button('Orders', at(340, 100)))
    const plain = screen(...windows, chat, { panel: true })
    expect(wordsOf(plain)).toEqual([
      'window: the button “Orders” in the window “Help”',
      'window: the button “Help” in the window “Orders”',
    ])
    const words = wordsOf(withShell({ ...plain, style: 'gnome' }))
    expect(words.filter((each) => /Orders|Help/.test(each) && each.startsWith('name'))).toEqual([])
  })

  it('[DS17] leave out names that are cut where another begins alike', () => {
    const cut = window(
      'App',
      at(20, 40, 300, 300),
      button('Quarterly report of sales', { id: 'a', ...at(40, 100, 90) }),
      button('Quarterly report of visits', { id: 'b', ...at(40, 140, 90) }),
      button('Quarter', { id: 'c', ...at(40, 180, 90) }),
    )
    expect(wordsOf(screen(cut))).toEqual(['name: the button “Quarter”'])
    const titled = window('Quarter — Sheets', at(20, 40, 300, 300), button('Quarter', { id: 'c', ...at(40, 180, 90) }))
    expect(wordsOf(screen(titled)).filter((words) => words.startsWith('name: '))).toEqual([])
  })

  it('[DS20] count the items of an open tree as people see them', () => {
    const at2 = (row: number, depth = 0) => at(40 + 16 * depth, 80 + 24 * row, 160 - 16 * depth)
    const tree = treeView(
      'Folders',
      at(40, 80, 160, 200),
      treeItem('Mail', { expanded: true, ...at2(0) }, treeItem('Inbox', at2(1, 1)), treeItem('Sent', at2(2, 1))),
      treeItem('Files', { expanded: false, ...at2(3) }, treeItem('Old', at2(4, 1))),
      treeItem('Trash', at2(4)),
    )
    const positions = pairsOf(screen(window('App', at(20, 40, 300, 300), tree))).filter(
      ({ kind }) => kind === 'position',
    )
    expect(positions.map(({ area, instruction, selector }) => [area.element.name, instruction, selector])).toEqual([
      ['Mail', expect.stringMatching(/tree item 1 of|first tree item of/), 'Tree/TreeItem[index=0]'],
      [
        'Inbox',
        expect.stringMatching(/tree item 2 of|second tree item of/),
        'Tree/TreeItem[index=0]/TreeItem[index=0]',
      ],
      ['Sent', expect.stringMatching(/tree item 3 of|third tree item of/), 'Tree/TreeItem[index=0]/TreeItem[index=1]'],
      ['Files', expect.stringMatching(/tree item 4 of|fourth tree item of/), 'Tree/TreeItem[index=1]'],
      ['Trash', expect.stringMatching(/tree item 5 of|fifth tree item of/), 'Tree/TreeItem[index=2]'],
    ])
  })

  it('[DS23] name headers of rows, boxes in menus and cells as they look', () => {
    const cell = (value: string, x: number, y: number) => element('Cell', 'Q1', { value, ...at(x, y) })
    const sheet = element(
      'Table',
      'Sales',
      at(40, 80, 240, 80),
      element('Header', '', at(40, 80, 240), element('HeaderItem', 'Q1', at(120, 80))),
      element('Row', '', at(40, 104, 240), element('HeaderItem', 'North', at(40, 104)), cell('12', 120, 104)),
      element('Row', '', at(40, 128, 240), element('HeaderItem', 'South', at(40, 128)), cell('12', 120, 128)),
    )
    expect(wordsOf(screen(window('App', at(20, 40, 300, 300), sheet)))).toEqual([
      'name: the column header “Q1”',
      'window: the row header “North” in the window “App”',
      'cell: the cell in the column “Q1” and the row “North”',
      'name: the row header “South”',
      'cell: the cell in the column “Q1” and the row “South”',
    ])
  })

  it('[DS24] know a name in a caption above or beside its field', () => {
    const form = window(
      'Form',
      at(20, 40, 400, 300),
      text('Street:', at(40, 80)),
      edit('Street', { id: 'street', ...at(130, 80, 160) }),
      text('Town', at(40, 116)),
      edit('Town', { id: 'town', ...at(40, 138, 160) }),
      text('Country', at(40, 260)),
      edit('Country', { id: 'country', value: 'x', ...at(40, 180, 160) }),
    )
    expect(pairsOf(screen(form)).map(({ area, kind, named }) => [area.element.id, kind, named])).toEqual([
      ['street', 'name', true],
      ['town', 'window', true],
      ['country', 'name', false],
      ['country', 'value', false],
    ])
  })

  it('[DS20] count neither along a row nor below an item that is cut', () => {
    const row = list('Row', at(40, 120, 200, 24), listItem('', at(40, 120)), listItem('', at(130, 120)))
    const cut = list('Cut', at(40, 160, 200, 50), listItem('', at(40, 150)), listItem('', at(40, 174)))
    expect(wordsOf(screen(window('App', at(20, 40, 300, 300), row, cut)))).toEqual([])
  })

  it('[DS20] do not count where a second column begins at the left, as icons at the right side do', () => {
    const icons = (...more: readonly ReturnType<typeof listItem>[]) =>
      wordsOf(
        screen(
          window(
            'App',
            at(20, 40, 300, 300),
            list('Icons', at(40, 120, 200, 60), listItem('Red', at(130, 120)), listItem('Red', at(130, 144)), ...more),
          ),
        ),
      )
    expect(icons()).toEqual([
      expect.stringMatching(/^position: .*(item 1|first item) of the only list$/),
      expect.stringMatching(/^position: .*(item 2|second item) of the only list$/),
    ])
    expect(icons(listItem('Red', at(40, 120)))).toEqual([])
  })

  it('[DS25] do not name a cell by its text where the text of another is cut to the same', () => {
    const table = (width: number) =>
      wordsOf(
        screen(
          window(
            'App',
            at(20, 40, 300, 300),
            element(
              'Table',
              '',
              at(40, 96, 240, 80),
              element('Header', '', at(40, 96, 240), element('HeaderItem', 'Line', at(40, 96))),
              element(
                'Row',
                '',
                at(40, 120, 240),
                element('Cell', 'Line', { value: '2', ...at(40, 120) }),
                element('Cell', 'Date', { value: '2026-03-11', ...at(120, 120, width) }),
              ),
            ),
          ),
        ),
      )
    expect(table(100)).toContain('value: the cell with the text “2”')
    expect(table(38)).not.toContain('value: the cell with the text “2”')
  })

  it('[DS22] have a point that hits their element', () => {
    const covering = window('Over', { uid: 'over', ...at(60, 150, 60, 60), frame: 'none' })
    const covered = { ...shown, windows: [...desktop(covering).windows, ...shown.windows] }
    const pairs = pairsOf(covered)
    expect(pairs.length).toBeGreaterThan(5)
    for (const { point, area } of pairs)
      expect(hitTest(covered, point)).toMatchObject({ element: { id: area.element.id } })
  })
})
