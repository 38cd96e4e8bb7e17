import { describe, expect, it } from 'vitest'
import { hasElement, inPage, isReady, middleOf, openLive, shows } from '../../test/support/viewer/live-page.ts'
import { launchBrowser } from '../../test/support/viewer/test-browser.ts'

// Tests the tools below the screen in a browser. Rules such as [VW56] are stated in README.md beside this file.

launchBrowser()

describe('the log', () => {
  it('[VW56] shows calls of agents and of the person, with what they made happen', async () => {
    const { page, desk } = await openLive()
    await isReady(page)
    await desk.locator('Button "Go"').click()
    await shows(page, '.call-head', 'click_element')
    await shows(page, '.call-head', '1 fired')
    await page.locator('.call-head').first().click()
    await shows(page, '.call-details', 'reactions[1]')
    await shows(page, '.call-details', 'Button \\"Go\\"')
    await desk.tryCall('click_element', { selector: 'Button "Gone"' })
    await shows(page, '.call-head', 'ElementNotFound')
    await page.getByRole('button', { name: '+1 s' }).click()
    await shows(page, '.call-head .person', 'person')
    await page.getByRole('button', { name: 'Rewind to after it' }).click()
    await hasElement(desk, 'Edit "Name"[value=""]')
    await hasElement(desk, 'ProgressBar "Once"[value_now=1]')
  })
})

describe('reactions', () => {
  it('[VW57] explains a call of the log, and one that is not made', async () => {
    const { page, desk } = await openLive()
    await isReady(page)
    await desk.locator('Button "Go"').click()
    await page.locator('.call-head', { hasText: 'click_element' }).click()
    await page.getByRole('button', { name: 'Why these reactions?' }).click()
    await shows(page, '.explanations li', 'appliesreactions[1]')
    await shows(page, '.explanations li', 'no matchreactions[0]')
    await page.getByRole('treeitem', { name: /Button Go/ }).click()
    const steps = desk.session.steps
    await page.getByLabel('What if I').selectOption('double-click')
    await page.getByRole('button', { name: 'Explain' }).click()
    await shows(page, '.explained', 'double_click_element')
    await shows(page, '.explanations li', 'appliesreactions[0]')
    expect(desk.session.steps).toBe(steps)
  })
})

describe('the recorder', () => {
  it('[VW58] records what the person and agents do, as a solution that can be copied, and as a test', async () => {
    const { page, desk } = await openLive()
    await isReady(page)
    await page.getByRole('tab', { name: 'Recorder' }).click()
    await page.getByRole('button', { name: 'Record' }).click()
    await page.getByLabel('Act', { exact: true }).check()
    await page.mouse.click(...(await inPage(page, ...(await middleOf(desk, 'Button "Go"')))))
    await shows(page, '.recorder .code', `click_element, with: {selector: 'Button "Go"'}`)
    await page.mouse.click(...(await inPage(page, ...(await middleOf(desk, 'Edit "Name"')))))
    await shows(page, '.recorder .code', 'Edit "Name"')
    await page.keyboard.type('hi')
    await shows(page, '.recorder .code', 'type_text, with: {text: "hi"}')
    await desk.press('b')
    await shows(page, '.recorder', '4 steps so far')
    await page.getByRole('button', { name: 'Stop' }).click()
    await desk.press('a')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy recording' }).click()
    await shows(page, '.recorder', 'Copied')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`solution:
  - {call: click_element, with: {selector: 'Button "Go"'}}
  - {call: click_element, with: {selector: 'Edit "Name"'}}
  - {call: type_text, with: {text: "hi"}}
  - {call: press_key, with: {keys: "b"}}
`)
    await page.getByLabel('as').selectOption('test')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toBe('recorded.test.ts')
    await shows(page, '.recorder .code', `await desktop.call('type_text', { text: 'hi' })`)
  })

  it('[VW58] names the file of the scenario, and writes braces of a composed one as text', async () => {
    const { page, desk } = await openLive({
      scenario: 'expense-reports',
      config: { tracing: { redact_keys: ['password'] } },
    })
    await isReady(page)
    await page.getByRole('tab', { name: 'Recorder' }).click()
    await page.getByRole('button', { name: 'Record' }).click()
    await desk.call('set_clipboard', { text: '{{ 1 + 1 }}' })
    await shows(page, '.recorder .code', '{{ "{{" }} 1 + 1 }}')
    await page.getByLabel('as').selectOption('test')
    await shows(page, '.recorder .code', `openDesktop({ scenario: 'expense-reports'`)
    await shows(page, '.recorder .code', `{ text: '{{ 1 + 1 }}' }`)
  })
})
