import { Command, Option } from 'commander'
import { densityOf, formatDensity, PROGRAM_KINDS, type ProgramKind } from '../../compose/density.ts'
import { lintScenario } from '../../compose/lint.ts'
import { UserError } from '../arguments.ts'
import { styleOption } from '../variant-flags.ts'

interface LintFlags {
  readonly theme?: 'light' | 'dark' | 'high-contrast'
  readonly density?: boolean
  readonly kind?: ProgramKind
  readonly style?: string
  readonly json?: boolean
}

/** `backlot lint`: finds mistakes of appearance in scenarios. */
export function lintCommand(): Command {
  return new Command('lint')
    .description(
      'Find mistakes of appearance in scenarios: overlapping or clipped controls, weak contrast, missing names, cut text, missing glyphs.',
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
    .option('--json', 'with --density: print JSON')
    .addHelpText(
      'after',
      `
Codes: overlap, clipped, contrast, name, same-name, cut-text, glyphs. A comment in the file accepts findings, with a reason:
  # lint-ignore cut-text log The list shows the start of each message.
Exits with 1 when there are findings.`,
    )
    .action(async (files: readonly string[], flags: LintFlags) => {
      const { theme } = flags
      if (flags.density) return density(files, flags)
      const unused = (['kind', 'style', 'json'] as const).find((flag) => flags[flag] !== undefined)
      if (unused !== undefined) throw new UserError(`--${unused} is for --density; add that flag or leave this one out`)
      let count = 0
      for (const file of files) {
        const { findings, ignored } = await lintScenario(file, theme)
        count += findings.length
        for (const { text } of findings) process.stderr.write(`${text}\n`)
        const accepted = ignored === 0 ? '' : `, ${ignored} ignored`
        process.stdout.write(
          `${file}: ${findings.length === 0 ? 'ok' : `${findings.length === 1 ? '1 finding' : `${findings.length} findings`}`}${accepted}\n`,
        )
      }
      if (count > 0) process.exitCode = 1
    })
}

async function density(files: readonly string[], { theme, kind, style, json }: LintFlags): Promise<void> {
  const reports = []
  for (const file of files)
    reports.push(await densityOf(file, { theme, kind, ...(style !== undefined && { variant: { style } }) }))
  const text = json ? JSON.stringify(reports, null, 2) : reports.map(formatDensity).join('\n\n')
  process.stdout.write(`${text}\n`)
}
