import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { launchBrowser, openPage } from '../../test/support/viewer/test-browser.ts'
import { playSolution } from '../compose/play-solution.ts'
import { readRun } from '../recording/read-run.ts'
import { serveRun } from '../recording/serve-run.ts'
import { openDesktop } from '../testing.ts'

// Shows the trace of a scenario of the gallery in a browser. Rules such as [VW14] are stated in README.md of the viewer.

launchBrowser()

/** The folder of a trace in which the first solution of a scenario is played. */
async function tracedSolution(scenario: string, variant: Readonly<Record<string, string>>): Promise<string> {
  const config = { tracing: { redact_keys: ['password'], screenshot_every_n_actions: 0 } }
  const desktop = openDesktop({ scenario, variant, config })
  await desktop.call('trace_start', { label: scenario })
  for await (const { failure } of playSolution(desktop, desktop.computer.loadedScenario.solutions[0]))
    expect(failure).toBeUndefined()
  const { path } = await desktop.call('trace_stop')
  const folder = mkdtempSync(join(tmpdir(), 'backlot-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'trace.jsonl'), String(desktop.artifacts.get(path)))
  return folder
}

it('[VW14] [VW16] [VW19] [VW25] [VW26] shows a run of the gallery, compares it, and opens a step of it', async () => {
  const report = (bug: unknown): never => {
    throw bug
  }
  const run = await readRun(await tracedSolution('mail', {}))
  const other = await readRun(await tracedSolution('mail', { theme: 'dark' }))
  const server = await serveRun({ run, other, port: 0, report })
  onTestFinished(server.close)
  const page = await openPage({ viewport: { width: 1400, height: 900 } })
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(`${server.url}#step=6`)
  const shows = (selector: string, words: string) => expect.poll(() => page.textContent(selector)).toContain(words)
  await shows('.summary', '✓ Success')
  await shows('.legend', 'hit, as meant: Edit To')
  await page.getByRole('tab', { name: 'Tree' }).click()
  await shows('.changes', 'Edit Subjectfocused none true')
  await page.getByRole('tab', { name: 'Oracles' }).click()
  await shows('.matrix', '✗ does not hold')
  await page.getByRole('slider', { name: 'Step' }).press('End')
  await shows('.matrix', '✓ holds')
  await page.keyboard.press('c')
  await shows('.divergence', 'The recordings do not diverge.')
  await shows('.divergence', 'The pictures differ from the start')
  const [live] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Open here' }).click(),
  ])
  await live.waitForURL(/^http:\/\/127\.0\.0\.1:/)
  await expect.poll(() => live.textContent('body')).toContain('Inbox')
  expect(problems).toEqual([])
})
