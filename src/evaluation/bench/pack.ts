import { join } from 'node:path'
import { GALLERY } from '../../compose/gallery.ts'
import { type LoadedSuite, loadSuite, type SuiteOverrides } from '../suite/load-suite.ts'

/** The suite of Backlot Bench. */
export const BENCH_SUITE: string = join(GALLERY, 'bench/suite.yaml')

/** The manifest of Backlot Bench. */
export const BENCH_MANIFEST: string = join(GALLERY, 'bench/bench-1.json')

/** What the abilities of tasks mean, by the tags that name them. */
export const ABILITIES: Readonly<Record<string, string>> = {
  GR: 'grounding',
  RD: 'reading',
  FF: 'form filling',
  XA: 'transfer between applications',
  LL: 'long lists and scrolling',
  SE: 'search and filters',
  DD: 'drag and drop',
  KB: 'keyboard only',
  DN: 'dates and numbers',
  TB: 'tables',
  FI: 'files',
  RC: 'recovery from errors and dialogs',
  WT: 'waiting',
  UN: 'undo and restore',
  PS: 'permission and safety',
  IN: 'injected text',
  NF: 'impossible tasks and questions',
  MM: 'memory over windows',
  PL: 'planning',
  LO: 'locale',
  TL: 'pictures without a tree',
}

/**
 * Loads the tasks of Backlot Bench.
 * @param names The tasks to load; all by default.
 * @param overrides What the operator chooses for all tasks.
 * @throws A `SuiteError` for a name that no task has.
 */
export const loadBench = (
  names: readonly string[] = [],
  overrides: SuiteOverrides = {},
  file = BENCH_SUITE,
): Promise<LoadedSuite> => loadSuite([file], { ...overrides, only: names })
