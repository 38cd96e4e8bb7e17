import { describe, expect, it } from 'vitest'
import { build, element } from '../../desktop/model/builders.ts'
import { type ScreenState, UNKNOWN_SCREEN } from '../screen/screen-state.ts'
import { inventoryOf, type RecordedInventory } from './inventory.ts'
import type { TraceRow } from './trace-row.ts'
import { addressById, compareElements, currentIds, withCurrentId } from './verify.ts'

const treeOf = (window: string, label: string) =>
  build(element('Window', 'Editor', { id: 'root' }, element('Button', label, { id: `${window}e1` })))

const recorded: RecordedInventory = { windowUid: 'x11:1', inventory: inventoryOf(treeOf('w1-', 'Save')) }

/** A screen whose only window belongs to a restarted program. */
const screenOf = (uid: string, label: string): ScreenState => ({
  ...UNKNOWN_SCREEN,
  windows: [{ uid, focused: true } as ScreenState['windows'][number]],
  trees: new Map([[uid, treeOf(uid === 'x11:1' ? 'w1-' : 'w5-', label)]]),
})

describe('a replay on a reopened window', () => {
  it('[OB170] matches elements by their ids within the window', () => {
    const screen = screenOf('x11:5', 'Save')
    expect(compareElements(recorded, screen)).toEqual([])
    expect(withCurrentId({ element_id: 'w1-e1', dry_run: true }, currentIds(recorded, screen))).toEqual({
      element_id: 'w5-e1',
      dry_run: true,
    })
  })

  it('[OB170] reports a renamed element by its recorded id and selects it by its current id', () => {
    const screen = screenOf('x11:5', 'Store')
    const differences = compareElements(recorded, screen)
    expect(differences).toEqual([{ path: 'elements.w1-e1.name', want: 'Save', got: 'Store' }])
    const row = { result_summary: { target: { element_id: 'w1-e1' } } } as unknown as TraceRow
    expect(addressById({ selector: 'Button[name="Save"]' }, row, differences, currentIds(recorded, screen))).toEqual({
      selector: '*[id="w5-e1"]',
    })
  })

  it('[OB170] matches by ids also when the window has the recorded uid again', () => {
    const screen = { ...screenOf('x11:1', 'Save'), trees: new Map([['x11:1', treeOf('w5-', 'Save')]]) }
    expect(compareElements(recorded, screen)).toEqual([])
    expect(withCurrentId({ element_id: 'w1-e1' }, currentIds(recorded, screen))).toEqual({ element_id: 'w5-e1' })
  })

  it('[OB170] does not change ids when the window is the recorded one', () => {
    const screen = screenOf('x11:1', 'Save')
    expect(compareElements(recorded, screen)).toEqual([])
    expect(withCurrentId({ element_id: 'w1-e1' }, currentIds(recorded, screen))).toEqual({ element_id: 'w1-e1' })
  })
})
