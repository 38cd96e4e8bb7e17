import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { generateRecording } from '../../../../test/support/viewer/generated-recording.ts'
import { type ServedFiles, serveRecordingFiles } from '../../../../test/support/viewer/recording-server.ts'
import { closeLater, launchBrowser, openPage } from '../../../../test/support/viewer/test-browser.ts'

// Tests the page of a recorded run in a browser. Rules such as [VW10] are stated in README.md of the viewer.

const files = generateRecording({ steps: 60 })
launchBrowser()

async function opened(served: Partial<ServedFiles> = {}, hash = '', width = 1400): Promise<Page> {
  const app = await serveRecordingFiles({ ...files, ...served })
  closeLater(() => app.close())
  const url = await app.listen({ port: 0 })
  const page = await openPage({ viewport: { width, height: 900 } })
  await page.goto(`${url}/${hash}`)
  await page.waitForSelector('.recording')
  return page
}

const shows = (page: Page, selector: string, words: string) =>
  expect.poll(() => page.textContent(selector)).toContain(words)
const step = (page: Page, number: number) => shows(page, '.screen-panel h2', `Step ${number}`)

/** The colour in the middle of a canvas, or at another place of its picture. */
const colour = (page: Page, selector: string, x: number, y: number) =>
  page.evaluate(
    `[...document.querySelector('${selector}').getContext('2d').getImageData(${x}, ${y}, 1, 1).data].slice(0, 3).join()`,
  )

it('[VW4] shows a recording, and names what is wrong with a damaged one', async () => {
  await shows(await opened(), 'h1', 'Tick the tasks')
  const app = await serveRecordingFiles({ recording: { ...files.recording, steps: 'x' } })
  closeLater(() => app.close())
  const page = await openPage()
  await page.goto(await app.listen({ port: 0 }))
  await shows(page, '[role=alert]', 'The file is damaged: steps must be a list')
  await page.close()
})

it('[VW9] [VW10] goes through the steps by scrubber and keys, and lists the keys', async () => {
  const page = await opened()
  await page.keyboard.press('End')
  await step(page, 60)
  await page.keyboard.press('ArrowLeft')
  await step(page, 59)
  await page.keyboard.press('Home')
  await shows(page, '.screen-panel h2', 'Start')
  const slider = page.getByRole('slider', { name: 'Step' })
  await slider.fill('17')
  await step(page, 17)
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/^step 17 of 60 · .* s: click_element$/)
  await slider.press('ArrowRight')
  await step(page, 18)
  const track = (await page.locator('.track').boundingBox())!
  await page.mouse.click(track.x + track.width - 1, track.y + 10)
  await step(page, 60)
  await page.keyboard.press('?')
  await shows(page, 'dialog[open]', 'previous and next step')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
  await page.getByRole('searchbox').focus()
  await page.keyboard.press('Home')
  await page.keyboard.type('n?')
  await step(page, 60)
  expect(await page.locator('dialog').count()).toBe(0)
  await page.close()
})

it('[VW7] [VW8] shows small pictures over virtual time, and wall time below', async () => {
  const page = await opened()
  await expect.poll(() => page.locator('.film-strip canvas').count()).toBeGreaterThan(8)
  await expect.poll(() => colour(page, '.film-strip canvas', 2, 2)).toBe('40,92,140')
  await shows(page, '.time-axis', '2 s09:30:')
  await page.getByLabel('Axis').selectOption('steps')
  await shows(page, '.time-axis', '50')
  await page.close()
})

