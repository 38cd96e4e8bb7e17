import { Command, Option } from 'commander'
import { PROTOCOLS, type Protocol, TIERS, type Tier } from '../../../conformance/requirement.ts'
import { protocolName, wholeNumber } from '../arguments.ts'
import { program } from '../program.ts'
import { exitCodeFor, waitForSignal } from '../signals.ts'
import { UserError } from '../user-error.ts'

interface CertifyFlags {
  readonly url?: string
  readonly command?: string
  readonly token?: string
  readonly profile?: string
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly tier?: Tier
  readonly baseline?: string
  readonly seed: number
  readonly report: string
  readonly timeLimit: number
}

/** `backlot certify`: runs the conformance suite of a protocol against any server of it. */
export function certifyCommand(): Command {
  return new Command('certify')
    .description(
      'Certify a server: every requirement of its document, with a report that shows what went over the wire.',
    )
    .argument('<protocol>', PROTOCOLS.join(', '), protocolName)
    .option('--url <url>', 'where the server is, such as http://127.0.0.1:5001')
    .option(
      '--command <command>',
      'observer: starts its MCP side on standard input and output; without --url only that is certified',
    )
    .option('--token <secret>', 'a bearer token the server asks for')
    .option(
      '--profile <file>',
      'what the suite may rely on: trigger phrases, scenarios, known elements; `ours` is Backlot’s own',
    )
    .option('--only <id...>', 'only these requirements, by id or the beginning of one')
    .option('--skip <id...>', 'leave these requirements out, by id or the beginning of one')
    .addOption(new Option('--tier <tier>', 'what the server claims').choices([...TIERS]))
    .option('--baseline <file>', 'expected failures; stale entries fail')
    .option('--seed <number>', 'chance; the same seed is the same run', wholeNumber, 1)
    .option(
      '--time-limit <minutes>',
      'ends the run after this long; what was not asked by then is not judged',
      wholeNumber,
      30,
    )
    .option('--report <folder>', 'where reports are written', 'reports/certify')
    .addHelpText(
      'after',
      `
Examples:
  backlot certify agent-webkit --url http://127.0.0.1:8010 --profile mine.yaml
  backlot certify navi --url http://127.0.0.1:8020 --only navi:session navi:flow
  backlot certify observer --command "backlot serve --mode mcp"      its MCP side alone

It ends with 0 when every MUST passed, 1 when something failed, 2 when the server could not be spoken to.
A mistake in what is given here ends it with 1 or 2 too; it is said, and no report is written.`,
    )
    .action(async (protocol: Protocol, flags: CertifyFlags) => {
      try {
        // A run that was cut short has not passed, and leaves nothing running that it has started.
        void waitForSignal().then((signal) => process.exit(exitCodeFor(signal) || 130))
        const { certify, outcomeInWords } = await import('../../../conformance/run.ts')
        const outcome = await certify({
          ...{ protocol, ...flags, timeLimitMs: flags.timeLimit * 60_000 },
          ...{ program: program(), progress: process.stderr },
        })
        process.stderr.write(`\n${outcomeInWords(outcome)}\n`)
        for (const file of outcome.reports) process.stdout.write(`${file}\n`)
        process.exitCode = outcome.exitCode
      } catch (error) {
        throw new UserError((error as Error).message)
      }
    })
}
