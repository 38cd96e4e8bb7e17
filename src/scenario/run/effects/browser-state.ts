import type { DataValue } from '../../expression/data-type.ts'
import { runWith, type ScenarioRun } from '../../scenario-run.ts'
import type { BrowserData } from '../../sites/browser-window.ts'

/** The variable `browser` of a run. */
export const browserOf = (run: ScenarioRun): BrowserData => run.data.browser as unknown as BrowserData

/** The run with other fields of the variable `browser`. */
export const withBrowser = (run: ScenarioRun, change: Partial<BrowserData>): ScenarioRun =>
  runWith(run, { data: { ...run.data, browser: { ...browserOf(run), ...change } as unknown as DataValue } })
