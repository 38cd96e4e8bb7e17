import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createFastifyApp } from '../../../src/compose/rest-app.ts'
import { openDesktop, type TestDesktop, type TestDesktopOptions } from '../../../src/testing.ts'
import type { Box } from '../../../src/viewer/model/element.ts'
import { LIVE_PAGES, serveViewer } from '../../../src/viewer/page.ts'
import { closeLater, openPage } from './test-browser.ts'

/** A desktop with two windows, a reaction, a timer, an oracle and a file. */
export const LIVE_DESK = `
name: desk
task: Press Go twice
vars: {visits: 2}
states:
  only:
    windows:
      - uid: front
        title: Front
        bounds: {x: 20, y: 20, width: 400, height: 300}
        tree: {role: Window, name: Front, children: [{id: name, role: Edit, name: Name, value: ""}, {id: go, role: Button, name: Go}, {id: once, role: ProgressBar, name: Once, value_now: 0}, {id: twice, role: ProgressBar, name: Twice, value_now: 0}]}
      - uid: back
        title: Back
        bounds: {x: 450, y: 20, width: 400, height: 300}
        tree: {role: Window, name: Back, children: [{id: field, role: Edit, name: Field, value: ""}]}
files: {/home/user/notes.txt: "buy milk"}
reactions:
  - {on: {tool: double_click_element, target_id: go}, set: [{id: twice, value_now: {add: 1}}]}
  - {on: {tool: click_element, target_id: go}, set: [{id: once, value_now: {add: 1}}]}
timers:
  - {after_ms: 1000, set: [{id: name, value: late}]}
oracles:
  success:
    - {kind: element_exists, selector: 'ProgressBar "Once"[value_now=1]', message: Go was not pressed}
`

export interface LiveTestPage {
  readonly page: Page
  readonly desk: TestDesktop
  readonly url: string
  readonly shut: () => Promise<unknown>
}

export interface LiveTestOptions extends TestDesktopOptions {
  readonly token?: string
  readonly width?: number
  readonly dark?: boolean
}

/** Serves a desktop with its page, and opens the page. */
export async function openLive(options: LiveTestOptions = {}): Promise<LiveTestPage> {
  const { token, width, dark, scenario = LIVE_DESK, ...more } = options
  const desk = openDesktop({ scenario, ...more })
  const app = await createFastifyApp(desk, { token, harnessToken: more.harnessToken })
  await serveViewer(app, LIVE_PAGES)
  const url = await app.listen({ port: 0 })
  closeLater(() => app.close())
  return { page: await livePageAt(url, width, dark), desk, url, shut: () => app.close() }
}

/** Opens a page that fails the test with an error of its own. */
export async function livePageAt(url: string, width = 1400, dark = false): Promise<Page> {
  const page = await openPage({ viewport: { width, height: 900 }, colorScheme: dark ? 'dark' : 'light' })
  page.on('pageerror', (error) => expect.unreachable(error.message))
  page.on('dialog', () => expect.unreachable('the page opened a dialog'))
  closeLater(() => page.close())
  await page.goto(url)
  return page
}

/** Waits until an element that the selector matches contains the words. */
export const shows = (page: Page, selector: string, words: string): Promise<void> =>
  expect.poll(() => page.locator(selector).allTextContents()).toContainEqual(expect.stringContaining(words))

/** Waits until the desktop has an element. */
export const hasElement = (desk: TestDesktop, selector: string): Promise<void> =>
  expect.poll(() => desk.tryCall('find_element', { selector })).toMatchObject({ ok: true })

export const isReady = (page: Page): Promise<unknown> => page.waitForSelector('.stage canvas')

/** Where a point of the screen is in the page. */
export async function inPage(page: Page, x: number, y: number): Promise<readonly [number, number]> {
  const box = (await page.locator('.stage canvas').boundingBox())!
  const [width, height] = (await page.evaluate(
    '(({ width, height }) => [width, height])(document.querySelector(".stage canvas"))',
  )) as [number, number]
  return [box.x + ((x + 0.5) / width) * box.width, box.y + ((y + 0.5) / height) * box.height]
}

/** The middle of an element, in pixels of the screen. */
export async function middleOf(desk: TestDesktop, selector: string): Promise<readonly [number, number]> {
  const { bounds } = await desk.call('find_element', { selector })
  const { x, y, width, height } = bounds as Box
  return [x + Math.floor(width / 2), y + Math.floor(height / 2)]
}
