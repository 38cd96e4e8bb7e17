import { Command } from 'commander'
import { type CertifiedClientProtocol, CLIENT_PROTOCOLS } from '../../../conformance/protocols.ts'
import { clientProtocolName, portNumber, UserError, wholeNumber } from '../arguments.ts'
import { exitCodeFor, waitForSignal } from '../program.ts'

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

/** `backlot certify-client`: runs a scripted server for any client of a protocol, and checks what the client sends. */
export function certifyClientCommand(): Command {
  return new Command('certify-client')
    .description(
      'Certify a client or agent: a scripted server has conversations with it, introduces faults, and checks its messages.',
    )
    .argument('<protocol>', CLIENT_PROTOCOLS.join(', '), clientProtocolName)
    .option(
      '--command <command>',
      'command that starts the client for one conversation; {url}, {token}, {text} and {flow} are replaced, and are also set as BACKLOT_URL, BACKLOT_TOKEN, …',
    )
    .option(
      '--listen <port>',
      'listen on this port; you connect the client yourself for each flow; 0: any free port',
      portNumber,
    )
    .option('--only <flow...>', 'test only these flows')
    .option('--skip <flow...>', 'skip these flows')
    .option('--profile <file>', 'file with the phrases that the client is asked to send, by flow')
    .option('--baseline <file>', 'file of expected failures; the run fails if one of them passes')
    .option('--repeats <number>', 'how often to repeat a flow that failed', wholeNumber, 5)
    .option('--timeout <seconds>', 'limit of one conversation, in seconds', wholeNumber, 30)
    .option('--report <folder>', 'folder for reports', 'reports/certify')
    .addHelpText(
      'after',
      `
Examples:
  backlot certify-client agent-webkit --command "node my-client.mjs --url {url} --say {text}"
  backlot certify-client agent-webkit --command "./my-agent" --only turn resume
  backlot certify-client agent-webkit --listen 8010      connect the client yourself and send what each flow asks for

The command is started once per flow. It has one conversation and exits by itself: with code 0 if the conversation
finished, with any other code if it failed. For mcp, {url} is the command line of the server that the client starts.

Exit codes: 0 if every MUST passed, 1 if a requirement failed, 2 if the client sent too little to be judged.`,
    )
    .action(async (protocol: CertifiedClientProtocol, flags: CertifyClientFlags) => {
      if ((flags.command === undefined) === (flags.listen === undefined))
        throw new UserError('give either --command to start the client, or --listen to connect it yourself')
      try {
        // An interrupted run has not passed. The exit also ends the processes that it started.
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
