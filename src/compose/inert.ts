import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Desktop } from '../desktop/model/desktop.ts'
import { createPainter } from '../paint/painter.ts'
import { searchScenario } from '../scenario/explore/explore.ts'
import { findInertControls, type InertControl } from '../scenario/explore/inert.ts'
import { formatProblem } from '../scenario/source/problem.ts'
import { judgeRun, playedSolutions } from './explore.ts'
import { findScenario } from './gallery.ts'
import { INERT, ignoresIn, type LintIgnore, unusedIgnore } from './lint.ts'
import { checkFile } from './preview.ts'

/** The bounds of a search for inert controls. */
export interface InertLimits {
  /** The maximum number of screens whose actions are tried to find others. */
  readonly maxStates?: number
  /** The time for finding screens, and again for trying their controls. In milliseconds. */
  readonly maxMs?: number
  readonly onProgress?: (line: string) => void
}

/** What a search for inert controls found, formatted for a terminal. */
export interface InertResult {
  readonly file: string
  readonly findings: readonly InertFinding[]
  /** The number of findings that comments in the files accept. */
  readonly ignored: number
  /** The number of controls that were operated, each once for each state that shows it. */
  readonly controls: number
  readonly screens: number
  /** Whether all screens were found, and the controls of all were tried. */
  readonly isComplete: boolean
}

/** An inert control, or a comment that accepts none. */
export interface InertFinding extends Partial<Omit<InertControl, 'path' | 'message'>> {
  readonly code: 'inert' | 'unused-ignore'
  readonly text: string
  /** The path in the file. */
  readonly path?: string
}

/** Enough for every control of the applications in the gallery to be reached. */
const DEFAULT_MAX_STATES = 40
const DEFAULT_MAX_MS = 60_000

/**
 * Operates every control on every screen that can be reached, up to a bound, and finds those that change nothing: not the tree,
 * the pixels, the data or the log.
 * @param file A path, or a name in the gallery.
 * @throws A `Fault` `ScenarioInvalid`.
 * @example
 * const { findings, controls } = await lintInert('login')
 */
export async function lintInert(file: string, limits: InertLimits = {}): Promise<InertResult> {
  const { maxStates = DEFAULT_MAX_STATES, maxMs = DEFAULT_MAX_MS, onProgress } = limits
  const files = new Set<string>()
  const { scenario, locate } = await checkFile(file, (path) => files.add(path))
  const { examples, finish } = await playedSolutions(scenario)
  const search = await searchScenario(scenario, {
    maxScreens: maxStates,
    examples,
    judge: (run) => judgeRun(run, finish),
    isExpired: expiry(maxMs),
    onProgress: ({ explored, found, actions }) =>
      onProgress?.(`${explored} of ${found} screens explored, ${actions} actions`),
  })
  const { inert, controls, screens } = findInertControls(search, {
    look: lookOf(),
    isExpired: expiry(maxMs),
    onProgress: (at) => onProgress?.(`controls of ${at.screens} of ${at.of} screens tried, ${at.controls} controls`),
  })
  const own = ignoresIn(readFileSync(findScenario(file), 'utf8')).filter(isAboutInert)
  const included = [...files].flatMap((path) => ignoresIn(readFileSync(path, 'utf8'))).filter(isAboutInert)
  const accepts = ({ element }: InertControl) =>
    [...own, ...included].some((ignore) => ignore.reason !== '' && isAbout(ignore, element))
  const shown = inert.filter((each) => !accepts(each))
  const unused = own.filter((ignore) => ignore.reason === '' || !inert.some(({ element }) => isAbout(ignore, element)))
  return {
    file,
    findings: [
      ...shown.map(({ path, message, ...control }): InertFinding => {
        const [problem] = locate([{ path, message }])
        return { code: INERT, ...control, path: problem!.path, text: formatProblem(file, problem!, 'inert: ') }
      }),
      ...unused.map((ignore): InertFinding => ({ code: 'unused-ignore', text: unusedIgnore(file, ignore).text })),
    ],
    ignored: inert.length - shown.length,
    controls,
    screens,
    isComplete: search.isComplete && screens === search.screens.length,
  }
}

const isAboutInert = ({ code }: LintIgnore): boolean => code === INERT

/** Whether a comment names an element, or the item of a `repeat` or component that it belongs to. */
const isAbout = ({ element }: LintIgnore, id: string): boolean =>
  element === '*' || element === id || id.startsWith(`${element}-`) || id.endsWith(`.${element}`)

function expiry(maxMs: number): () => boolean {
  const endMs = performance.now() + maxMs
  return () => performance.now() > endMs
}

/** The pixels of windows, as hashes. */
function lookOf(): (desktop: Desktop, uid: string) => string {
  const painter = createPainter()
  return (desktop, uid) => createHash('sha1').update(painter.window(desktop, uid).pixels()).digest('base64')
}