it('[VW11] selects a range that the list shows only', async () => {
  const page = await opened()
  const strip = (await page.locator('.strip-box').boundingBox())!
  await page.mouse.move(strip.x + strip.width * 0.25, strip.y + 20)
  await page.mouse.down()
  await page.mouse.move(strip.x + strip.width * 0.5, strip.y + 20, { steps: 4 })
  await page.mouse.up()
  const note = page.locator('.step-panel .panel-head .muted')
  await expect.poll(() => note.textContent()).toMatch(/^1\d of 60$/)
  await page.keyboard.press('Escape')
  await expect.poll(() => note.textContent()).toBe('60')
  await page.getByRole('slider', { name: 'Step' }).fill('10')
  await page.keyboard.press('[')
  await page.getByRole('slider', { name: 'Step' }).fill('14')
  await page.keyboard.press(']')
  await expect.poll(() => note.textContent()).toBe('5 of 60')
  await page.getByRole('button', { name: 'Clear range' }).click()
  await expect.poll(() => note.textContent()).toBe('60')
  await page.close()
})

it('[VW12] [VW22] filters steps by text, tool, errors and acting, and lists events', async () => {
  const page = await opened()
  const note = page.locator('.step-panel .panel-head .muted')
  await page.getByRole('searchbox').fill('task 23')
  await expect.poll(() => note.textContent()).toBe('2 of 60')
  await page.getByRole('searchbox').fill('')
  await page.getByLabel('Tool').selectOption('get_window_structure')
  await expect.poll(() => note.textContent()).toBe('12 of 60')
  await page.getByLabel('Tool').selectOption('')
  await page.getByLabel('Errors').check()
  await expect.poll(() => note.textContent()).toBe('5 of 60')
  await page.getByLabel('Errors').uncheck()
  await page.getByLabel('Acting only').check()
  await expect.poll(() => note.textContent()).toBe('48 of 60')
  await page.getByLabel('Acting only').uncheck()
  await page.getByRole('option', { name: /message_delta/ }).click()
  await shows(page, '.details', 'Two are done')
  await page.close()
})

it('[VW13] opens the step of the address, and follows back and forward', async () => {
  const page = await opened({}, '#step=17')
  await step(page, 17)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.evaluate('location.hash')).toBe('#step=18')
  await page.keyboard.press('End')
  await expect.poll(() => page.evaluate('location.hash')).toBe('#step=60')
  await page.goBack()
  await step(page, 18)
  await page.goBack()
  await step(page, 17)
  await page.goForward()
  await step(page, 18)
  await page.close()
})

it('[VW14] shows the pictures of a step, and marks its input', async () => {
  const page = await opened({}, '#step=9')
  await step(page, 9)
  await expect.poll(() => colour(page, '.screen canvas', 1000, 420)).toBe('232,234,241')
  expect(await page.locator('.outline.hit').textContent()).toBe('hit')
  expect(await page.locator('.outline.meant').textContent()).toBe('meant')
  expect(await page.locator('.drag-path polyline').getAttribute('points')).toBe('920,420 1220,480')
  await shows(page, '.legend', 'held: shift')
  const [shot, mark] = await Promise.all(['.screen', '.click-mark'].map((one) => page.locator(one).boundingBox()))
  const centre = mark!.x + mark!.width / 2 - shot!.x
  expect(Math.abs(centre - (920 / 1280) * shot!.width)).toBeLessThan(1.5)
  await page.keyboard.press('3')
  await expect.poll(() => colour(page, '.screen canvas', 1000, 420)).toBe('46,160,98')
  expect(await page.locator('.outline, .click-mark').count()).toBe(0)
  await page.keyboard.press('1')
  await expect.poll(() => colour(page, '.screen canvas', 1000, 420)).toBe('232,234,241')
  await page.close()
})

it('[VW15] draws the right picture after a fast way through all steps', async () => {
  const page = await opened({}, '#step=1')
  await page.keyboard.press('3')
  for (let turn = 0; turn < 40; turn++) await page.keyboard.press('ArrowRight')
  await step(page, 41)
  // The bar shows the number of the step, and the box of a later step is still empty.
  await expect.poll(() => colour(page, '.screen canvas', 120 + 10 + 40, 700)).toBe('92,80,214')
  expect(await colour(page, '.screen canvas', 120 + 10 + 42, 700)).toBe('225,228,236')
  await page.close()
})
