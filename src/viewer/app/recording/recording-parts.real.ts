import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { generateRecording } from '../../../../test/support/viewer/generated-recording.ts'
import { type ServedFiles, serveRecordingFiles } from '../../../../test/support/viewer/recording-server.ts'
import { shownStep, smallRecording, storedElement } from '../../../../test/support/viewer/small-recording.ts'
import { closeLater, launchBrowser, openPage, violations } from '../../../../test/support/viewer/test-browser.ts'
import type { Recording } from '../../model/recording.ts'
import { staticPage, viewerAssets } from '../../page.ts'

// Tests what the page of a recorded run shows of a step. Rules such as [VW16] are stated in README.md of the viewer.

const files = generateRecording({ steps: 30 })
launchBrowser()

async function opened(
  served: Partial<ServedFiles> = {},
  hash = '',
  options: BrowserContextOptions & { readonly width?: number } = {},
): Promise<Page> {
  const app = await serveRecordingFiles({ ...files, ...served })
  closeLater(() => app.close())
  const url = await app.listen({ port: 0 })
  const page = await openPage({ viewport: { width: options.width ?? 1400, height: 900 }, ...options })
  await page.goto(`${url}/${hash}`)
  await page.waitForSelector('.recording')
  return page
}

const shows = (page: Page, selector: string, words: string) =>
  expect.poll(() => page.textContent(selector)).toContain(words)
const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click()

it('[VW16] marks changed, added and removed elements, and lists the changes', async () => {
  const page = await opened({}, '#step=14')
  await openTab(page, 'Tree')
  await shows(page, '.changes', 'window Go on?')
  await expect.poll(() => page.locator('.line.added').count()).toBe(2)
  await page.getByRole('button', { name: 'CheckBox Task 18' }).click()
  await shows(page, '.tree-part', 'CheckBox')
  expect(await page.locator('.outline.selected').count()).toBe(1)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await shows(page, '.changes', 'selected false true')
  // The dialog closed. Its elements stay at their places, above those of the window.
  await page.getByRole('tree').press('Home')
  await expect.poll(() => page.locator('.line.removed').count()).toBe(2)
  await page.close()
})

it('[VW17] shows pixel changes with a slider, by blinking, and as a difference', async () => {
  const page = await opened({}, '#step=1')
  await page.keyboard.press('4')
  await shows(page, '.pixel-count', '9,624 pixels changed (0.9 %)')
  const slider = page.getByLabel('Share of the picture before the step')
  await slider.fill('20')
  expect(await page.evaluate(`document.querySelector('.layer').style.clipPath`)).toBe('inset(0px 0px 0px 20%)')
  await page.getByRole('button', { name: 'Blink' }).click()
  const shown = page.locator('.slider-row strong')
  await expect.poll(() => shown.textContent()).toBe('After')
  await expect.poll(() => shown.textContent()).toBe('Before')
  await page.getByRole('button', { name: 'Pause' }).click()
  const before = await shown.textContent()
  await page.getByRole('button', { name: 'Swap' }).click()
  expect(await shown.textContent()).not.toBe(before)
  await page.getByRole('button', { name: 'Difference' }).click()
  const pixel = (x: number, y: number) =>
    page.evaluate(
      `[...document.querySelector('.screen canvas').getContext('2d').getImageData(${x}, ${y}, 1, 1).data].join()`,
    )
  await expect.poll(() => pixel(920, 200)).toBe('214,0,60,255')
  expect(await page.locator('.outline.changed').count()).toBe(1)
  await page.close()
})

it('[VW18] shows what changed in the variables, and what fired', async () => {
  const page = await opened({}, '#step=14')
  await openTab(page, 'State')
  await shows(page, '.details', 'reactions[18]: click_element task-18')
  const words = await page.locator('.variables tr').allTextContents()
  expect(words.slice(1)).toEqual(['done10 11', 'last13 14'])
  expect(await page.locator('.stack del').first().textContent()).toBe('list')
  await page.close()
})

it('[VW19] shows each oracle over time, and goes to the step after which success was impossible', async () => {
  const page = await opened({}, '#step=20')
  await openTab(page, 'Oracles')
  await shows(page, '.matrix', '✗ does not hold')
  expect(await page.locator('.matrix .runs').first().getAttribute('aria-label')).toMatch(/^does not hold from 0 to \d+/)
  await page.getByRole('button', { name: 'Go to step 9' }).click()
  await shows(page, '.screen-panel h2', 'Step 9')
  await page.keyboard.press('End')
  await page.keyboard.press('l')
  await shows(page, '.screen-panel h2', 'Step 9')
  expect(await page.locator('.lost-line').count()).toBe(1)
  await page.close()
})

