import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  hasElement,
  inPage,
  isReady,
  LIVE_DESK,
  livePageAt,
  middleOf,
  openLive,
  shows,
} from '../../test/support/viewer/live-page.ts'
import { closeLater, launchBrowser } from '../../test/support/viewer/test-browser.ts'
import { createTestbed } from '../compose/testbed.ts'
import { matchers, type TestDesktop } from '../testing.ts'

// Tests what a person does with the mouse on the live page. Rules such as [VW46] are stated in README.md beside this file.

expect.extend(matchers)
launchBrowser()

const HOSTILE = '<img src=x onerror="globalThis.stolen = 1">\'"</script>&amp;'

/** A window with everything that a mouse can do. */
const MOUSE_DESK = `
name: mouse
states:
  only:
    windows:
      - uid: tools
        title: Tools
        bounds: {x: 20, y: 20, width: 500, height: 420}
        tree:
          role: Window
          name: Tools
          children:
            - {id: file, role: MenuBar, name: Menu, children: [{id: menu, role: MenuItem, name: File, children: [{id: quit, role: MenuItem, name: Quit}]}]}
            - {id: note, role: Edit, name: Note, value: "first words"}
            - {id: volume, role: Slider, name: Volume, value_now: 0, value_min: 0, value_max: 100}
            - {id: rows, role: List, name: Rows, height: 120, children: [${Array.from({ length: 30 }, (_, row) => `{id: row${row}, role: ListItem, name: Row ${row}}`).join(', ')}]}
      - {uid: other, title: Other, bounds: {x: 560, y: 20, width: 300, height: 200}, tree: {role: Window, name: Other, children: [{id: ok, role: Button, name: OK}]}}
files: {/home/user/notes.txt: "buy milk", /home/user/pictures/cat.txt: "miaow"}
`

/** A page that acts. */
async function acting(scenario = MOUSE_DESK, variant?: Readonly<Record<string, string>>) {
  const live = await openLive({ scenario, ...(variant && { variant }) })
  await isReady(live.page)
  await live.page.getByLabel('Act', { exact: true }).check()
  return live
}

const at = async (page: Page, desk: TestDesktop, selector: string) => inPage(page, ...(await middleOf(desk, selector)))

describe('the mouse', () => {
  it('[VW46] right-clicks, and shows the menu that opens', async () => {
    const { page, desk } = await acting()
    await page.mouse.click(...(await at(page, desk, 'Edit "Note"')), { button: 'right' })
    await shows(page, '.stage output', 'click_at: changed')
    await hasElement(desk, 'MenuItem "Select all"')
    await shows(page, '.tree', 'Select all')
    await page.mouse.click(...(await at(page, desk, 'MenuItem "Select all"')))
    await shows(page, '.call-head', 'MenuItem Select all')
    expect(await desk.tryCall('find_element', { selector: 'MenuItem "Select all"' })).toMatchObject({ ok: false })
  })

  it('[VW46] drags from a point to another, without a click', async () => {
    const { page, desk } = await acting()
    const { bounds } = (await desk.call('find_element', { selector: 'Slider' })) as {
      readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
    }
    const y = bounds.y + bounds.height / 2
    await page.mouse.move(...(await inPage(page, bounds.x + 6, y)))
    await page.mouse.down()
    await page.mouse.move(...(await inPage(page, bounds.x + bounds.width / 2, y)), { steps: 4 })
    await page.mouse.up()
    await shows(page, '.stage output', 'mouse_drag: changed')
    await shows(page, '.call-head', 'mouse_drag')
    const tree = JSON.stringify(await desk.call('get_window_structure', { window_uid: 'tools' }))
    const value = Number(/"value_now":(\d+)/.exec(tree)?.[1])
    expect(value).toBeGreaterThan(40)
    expect(value).toBeLessThan(60)
    expect(await page.locator('.call-head', { hasText: 'click_at' }).count()).toBe(0)
  })

  it('[VW46] turns the wheel, and sends quick turns together', async () => {
    const { page, desk } = await acting()
    const [, top] = await middleOf(desk, 'ListItem "Row 0"')
    await page.mouse.move(...(await at(page, desk, 'List "Rows"')))
    for (let turn = 0; turn < 3; turn++) await page.mouse.wheel(0, 100)
    await shows(page, '.stage output', 'scroll: changed')
    await page.locator('.call-head', { hasText: 'scroll' }).click()
    await shows(page, '.call-details', '"clicks":-3')
    expect((await middleOf(desk, 'ListItem "Row 0"'))[1]).toBeLessThan(top)
    expect(await page.evaluate('document.scrollingElement.scrollTop')).toBe(0)
  })

  it('[VW46] raises a window', async () => {
    const { page } = await acting()
    await shows(page, '.window-choice:has(.badge)', 'Tools')
    await page.getByRole('button', { name: 'Raise' }).click()
    await shows(page, '.window-choice:has(.badge)', 'Other')
  })
})

