import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

/** The browser of this process, which the test files in it share. It ends with the process. The shell of Chromium needs half the time. */
let browser: Promise<Browser> | undefined
const closers: (() => Promise<unknown>)[] = []

/** Starts Chromium for the tests of a file. After them, closes their pages and everything that `closeLater` names. */
export function launchBrowser(): void {
  beforeAll(async () => {
    browser ??= chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] })
    await browser
  })
  afterAll(async () => {
    for (const context of (await browser)?.contexts() ?? []) await context.close()
    for (const close of closers.splice(0)) await close()
  })
}

/** Closes something, such as a server, after the tests of a file. */
export const closeLater = (close: () => Promise<unknown>): void => void closers.push(close)

/** How long a page may take for an action on a busy machine. */
const MAX_ACTION_MS = 30_000

/** Opens an empty page in a window of its own. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser!).newPage(options)
  page.setDefaultTimeout(MAX_ACTION_MS)
  return page
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds wrong with a page: rules with their elements. */
export async function violations(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE)
  return page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')))`)
}
