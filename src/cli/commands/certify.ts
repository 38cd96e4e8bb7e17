import { Command, Option } from 'commander'
import { type CertifiedProtocol, PROTOCOLS } from '../../../conformance/protocols.ts'
import { TIERS, type Tier } from '../../../conformance/requirement.ts'
import { protocolName, secretOption, seedNumber, UserError, wholeNumber } from '../arguments.ts'
import { exitCodeFor, program, waitForSignal } from '../program.ts'

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

/** `backlot certify`: runs the conformance suite of a protocol against any server that implements it. */
export function certifyCommand(): Command {
  return new Command('certify')
    .description(
      'Certify a server: test every requirement of its protocol and write a report with the recorded messages.',
    )
    .argument('<protocol>', PROTOCOLS.join(', '), protocolName)
    .option('--url <url>', 'URL of the server, such as http://127.0.0.1:5001')
    .option(
      '--command <command>',
      'observer: command that starts its MCP server on standard input and output; without --url, only MCP is certified. agent-desktop: the command line',
    )
    .addOption(secretOption('--token <secret>', 'bearer token, if the server requires one', 'BACKLOT_TOKEN'))
    .option(
      '--profile <file>',
      'facts about the server: trigger phrases, scenarios, known elements; `ours` is the profile of Backlot itself',
    )
    .option('--only <id...>', 'test only these requirements, by id or prefix of an id')
    .option('--skip <id...>', 'skip these requirements, by id or prefix of an id')
    .addOption(new Option('--tier <tier>', 'conformance tier that the server claims').choices([...TIERS]))
    .option('--baseline <file>', 'file of expected failures; the run fails if one of them passes')
    .option('--seed <number>', 'random seed; the same seed gives the same run', seedNumber, 1)
    .option(
      '--time-limit <minutes>',
      'stop the run after this many minutes; requirements not tested by then are not judged',
      wholeNumber,
      30,
    )
    .option('--report <folder>', 'folder for reports', 'reports/certify')
    .addHelpText(
      'after',
      `
Examples:
  backlot certify agent-webkit --url http://127.0.0.1:8010 --profile mine.yaml
  backlot certify navi --url http://127.0.0.1:8020 --only navi:session navi:flow
  backlot certify observer --command "backlot serve --mode mcp"      certifies MCP only, in each revision that it speaks
  backlot certify agent-desktop --command agent-desktop --profile mine.yaml

Exit codes: 0 if every MUST passed, 1 if a requirement failed, 2 if the server could not be reached.
Mistakes in the options also exit with 1 or 2, with a message and without a report.`,
    )
    .action(async (protocol: CertifiedProtocol, flags: CertifyFlags) => {
      try {
        // An interrupted run has not passed. The exit also ends the processes that it started.
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