it('[VW20] shows the turn of the model beside the call', async () => {
  const page = await opened({}, '#step=2')
  await openTab(page, 'Model')
  for (const words of [
    'I will click Task 14.',
    'Task 14 is next',
    'Call as openai',
    '"button": "left"',
    'click_element',
  ])
    await shows(page, '.details', words)
  for (const words of ['1,202 tokens', '$0.0123', '1.53 s']) await shows(page, '.details', words)
  await page.close()
})

it('[VW21] copies a request as a command for curl', async () => {
  const page = await opened({}, '#step=2', { permissions: ['clipboard-read', 'clipboard-write'] })
  await openTab(page, 'Wire')
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await shows(page, '.copied', 'Copied')
  const copied = String(await page.evaluate('navigator.clipboard.readText()'))
  expect(copied.split(' \\\n')[0]).toBe(`curl --globoff --request 'POST' --url 'http://127.0.0.1:7777/click_element'`)
  expect(copied).toContain(`--header 'authorization: <redacted>'`)
  await page.close()
})

it('[VW23] names scenario, seed, variant, faults and verdict, and opens the warnings', async () => {
  const page = await opened({ recording: { ...files.recording, warnings: ['no scenario', 'too old'] } })
  for (const words of ['tasks', 'Seed7', 'theme light, scale 1', 'get_screenshot: Timeout once', '✗ No success'])
    await shows(page, '.summary', words)
  await page.getByRole('button', { name: '2 warnings' }).click()
  await shows(page, '.warnings', 'too old')
  await page.close()
})

it('[VW24] [VW25] shows two recordings side by side, and who diverged first', async () => {
  const page = await opened({ other: generateRecording({ steps: 30, otherAt: 12 }) })
  await page.getByRole('button', { name: 'Compare' }).click()
  await shows(page, '.divergence', 'The agent diverged first At pair 12: click_element against wait.')
  await page.getByRole('button', { name: 'First divergence' }).click()
  await shows(page, '.sides', '12: wait ms=500')
  for (const side of [1, 2]) {
    const picture = `.sides figure:nth-child(${side}) canvas`
    await expect
      .poll(() =>
        page.evaluate(
          `[...document.querySelector('${picture}').getContext('2d').getImageData(1279, 799, 1, 1).data].join()`,
        ),
      )
      .toBe('40,92,140,255')
  }
  await page.keyboard.press('ArrowLeft')
  await shows(page, '.screen-panel .panel-head', 'pair 11 of')
  await page.keyboard.press('c')
  await shows(page, '.screen-panel h2', 'Step 11')
  await page.close()
})

describe('[VW26] opens a step', () => {
  it('in a live session of the server', async () => {
    const asked: string[] = []
    const page = await opened({ open: (step) => `/viewer.css?${asked.push(step)}` }, '#step=7')
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Open here' }).click(),
    ])
    await tab.waitForURL(/viewer\.css\?1$/)
    expect(asked).toEqual(['7'])
    await page.close()
  })

  it('and reports a server that cannot', async () => {
    const page = await opened({}, '#step=7')
    await page.getByRole('button', { name: 'Open here' }).click()
    await shows(page, '.top', 'Not opened')
    await page.close()
  })

  it('not in a page that is one file', async () => {
    const base64 = Object.fromEntries([...files.tiles].map(([hash, file]) => [hash, file.toString('base64')]))
    const html = staticPage({ entrance: 'recording', title: 'Run' }, await viewerAssets(), {
      recording: files.recording,
      tiles: base64,
    })
    const page = await openPage()
    const problems: string[] = []
    page.on('console', (message) => problems.push(message.text()))
    await page.route('http://file.test/', (route) => route.fulfill({ contentType: 'text/html', body: html }))
    await page.goto('http://file.test/#step=3')
    await shows(page, '.screen-panel h2', 'Step 3')
    await expect
      .poll(() =>
        // Another canvas for each reading: Chromium warns of one that is read again and again.
        page.evaluate(`(() => {
          const one = new OffscreenCanvas(1, 1).getContext('2d')
          one.drawImage(document.querySelector('.screen canvas'), -3, -3)
          return [...one.getImageData(0, 0, 1, 1).data].join()
        })()`),
      )
      .toBe('40,92,140,255')
    expect([await page.getByRole('button', { name: 'Open here' }).count(), problems]).toEqual([0, []])
    await page.close()
  })
})

describe('[VW27] says what a recording lacks', () => {
  it('without steps, pictures and trees', async () => {
    const page = await opened({ recording: smallRecording() })
    await shows(page, '.screen-panel', 'The recording has no picture of this moment.')
    await shows(page, '.details', 'The start is before the first step.')
    expect(await page.getByRole('button', { name: 'Open here' }).count()).toBe(0)
    await openTab(page, 'Tree')
    await shows(page, '.details', 'The recording has no tree of this moment.')
    await page.getByRole('searchbox').fill('x')
    await shows(page, '.step-panel', 'The recording has no steps.')
    for (const name of ['State', 'Oracles', 'Model', 'Wire', 'Events']) {
      await openTab(page, name)
      await shows(page, '.details .empty', name === 'Events' ? 'No event' : 'The recording has no')
    }
    await page.close()
  })

  it('without its tiles', async () => {
    const page = await opened({ tiles: new Map() })
    await shows(page, '.warnings', '1 warning')
    await page.getByRole('button', { name: '1 warning' }).click()
    await shows(page, '.warnings', 'tiles of the pictures are missing.')
    await page.close()
  })
})

