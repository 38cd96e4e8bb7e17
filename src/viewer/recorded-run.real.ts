import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shows } from '../../test/support/viewer/live-page.ts'
import { recordBoard } from '../../test/support/viewer/recorded-board.ts'
import { closeLater, launchBrowser, openPage, violations } from '../../test/support/viewer/test-browser.ts'
import { type RecordedRun, readRun } from '../recording/read-run.ts'
import { serveRun } from '../recording/serve-run.ts'

// Shows traces that a server wrote, in a browser. Rules such as [VW14] are stated in README.md beside this file.

launchBrowser()

const LOST_STEP = 10
let lost: RecordedRun
let solved: RecordedRun
beforeAll(async () => {
  const read = async (end: 'lost' | 'solved') => {
    const { folder, scenario } = await recordBoard(end)
    return readRun(folder, { scenario, lostWithin: { maxScreens: 300 } })
  }
  lost = await read('lost')
  solved = await read('solved')
})

const problems: string[] = []
afterAll(() => expect(problems).toEqual([]))

interface Options {
  readonly hash?: string
  readonly width?: number
  readonly dark?: boolean
  readonly other?: RecordedRun
}

async function opened({ hash = '', width = 1400, dark = false, other }: Options = {}): Promise<Page> {
  const report = (bug: unknown) => problems.push(String(bug))
  const server = await serveRun({ run: lost, other, port: 0, report })
  const page = await openPage({
    ...{ viewport: { width, height: 900 }, colorScheme: dark ? 'dark' : 'light' },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  closeLater(async () => {
    await page.close()
    await server.close()
  })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(`${server.url}${hash}`)
  await page.waitForSelector('.recording')
  return page
}

const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const pixels = (page: Page, selector: string): Promise<number> =>
  page.evaluate(
    `new Set(document.querySelector('${selector}').getContext('2d').getImageData(40, 40, 200, 100).data).size`,
  )

describe('the time of a recorded run', () => {
  it('[VW7] [VW8] is virtual with wall time below, with pictures that were taken', async () => {
    const page = await opened()
    await expect.poll(() => page.locator('.film-strip canvas').count()).toBeGreaterThan(5)
    await expect.poll(() => pixels(page, '.film-strip canvas')).toBeGreaterThan(3)
    const axis = (await page.locator('.time-axis span').allTextContents()).map((text) => text.trim())
    expect(axis[0]).toMatch(/^0 ms\d\d:\d\d:\d\d$/)
    expect(axis.length).toBeGreaterThan(3)
    await page.getByLabel('Axis').selectOption('steps')
    await shows(page, '.time-axis', '10')
  })

  it('[VW9] [VW10] [VW11] [VW13] is scrubbed, stepped by keys, cut to a range and linked', async () => {
    const page = await opened({ hash: '#step=7' })
    await shows(page, '.screen-panel h2', 'Step 7')
    await page.keyboard.press('ArrowLeft')
    await shows(page, '.screen-panel h2', 'Step 6')
    await page.getByRole('slider', { name: 'Step' }).fill('2')
    await shows(page, '.screen-panel h2', 'Step 2')
    await expect.poll(() => new URL(page.url()).hash).toBe('#step=2')
    await page.keyboard.press('[')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press(']')
    await shows(page, '.step-panel .panel-head', '2 of 11')
  })
})

describe('a step of a recorded run', () => {
  it('[VW14] shows what was hit and meant, the click, its receipt and its pictures', async () => {
    const page = await opened({ hash: '#step=1' })
    await shows(page, '.legend', 'click at')
    await shows(page, '.legend', 'hit: Button OK')
    await shows(page, '.legend', 'meant: Edit Name')
    expect(await page.locator('.outline.hit, .outline.meant, .click-mark').count()).toBe(3)
    await shows(page, '.outcome', '✓ ok')
    await shows(page, '.details', '"mouse_click"')
    for (const [name, words] of [
      ['Before', 'before step 1'],
      ['After', 'after step 1'],
      ['At', 'before step 1'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect.poll(() => page.locator('.screen-panel canvas').first().getAttribute('aria-label')).toContain(words)
    }
  })

  it('[VW14] shows drags and held keys', async () => {
    const page = await opened({ hash: '#step=3' })
    await shows(page, '.legend', 'drag to')
    expect(await page.locator('.drag-path polyline').count()).toBe(1)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await shows(page, '.legend', 'held: shift')
  })

  it('[VW16] [VW17] shows changes of the tree and of the pixels', async () => {
    const page = await opened({ hash: '#step=3' })
    await openTab(page, 'Tree')
    await shows(page, '.changes', 'Slider Level')
    await shows(page, '.changes', 'value now 10')
    await page.keyboard.press('4')
    await shows(page, '.pixel-count', 'pixels changed')
    await page.getByLabel('Share of the picture before the step').fill('30')
    await expect
      .poll(() => page.evaluate(`document.querySelector('.layer').style.clipPath`))
      .toBe('inset(0px 0px 0px 30%)')
    await page.getByRole('button', { name: 'Blink' }).click()
    await shows(page, '.slider-row strong', 'After')
    await page.getByRole('button', { name: 'Difference' }).click()
    await expect.poll(() => page.locator('.outline.changed').count()).toBe(1)
  })

  it('[VW18] shows state, variables and clipboard with what fired: reaction, timer and fault', async () => {
    const page = await opened({ hash: '#step=1' })
    await openTab(page, 'State')
    await shows(page, '.fired', 'reactions[1]')
    await shows(page, '.variables', 'tries0 1')
    await page.getByRole('slider', { name: 'Step' }).fill('7')
    await shows(page, '.details', 'Clipboardcopied words')
    await page.getByRole('slider', { name: 'Step' }).fill('8')
    await shows(page, '.fired', 'timers[0]')
    await page.getByRole('slider', { name: 'Step' }).fill('9')
    await shows(page, '.fired .bad', 'fault')
    await shows(page, '.step-panel .badge.bad', 'Timeout')
    await page.getByRole('slider', { name: 'Step' }).fill(String(LOST_STEP))
    await shows(page, '.details', 'ask gone')
  })

  it('[VW19] shows oracles over time, and the step after which success was impossible', async () => {
    const page = await opened({ hash: '#step=1' })
    await openTab(page, 'Oracles')
    await shows(page, '.lost-note', `Success was impossible after step ${LOST_STEP}`)
    await page.getByRole('button', { name: `Go to step ${LOST_STEP}` }).click()
    await shows(page, '.screen-panel h2', `Step ${LOST_STEP}`)
    await shows(page, '.matrix', '✓ holdsfailure')
    expect(await page.locator('.matrix .runs').nth(1).getAttribute('aria-label')).toBe(
      `does not hold from 0 to ${LOST_STEP - 1}, holds from ${LOST_STEP} to 11`,
    )
    expect(await page.locator('.lost-line').count()).toBe(1)
  })

  it('[VW20] [VW21] [VW22] shows the turn of the model, the requests as curl, and events of protocols', async () => {
    const page = await opened({ hash: '#step=1' })
    await openTab(page, 'Model')
    for (const words of [
      ...[
        'I press OK first.',
        'The form may be filled in.',
        'Call as openai',
        '"type": "click"',
        '"tool": "mouse_click"',
      ],
      ...['1,234 tokens', '56 tokens', '$0.0025', '1.5 s'],
    ])
      await shows(page, '.details', words)
    await openTab(page, 'Wire')
    await shows(page, '.request', '/computer/openai')
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await shows(page, '.copied', 'Copied')
    const copied = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(copied).toMatch(/^curl --globoff --request 'POST' --url 'http:\/\/127\.0\.0\.1:\d+\/computer\/openai' /)
    expect(JSON.parse(/--data-raw '([^']*)'$/.exec(copied)![1]!)).toMatchObject({ action: { button: 'left' } })
    expect(copied).not.toContain('content-length')
    expect(await page.locator('.marks .events').getAttribute('d')).toMatch(/^M.*M/)
    await page.getByRole('option', { name: /answer navi/ }).click()
    await shows(page, '.exchange.chosen', 'Nearly done')
    await shows(page, '.screen-panel h2', 'Step 9')
  })

  it('[VW23] [VW12] is listed under the run, and found by its text and errors', async () => {
    const page = await opened()
    for (const words of ['Scenarioboard', 'Seed', '✗ No success', 'Save the name Ann.'])
      await shows(page, '.summary', words)
    await page.getByRole('searchbox').fill('drop')
    await shows(page, '.step-panel .panel-head', '1 of 11')
    await page.getByRole('searchbox').fill('')
    await page.getByLabel('Errors').check()
    await shows(page, '.step-panel .panel-head', '1 of 11')
  })

  it('[VW26] opens in a live session that has its state', async () => {
    const page = await opened({ hash: '#step=2' })
    const [live] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Open here' }).click(),
    ])
    await live.waitForSelector('.live')
    await shows(live, '.about', 'stateask')
    await live.getByRole('tab', { name: 'Data' }).click()
    await shows(live, '.data', 'tries1')
  })
})

it('[VW24] [VW25] compares two recorded runs, and goes to where they part', async () => {
  const page = await opened({ other: solved })
  await page.getByRole('button', { name: 'Compare' }).click()
  await shows(page, '.divergence', `The agent diverged first At pair ${LOST_STEP}: click_element against set_value.`)
  await page.getByRole('button', { name: 'First divergence' }).click()
  await shows(page, '.sides', `${LOST_STEP}: set_value`)
  await shows(page, '.sides', 'Left runboardno success')
  await shows(page, '.sides', 'Right runboardsuccess')
  await shows(page, '.sides .good', 'success')
  await openTab(page, 'Call')
  await shows(page, '.details', '"selector": "Button \\"Drop\\""')
  await shows(page, '.time-panel h2', 'Time line: Left run')
  await page.getByRole('button', { name: 'Right run' }).click()
  await shows(page, '.details', '"value": "Ann"')
  await shows(page, '.time-panel h2', 'Time line: Right run')
  expect(await page.locator('.lost-line').count()).toBe(0)
  expect(await page.getByRole('slider', { name: 'Step' }).getAttribute('aria-valuetext')).toContain(
    `step ${LOST_STEP} of 11`,
  )
  await page.getByRole('slider', { name: 'Step' }).fill('11')
  await shows(page, '.sides', '11: click_element')
  await openTab(page, 'Oracles')
  await shows(page, '.details .matrix', '✓ holdssuccess')
  await page.keyboard.press('s')
  await shows(page, '.details .matrix', '✗ does not holdsuccess')
  await shows(page, '.details .matrix', '✓ holdsfailure')
  await page.keyboard.press('l')
  await shows(page, '.sides', `${LOST_STEP}: set_value`)
  await page.getByRole('button', { name: 'Compare' }).click()
  await shows(page, '.screen-panel h2', `Step ${LOST_STEP}`)
})

describe('[VW28] a recorded run', () => {
  for (const [width, dark] of [
    [1400, false],
    [1400, true],
    [400, false],
    [400, true],
  ] as const)
    it(`fits and is accessible at ${width} pixels, ${dark ? 'dark' : 'light'}`, async () => {
      const page = await opened({ width, dark, other: solved, hash: '#step=1' })
      await shows(page, '.screen-panel h2', 'Step 1')
      for (const name of ['Call', 'Tree', 'State', 'Oracles', 'Model', 'Wire', 'Events']) {
        await openTab(page, name)
        expect([name, ...(await violations(page))]).toEqual([name])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      }
      await page.keyboard.press('d')
      await shows(page, '.divergence', 'diverged first')
      expect(await violations(page)).toEqual([])
    })
})
