import { describe, expect, it } from 'vitest'
import { hasElement, inPage, isReady, middleOf, openLive, shows } from '../../test/support/viewer/live-page.ts'
import { launchBrowser, violations } from '../../test/support/viewer/test-browser.ts'
import { matchers } from '../testing.ts'

// Tests the live entrance in a browser. Rules such as [VW46] are stated in README.md beside this file.

expect.extend(matchers)
launchBrowser()

const HOSTILE = '<img src=x onerror="globalThis.stolen = 1">\'"</script>&amp;'

describe('acting', () => {
  it('[VW46] does nothing before the user has switched it on', async () => {
    const { page, desk } = await openLive()
    await isReady(page)
    const go = await middleOf(desk, 'Button "Go"')
    const steps = desk.session.steps
    await page.mouse.click(...(await inPage(page, ...go)))
    await shows(page, '.element', 'Go')
    expect(desk.session.steps).toBe(steps)
  })

  it('[VW46] sends clicks, one double click, texts and keys', async () => {
    const { page, desk } = await openLive()
    await isReady(page)
    await page.getByLabel('Act', { exact: true }).check()
    const go = await inPage(page, ...(await middleOf(desk, 'Button "Go"')))
    await page.mouse.dblclick(...go)
    await shows(page, '.stage output', 'click_at: changed')
    await expect(desk).toHaveElement('ProgressBar "Twice"[value_now=1]')
    await expect(desk).toHaveElement('ProgressBar "Once"[value_now=0]')
    await page.mouse.click(...go)
    await hasElement(desk, 'ProgressBar "Once"[value_now=1]')
    await page.mouse.click(...(await inPage(page, ...(await middleOf(desk, 'Edit "Name"')))))
    await shows(page, '.line', 'focus')
    await page.keyboard.type('hi there')
    await shows(page, '.tree', 'hi there')
    await page.keyboard.press('Backspace')
    await shows(page, '.tree', 'hi ther')
    await page.getByPlaceholder('Text to type').fill('!')
    await page.keyboard.press('Enter')
    await hasElement(desk, 'Edit[value="hi ther!"]')
    await page.getByPlaceholder('tab, ctrl+s').fill('nonsense+q')
    await page.keyboard.press('Enter')
    await shows(page, '.stage output.bad', 'press_key')
  })

  it('[VW46] leaves the picture with Tab', async () => {
    const { page } = await openLive()
    await isReady(page)
    await page.getByLabel('Act', { exact: true }).check()
    await page.focus('.act-layer')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.className')).not.toBe('act-layer')
  })
})

