import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shows } from '../../../../test/support/viewer/live-page.ts'
import { closeLater, launchBrowser, openPage, violations } from '../../../../test/support/viewer/test-browser.ts'
import { realClock } from '../../../base/clock.ts'
import { openAgent } from '../../../evaluation/agents/choose-agent.ts'
import { EpisodeScenarios } from '../../../evaluation/episode/scenarios.ts'
import { runEvaluation } from '../../../evaluation/evaluate.ts'
import { onWorkers } from '../../../evaluation/pool/coordinate.ts'
import { playOrReport } from '../../../evaluation/pool/work-in-process.ts'
import { reportApp } from '../../../evaluation/report/serve-report.ts'
import { loadSuite } from '../../../evaluation/suite/load-suite.ts'

// Tests charts, sorting and comparison with results in variants. Rules such as [VW39] are stated in README.md of the viewer.

const folder = mkdtempSync(join(tmpdir(), 'backlot-report-charts-'))
const scenarios = new EpisodeScenarios()

launchBrowser()
beforeAll(async () => {
  for (const agent of ['solution', 'random']) await evaluate(agent)
}, 240_000)
afterAll(() => {
  rmSync(folder, { recursive: true })
  expect(problems).toEqual([])
})

/** Plays an agent in scenarios of the gallery, each in variants too. */
async function evaluate(agent: string): Promise<void> {
  const [clock, { signal }] = [realClock(), new AbortController()]
  const opened = await openAgent(agent, { environment: process.env, onProcess: () => {} })
  const stage = { agent: opened, scenarios, clock, signal, isTraced: true }
  await runEvaluation({
    suite: await loadSuite(['login', 'form', 'notepad'], { seeds: [1], runs: 1, variants: 3 }),
    agent,
    out: join(folder, agent),
    traces: 'all',
    playAll: onWorkers({
      openWorker: async () => ({ play: (episode) => playOrReport(episode, stage), close: async () => {} }),
      ...{ workers: 1, clock, signal },
    }),
  })
}

const problems: string[] = []

async function opened(first: string, second?: string, width = 1400, dark = false): Promise<Page> {
  const app = await reportApp({
    results: join(folder, first),
    other: second === undefined ? undefined : join(folder, second),
    onBug: (bug) => problems.push(String(bug)),
  })
  closeLater(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const page = await openPage({ viewport: { width, height: 900 }, colorScheme: dark ? 'dark' : 'light' })
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(url)
  await page.waitForSelector('[role=grid]')
  return page
}

const rowNames = (page: Page) => page.locator('.matrix-line .task .clip').allTextContents()
const chart = (page: Page, title: string) => page.locator('.chart', { hasText: title }).first()

it('[VW39] charts success by tag and difficulty, and steps over the shortest', async () => {
  const page = await opened('solution')
  for (const title of ['Success by difficulty', 'Success by tag', 'Steps over the shortest']) {
    await chart(page, title).locator('summary').click()
    await expect.poll(() => chart(page, title).locator('tbody tr').count()).toBeGreaterThan(0)
  }
  const rowsOf = (title: string) => chart(page, title).locator('tbody tr').allTextContents()
  expect(await rowsOf('Success by tag')).toContainEqual(expect.stringMatching(/^form\d of \d100 %/))
  // Six instances say nothing about the values of an axis.
  expect(await page.locator('.chart', { hasText: 'in variants' }).count()).toBe(0)
  // All 12 episodes of the solution need the steps of the shortest one.
  expect(await rowsOf('Steps over the shortest')).toContain('112')
  const bars = await page.locator('.share-bar').evaluateAll((all) => all.map((bar) => bar.getAttribute('aria-label')))
  expect(bars.every((label) => /, interval /.test(label ?? ''))).toBe(true)
})

it('[VW39] [VW40] shows both results in charts, in the steps of each row, and in the details of a task', async () => {
  const page = await opened('random', 'solution')
  await shows(page, '.chart', 'Success by tag')
  const steps = await page.locator('.matrix-line .steps').allTextContents()
  expect(steps[0]).toMatch(/^Steps/)
  expect(steps.slice(1)).toEqual(['–1.00 ×', '–1.00 ×', '–1.00 ×'])
  await page.locator('.matrix-line .task', { hasText: 'form' }).click()
  await shows(page, '.details-panel', 'A: random')
  await shows(page, '.details-panel', 'B: solution')
  await shows(page, '.details-panel', '4 of 4')
  await page
    .getByRole('button', { name: /^form\/seed-1\// })
    .first()
    .click()
  await shows(page, '.details-panel', 'Flip: only B solved it.')
  await shows(page, '.details-panel', 'The agent differs first, at call ')
})

it('[VW30] [VW33] sorts by task, success, steps and an episode, and has rows of seeds and variants on request', async () => {
  const page = await opened('random', 'solution')
  await page.getByRole('columnheader', { name: /^Task/ }).click()
  await expect.poll(() => rowNames(page)).toEqual(['form', 'login', 'notepad'])
  expect(await page.getByRole('columnheader', { name: /^Task/ }).getAttribute('aria-sort')).toBe('ascending')
  await page.getByRole('columnheader', { name: /^Task/ }).click()
  await expect.poll(() => rowNames(page)).toEqual(['notepad', 'login', 'form'])
  for (const name of [/^Success/, /^Steps/]) {
    await page.getByRole('columnheader', { name }).click()
    await expect.poll(() => page.getByRole('columnheader', { name }).getAttribute('aria-sort')).not.toBe('none')
  }
  await page.getByLabel('Rows').selectOption('condition')
  await expect.poll(() => rowNames(page)).toHaveLength(24)
  await shows(page, '.matrix-line .note', 'seed 1, ')
})

it('[VW37] opens the recorded run of a cell', async () => {
  const page = await opened('solution')
  await page.locator('[role=gridcell] .pass').first().click()
  await page.getByRole('link', { name: 'Open the recorded run' }).click()
  await page.waitForSelector('.recording')
  await shows(page, '.summary', '✓ Success')
})

it.each([
  [1400, false],
  [400, true],
])('[VW39] has charts without a violation of axe-core at %i pixels, dark: %s', async (width, dark) => {
  const page = await opened('random', 'solution', width, dark)
  for (const summary of await page.locator('.as-table > summary').all()) await summary.click()
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
})