describe('the list of windows', () => {
  it('[VW48] has the popups of a window below it, and shows the elements of one', async () => {
    const { page, desk } = await acting(MOUSE_DESK, { personality: 'linux-gtk' })
    await page.mouse.click(...(await at(page, desk, 'MenuItem "File"')))
    await shows(page, '.windows li.popup', 'popup')
    const rows = await page
      .locator('.windows li')
      .evaluateAll((items) => items.map((item) => (item as { className: string }).className))
    expect(rows).toEqual(['', 'popup', ''])
    await shows(page, '.status', '2 windows')
    await page.locator('.windows li.popup button').click()
    await shows(page, '.tree', 'Quit')
    await expect.poll(() => page.textContent('.tree')).not.toContain('Note')
    await page.locator('.act-layer').press('Escape')
    await expect.poll(() => page.locator('.windows li.popup').count()).toBe(0)
    await shows(page, '.tree', 'Note')
  })
})

describe('time and scenario', () => {
  it('[VW51] goes back to any call of the log, and to the timer', async () => {
    const { page, desk } = await openLive()
    await isReady(page)
    for (let clicks = 0; clicks < 3; clicks++) await desk.locator('Button "Go"').click()
    await hasElement(desk, 'ProgressBar "Once"[value_now=3]')
    await shows(page, '.about', 'step3')
    await page.locator('.call-head', { hasText: 'click_element' }).nth(2).click()
    await page.getByRole('button', { name: 'Rewind to after it' }).click()
    await hasElement(desk, 'ProgressBar "Once"[value_now=1]')
    await shows(page, '.about', 'step1')
    await page.getByRole('button', { name: 'To timer' }).click()
    await hasElement(desk, 'Edit "Name"[value="late"]')
    await page.getByRole('button', { name: 'Step back' }).click()
    await shows(page, '.about', 'step0')
    expect(await page.getByRole('button', { name: 'Step back' }).isDisabled()).toBe(true)
    await shows(page, '.clock', 'next timer in 1 s')
  })

  it('[VW51] chooses a scenario and a seed together', async () => {
    const testbed = await createTestbed({ scenario: LIVE_DESK })
    closeLater(() => testbed.close())
    const { url } = await testbed.serveRest({ port: 0 })
    const page = await livePageAt(url)
    await isReady(page)
    const scenarios = page.getByRole('combobox', { name: 'Scenario' })
    await scenarios.focus()
    await expect.poll(() => scenarios.locator('option').allTextContents()).toContain('mail')
    await scenarios.selectOption('notepad')
    expect(await page.getByLabel('Seed').getAttribute('placeholder')).toBe('of the scenario')
    await page.getByLabel('Seed').fill('4711')
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await shows(page, 'h1', 'notepad')
    await shows(page, '.about', 'seed4711')
    expect(await scenarios.inputValue()).toBe('')
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await shows(page, '.stage output', 'reset: done')
    await shows(page, '.about', 'seed4711')
  })
})

