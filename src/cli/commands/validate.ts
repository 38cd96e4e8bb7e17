import { Command } from 'commander'
import { isScenarioFound } from '../../compose/gallery.ts'
import { validateScenario } from '../../compose/preview.ts'

/** `backlot validate`: checks scenario files and reports errors and warnings with their lines. */
export function validateCommand(): Command {
  return new Command('validate')
    .description('Check scenario files. Errors and warnings show line, column and a suggestion.')
    .argument('<file...>', 'YAML files, or names of gallery scenarios')
    .option('--strict', 'fail on warnings too')
    .action(async (files: readonly string[], { strict }: { readonly strict?: boolean }) => {
      let bad = 0
      for (const file of files) {
        const { ok, text, warnings } = await validateScenario(file)
        if (!ok || (strict && warnings.length > 0)) bad++
        process[ok ? 'stdout' : 'stderr'].write(`${text}\n`)
        for (const warning of warnings) process.stderr.write(`${warning}\n`)
      }
      if (bad > 0) process.exitCode = files.every(isScenarioFound) ? 1 : 2
    })
}
