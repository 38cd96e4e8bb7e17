import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import { quoted } from '../../base/strings.ts'
import {
  DEFAULT_FIELDS,
  type ScaffoldChoice,
  scaffoldScenario,
  scaffoldSources,
  tasksOfApplication,
} from '../../compose/scaffold.ts'
import { UserError } from '../arguments.ts'

interface NewFlags {
  readonly from?: string
  readonly fields?: string
  readonly task?: string
}

/** `backlot new`: writes a scenario to start from. */
export function newCommand(): Command {
  return new Command('new')
    .description('Write a new scenario that passes `backlot test` as it is: a form, or a task of an application.')
    .argument('<file>', 'file to write, such as my-form.yaml; it must not exist')
    .option('--from <source>', `what to start from: ${scaffoldSources().join(', ')} (default: form)`)
    .option('--fields <labels>', `fields of the form, separated by commas (default: ${DEFAULT_FIELDS.join(',')})`)
    .option('--task <name>', 'task of the application to start from (default: its first)')
    .addHelpText('after', '\nOn a terminal it asks for what no flag says. It never overwrites a file.')
    .action(async (given: string, flags: NewFlags) => {
      const file = /\.ya?ml$/i.test(given) ? given : `${given}.yaml`
      const isAsking = process.stdin.isTTY && process.stdout.isTTY
      const text = scaffoldScenario(file, isAsking ? await asked(flags) : choiceOf(flags))
      write(file, text)
      const path = quoted(file)
      const next = [
        [`npx backlot test ${path}`, 'proves that its solution passes, and that doing nothing does not'],
        [`npx backlot render ${path}`, 'shows its first screen, as a PNG'],
        [`npx backlot serve --scenario ${path} --watch`, 'serves it to agents, and again when you save it'],
      ] as const
      const width = Math.max(...next.map(([command]) => command.length))
      const lines = next.map(([command, what]) => `  ${command.padEnd(width)}  ${what}`)
      process.stdout.write(`wrote ${file}; next:\n${lines.join('\n')}\n`)
    })
}

const fieldsIn = (text: string): readonly string[] => text.split(',').map((label) => label.trim())

const choiceOf = ({ from = 'form', fields, task }: NewFlags): ScaffoldChoice => ({
  from,
  task,
  fields: fields === undefined ? undefined : fieldsIn(fields),
})

/** Asks for what the flags leave open. An empty answer takes the default. */
async function asked(flags: NewFlags): Promise<ScaffoldChoice> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const ask = async (question: string, byDefault: string): Promise<string> =>
    (await terminal.question(`${question} [${byDefault}] `)).trim() || byDefault
  try {
    const from = flags.from ?? (await ask(`Start from ${scaffoldSources().join(', ')}?`, 'form'))
    const tasks = tasksOfApplication(from)
    if (from === 'form' && flags.task === undefined && flags.fields === undefined)
      return choiceOf({ from, fields: await ask('Fields, separated by commas?', DEFAULT_FIELDS.join(', ')) })
    if (tasks.length > 0 && flags.task === undefined && flags.fields === undefined)
      return choiceOf({ from, task: await ask(`Task ${tasks.join(', ')}?`, tasks[0]!) })
    return choiceOf({ ...flags, from })
  } finally {
    terminal.close()
  }
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new UserError(`${file} exists already, and is left as it is; choose another name`)
    throw new UserError(`cannot write ${file} (${code}); choose another place`)
  }
}
