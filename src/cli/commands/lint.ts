import { Command, Option } from 'commander'
import { densityOf, formatDensity, PROGRAM_KINDS, type ProgramKind } from '../../compose/density.ts'
import { type InertResult, lintInert } from '../../compose/inert.ts'
import { lintScenario } from '../../compose/lint.ts'
import { positive, UserError } from '../arguments.ts'
import { styleOption } from '../variant-flags.ts'

interface LintFlags {
  readonly theme?: 'light' | 'dark' | 'high-contrast'
  readonly density?: boolean
  readonly inert?: boolean
  readonly maxStates?: number
  readonly maxSeconds?: number
  readonly kind?: ProgramKind
  readonly style?: string
  readonly json?: boolean
}

/** `backlot lint`: finds mistakes of appearance in scenarios. */
export function lintCommand(): Command {
  return new Command('lint')
    .description(
      'Find mistakes of appearance in scenarios: overlapping or clipped controls, weak contrast, missing names, cut text, missing glyphs. Or, with --inert, controls that change nothing.',
    )
    .argument('<file...>', 'YAML files, or names of gallery scenarios; with --density also PNG files')
    .addOption(
      new Option('--theme <name>', 'theme, instead of the scenario’s own').choices(['light', 'dark', 'high-contrast']),
    )
    .option('--density', 'measure how full the first screen is, beside real programs of its kind, instead')
    .addOption(
      new Option('--kind <kind>', 'with --density: the kind of program (default: by its name)').choices(PROGRAM_KINDS),
    )
    .addOption(styleOption())
    .option('--inert', 'operate every enabled control on every screen, and find those that change nothing, instead')
    .option('--max-states <n>', 'with --inert: screens whose actions are tried to find others (default: 40)', positive)
    .option(
      '--max-seconds <n>',
      'with --inert: time for finding screens, and again for operating their controls (default: 60)',
      positive,
    )
    .option('--json', 'with --density or --inert: print JSON')
    .addHelpText(
      'after',
      `
Codes: overlap, clipped, contrast, name, same-name, cut-text, glyphs. A comment in the file accepts findings, with a reason:
  # lint-ignore cut-text log The list shows the start of each message.
The code of --inert is inert: a control changes neither the tree, the pixels, the data nor the log on any screen of its state.
Exits with 1 when there are findings.`,
    )
    .action(async (files: readonly string[], flags: LintFlags) => {
      const { theme } = flags
      checkFlags(flags)
      if (flags.density) return density(files, flags)
      if (flags.inert) return inert(files, flags)
      let count = 0
      for (const file of files) {
        const { findings, ignored } = await lintScenario(file, theme)
        count += findings.length
        for (const { text } of findings) process.stderr.write(`${text}\n`)
        const accepted = ignored === 0 ? '' : `, ${ignored} ignored`
        process.stdout.write(`${file}: ${countOf(findings)}${accepted}\n`)
      }
      if (count > 0) process.exitCode = 1
    })
}

/** The measure that each flag belongs to. */
const FLAGS_OF = {
  kind: ['density'],
  style: ['density'],
  json: ['density', 'inert'],
  maxStates: ['inert'],
  maxSeconds: ['inert'],
  theme: ['density', 'appearance'],
} as const satisfies Partial<Record<keyof LintFlags, readonly string[]>>

function checkFlags(flags: LintFlags): void {
  if (flags.density && flags.inert) throw new UserError('--density and --inert are two commands; leave one of them out')
  const chosen = flags.density ? 'density' : flags.inert ? 'inert' : 'appearance'
  for (const [flag, measures] of Object.entries(FLAGS_OF) as [keyof typeof FLAGS_OF, readonly string[]][]) {
    if (flags[flag] === undefined || measures.includes(chosen)) continue
    const written = flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const others = measures.filter((each) => each !== 'appearance').map((each) => `--${each}`)
    if (chosen === 'inert') throw new UserError(`--${written} is not for --inert; leave one of them out`)
    throw new UserError(`--${written} is for ${others.join(' and ')}; add that flag or leave this one out`)
  }
}

const countOf = ({ length }: readonly unknown[]): string =>
  length === 0 ? 'ok' : length === 1 ? '1 finding' : `${length} findings`

/** Without a terminal, one line of progress in so many milliseconds. */
const PROGRESS_MS = 10_000

async function inert(files: readonly string[], { maxStates, maxSeconds, json }: LintFlags): Promise<void> {
  const { isTTY } = process.stderr
  const results: InertResult[] = []
  for (const file of files) {
    let nextMs = performance.now() + PROGRESS_MS
    const result = await lintInert(file, {
      ...(maxStates !== undefined && { maxStates }),
      ...(maxSeconds !== undefined && { maxMs: maxSeconds * 1000 }),
      onProgress: (line) => {
        if (isTTY) process.stderr.write(`\r\u001b[K${file}: ${line}`)
        else if (performance.now() >= nextMs) {
          nextMs = performance.now() + PROGRESS_MS
          process.stderr.write(`${file}: ${line}\n`)
        }
      },
    })
    if (isTTY) process.stderr.write('\r\u001b[K')
    results.push(result)
    if (json) continue
    const { findings, ignored, controls, screens, isComplete } = result
    for (const { text } of findings) process.stderr.write(`${text}\n`)
    const accepted = ignored === 0 ? '' : `, ${ignored} ignored`
    const bound = isComplete ? 'all screens' : 'stopped at the bound'
    process.stdout.write(
      `${file}: ${countOf(findings)}${accepted} (${bound}: ${controls} controls on ${screens} screens)\n`,
    )
  }
  if (json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
  if (results.some(({ findings }) => findings.length > 0)) process.exitCode = 1
}

async function density(files: readonly string[], { theme, kind, style, json }: LintFlags): Promise<void> {
  const reports = []
  for (const file of files)
    reports.push(await densityOf(file, { theme, kind, ...(style !== undefined && { variant: { style } }) }))
  const text = json ? JSON.stringify(reports, null, 2) : reports.map(formatDensity).join('\n\n')
  process.stdout.write(`${text}\n`)
}
