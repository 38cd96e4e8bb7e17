import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  button,
  checkbox,
  type Draft,
  dialog,
  document,
  edit,
  element,
  group,
  menuBar,
  menuItem,
  rect,
  text,
  window,
} from '../desktop/builders.ts'
import { type Sketch, sketch } from './sketch.ts'

// Rules such as [K2] are stated in SPEC.md beside this file.

const bounds = rect(0, 0, 600, 200)
const drawn = (options: { width?: number; height?: number; unicode?: boolean }, ...parts: readonly Draft[]): Sketch =>
  sketch(window('W', { bounds }, ...parts).tree, { width: 60, height: 12, reference: bounds, ...options })
const at = (x: number, y: number, width: number, height: number) => ({ bounds: rect(x, y, width, height) })

describe('a sketch', () => {
  it('[K1] [K6] shows controls where they are, as what they are', () => {
    const { text: picture } = drawn(
      {},
      menuBar('Menus', at(0, 0, 600, 20), menuItem('File', at(0, 0, 60, 20)), menuItem('Edit', at(60, 0, 60, 20))),
      text('Name', at(20, 50, 60, 20)),
      edit('Name', { value: 'Ada' }, at(100, 50, 200, 20)),
      checkbox('Remember', { selected: true }, at(100, 80, 150, 20)),
      button('Save', { focused: true }, at(100, 120, 120, 24)),
      document('Notes', { value: 'one\ntwo' }, at(340, 30, 240, 140)),
    )
    expect(picture).toBe(
      [
        '+----------------------------------------------------------+',
        '| Window "W"                                               |',
        '|File Edit  MenuBar "Menus"                                |',
        '|                                +----------------------+  |',
        '| Name    [Name: Ada         ]   | Document "Notes"     |  |',
        '|         [x] Remember           | one                  |  |',
        '|                                | two                  |  |',
        '|         [  *Save   ]           |                      |  |',
        '|                                +----------------------+  |',
        '|                                                          |',
        '|                                                          |',
        '+----------------------------------------------------------+',
      ].join('\n'),
    )
  })

  it('[K6] uses box characters when asked for', () => {
    const { text: picture } = drawn(
      { width: 20, height: 8, unicode: true },
      group('Box', at(60, 40, 400, 120), text('In it', at(100, 80, 200, 20))),
    )
    expect(picture).toBe(
      [
        '┌──────────────────┐',
        '│ Window "W"       │',
        '│                  │',
        '│ ┌ "Box" ───┐     │',
        '│ │ In it    │     │',
        '│ └──────────┘     │',
        '│                  │',
        '└──────────────────┘',
      ].join('\n'),
    )
  })

  it('[K4] gives a key to what is too small for its label, and lists only that', () => {
    const {
      text: picture,
      legend,
      elements,
    } = drawn({ width: 30, height: 8 }, button('Preferences', at(100, 80, 60, 24)), button('OK', at(300, 80, 200, 24)))
    expect(legend).toEqual({ A: 'Button "Preferences"' })
    expect(picture.split('\n').slice(-4)).toEqual([
      '',
      '  LEGEND',
      `  ${'-'.repeat(50)}`,
      '     A  Button "Preferences"',
    ])
    expect(elements.map(({ name, legend_key }) => [name, legend_key])).toEqual([
      ['W', undefined],
      ['Preferences', 'A'],
      ['OK', undefined],
    ])
  })

  it('[K3] draws nothing of what is outside or has no size, and cuts off what sticks out', () => {
    const { elements } = drawn(
      {},
      button('Outside', at(700, 20, 80, 24)),
      button('Above', at(10, -50, 80, 24)),
      button('Flat', at(10, 20, 80, 0)),
      group('Wide', at(300, 50, 900, 100), text('t', at(310, 60, 100, 20))),
      text('Hidden', { traits: { hidden: true } }, at(10, 100, 80, 20)),
    )
    expect(elements.map(({ name, bounds_grid }) => [name, bounds_grid])).toEqual([
      ['W', [0, 0, 59, 11]],
      ['Outside', undefined],
      ['Above', undefined],
      ['Flat', undefined],
      ['Wide', [30, 4, 58, 7]],
      ['t', [30, 4, 39, 4]],
      ['Hidden', undefined],
    ])
  })

  it('[K5] keeps names and values on one line', () => {
    const { text: picture, legend } = drawn(
      { width: 20, height: 8 },
      edit('A\nB', { value: 'x\r\ny\u001b[2J' }, at(20, 40, 20, 20)),
    )
    expect(legend).toEqual({ A: 'Edit "A B" [x y [2J]' })
    expect(picture).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  })

  it('leaves out what a dialog lies over, and shows no secret', () => {
    const { text: picture, elements } = drawn(
      {},
      text('Behind', at(200, 100, 100, 20)),
      edit('Password', { value: 'hunter2', traits: { secret: true } }, at(20, 40, 200, 20)),
      dialog('Sure?', at(100, 60, 400, 120), button('Yes', at(200, 130, 100, 24))),
    )
    expect(picture).not.toContain('Behind')
    expect(picture).not.toContain('hunter2')
    expect(picture).toContain('Dialog "Sure?"')
    expect(elements.find(({ name }) => name === 'Behind')!.occluded).toBe(true)
  })

  it('[K2] never writes over a label', () => {
    const box = fc.record({
      x: fc.integer({ min: -50, max: 620 }),
      y: fc.integer({ min: -50, max: 220 }),
      width: fc.nat(300),
      height: fc.nat(120),
    })
    const leaf = fc.record({
      role: fc.constantFrom('Button', 'Text', 'Edit', 'CheckBox', 'MenuItem', 'Document', 'Slider'),
      box,
    })
    fc.assert(
      fc.property(
        fc.array(leaf, { maxLength: 12 }),
        fc.integer({ min: 8, max: 90 }),
        fc.integer({ min: 4, max: 30 }),
        (leaves, width, height) => {
          const parts = leaves.map(({ role, box: place }, count) => element(role, `N${count}e`, { bounds: place }))
          const { text: picture, elements, legend } = drawn({ width, height }, ...parts)
          const rows = picture.split('\n')
          const grid = rows.slice(0, height)
          expect(grid.every((row) => Array.from(row).length <= width)).toBe(true)
          for (const { name, bounds_grid, legend_key } of elements.slice(1)) {
            if (!bounds_grid) continue
            if (legend_key) expect(legend[legend_key]).toContain(name)
            else expect(grid.join('\n')).toContain(name)
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('shows nothing in a grid too small to show anything', () => {
    expect(drawn({ width: 1, height: 1 }).text).toBe('')
  })
})
