import { Command } from 'commander'
import { validateScenario } from '../../studio.ts'

/** `backlot validate`: says of each scenario file whether it can be used, and if not where and why. */
export function validateCommand(): Command {
  return new Command('validate')
    .description('Check scenario files; errors come with line, column and what would be right.')
    .argument('<file...>', 'YAML files')
    .action(async (files: readonly string[]) => {
      let bad = 0
      for (const file of files) {
        const verdict = await validateScenario(file)
        if (!verdict.ok) bad++
        process[verdict.ok ? 'stdout' : 'stderr'].write(`${verdict.text}\n`)
      }
      if (bad > 0) process.exitCode = 1
    })
}
