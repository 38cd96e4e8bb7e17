import type { TriedProgram } from './programs.ts'
import { ABILITIES, type ProgramAbility, type TrialSession } from './trial.ts'

/** What has been seen of a program in a session: `yes`, or what went wrong. */
export interface Tried {
  readonly program: string
  readonly session: TrialSession
  readonly results: Readonly<Partial<Record<ProgramAbility, string>>>
}

interface TableFacts {
  readonly versionOf: (debian: string) => string
  readonly date: string
}

const SESSIONS: readonly TrialSession[] = ['x11', 'sway']

/** A row of a table in Markdown. */
export const rowOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`

/** The table, and below it the reasons why something is not tried. */
export function tableOf(
  programs: readonly TriedProgram[],
  tried: readonly Tried[],
  { versionOf, date }: TableFacts,
): string {
  const reasons: string[] = []
  const noteOf = (reason: string): string => {
    if (!reasons.includes(reason)) reasons.push(reason)
    return `(${reasons.indexOf(reason) + 1})`
  }
  const resultIn = ({ name }: TriedProgram, session: TrialSession) =>
    tried.findLast((each) => each.program === name && each.session === session)?.results
  const cell = (program: TriedProgram, ability: ProgramAbility): string => {
    const step = program.steps[ability]
    if (typeof step === 'string') return `– ${noteOf(step)}`
    const marks = SESSIONS.map((session) => {
      const result = resultIn(program, session)?.[ability]
      return result === undefined ? 'not tried' : result === 'yes' ? 'yes' : 'no'
    })
    return new Set(marks).size === 1 ? marks[0]! : `X11 ${marks[0]}, sway ${marks[1]}`
  }
  const isComplete = (program: TriedProgram, session: TrialSession): boolean =>
    ABILITIES.every(
      (ability) => typeof program.steps[ability] === 'string' || resultIn(program, session)?.[ability] === 'yes',
    )
  const rows = programs.map((program) => [
    `${program.name} ${versionOf(program.debian)
      .replace(/^\d+:/, '')
      .replace(/[-+].*$/, '')}`,
    program.toolkit,
    ...ABILITIES.map((ability) => cell(program, ability)),
  ])
  const counts = SESSIONS.map((session) => programs.filter((program) => isComplete(program, session)).length)
  return [
    `Of ${programs.length} programs of Debian 12, ${counts[0]} completed all that is tried with them on X11 and ${counts[1]} on sway (${date}).\n\n`,
    rowOf(['program', 'toolkit', ...ABILITIES]),
    rowOf(['---', '---', ...ABILITIES.map(() => '---')]),
    ...rows.map(rowOf),
    '\n',
    ...reasons.map((reason, index) => `${index + 1}. ${reason}\n`),
  ].join('')
}

/** The number of runs of which the median is in the table. */
export const RUNS_OF_TOOL = 15

/** The milliseconds of each step. */
export interface StepTimes {
  readonly observe: number
  /** Undefined where the desktop takes no pictures. */
  readonly screenshot: number | undefined
  readonly click: number
  readonly type: number
}
type Step = keyof StepTimes

/** A session, and the programs that scripts use for each step. These observe nothing. */
export interface SessionTimes {
  readonly ours: StepTimes
  readonly others: StepTimes
  readonly names: Readonly<Record<Step, string>>
}

const STEPS: Readonly<Record<Step, string>> = {
  observe: 'observe a window',
  screenshot: 'screenshot 1280×800 as PNG',
  click: 'click a point, with receipt',
  type: 'type 10 digits, with receipt',
}

const inMs = (value: number | undefined): string =>
  value === undefined ? '–' : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`

/** The desktops without other programs beside ours. Undefined where one is not set up. */
export interface OtherDesktops {
  readonly gnome: StepTimes | undefined
  readonly kwin: StepTimes | undefined
  readonly wine: StepTimes | undefined
}

/** The table of measured times. A column is left out where it was not measured. */
export function tableOfTimes(
  sessions: readonly SessionTimes[],
  { gnome, kwin, wine }: OtherDesktops,
  circumstances: string,
): string {
  const steps = Object.entries(STEPS) as [Step, string][]
  const alone = [
    ['GNOME', gnome],
    ['KWin', kwin],
    ['Windows under Wine', wine],
  ] as const
  const measured = alone.flatMap(([name, times]) => (times ? [{ name, times }] : []))
  const columns = ['step', 'X11', 'beside', 'sway', 'beside', ...measured.map(({ name }) => name)]
  const onTesting =
    gnome && kwin
      ? 'GNOME and KWin are those of `npm run test:desktops`, without a screen.'
      : 'GNOME and KWin were not set up and are not measured.'
  const onWine = wine
    ? 'Windows is asked over HTTP, on a form with the common controls; see [Windows](#windows) for its limits.'
    : 'Windows under Wine was not set up and is not measured; see [Windows](#windows).'
  return [
    `Medians of ${RUNS_OF_TOOL} runs on the GTK 3 form of \`fixtures/linux\`, ${circumstances}: compare the columns, not the figures of other machines. A receipt is what an action has changed, which
the other programs do not observe. \`settle_ms\` is 0.\n\n`,
    rowOf(columns),
    rowOf(columns.map(() => '---')),
    ...steps.map(([step, what]) =>
      rowOf([
        what,
        ...sessions.flatMap(({ ours, others, names }) => [inMs(ours[step]), `${names[step]} ${inMs(others[step])}`]),
        ...measured.map(({ times }) => inMs(times[step])),
      ]),
    ),
    `\n${onWine}\n${onTesting}\n`,
  ].join('')
}

/** A page whose part between the markers of a name is replaced. Throws when it has no such markers. */
export function withGenerated(page: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name}: written by npm run bench:programs -->`, `<!-- end of ${name} -->`]
  const [from, to] = [page.indexOf(start), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`the page has no part between ${start} and ${end}`)
  return `${page.slice(0, from + start.length)}\n${text}${page.slice(to)}`
}