describe('elements', () => {
  it('[VW48] lists windows, and shows the elements of one of them', async () => {
    const { page, desk } = await openLive()
    await shows(page, '.tree', 'Field')
    await page.locator('.window-choice', { hasText: 'Front' }).click()
    await expect.poll(() => page.textContent('.tree')).not.toContain('Field')
    await page.locator('.window-choice', { hasText: 'Front' }).click()
    await shows(page, '.tree', 'Field')
    await page.locator('.window-choice', { hasText: 'Front' }).click()
    await desk.press('alt+f4')
    await shows(page, '.tree', 'Field')
  })

  it('[VW49] outlines from the tree to the screen and back, and selects', async () => {
    const { page, desk } = await openLive()
    await isReady(page)
    await page.getByRole('treeitem', { name: /Button Go/ }).hover()
    const outline = (await page.locator('.outline.hover').boundingBox())!
    const [x, y] = await middleOf(desk, 'Button "Go"')
    const [pageX, pageY] = await inPage(page, x, y)
    expect(Math.abs(outline.x + outline.width / 2 - pageX)).toBeLessThan(2)
    expect(Math.abs(outline.y + outline.height / 2 - pageY)).toBeLessThan(2)
    await page.mouse.move(pageX, pageY)
    await shows(page, '.line.hovered', 'Go')
    const foot = (await page.textContent('.stage-foot')) ?? ''
    const [, shownX, shownY] = /^(\d+), (\d+)Button Go/.exec(foot) ?? [foot]
    // A pixel of a smaller picture stands for several of the screen.
    expect(Math.max(Math.abs(Number(shownX) - x), Math.abs(Number(shownY) - y))).toBeLessThan(3)
    await page.mouse.click(pageX, pageY)
    await shows(page, '.element .properties', 'idgo')
    await shows(page, '.line[aria-selected=true]', 'Go')
  })

  it('[VW50] tries selectors: matches, errors with their column, and the best one of an element', async () => {
    const { page } = await openLive()
    await isReady(page)
    await page.getByRole('tab', { name: 'Selector' }).click()
    await page.getByRole('textbox', { name: 'Selector' }).fill('ProgressBar')
    await shows(page, '.selector', '2 elements match')
    expect(await page.locator('.outline.meant').count()).toBe(2)
    await page.getByRole('textbox', { name: 'Selector' }).fill('Button[nam]]')
    await shows(page, '.selector .bad', 'Column 8')
    expect(await page.locator('.outline.meant').count()).toBe(0)
    await page.getByRole('treeitem', { name: /Button Go/ }).click()
    await shows(page, '.best-selector code', 'Button')
    await page.locator('.best-selector').getByRole('button', { name: 'Try' }).click()
    await shows(page, '.selector', 'One element matches.')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.locator('.best-selector').getByRole('button', { name: 'Copy selector' }).click()
    await shows(page, '.best-selector', 'Copied')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await page.locator('.best-selector code').textContent(),
    )
  })

  it('[VW52] shows hostile texts as texts', async () => {
    const text = JSON.stringify(HOSTILE)
    const { page } = await openLive({
      scenario: `
name: ${text}
task: ${text}
vars: {v: ${text}}
files: {${JSON.stringify(`/home/${HOSTILE.replaceAll('/', '')}`)}: x}
states: {${text}: {windows: [{title: ${text}, tree: {role: Window, name: ${text}, children: [{id: ${text}, role: Edit, name: ${text}, value: ${JSON.stringify(`${HOSTILE}!`)}}]}}]}}
`,
    })
    await isReady(page)
    for (const place of ['h1', '.task', '.chip.now', '.window-choice .title', '.line .name'])
      expect([place, await page.locator(place).first().textContent()]).toEqual([place, HOSTILE])
    await page.locator('.line', { hasText: 'Edit' }).click()
    expect(await page.textContent('.line .value')).toBe(`${HOSTILE}!`)
    await shows(page, '.element dd', HOSTILE)
    await page.getByRole('tab', { name: 'Data' }).click()
    await shows(page, '.files', HOSTILE.replaceAll('/', ''))
    expect(await page.evaluate('[document.images.length, globalThis.stolen ?? 0]')).toEqual([0, 0])
  })
})

describe('every width and theme', () => {
  it.each([
    [1400, false],
    [1400, true],
    [400, false],
    [400, true],
  ])('[VW47] is accessible at %i pixels, dark: %s', async (width, dark) => {
    const { page, desk } = await openLive({ width, dark })
    await isReady(page)
    await desk.locator('Button "Go"').click()
    await page.getByLabel('Act', { exact: true }).check()
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      expect([await tab.getAttribute('id'), ...(await violations(page))]).toEqual([await tab.getAttribute('id')])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
  })

  it('[VW47] works by keyboard alone in a narrow window', async () => {
    const { page, desk } = await openLive({ width: 400 })
    await isReady(page)
    await page.getByRole('tab', { name: 'Windows' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    for (let lines = 3; lines > 0; lines--) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await shows(page, '.drawer .properties', 'idgo')
    await page.getByLabel('Act', { exact: true }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Click', exact: true }).focus()
    await page.keyboard.press('Enter')
    await shows(page, '.stage output', 'click_element: changed')
    await expect(desk).toHaveElement('ProgressBar "Once"[value_now=1]')
  })
})
