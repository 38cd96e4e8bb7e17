import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, violations } from '../../../../test/support/viewer/test-browser.ts'
import { realClock } from '../../../base/clock.ts'
import { openAgent } from '../../../evaluation/agents/choose-agent.ts'
import { EpisodeScenarios } from '../../../evaluation/episode/scenarios.ts'
import { runEvaluation } from '../../../evaluation/evaluate.ts'
import { onWorkers } from '../../../evaluation/pool/coordinate.ts'
import { playOrReport } from '../../../evaluation/pool/work-in-process.ts'
import { reportPage } from '../../../evaluation/report/report-page.ts'
import { readReport, reportApp } from '../../../evaluation/report/serve-report.ts'
import { RESULT_FILES } from '../../../evaluation/results/results-folder.ts'
import { loadSuite } from '../../../evaluation/suite/load-suite.ts'
import type { EvaluationReport, ReportEpisode } from '../../model/report.ts'

// Tests the page in a browser, with results of real evaluations. Rules such as [VW35] are stated in README.md of the viewer.

const folder = mkdtempSync(join(tmpdir(), 'backlot-report-page-'))
const scenarios = new EpisodeScenarios()
const none = () => undefined
const closers: (() => Promise<unknown>)[] = []

launchBrowser()
beforeAll(async () => {
  for (const agent of ['solution', 'noop', 'random']) await evaluate(agent)
}, 240_000)
afterAll(async () => {
  for (const close of closers) await close()
  rmSync(folder, { recursive: true })
})

/** Plays an agent in the gallery. */
async function evaluate(agent: string): Promise<void> {
  const clock = realClock()
  const { signal } = new AbortController()
  const stage = {
    agent: await openAgent(agent, { environment: process.env, onProcess: () => {} }),
    scenarios,
    clock,
    signal,
    isTraced: true,
  }
  await runEvaluation({
    suite: await loadSuite(['login', 'form', 'shop', 'notepad'], { seeds: [1], runs: 2, variants: 1 }),
    agent,
    out: join(folder, agent),
    traces: 'all',
    playAll: onWorkers({
      openWorker: async () => ({ play: (episode) => playOrReport(episode, stage), close: async () => {} }),
      workers: 1,
      clock,
      signal,
    }),
  })
}

interface PageOptions {
  readonly width?: number
  readonly scheme?: 'light' | 'dark'
  readonly hash?: string
}

/** Opens an address, and fails on errors of the page. */
async function opened(url: string, { width = 1400, scheme = 'light', hash = '' }: PageOptions = {}): Promise<Page> {
  const page = await openPage({ viewport: { width, height: width > 600 ? 900 : 800 }, colorScheme: scheme })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await page.goto(url + hash)
  await page.waitForSelector('h1', { state: 'attached' })
  return page
}
const problems: string[] = []

