import { expect, it } from 'vitest'
import { type Element, shaped } from '../../src/desktop/model/element.ts'
import { elementsOfAnnotations, parseBoxes, rowOfBoxes } from './boxes.ts'
import { labelsOf, overlapOf, type ScreenElement } from './labels.ts'
import { elementsOfScreen } from './real-screen.ts'

const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const SCREEN = rect(0, 0, 400, 300)

const shown = (role: string, visible = rect(0, 0, 40, 20), more: Partial<ScreenElement> = {}): ScreenElement => ({
  role,
  visible,
  share: 1,
  parent: undefined,
  ...more,
})

it('names the class of a control by its role and its place', () => {
  const bar = shown('ToolBar', rect(0, 0, 300, 20))
  const menus = shown('MenuBar', rect(0, 0, 300, 20))
  const { boxes, ignored } = labelsOf([
    bar,
    shown('CheckBox', rect(0, 0, 20, 20), { parent: bar }),
    shown('CheckBox', rect(0, 40, 20, 20)),
    menus,
    shown('Menu', rect(40, 0, 40, 20), { parent: menus }),
    shown('Menu', rect(40, 20, 80, 200)),
    shown('HeaderItem', rect(200, 0, 20, 20)),
  ])
  expect(boxes.map(({ is, box }) => [is, box.x, box.y])).toEqual([
    ['button', 0, 0],
    ['check', 0, 40],
    ['item', 40, 0],
  ])
  expect(ignored).toEqual([rect(200, 0, 20, 20)])
})

it('ignores what is small or mostly covered', () => {
  const { boxes, ignored } = labelsOf([
    shown('Button', rect(0, 0, 40, 7)),
    shown('Button', rect(0, 40, 40, 20), { share: 0.5 }),
    shown('Button', rect(0, 80, 0, 0), { share: 0 }),
    shown('Button', rect(0, 120, 8, 8), { share: 0.6 }),
  ])
  expect(boxes).toEqual([{ is: 'button', box: rect(0, 120, 8, 8) }])
  expect(ignored).toHaveLength(2)
  expect(labelsOf([shown('TabItem', rect(0, 0, 40, 65))]).boxes).toEqual([])
})

it('counts the outer of two elements of about one size, and the inner of a much larger one', () => {
  const combo = shown('ComboBox', rect(0, 0, 100, 20))
  const row = shown('ListItem', rect(0, 100, 100, 100))
  const { boxes } = labelsOf([
    combo,
    shown('Edit', rect(2, 2, 80, 16), { parent: combo }),
    row,
    shown('ListItem', rect(0, 100, 100, 20), { parent: row }),
  ])
  expect(boxes.map(({ box }) => box)).toEqual([combo.visible, rect(0, 100, 100, 20)])
})

it('counts an element once that two trees have', () => {
  expect(labelsOf([shown('MenuItem'), shown('MenuItem', rect(0, 0, 40, 21))]).boxes).toHaveLength(1)
  expect(overlapOf(rect(0, 0, 10, 10), rect(5, 0, 10, 10))).toBeCloseTo(1 / 3, 12)
  expect(overlapOf(rect(0, 0, 10, 10), rect(10, 0, 10, 10))).toBe(0)
})

let ids = 0
const node = (role: string, bounds: Element['bounds'], children: readonly Element[] = [], isHidden = false): Element =>
  shaped({
    id: `e${ids++}`,
    role,
    name: '',
    value: null,
    bounds,
    enabled: true,
    focused: false,
    keyboardShortcut: null,
    description: null,
    children,
    ...(isHidden && { traits: { hidden: true } }),
  })

it('cuts elements at their containers, at the screen and at windows above', () => {
  const list = node('List', rect(0, 0, 100, 50), [
    node('ListItem', rect(0, 40, 100, 20)),
    node('ListItem', rect(0, 60, 100, 20)),
  ])
  const main = node('Window', rect(0, 0, 400, 300), [
    list,
    node('Button', rect(200, 100, 100, 40)),
    node('Button', rect(0, 100, 20, 20), [], true),
    node('Pane', rect(0, 0, 0, 0), [node('Button', rect(0, 200, 20, 20))]),
  ])
  const windows = [
    { window: { uid: 'dialog', bounds: rect(250, 0, 150, 300) }, tree: node('Dialog', rect(250, 0, 150, 300)) },
    { window: { uid: 'main', bounds: rect(0, 0, 400, 300) }, tree: main },
  ]
  const found = elementsOfScreen(windows, SCREEN)
  expect(found.filter(({ role }) => role === 'ListItem').map(({ visible, share }) => [visible, share])).toEqual([
    [rect(0, 40, 100, 10), 0.5],
    [rect(0, 0, 0, 0), 0],
  ])
  expect(found.filter(({ role }) => role === 'Button').map(({ visible, share }) => [visible, share])).toEqual([
    [rect(200, 100, 50, 40), 0.5],
    [rect(0, 200, 20, 20), 1],
  ])
})

it('shows the items of an open menu above their window, and covers what is below', () => {
  const menu = node('Menu', rect(10, 20, 80, 60), [node('MenuItem', rect(10, 20, 80, 20))])
  const bar = node('MenuBar', rect(0, 0, 400, 20), [node('MenuItem', rect(10, 0, 40, 20), [menu])])
  const main = node('Window', rect(0, 0, 400, 300), [bar, node('Button', rect(20, 30, 40, 20))])
  const windows = [
    { window: { uid: 'popup', bounds: rect(10, 20, 80, 60), popupOf: 'main' }, tree: undefined },
    { window: { uid: 'main', bounds: rect(0, 0, 400, 300) }, tree: main },
  ]
  const found = elementsOfScreen(windows, SCREEN)
  expect(found.filter(({ role }) => role === 'MenuItem').map(({ share }) => share)).toEqual([1, 1])
  expect(found.find(({ role }) => role === 'Button')!.share).toBe(0)
})

it('reads elements from annotations, and boxes as they were written', () => {
  const row = (id: number, role: string, parent_id: number | null) =>
    ({ id, role, bbox: [id, 0, 20, 20], occluded: 0.25, parent_id }) as const
  const elements = elementsOfAnnotations([row(2, 'CheckBox', 1), row(1, 'ToolBar', null)])
  expect(elements[0]).toMatchObject({ role: 'CheckBox', share: 0.75, parent: { role: 'ToolBar' } })
  const picture = { image: 'a.png', program: 'a', group: 'A', state: '', width: 100, height: 50, ...labelsOf(elements) }
  expect(picture.boxes).toEqual([{ is: 'button', box: rect(2, 0, 20, 20) }])
  expect(parseBoxes(rowOfBoxes(picture))).toEqual([picture])
})
