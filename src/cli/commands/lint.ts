import { Command, Option } from 'commander'
import { lintScenario } from '../../compose/lint.ts'

/** `backlot lint`: finds mistakes of appearance in scenarios. */
export function lintCommand(): Command {
  return new Command('lint')
    .description(
      'Find mistakes of appearance in scenarios: overlapping or clipped controls, weak contrast, missing names, cut text, missing glyphs.',
    )
    .argument('<file...>', 'YAML files, or names of gallery scenarios')
    .addOption(
      new Option('--theme <name>', 'theme, instead of the scenario’s own').choices(['light', 'dark', 'high-contrast']),
    )
    .addHelpText(
      'after',
      `
Codes: overlap, clipped, contrast, name, same-name, cut-text, glyphs. A comment in the file accepts findings, with a reason:
  # lint-ignore cut-text log The list shows the start of each message.
Exits with 1 when there are findings.`,
    )
    .action(async (files: readonly string[], { theme }: { readonly theme?: 'light' | 'dark' | 'high-contrast' }) => {
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
