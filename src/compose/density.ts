import { readFileSync } from 'node:fs'
import { createSyntheticComputer } from '../adapters/synthetic/synthetic.ts'
import { virtualClock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import {
  type ComparedMeasure,
  compareDensity,
  measureDensity,
  PROGRAM_KINDS,
  type ProgramKind,
  programKindOf,
  REAL_PROGRAMS,
} from '../paint/lint/picture-density.ts'
import { createPainter } from '../paint/painter.ts'
import { fromPng } from '../paint/picture.ts'
import type { ThemeName } from '../paint/theme/tokens.ts'
import type { AuthoredChoices } from '../scenario/variants/axis.ts'
import { loadScenario } from './preview.ts'

export { PROGRAM_KINDS, type ProgramKind }

/** How full the first screen of a scenario, or a picture file, is beside real programs. */
export interface DensityReport {
  readonly file: string
  readonly kind: ProgramKind
  /** The real programs. */
  readonly programs: readonly string[]
  readonly measures: readonly ComparedMeasure[]
}

/** What is measured. */
export interface DensityOptions {
  /** By default known from the name of the scenario, the file or the active window. */
  readonly kind?: ProgramKind | undefined
  readonly theme?: ThemeName | undefined
  readonly variant?: AuthoredChoices | undefined
}

/**
 * Measures the first screen of a scenario, or a PNG file such as a screenshot of a real program.
 * @param file A path, or a name in the gallery.
 * @throws A `Fault` `ScenarioInvalid`, or `BadRequest` for a file that is no picture or whose kind is not known.
 */
export async function densityOf(file: string, { kind, theme, variant }: DensityOptions = {}): Promise<DensityReport> {
  if (/\.png$/i.test(file)) return reportOf(file, [file], kind, measureDensity(fromPng(readPicture(file))))
  const scenario = await loadScenario(file, variant ? { variant } : {})
  const { desktop } = createSyntheticComputer({ scenario, clock: virtualClock() })
  const picture = createPainter({ theme: theme ?? scenario.theme ?? 'light' }).screen(desktop)
  const active = desktop.windows.find(({ uid }) => uid === desktop.active)
  return reportOf(file, [scenario.name, active?.title ?? ''], kind, measureDensity(picture, desktop))
}

function reportOf(
  file: string,
  names: readonly string[],
  wanted: ProgramKind | undefined,
  density: ReturnType<typeof measureDensity>,
): DensityReport {
  const kind = wanted ?? names.map(programKindOf).find((found) => found !== undefined)
  if (kind === undefined)
    throw new Fault(
      'BadRequest',
      `the name of ${file} does not say what kind of program it is; choose one with --kind: ${PROGRAM_KINDS.join(', ')}`,
    )
  const programs = REAL_PROGRAMS[kind].map(({ program }) => program)
  return { file, kind, programs, measures: compareDensity(density, kind) }
}

function readPicture(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Fault('BadRequest', `cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
}

const WORDS = {
  flat8: 'flat blocks of 8 px, %',
  flat32: 'flat blocks of 32 px, %',
  edges: 'edges, %',
  colours: 'colours',
  saturated: 'saturated, %',
  textSizes: 'sizes of text',
  words: 'words',
  nodes: 'elements',
} as const

/** The report as a table. */
export function formatDensity({ file, kind, programs, measures }: DensityReport): string {
  const rows = measures.map(({ measure, here, real, verdict }) => [
    WORDS[measure],
    String(here),
    real === undefined ? '-' : real[0] === real[1] ? String(real[0]) : `${real[0]} - ${real[1]}`,
    verdict === 'alike' || verdict === 'unknown' ? '' : verdict,
  ])
  const lines = [['measure', 'here', 'real', ''], ...rows].map(([name = '', here = '', real = '', verdict = '']) =>
    `  ${name.padEnd(26)}${here.padStart(8)}${real.padStart(14)}  ${verdict}`.trimEnd(),
  )
  return [`${file}, as ${kind} (${programs.join(', ')})`, ...lines].join('\n')
}