/** Serves the report on one or two results. */
async function served(first: string, second?: string): Promise<string> {
  const app = await reportApp({
    results: join(folder, first),
    other: second === undefined ? undefined : join(folder, second),
    onBug: (bug) => problems.push(String(bug)),
  })
  closers.push(() => app.close())
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** Writes a report as a file. */
async function written(name: string, report: EvaluationReport): Promise<string> {
  const file = join(folder, `${name}.html`)
  writeFileSync(file, await reportPage(report))
  return pathToFileURL(file).href
}

const reportOn = (first: string, second?: string) => {
  const reported = (name: string) => ({ folder: join(folder, name), recordingOf: none })
  return readReport(reported(first), second === undefined ? undefined : reported(second))
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
const active = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const grid = document.querySelector('[role=grid]')
    return document.getElementById(grid.getAttribute('aria-activedescendant'))?.getAttribute('aria-label') ??
      document.getElementById(grid.getAttribute('aria-activedescendant'))?.textContent
  })()`)
const rowNames = (page: Page) => page.locator('.matrix-line .task .clip').allTextContents()

for (const width of [1400, 400])
  for (const scheme of ['light', 'dark'] as const) {
    it(`[VW31] [VW39] fits into ${width} pixels, ${scheme}, and has no violation of axe-core`, async () => {
      const hash = '#task=login&run=seed-1/run-1'
      for (const url of [await served('random'), await served('random', 'solution')]) {
        const page = await opened(url, { width, scheme, hash })
        await page.waitForSelector('[role=gridcell][aria-selected=true]')
        expect(await overflow(page)).toBe(0)
        expect(await violations(page)).toEqual([])
        for (const summary of await page.locator('.as-table > summary').all()) await summary.click()
        expect(await violations(page)).toEqual([])
        expect(await overflow(page)).toBe(0)
        await page.close()
      }
      expect(problems).toEqual([])
    })
  }

it('[VW35] is used by keyboard alone', async () => {
  const page = await opened(await served('random', 'solution'))
  await page.waitForSelector('[role=grid]')
  await page.locator('[type=search]').focus()
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`document.activeElement?.getAttribute('role') === 'grid'`)) break
  }
  expect(await page.evaluate(`document.activeElement?.getAttribute('role')`)).toBe('grid')
  expect(await active(page)).toMatch(/\/seed-1\/run-1: A failed/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  expect(await active(page)).toMatch(/run-2: A failed.*B solved, score 1, \d+ steps; flip$/)
  await page.keyboard.press('Enter')
  await expect.poll(() => page.textContent('.details-panel')).toContain('Flip: only B solved it.')
  expect(page.url()).toMatch(/#task=\w+&run=seed-\d+\/run-2$/)
  await page.keyboard.press('Control+End')
  expect(await active(page)).toMatch(/run-2: A/)
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.textContent('.details-panel h2')).toBe('Task')
  for (let row = 0; row < 4; row++) await page.keyboard.press('ArrowUp')
  expect(await active(page)).toMatch(/^Task/)
  await page.keyboard.press('Enter')
  await expect.poll(() => rowNames(page)).toEqual(['form', 'login', 'notepad', 'shop'])
  await page.keyboard.press(' ')
  await expect.poll(() => rowNames(page)).toEqual(['shop', 'notepad', 'login', 'form'])
  expect(problems).toEqual([])
})

it('[VW32] filters, and clears the filter', async () => {
  const page = await opened(await served('noop', 'solution'))
  await page.fill('[type=search]', 'SHOP')
  await expect.poll(() => rowNames(page)).toEqual(['shop'])
  await page.fill('[type=search]', '(.*')
  await expect.poll(() => page.textContent('.matrix-panel')).toContain('No episode fits the filter.')
  await page.click('text=Clear filter')
  await page.click('.failures button >> nth=0')
  await expect.poll(() => page.inputValue('.choice select >> nth=0')).toBe('nothing_done')
  await page.check('text=Flips only')
  await expect.poll(() => rowNames(page)).toHaveLength(4)
})

it('[VW36] shows the episode that the address names, and follows it', async () => {
  const page = await opened(await served('noop'), { hash: '#task=shop&run=seed-1/run-2' })
  await expect.poll(() => page.textContent('.details-panel h3')).toBe('shop/seed-1/run-2')
  await page.evaluate(`location.hash = '#task=form'`)
  await expect.poll(() => page.textContent('.details-panel h3')).toBe('form')
})

it('[VW37] [VW38] shows an episode with its recorded run, and of a flip both', async () => {
  const page = await opened(await served('random', 'solution'), { hash: '#task=login&run=seed-1/run-1' })
  await expect.poll(() => page.textContent('.details-panel')).toContain('Failed')
  const text = await page.textContent('.details-panel')
  for (const part of ['seed 1, run 1', 'click_at', 'shortest', 'tokens']) expect(text).toContain(part)
  await page.click('text=Open both recorded runs')
  await page.waitForSelector('.recording')
  expect(await page.textContent('.entrance')).toBe('Recording')
  await page.goBack()
  await page.click('text=Open the recorded run >> nth=0')
  await expect.poll(() => page.textContent('h1')).toContain('login/seed-1/run-1')
  expect(new URL(page.url()).hash).toMatch(/^#step=/)
  expect(problems).toEqual([])
})

it('[VW37] names the command for a trace that has no recorded run', async () => {
  const page = await opened(await written('commands', await reportOn('solution')), {
    hash: '#task=login&run=seed-1/run-1',
  })
  await expect.poll(() => page.textContent('.details-panel')).toContain(`backlot show-trace ${folder}`)
})

describe('[VW34] 1,000 tasks of 20 runs', () => {
  const episodes = Array.from({ length: 20_000 }, (_, index): ReportEpisode => {
    const [task, run] = [Math.floor(index / 20), (index % 20) + 1]
    const success = (task * 7 + run * 13) % 5 > 1
    const id = `task-${task}/seed-1/run-${run}`
    const same = { id, task, seed: 1, variant: 0, run, success, score: success ? 1 : 0, end: 'exited', steps: 5 }
    return {
      ...same,
      virtualMs: 1,
      wallMs: 1,
      calls: {},
      observedTokens: 1,
      ...(!success && { failure: 'incomplete' }),
    }
  })

  it('scroll, sort and filter without a delay', async () => {
    const base = await reportOn('noop')
    const tasks = Array.from({ length: 1000 }, (_, index) => ({
      ...base.tasks[0]!,
      name: `task-${index}`,
      planned: 20,
    }))
    const page = await opened(await written('large', { ...base, tasks, episodes, planned: episodes.length }))
    await page.waitForSelector('[role=grid]')
    expect(await page.locator('[role=gridcell]').count()).toBeLessThan(1500)
    await page.focus('[role=grid]')
    await page.keyboard.press('Control+End')
    expect(await active(page)).toBe('task-999/seed-1/run-20: solved, score 1, 5 steps')
    await expect.poll(() => rowNames(page)).toContain('task-999')
    const ms = await page.evaluate(`new Promise((resolve) => {
      const startedMs = performance.now()
      document.querySelector('.matrix-head .figure').click()
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - startedMs)))
    })`)
    expect(ms).toBeLessThan(1000)
    await page.fill('[type=search]', 'task-77')
    await expect.poll(() => page.textContent('.matrix-panel .panel-head')).toContain('11 of 1,000 tasks')
    expect(problems).toEqual([])
  })
})

it('[VW41] prints all rows as a table', async () => {
  const page = await opened(await served('solution'))
  await page.waitForSelector('[role=grid]')
  await page.evaluate(`window.dispatchEvent(new Event('beforeprint'))`)
  expect(await page.locator('.printed-matrix tbody tr').count()).toBe(4)
  expect(await page.locator('[role=grid]').count()).toBe(0)
  expect((await page.pdf()).length).toBeGreaterThan(10_000)
  await page.evaluate(`window.dispatchEvent(new Event('afterprint'))`)
  await page.waitForSelector('[role=grid]')
})

it('[VW3] keeps hostile texts as texts', async () => {
  const hostile = '<img src=x onerror="window.hit=1"></script><script>window.hit=1</script>'
  const report = await reportOn('random', 'solution')
  const named = (result: EvaluationReport): EvaluationReport => ({
    ...result,
    suite: hostile,
    agent: hostile,
    tasks: result.tasks.map((task) => ({ ...task, name: hostile + task.name, tags: [hostile] })),
    tags: result.tags.map((tag) => ({ ...tag, name: hostile })),
    variants: result.variants.map(() => ({ [hostile]: hostile })),
    episodes: result.episodes.map((each) => ({ ...each, message: hostile, trace: hostile, calls: { [hostile]: 1 } })),
    warnings: [hostile],
  })
  const page = await opened(await written('hostile', named(report)))
  await page.waitForSelector('[role=grid]')
  await page.focus('[role=grid]')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.textContent('.details-panel')).toContain(hostile)
  expect(await page.textContent('h1')).toContain(hostile)
  expect(await page.evaluate('window.hit')).toBeUndefined()
  expect(await page.locator('img').count()).toBe(0)
  expect(await overflow(page)).toBe(0)
})

describe('[VW42] the page', () => {
  it('says so without episodes, in another format, and without its server', async () => {
    const report = await reportOn('noop')
    const empty = await opened(
      await written('empty', {
        ...report,
        episodes: [],
        planned: 16,
        total: { ...report.total, success: { count: 0, of: 0, rate: 0, low: 0, high: 1, units: 0, tasks: 0 } },
      }),
    )
    await expect.poll(() => empty.textContent('[role=status]')).toBe('0 of 16 episodes have ended')
    expect(await violations(empty)).toEqual([])
    const foreign = await opened(await written('foreign', { format: 'other-1' } as unknown as EvaluationReport))
    await expect
      .poll(() => foreign.textContent('main'))
      .toContain('its format is "other-1"; this page shows backlot-report-1')
    const url = await served('noop')
    const page = await opened(url)
    await page.waitForSelector('[role=grid]')
    await closers.pop()!()
    await page.click('text=Refresh')
    await expect.poll(() => page.textContent('[role=status]')).toContain('the server does not answer')
  })

  it('is written by an evaluation', async () => {
    const page = await opened(pathToFileURL(join(folder, 'solution', RESULT_FILES.report)).href)
    await expect.poll(() => page.textContent('.figure-value')).toBe('100 %')
    await page.click('[role=gridcell] .pass')
    await expect.poll(() => page.textContent('.details-panel')).toContain('in the folder of this file')
  })
})
