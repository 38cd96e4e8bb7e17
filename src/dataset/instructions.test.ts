import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { type TreeNode, wrongInstructions } from '../../test/support/dataset/check-instructions.ts'

// Rules such as [DS26] are stated in README.md beside this file.

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const SIDE = 100
const CATEGORIES = ['Window', 'Table', 'Row', 'HeaderItem', 'Cell', 'Button', 'List', 'ListItem']

type Box = readonly [left: number, top: number, width: number, height: number]

/** A window with a table of one row, two buttons of one name and a list of two items. */
const ELEMENTS: readonly (readonly [id: string, category: string, name: string, parent: string, box: Box])[] = [
  ['window', 'Window', 'Orders', '', [0, 0, 100, 100]],
  ['table', 'Table', 'Orders', 'window', [0, 10, 100, 30]],
  ['head', 'Row', '', 'table', [0, 10, 100, 10]],
  ['city', 'HeaderItem', 'City', 'head', [50, 10, 50, 10]],
  ['row', 'Row', '', 'table', [0, 20, 100, 10]],
  ['oslo', 'HeaderItem', 'Oslo', 'row', [0, 20, 50, 10]],
  ['cell', 'Cell', 'Norway', 'row', [50, 20, 50, 10]],
  ['save', 'Button', 'Save', 'window', [0, 50, 30, 10]],
  ['save-too', 'Button', 'Save', 'window', [40, 50, 30, 10]],
  ['list', 'List', 'Folders', 'window', [0, 70, 100, 30]],
  ['inbox', 'ListItem', 'Inbox', 'list', [0, 70, 100, 10]],
  ['sent', 'ListItem', 'Sent', 'list', [0, 80, 100, 10]],
]
const numberOf = (id: string): number => ELEMENTS.findIndex(([each]) => each === id) + 1

/** The pixels of a box as run lengths, column by column. */
const maskOf = ([left, top, width, height]: Box): readonly number[] => {
  const columns = Array.from({ length: width }, (_, column) => [
    column === 0 ? left * SIDE + top : SIDE - height,
    height,
  ])
  const runs = columns.flat()
  return [...runs, SIDE * SIDE - runs.reduce((sum, run) => sum + run, 0)]
}

const childrenOf = (parent: string): readonly TreeNode[] =>
  ELEMENTS.filter((each) => each[3] === parent).map(([id, role]) => ({ id, role, children: childrenOf(id) }))

/** What the check says about an instruction whose element this is. */
async function problemOf(element: string, instruction: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-check-'))
  folders.push(folder)
  mkdirSync(join(folder, 'annotations'))
  const image = { id: 1, width: SIDE, height: SIDE, scenario: 'orders', seed: 1, variant: {}, step: 0 }
  const annotations = ELEMENTS.map(([element_id, category, name, parent, bbox], index) => ({
    ...{ id: index + 1, image_id: 1, element_id, role: category, name, bbox, window_uid: 'main', z: index },
    category_id: CATEGORIES.indexOf(category),
    segmentation: { size: [SIDE, SIDE], counts: maskOf(bbox) },
    parent_id: parent === '' ? null : numberOf(parent),
    clickable: category !== 'Window',
  }))
  const texts = ELEMENTS.filter(([id]) => id !== 'window').map(([, , text, , bbox]) => ({ image_id: 1, text, bbox }))
  const categories = CATEGORIES.map((name, id) => ({ id, name }))
  writeFileSync(
    join(folder, 'annotations', '1.json'),
    JSON.stringify({ images: [image], annotations, texts, categories }),
  )
  const [left, top, width, height] = ELEMENTS[numberOf(element) - 1]![4]
  const point = [left + width / 2, top + height / 2]
  const line = { image_id: 1, instruction, point, annotation_id: numberOf(element), name_painted: false }
  writeFileSync(join(folder, 'grounding.jsonl'), `${JSON.stringify(line)}\n`)
  const observed = {
    windows: [{ uid: 'main', title: 'Orders' }],
    treeOf: async () => childrenOf('')[0]!,
  }
  const { checked, wrong } = await wrongInstructions(folder, async () => observed)
  expect(checked).toBe(1)
  return wrong[0]?.problem
}

it.each([
  ['city', 'Click the column header “City”'],
  ['oslo', 'Click the row header “Oslo”'],
  ['cell', 'Click the cell in the column “City” and the row “Oslo”'],
  ['sent', 'Choose item 2 of the list “Folders”'],
  ['inbox', 'Choose the first item of the only list'],
])('[DS26] the check accepts what means %s', async (element, instruction) => {
  expect(await problemOf(element, instruction)).toBeUndefined()
})

it.each([
  ['the wrong noun of a header', 'oslo', 'Click the column header “Oslo”', 'calls HeaderItem "Oslo" a column header'],
  ['the wrong noun of a cell', 'cell', 'Click the button “Norway”', 'calls Cell "Norway" a button'],
  ['a name of two', 'save', 'Click the button “Save”', 'means Button "Save" in main or Button "Save" in main'],
  ['a wrong position', 'sent', 'Choose item 1 of the list “Folders”', 'means ListItem "Inbox" in main'],
  ['a position beyond the last', 'sent', 'Choose item 3 of the list “Folders”', 'counts further than there are'],
  ['another form', 'save', 'Please save it', 'is not one of the documented sentences'],
])('[DS26] the check reports %s', async (_, element, instruction, problem) => {
  expect(await problemOf(element, instruction)).toBe(problem)
})
