import { writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { exploreScenario } from '../../compose/explore.ts'
import { UserError, wholeNumber } from '../arguments.ts'
import { chosenVariant, styleOption } from '../variant-flags.ts'

interface ExploreFlags {
  readonly maxStates: number
  readonly maxSeconds: number
  readonly style?: string
  readonly svg?: string
  readonly mermaid?: string
}

/** Without a terminal, a line of progress for so many screens. */
const SCREENS_PER_LINE = 100

/** `backlot explore`: plays a scenario in all ways, up to a bound. */
export function exploreCommand(): Command {
  return new Command('explore')
    .description('Play a scenario in all ways up to a bound, and find states that cannot be reached, left or won.')
    .argument('<file>', 'scenario file, or the name of a gallery scenario')
    .option('--max-states <n>', 'screens whose actions are tried', wholeNumber, 500)
    .option('--max-seconds <n>', 'time after which the search ends', wholeNumber, 60)
    .addOption(styleOption())
    .option('--svg <file>', 'write the graph of states as an SVG')
    .option('--mermaid <file>', 'write the graph of states for Mermaid')
    .addHelpText(
      'after',
      `
Codes: solved-at-start, unsolvable, unreachable-state, dead-end, unwinnable-state, ambiguous-reaction,
duplicate-key, idle-control, unused-reaction, unused-timer. A search that ends early lists what it could not decide. Exits with 1 when there are findings.`,
    )
    .action(async (file: string, flags: ExploreFlags) => {
      const endMs = performance.now() + flags.maxSeconds * 1000
      const { isTTY } = process.stderr
      const result = await exploreScenario(file, {
        maxStates: flags.maxStates,
        variant: chosenVariant(flags),
        isExpired: () => performance.now() > endMs,
        onProgress: ({ explored, found, actions }) => {
          const line = `${explored} of ${found} screens explored, ${actions} actions`
          if (isTTY) process.stderr.write(`\r\u001b[K${line}`)
          else if (explored % SCREENS_PER_LINE === 0) process.stderr.write(`${line}\n`)
        },
      })
      if (isTTY) process.stderr.write('\r\u001b[K')
      for (const { text } of result.findings) process.stdout.write(`${text}\n`)
      if (result.undecided.length > 0) process.stdout.write('not decided within the bound:\n')
      for (const { text } of result.undecided) process.stdout.write(`${text.split('\n')[0]}\n`)
      if (flags.svg !== undefined) write(flags.svg, result.svg())
      if (flags.mermaid !== undefined) write(flags.mermaid, result.mermaid())
      const bound = result.isComplete ? 'all screens' : 'stopped at the bound'
      const count = result.findings.length
      process.stdout.write(
        `${file}: ${count === 0 ? 'no findings' : count === 1 ? '1 finding' : `${count} findings`} (${bound}: ${result.screens} screens, ${result.actions} actions)\n`,
      )
      if (count > 0) process.exitCode = 1
    })
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UserError(`cannot write ${file} (${(error as NodeJS.ErrnoException).code}); choose another file`)
  }
}
