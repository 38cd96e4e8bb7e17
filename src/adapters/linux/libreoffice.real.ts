import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { expectLargeBoxes, expectLikeReference } from '../../../test/support/linux/bounding-boxes.ts'
import { openLibreOffice } from '../../../test/support/linux/programs.ts'
import { type LinuxTestDesktop, startTestDesktop, waitUntil } from '../../../test/support/linux/test-desktop.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'

let testDesktop: LinuxTestDesktop

beforeAll(async () => {
  testDesktop = await startTestDesktop({ width: 1280, height: 900 })
})
afterEach(() => testDesktop.endPrograms())
afterAll(() => testDesktop?.close())

it('[LX65] Calc is read without hanging, and shows the sum of a column', async () => {
  const calc = await openLibreOffice(testDesktop, /Calc/, 'calc')
  await expectLikeReference(testDesktop, 'calc', calc, 'LibreOffice Calc', 'size')
  const cell = await calc.element('Cell "A1"')
  const at = { x: cell.bounds.x + 20, y: cell.bounds.y + 8 }
  await testDesktop.computer.perform({ type: 'click', at, button: 'left', count: 1 })
  await testDesktop.computer.perform({ type: 'type', text: '40\n2\n=SUM(A1:A2)\n' })
  await waitUntil('the sum is there', async () => (await calc.element('Cell "A3"')).value === '42')
  expect((await calc.element('Cell "A1"')).value).toBe('40')
  const table = await calc.element('Table')
  expect(table.traits?.childCount).toBe(1_048_576)
  expect(querySelectorAll(await calc.tree(), 'MenuItem "File"').length).toBe(1)
})

it('[LX68] [LX75] Writer reports its tool bar before its window was moved, typed text and its status bar', async () => {
  const writer = await openLibreOffice(testDesktop, /Writer/, 'writer')
  const bold = await writer.element('ToggleButton "Bold"')
  const menu = await writer.element('MenuItem "File"')
  const at = { x: bold.bounds.x + 10, y: bold.bounds.y + 10 }
  expect(bold.bounds.y).toBeGreaterThan(menu.bounds.y + menu.bounds.height)
  await testDesktop.computer.perform({ type: 'click', at, button: 'left', count: 1 })
  await waitUntil('it is bold', async () => (await writer.element('ToggleButton "Bold"')).selected === true)
  await expectLikeReference(testDesktop, 'writer', writer, 'LibreOffice Writer', 'size')
  await testDesktop.computer.perform({ type: 'activate', window: writer.uid })
  await testDesktop.computer.perform({ type: 'type', text: 'Dear Zoë,\n本 😀' })
  await writer.waitForText('Dear Zoë,')
  await writer.waitForText('本 😀')
  await writer.waitForText('Page 1 of 1')
})

describe('Writer that measures in larger pixels', () => {
  it.each([
    ['GDK_SCALE=2', 'Button "Print"'],
    ['SAL_FORCEDPI=192', 'ToggleButton "Bold"'],
  ])('[LX73] [LX74] [LX5] has its boxes in the picture with %s', async (setting, button) => {
    const writer = await openLibreOffice(testDesktop, /Writer/, 'writer', { settings: [setting] })
    await expectLargeBoxes(testDesktop, `writer-${setting}`, writer, ['MenuItem "File"', button])
  })
})
