import { Command, InvalidArgumentError, Option } from 'commander'
import { explainCall, formatExplanation } from '../../compose/explain.ts'
import { UserError, wholeNumber } from '../arguments.ts'

interface ExplainFlags {
  readonly state?: string
  readonly after?: number
  readonly step?: number
}

/** `backlot explain`: explains what a scenario does with an action. */
export function explainCommand(): Command {
  return new Command('explain')
    .description('Explain why each reaction and timer of a scenario matches an action or not.')
    .argument('<file>', 'scenario file, or the name of a gallery scenario')
    .argument('[tool]', 'tool to call, such as click_element')
    .argument('[arguments...]', 'its arguments as key=value; values are JSON or text')
    .option('--state <name>', 'state in which the scenario starts (default: the initial state)')
    .option('--after <n>', 'play this many steps of the solution first', wholeNumber)
    .addOption(
      new Option('--step <n>', 'explain this step of the solution instead of a call')
        .argParser(positiveNumber)
        .conflicts('after'),
    )
    .addHelpText(
      'after',
      `
Examples:
  backlot explain login click_element selector='Button "Login"'
  backlot explain login --step 3`,
    )
    .action(async (file: string, tool: string | undefined, words: readonly string[], flags: ExplainFlags) => {
      if ((tool === undefined) === (flags.step === undefined))
        throw new UserError('name either a tool with its arguments, or a step of the solution with --step')
      const args = Object.fromEntries(words.map(argumentOf))
      const explanation = await explainCall(file, { ...flags, tool, args })
      for (const line of formatExplanation(explanation)) process.stdout.write(`${line}\n`)
    })
}

function argumentOf(word: string): readonly [string, unknown] {
  const at = word.indexOf('=')
  if (at < 1) throw new UserError(`${JSON.stringify(word)} is not an argument; write key=value`)
  const text = word.slice(at + 1)
  try {
    return [word.slice(0, at), JSON.parse(text)]
  } catch {
    return [word.slice(0, at), text]
  }
}

function positiveNumber(text: string): number {
  const value = wholeNumber(text)
  if (value < 1) throw new InvalidArgumentError('steps count from 1')
  return value
}
