import { Command } from 'commander'
import { verifyTrace } from '../../recording/verify-trace.ts'
import { bindingsOption } from '../arguments.ts'

interface ReplayFlags {
  readonly scenario?: string
  readonly bindings?: Readonly<Record<string, unknown>>
}

/** `backlot replay`: makes the calls of a trace again and compares the results. */
export function replayCommand(): Command {
  return new Command('replay')
    .description('Make the calls of a trace again on a new desktop, and print where the results differ.')
    .argument('<trace>', 'folder of a trace, its trace.jsonl, or a zip archive of the folder')
    .option('--scenario <file>', 'scenario of the trace (default: the one that the trace names)')
    .addOption(bindingsOption())
    .addHelpText(
      'after',
      '\nExit code: 0 all results are the same, 1 they differ or the trace lacks calls, 2 wrong usage, such as a trace that cannot be replayed.',
    )
    .action(async (path: string, flags: ReplayFlags) => {
      const { calls, divergences, note, missing, unended } = await verifyTrace(path, flags)
      for (const { step, tool, differences } of divergences)
        for (const difference of differences) process.stdout.write(`step ${step}, ${tool}: ${difference}\n`)
      const made = calls === 1 ? '1 call' : `${calls} calls`
      const steps = divergences.length === 1 ? '1 step differs' : `${divergences.length} steps differ`
      if (calls === 0) process.stdout.write('the trace has no calls\n')
      else process.stdout.write(divergences.length === 0 ? `${made}: the same results\n` : `${made}: ${steps}\n`)
      if (note !== undefined) process.stderr.write(`note: ${note}\n`)
      if (unended !== undefined) process.stderr.write(`note: ${unended}\n`)
      if (missing !== undefined) process.stderr.write(`warning: ${missing}\n`)
      if (divergences.length > 0 || missing !== undefined) process.exitCode = 1
    })
}
