import { readFileSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import { loadScenario } from '../../compose/preview.ts'
import { formatPiece, shrinkTrace } from '../../compose/shrink.ts'
import { UserError } from '../arguments.ts'

/** `backlot shrink`: finds the smallest part of a failing run that still fails. */
export function shrinkCommand(): Command {
  return new Command('shrink')
    .description('Find the faults, variant axes and calls that a failing run needs to fail in the same way.')
    .argument('<trace>', 'trace.jsonl of the run')
    .requiredOption('--scenario <file>', 'scenario of the run: a file, or the name of a gallery scenario')
    .option('-o, --out <file>', 'write a trace of the smaller run, for replay_start and for this command')
    .action(async (path: string, { scenario: file, out }: { readonly scenario: string; readonly out?: string }) => {
      const text = attempt(() => readFileSync(path, 'utf8'), `cannot read ${path}`)
      const scenario = await loadScenario(file)
      const { seed, failure, parts, originalParts, trace } = await shrinkTrace(scenario, text)
      print(`fails: ${failure}`)
      print(`needs ${parts.length} of ${originalParts} parts, with seed ${seed}:`)
      for (const part of parts) print(`  ${formatPiece(part)}`)
      if (out === undefined) return
      attempt(() => writeFileSync(out, trace), `cannot write ${out}`)
      process.stderr.write(`wrote ${out}\n`)
    })
}

function attempt<T>(work: () => T, problem: string): T {
  try {
    return work()
  } catch (error) {
    throw new UserError(`${problem} (${(error as NodeJS.ErrnoException).code}); use another file`)
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`)
