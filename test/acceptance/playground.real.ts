import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { TOUR } from '../../docs/site/playground/tour.ts'
import { applicationNames } from '../../src/compose/applications.ts'
import { galleryNames } from '../../src/compose/gallery.ts'
import { memorySession } from '../../src/compose/memory-session.ts'
import { loadScenario, parseServedScenario, validateScenario } from '../../src/compose/preview.ts'
import { tasksOfApplication } from '../../src/compose/scaffold.ts'
import { nodeById } from '../../src/desktop/model/element.ts'
import { centerOf } from '../../src/desktop/model/geometry.ts'
import { treeHash } from '../../src/desktop/tree/hash.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { closeLater, launchBrowser, openPage, violations } from '../support/viewer/test-browser.ts'

// Rules such as [PG1] are stated in docs/site/playground/README.md.

const BUILD = fileURLToPath(new URL('../../docs/site/playground/build.mjs', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}
const folder = mkdtempSync(join(tmpdir(), 'backlot-playground-'))
let url = ''
let page: Page

launchBrowser()
beforeAll(async () => {
  const { buildPlayground }: { buildPlayground(folder: string): Promise<unknown> } = await import(
    /* @vite-ignore */ BUILD
  )
  await buildPlayground(folder)
  url = await serve()
  page = await openPage({ viewport: { width: 1500, height: 1000 } })
  await page.goto(url)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Serves the files and nothing else. Returns the address of the page. */
async function serve(): Promise<string> {
  const server = http.createServer((request, response) => {
    try {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname
      const body = readFileSync(join(folder, path))
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeLater(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`
}

const hashes = async () => JSON.parse((await page.getAttribute('html', 'data-hashes')) ?? '{}')
/** Waits until an element has a text. */
const shows = (selector: string, text: string | RegExp) => expect.poll(() => page.textContent(selector)).toMatch(text)

/** Writes a scenario into the editor, as a person who pastes one. */
async function write(text: string): Promise<void> {
  const painted = await page.getAttribute('html', 'data-painted')
  await page.click('#editor .cm-content')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
  await expect.poll(() => page.getAttribute('html', 'data-painted')).not.toBe(painted)
}

/** Clicks the middle of an element of the last step of the tour. Returns the point, in pixels of the desktop. */
async function clickOn(id: string): Promise<{ readonly x: number; readonly y: number }> {
  const { computer } = memorySession(parseServedScenario(TOUR.at(-1)!.scenario))
  const { x, y } = centerOf(nodeById(computer.tree('app')!, id)!.bounds)
  const { width, height } = (await page.locator('#screen').boundingBox())!
  await page.locator('#screen').click({ position: { x: ((x + 0.5) * width) / 1280, y: ((y + 0.5) * height) / 800 } })
  return { x, y }
}

describe('the tour', () => {
  it('[PG7] [PG4] [PG8] leads to a scenario that solves itself, and its page has no fault of accessibility', async () => {
    await shows('#tour-title', `1 of ${TOUR.length}: A window`)
    await shows('#outline', '- window "Greeting"\n  - text "No greeting yet."')
    for (const [step, { title }] of TOUR.entries()) {
      if (step > 0) await page.click('#tour-next')
      await shows('#tour-title', title)
      await shows('#problems', 'None.')
    }
    await shows('#verdict', 'Not solved: ')
    await page.click('#play')
    await shows('#verdict', 'Solved: every oracle passes.')
    expect(await page.locator('#log li').count()).toBe(3)
    expect(await violations(page)).toEqual([])
  })

  it('[PG2] [PG3] is done by hand too', async () => {
    await page.click('#start')
    await shows('#verdict', 'Not solved: ')
    const field = await clickOn('who')
    await page.keyboard.type('world')
    await shows('#outline', /textbox "Who".*world/)
    const button = await clickOn('greet')
    await shows('#verdict', 'Solved: every oracle passes.')
    expect(await page.locator('#log li').allTextContents()).toEqual([
      `click_at ${JSON.stringify(field)}`,
      'type_text {"text":"world"}',
      `click_at ${JSON.stringify(button)}`,
    ])
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.id')).toBe('outline')
  })
})

it('[PG1] names problems at their lines, as `backlot validate` does, and keeps the last desktop', async () => {
  const broken = TOUR[0]!.scenario.replace('role: Text', 'rol: Text')
  await page.click('#editor .cm-content')
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(broken)
  await shows('#verdict', 'The scenario has problems')
  const [problem] = await page.locator('#problems li').allTextContents()
  const { text } = await validateScenario(fileWith(broken))
  expect(problem).toMatch(/^14:16 .*did you mean "role"/)
  expect(text).toContain(problem!.replace(/^[\d:]+ /, ''))
  expect(await page.isDisabled('#play')).toBe(true)
  await page.click('#problems button')
  expect(await page.evaluate('document.activeElement.className')).toContain('cm-content')
})

it('[PG4] does not play the solution of a file that is not shown, and names the step that fails', async () => {
  const last = TOUR.at(-1)!.scenario
  await write(last)
  await page.click('#editor .cm-content')
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(last.replace('who != ""', 'who and true'))
  await page.click('#play', { force: true })
  await shows('#problems', 'write &&')
  await shows('#verdict', 'The scenario has problems')
  await write(last.replace('Button "Greet"', 'Button "Great"'))
  await page.click('#play')
  await shows('#verdict', /^Not solved: .*step 3 of the solution fails: /)
})

it('[PG10] keeps what was written when the page is loaded again, and in the steps of the tour', async () => {
  const other = await openPage()
  const content = () => other.textContent('#editor .cm-content')
  await other.goto(url)
  await expect.poll(() => other.textContent('#outline')).toContain('No greeting')
  await other.click('#editor .cm-content')
  await other.keyboard.press('Control+End')
  await other.keyboard.type('# mine')
  await other.click('#tour-next')
  await expect.poll(content).not.toContain('# mine')
  await other.click('#tour-back')
  await expect.poll(content).toContain('# mine')
  await other.reload()
  await expect.poll(content).toContain('# mine')
  await other.context().close()
})

it('[PG5] shares a scenario in a link that no server sees', async () => {
  await write(TOUR.at(-1)!.scenario)
  await page.fill('#seed', '7')
  await page.selectOption('#style', 'macos')
  await page.fill('#variant', 'theme=dark')
  await page.click('#share')
  await shows('#shared', /link/)
  const link = page.url()
  expect(new URL(link).hash).toMatch(/^#s=[\w-]+&seed=7&variant=style%3Dmacos&variant=theme%3Ddark$/)
  const other = await openPage()
  await other.goto(link)
  await expect.poll(() => other.textContent('#outline')).toContain('button "Greet"')
  for (const [field, value] of Object.entries({ seed: '7', style: 'macos', variant: 'theme=dark' }))
    expect(await other.inputValue(`#${field}`)).toBe(value)
  await other.goto(`${url}?again#s=broken`)
  await expect
    .poll(() => other.textContent('#verdict'))
    .toBe('the scenario of this link is damaged; ask for the link again')
  await other.context().close()
})

it('[PG5a] shows a variant, and names a choice that is none', async () => {
  await page.fill('#seed', '')
  await page.selectOption('#style', 'macos')
  await page.fill('#variant', 'text_size=1.5')
  await page.selectOption('#gallery', 'login')
  const variant = { style: 'macos', text_size: '1.5' }
  await expect.poll(hashes).toEqual(hashesOf(await loadScenario('login', { variant })))
  expect(await page.isVisible('#tour-panel')).toBe(false)
  await page.fill('#variant', 'text_size=huge')
  await page.press('#variant', 'Enter')
  await shows('#verdict', /^text_size=huge: expected /)
  await page.selectOption('#style', '')
  await page.fill('#variant', '')
})

const tasks = applicationNames().flatMap((name) => tasksOfApplication(name).map((task) => `apps/${name}/tasks/${task}`))
it.each(shareOf([...galleryNames(), ...tasks]))('[PG6] opens %s with the hashes of the server', async (name) => {
  await page.fill('#seed', '')
  await page.selectOption('#gallery', name)
  await expect.poll(hashes, { timeout: 10_000 }).toEqual(hashesOf(await loadScenario(name)))
  await shows('#problems', 'None.')
})

it('[PG9] loads less than 3 MB', async () => {
  const other = await openPage()
  const paths: string[] = []
  other.on('response', (response) => {
    if (response.ok()) paths.push(new URL(response.url()).pathname)
  })
  await other.goto(url)
  await expect.poll(() => other.textContent('#outline')).toContain('No greeting')
  const total = paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(folder, path))).length, 0)
  expect(total).toBeGreaterThan(1_000_000)
  expect(total).toBeLessThan(3_000_000)
  await other.context().close()
})

function hashesOf(scenario: Scenario): Readonly<Record<string, string>> {
  const { computer } = memorySession(scenario)
  return Object.fromEntries(computer.windows().map(({ uid }) => [uid, treeHash(computer.tree(uid)!)]))
}

function fileWith(text: string): string {
  const path = join(folder, 'broken.yaml')
  writeFileSync(path, text)
  return path
}
