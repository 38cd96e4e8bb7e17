import { describe, expect, it } from 'vitest'
import { begin } from '../../../test/support/scenario/player.ts'
import { nodeById } from '../../desktop/model/element.ts'
import { PERSONALITIES } from './personalities.ts'
import { asSeenOn } from './platform-view.ts'

const SHEET = `
vars: {costs: [{id: 1, a: '4', b: '=A1*2'}]}
states:
  open:
    windows:
      - uid: costs
        tree:
          role: Window
          children:
            - {id: sheet, role: Spreadsheet, name: Costs, sheet: Costs, height: 200, rows: costs, key: id, columns: [{field: a, editable: true}, {field: b, editable: true}]}
`

describe('formulas in the trees of platforms', () => {
  it('[PER10] are the description of their cell on Windows and GTK, beside the result', () => {
    const { tree } = begin(SHEET).desktop.windows[0]!
    const cellOn = (id: string) =>
      PERSONALITIES.map((personality) => {
        const { value, description } = nodeById(asSeenOn(personality, tree), id)!
        return [personality.name, value, description]
      })
    expect(cellOn('sheet.row-1.b')).toEqual([
      ['windows-uia', '8', '=A1*2'],
      ['macos-ax', '8', null],
      ['linux-gtk', '8', '=A1*2'],
      ['linux-qt', '8', null],
      ['web-chromium', '8', null],
      ['web-firefox', '8', null],
    ])
    expect(cellOn('sheet.row-1.a').map(([, , description]) => description)).toEqual(PERSONALITIES.map(() => null))
  })
})