describe('[VW28] fits and is accessible', () => {
  for (const [width, colorScheme] of [
    [1400, 'light'],
    [1400, 'dark'],
    [400, 'light'],
    [400, 'dark'],
  ] as const) {
    it(`at ${width} pixels, ${colorScheme}`, async () => {
      const other = generateRecording({ steps: 20, otherAt: 12 })
      const page = await opened({ other, open: () => '/' }, '#step=9', { width, colorScheme })
      await shows(page, '.screen-panel h2', 'Step 9')
      for (const name of ['Call', 'Tree', 'State', 'Oracles', 'Model', 'Wire']) {
        await openTab(page, name)
        expect(await violations(page)).toEqual([])
      }
      for (const key of ['4', '?', 'Escape', 'd']) {
        await page.keyboard.press(key)
        expect(await violations(page)).toEqual([])
      }
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      expect(
        await page.evaluate(
          `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.content'))`,
        ),
      ).toBe(0)
      await page.close()
    })
  }

  it('by keyboard alone', async () => {
    const page = await opened({}, '#step=9')
    const reached = new Set<string>()
    for (let press = 0; press < 40; press++) {
      await page.keyboard.press('Tab')
      reached.add(
        String(
          await page.evaluate(`(({ ariaLabel, textContent }) => ariaLabel || textContent)(document.activeElement)`),
        ),
      )
    }
    for (const name of [
      'Step',
      'Filter steps by text',
      'Tool',
      'Steps',
      'Before',
      'Call',
      'Next step',
      'Open here',
      'Keys',
    ])
      expect([...reached]).toContain(name)
    await page.getByRole('listbox', { name: 'Steps' }).press('ArrowDown')
    await shows(page, '.screen-panel h2', 'Step 10')
    await page.getByRole('tab', { name: 'Call' }).press('ArrowRight')
    await shows(page, '[role=tab][aria-selected=true]', 'Tree')
    await shows(page, '.screen-panel h2', 'Step 10')
    await page.close()
  })
})

it('[VW29] keeps hostile texts as texts', async () => {
  const bad = `<img src=x onerror="document.title='taken'">{{x}}\u202e'"</script>`
  const url = `javascript:alert(1)//${bad}`
  const step = shownStep(1, {
    ...{ tool: bad, args: 1, caller: bad, result: 1, ok: false, error: { code: bad, message: bad }, held: [bad] },
    ...{ wallTime: bad, hit: { window: 'w', element: bad }, fired: [{ kind: 'log', text: bad }] },
    ...{ dialect: { door: bad, call: 1 }, model: { message: bad, reasoning: bad } },
    wire: [{ method: bad, url, headers: { [bad]: bad }, body: bad, status: 200, response: bad }],
  })
  const bounds = { x: 0, y: 0, width: 10, height: 10 }
  const hostile: Recording = smallRecording({
    ...{ title: bad, recordedBy: bad, warnings: [bad], startedAt: bad, steps: [step] },
    scenario: { name: bad, task: bad, seed: 1, variant: { [bad]: bad }, faults: [bad] },
    verdict: { success: true, score: 1, end: bad, message: bad },
    oracles: [{ kind: 'success', text: bad }],
    moments: [
      { atMs: 0, variables: 0 },
      { atMs: 5, desk: 0, state: bad, variables: 1, clipboard: bad, oracles: [true] },
    ],
    events: [{ after: 1, protocol: bad, direction: 'in', name: bad, content: 1, wallTime: bad }],
    tables: {
      values: [null, { [bad]: bad, __proto__: bad }],
      elements: [storedElement(bad)],
      desks: [[{ uid: 'w', title: bad, process: bad, bounds, focused: true, root: 0 }]],
    },
  })
  const page = await opened({ recording: hostile, other: { recording: hostile, tiles: new Map() } }, '#step=1')
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  await shows(page, 'h1', bad)
  for (const name of ['Call', 'Tree', 'State', 'Oracles', 'Model', 'Wire', 'Events']) {
    await openTab(page, name)
    await shows(page, '.details', bad.slice(0, 20))
  }
  await page.getByRole('button', { name: '1 warning' }).click()
  await page.keyboard.press('c')
  await shows(page, '.sides', bad)
  expect([await page.locator('img, [href^=javascript], script:not([src])').count(), await page.title()]).toEqual([
    0,
    'Recording',
  ])
  expect(problems).toEqual([])
  await page.close()
})
