import { Command, InvalidArgumentError, Option } from 'commander'
import { explainCall, explainElementIn, formatExplanation } from '../../compose/explain.ts'
import { UserError, wholeNumber } from '../arguments.ts'

interface ExplainFlags {
  readonly state?: string
  readonly after?: number
  readonly step?: number
  readonly element?: string
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
    .addOption(
      new Option('--element <id>', 'explain why an element is on the screen, or what leaves it out').conflicts('step'),
    )
    .addHelpText(
      'after',
      `
Examples:
  backlot explain login click_element selector='Button "Login"'
  backlot explain login --step 3
  backlot explain chat --element message-7 --after 2`,
    )
    .action(async (file: string, tool: string | undefined, words: readonly string[], flags: ExplainFlags) => {
      if ([tool, flags.step, flags.element].filter((each) => each !== undefined).length !== 1)
        throw new UserError(
          'name either a tool with its arguments, a step of the solution with --step, or an element with --element',
        )
      if (flags.element !== undefined) {
        const lines = await explainElementIn(file, flags.element, flags)
        for (const line of lines) process.stdout.write(`${line}\n`)
        return
      }
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