describe('clipboard and files', () => {
  it('[VW54] shows what was copied, folders, new files, and why a file cannot be read', async () => {
    const { page, desk } = await acting()
    await page.getByRole('tab', { name: 'Data' }).click()
    await shows(page, '.data', 'Clipboardempty')
    await desk.locator('Edit "Note"').click()
    await desk.press('ctrl+a')
    await desk.press('ctrl+c')
    await shows(page, '.data', 'Clipboardfirst words')
    await shows(page, '.files', '/home/user/pictures/')
    await page.getByRole('button', { name: '/home/user/pictures/cat.txt' }).click()
    await shows(page, '.files', 'miaow')
    await page.getByRole('button', { name: '/home/user/pictures/cat.txt' }).click()
    await expect.poll(() => page.textContent('.files')).not.toContain('miaow')
    await page.route('**/api/inspector/file?*', (route) =>
      route.fulfill({ status: 404, json: { ok: false, error: { code: 'FileNotFound', message: 'the file is gone' } } }),
    )
    await page.getByRole('button', { name: '/home/user/notes.txt' }).click()
    await shows(page, '.files', 'the file is gone')
  })
})

describe('the log', () => {
  it('[VW56] shows the receipt of a click, outlines what received it, and leaves observations out on request', async () => {
    const { page, desk } = await acting()
    await desk.call('get_window_structure')
    await page.mouse.click(...(await at(page, desk, 'Edit "Note"')))
    const head = page.locator('.call-head', { hasText: 'click_at' })
    await head.click()
    await shows(page, '.call-details', 'received byEdit "Note" in Tools')
    await shows(page, '.call-details', '"changed":true')
    await head.hover()
    await shows(page, '.outline.hit', 'Edit Note')
    await shows(page, '.call-head', 'get_window_structure')
    await page.getByLabel('without observations').check()
    await expect.poll(() => page.locator('.call-head', { hasText: 'get_window_structure' }).count()).toBe(0)
    expect(await head.count()).toBe(1)
  })
})

it('[VW52] shows hostile texts of calls, oracles, reactions, clipboard and recordings as texts', async () => {
  const text = JSON.stringify(HOSTILE)
  const { page, desk } = await acting(`
name: desk
states: {only: {windows: [{uid: w, title: W, tree: {role: Window, name: W, children: [{id: go, role: Button, name: ${text}}, {id: note, role: Edit, name: Note, value: ""}]}}]}}
reactions: [{on: {tool: click_element, target_id: go}, when: [{id: note, value: ${text}}], set: [{id: go, enabled: false}]}]
oracles: {success: [{kind: text_visible, regex: never, message: ${text}}]}
`)
  await page.getByRole('tab', { name: 'Recorder' }).click()
  await page.getByRole('button', { name: 'Record' }).click()
  await desk.locator(`Button ${text}`).click()
  await shows(page, '.recorder .code', 'onerror')
  await desk.tryCall('click_element', { selector: `Edit ${text}` })
  await desk.tryCall('set_clipboard', { text: HOSTILE })
  await page.getByRole('tab', { name: 'Log' }).click()
  await shows(page, '.call-head', `Button ${HOSTILE}`)
  await shows(page, '.call-head', 'ElementNotFound')
  await shows(page, '.call-head', 'set_clipboard')
  for (const head of await page.locator('.call-head').all()) await head.click()
  await shows(page, '.call-details', JSON.stringify(`Edit ${text}`))
  await page.getByRole('button', { name: 'Why these reactions?' }).last().click()
  await shows(page, '.explanations', '<img src=x onerror')
  await page.getByRole('tab', { name: 'Oracles' }).click()
  await shows(page, '.oracles', HOSTILE)
  await page.getByRole('tab', { name: 'Data' }).click()
  await shows(page, '.data', HOSTILE)
  expect(await page.evaluate('[document.images.length, globalThis.stolen ?? 0]')).toEqual([0, 0])
})
