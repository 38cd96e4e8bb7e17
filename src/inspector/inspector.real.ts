import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFastifyApp } from '../compose/rest-app.ts'
import { matchers, openDesktop, type TestDesktop } from '../testing.ts'
import { inspectorPage } from './index.ts'

// Tests the page in a browser. Rules such as [I3] are stated in README.md beside this file.

const DESK = `
name: desk
states:
  only:
    windows:
      - uid: front
        title: Front
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree: {role: Window, name: Front, children: [{id: name, role: Edit, name: Name, value: ""}]}
      - uid: back
        title: ""
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree: {role: Window, name: Back, children: [{id: field, role: Edit, name: Field, value: ""}, {id: go, role: Button, name: Go}, {id: once, role: ProgressBar, name: Once, value_now: 0}, {id: twice, role: ProgressBar, name: Twice, value_now: 0}]}
reactions:
  - {on: {tool: double_click_element, target_id: go}, set: [{id: twice, value_now: {add: 1}}]}
  - {on: {tool: click_element, target_id: go}, set: [{id: once, value_now: {add: 1}}]}
`

expect.extend(matchers)

let browser: Browser
const closers: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser?.close()
  for (const close of closers) await close()
})

async function opened(
  options: { readonly token?: string; readonly width?: number } = {},
): Promise<{ page: Page; desk: TestDesktop; shut(): Promise<unknown> }> {
  const desk = openDesktop({ scenario: DESK })
  const app = await createFastifyApp(desk, { token: options.token })
  await inspectorPage(app)
  const url = await app.listen({ port: 0 })
  closers.push(() => app.close())
  const page = await browser.newPage({ viewport: { width: options.width ?? 1280, height: 800 } })
  page.on('dialog', (dialog) => dialog.dismiss())
  await page.goto(url)
  return { page, desk, shut: () => app.close() }
}

const hasText = (page: Page, selector: string, words: string) =>
  expect.poll(() => page.textContent(selector), { timeout: 10_000 }).toContain(words)

it('[I2] requests a missing token again only after Refresh', async () => {
  const { page } = await opened({ token: 's3cret' })
  await hasText(page, '#about', 'a token is required; Refresh asks for it again')
  expect(await page.isChecked('#follow')).toBe(false)
})

it('[I3] shows an empty page without windows, and reports a server that does not answer', async () => {
  const { page, desk, shut } = await opened()
  await hasText(page, '#tree', 'Edit Name')
  for (let open = 2; open > 0; open--) await desk.press('alt+f4')
  await hasText(page, '#about', 'no window is open')
  expect([await page.textContent('#tree'), await page.getAttribute('#shot', 'src')]).toEqual(['', null])
  await shut()
  await hasText(page, '#about', 'the server does not answer')
})

it('[I4] acts on the shown window, sends one double click, and submits on Enter', async () => {
  const { page, desk } = await opened()
  await page.click('text=(no title)')
  await hasText(page, '#tree', 'Button Go')
  await page.fill('#keys', 'tab')
  await page.press('#keys', 'Enter')
  await hasText(page, '#action-result', 'press: changed')
  await expect(desk).toHaveElement('Edit "Field"[focused=true]')
  await page.check('#act')
  await page.hover('#tree [data-id=go]')
  const go = (await page.locator('#outline').boundingBox())!
  await page.mouse.dblclick(go.x + go.width / 2, go.y + go.height / 2)
  await hasText(page, '#action-result', 'double click at')
  await expect(desk).toHaveElement('ProgressBar "Once"[value_now=0]')
  await expect(desk).toHaveElement('ProgressBar "Twice"[value_now=1]')
})

it('[I5] fits into 400 pixels, and moves through the tree with the arrow keys', async () => {
  const { page } = await opened({ width: 400 })
  await hasText(page, '#tree', 'Edit Name')
  const [shot, wide] = await Promise.all([
    page.locator('#shot').boundingBox(),
    page.evaluate('document.documentElement.scrollWidth'),
  ])
  expect([shot!.width > 300, wide]).toEqual([true, 400])
  await page.focus('#tree [data-id=root]')
  await page.keyboard.press('ArrowDown')
  await hasText(page, '#element', 'idname')
})

it('[I6] follows the foreground window unless another one is selected', async () => {
  const { page, desk } = await opened()
  await hasText(page, '#tree', 'Edit Name')
  await desk.call('bring_to_foreground', { window_uid: 'back' })
  await hasText(page, '#tree', 'Edit Field')
  await page.click('text=Front')
  await hasText(page, '#tree', 'Edit Name')
  await desk.locator('Edit "Field"').type('hello')
  await page.click('#refresh')
  await hasText(page, '#tree', 'Edit Name')
  await page.click('text=(no title)')
  await hasText(page, '#tree', 'Edit Field')
  await desk.call('bring_to_foreground', { window_uid: 'front' })
  await hasText(page, '#tree', 'Edit Name')
})

it('[I9] shows the picture after a failed update', async () => {
  const { page, desk } = await opened()
  await hasText(page, '#tree', 'Edit Name')
  let failures = 0
  await page.route('**/api/inspector/view*', (route) => {
    if (failures++ > 0) return route.fallback()
    return route.fulfill({ status: 500, json: { ok: false, error: { message: 'the capture failed' } } })
  })
  await page.click('#refresh')
  await hasText(page, '#about', 'the capture failed')
  await desk.locator('Edit "Name"').type('x')
  await hasText(page, '#about', '2 elements')
  expect(await page.evaluate('document.querySelector("#shot").naturalWidth')).toBe(400)
})

it('[I7] leaves the budget and the trace to the agent', async () => {
  const { page, desk } = await opened()
  await hasText(page, '#tree', 'Edit Name')
  await page.click('[data-view=prose]')
  await hasText(page, '#prose', 'Application')
  await page.click('[data-view=picture]')
  await hasText(page, '#about', '2 elements')
  expect(desk.session.steps).toBe(0)
})
