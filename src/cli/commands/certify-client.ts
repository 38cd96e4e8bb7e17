import { Command } from 'commander'
import { CLIENT_PROTOCOLS, type ClientProtocol } from '../../../conformance/requirement.ts'
import { clientProtocolName, portNumber, wholeNumber } from '../arguments.ts'
import { exitCodeFor, waitForSignal } from '../signals.ts'
import { UserError } from '../user-error.ts'

interface CertifyClientFlags {
  readonly command?: string
  readonly listen?: number
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly profile?: string
  readonly baseline?: string
  readonly repeats: number
  readonly timeout: number
  readonly report: string
}

/** `backlot certify-client`: plays a scripted server to any client of a protocol, and judges what the client sends. */
export function certifyClientCommand(): Command {
  return new Command('certify-client')
    .description('Certify a client or agent: a scripted server plays flows and faults and judges what it sends.')
    .argument('<protocol>', CLIENT_PROTOCOLS.join(', '), clientProtocolName)
    .option(
      '--command <command>',
      'starts the client for one conversation; {url}, {token}, {text} and {flow} are replaced, also given as BACKLOT_URL …',
    )
    .option('--listen <port>', 'waits for a client that you connect, flow by flow; 0 takes any free port', portNumber)
    .option('--only <flow...>', 'only these flows')
    .option('--skip <flow...>', 'leave these flows out')
    .option('--profile <file>', 'phrases, by flow: what the client is asked to say')
    .option('--baseline <file>', 'expected failures; stale entries fail')
    .option('--repeats <number>', 'how often a flow with a failure is repeated', wholeNumber, 5)
    .option('--timeout <seconds>', 'how long one conversation may take', wholeNumber, 30)
    .option('--report <folder>', 'where reports are written', 'reports/certify')
    .addHelpText(
      'after',
      `
Examples:
  backlot certify-client agent-webkit --command "node my-client.mjs --url {url} --token {token} --say {text}"
  backlot certify-client agent-webkit --command "./my-agent" --only turn resume
  backlot certify-client agent-webkit --listen 8010      you connect the client and say what each flow asks for

The command is started once per flow, has one conversation and ends by itself: with exit code 0 when the conversation
came to its end, with any other when it failed. For mcp, {url} is the command line of the server that the client starts.
It ends with 0 when every MUST passed, 1 when something failed, 2 when the client sent too little to be judged.`,
    )
    .action(async (protocol: ClientProtocol, flags: CertifyClientFlags) => {
      if ((flags.command === undefined) === (flags.listen === undefined))
        throw new UserError('give either --command, which starts the client, or --listen, where you connect it')
      try {
        // A run that was cut short has not passed, and leaves nothing running that it has started.
        void waitForSignal().then((signal) => process.exit(exitCodeFor(signal) || 130))
        const { certifyClient, outcomeInWords } = await import('../../../conformance/run.ts')
        const { timeout, ...rest } = flags
        const outcome = await certifyClient({ protocol, ...rest, timeoutMs: timeout * 1000, progress: process.stderr })
        process.stderr.write(`\n${outcomeInWords(outcome)}\n`)
        for (const file of outcome.reports) process.stdout.write(`${file}\n`)
        process.exitCode = outcome.exitCode
      } catch (error) {
        throw new UserError((error as Error).message)
      }
    })
}
