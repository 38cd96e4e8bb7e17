import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Argument, Command } from 'commander'
import { OSWORLD_DOMAIN, type OsworldTask, osworldTasks, secretSource } from '../../compose/osworld-export.ts'
import { seedRange, UserError, wholeNumber } from '../arguments.ts'
import { chosenVariant, type VariantFlags, withVariantFlags } from '../variant-flags.ts'

interface ExportFlags extends VariantFlags {
  readonly out: string
  readonly seeds?: readonly number[]
  readonly variants?: number
  readonly secretSeed?: number
}

/** `backlot export`: writes scenarios as tasks of another benchmark. */
export function exportCommand(): Command {
  return withVariantFlags(new Command('export'))
    .description('Write scenarios as tasks of another benchmark, whose runner then runs and scores them.')
    .addArgument(new Argument('<format>', 'the benchmark').choices(['osworld']))
    .argument('<scenario...>', 'YAML files, or names of gallery scenarios, as the server knows them')
    .requiredOption('-o, --out <folder>', 'folder to write into, such as a checkout of OSWorld')
    .option('--seeds <a..b>', 'a task for each of these seeds (default: the scenario’s own)', seedRange)
    .option('--variants <n>', 'also this many variants, drawn for each seed', wholeNumber)
    .option('--secret-seed <number>', 'draw the secrets of scoring from this number; for tests only', wholeNumber)
    .addHelpText(
      'after',
      `
Examples:
  backlot export osworld login desktop --seeds 1..20 --out path/to/OSWorld
  backlot serve --protocols osworld            serve the desktop that the tasks select`,
    )
    .action(async (_format: 'osworld', files: readonly string[], flags: ExportFlags) => {
      const { seed, seeds = seed === undefined ? undefined : [seed], variants, secretSeed } = flags
      const secrets = secretSource(secretSeed)
      const variant = chosenVariant(flags)
      const ids: string[] = []
      for (const file of new Set(files)) {
        const result = await osworldTasks(file, {
          secrets,
          ...(seeds && { seeds }),
          ...(variants !== undefined && { variants }),
          ...(variant && { variant }),
        })
        if ('leftOut' in result) {
          process.stderr.write(`${file} is left out: ${result.leftOut}\n`)
          continue
        }
        for (const task of result.tasks) writeTask(flags.out, task)
        ids.push(...result.tasks.map(({ id }) => id))
        process.stderr.write(`${file}: ${result.tasks.length === 1 ? '1 task' : `${result.tasks.length} tasks`}\n`)
      }
      if (ids.length === 0) throw new UserError('no scenario can be exported')
      const index = join(flags.out, 'evaluation_examples', 'test_backlot.json')
      writeJson(index, { [OSWORLD_DOMAIN]: ids })
      process.stdout.write(`${index}\n`)
    })
}

const writeTask = (folder: string, task: OsworldTask): void =>
  writeJson(join(folder, 'evaluation_examples', 'examples', OSWORLD_DOMAIN, `${task.id}.json`), task)

function writeJson(path: string, value: unknown): void {
  try {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`)
  } catch (error) {
    throw new UserError(`cannot write ${path} (${(error as NodeJS.ErrnoException).code}); choose another folder`)
  }
}
