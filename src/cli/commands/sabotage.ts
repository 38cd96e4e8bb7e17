import { Command } from 'commander'
import { type CertifiedProtocol, PROTOCOLS } from '../../../conformance/protocols.ts'
import type { Fault } from '../../../conformance/run.ts'
import { suggest } from '../../base/strings.ts'
import { portNumber, protocolName, UserError } from '../arguments.ts'
import { exitCodeFor, waitForSignal } from '../program.ts'

interface SabotageFlags {
  readonly url?: string
  readonly command?: string
  readonly port: number
  readonly list?: boolean
}

/** `backlot sabotage`: runs a proxy that breaks one behaviour of a correct server. */
export function sabotageCommand(): Command {
  return new Command('sabotage')
    .description('Run a proxy that breaks a server in one way, to test whether a client or a test suite notices.')
    .argument('<protocol>', PROTOCOLS.join(', '), protocolName)
    .argument('[fault]', 'name of a fault from --list, or a unique part of it')
    .argument('[words...]', 'agent-desktop only: the words of one call, after --')
    .option('--url <url>', 'URL of the correct server, such as http://127.0.0.1:8010')
    .option(
      '--command <command>',
      'command that starts the observer’s correct MCP server, whose place on standard input and output the proxy takes; or the correct command line of agent-desktop',
    )
    .option('--port <number>', 'port to listen on at 127.0.0.1; 0: any free port', portNumber, 0)
    .option('--list', 'list all faults, one per line')
    .addHelpText(
      'after',
      `
Examples:
  backlot sabotage agent-webkit --list
  backlot sabotage agent-webkit "counts by two" --url http://127.0.0.1:8010 --port 8011
  backlot certify agent-webkit --url http://127.0.0.1:8011      fails now
  backlot sabotage observer "hides a tool" --command "backlot serve --mode mcp"
  backlot sabotage agent-desktop "exits with 0 after errors" --command agent-desktop -- click @s1:e1`,
    )
    .action(sabotage)
}

async function sabotage(
  protocol: CertifiedProtocol,
  words: string | undefined,
  call: readonly string[],
  flags: SabotageFlags,
): Promise<void> {
  const { sabotageFaults } = await import('../../../conformance/run.ts')
  const faults = await sabotageFaults(protocol)
  const names = faults.map(({ name }) => name)
  if (flags.list) {
    process.stdout.write(`${names.join('\n')}\n`)
    return
  }
  if (words === undefined)
    throw new UserError(`missing argument: name one of the ${names.length} faults; --list shows them`)
  const name = findFault(words, names)
  const fault = faults.find((one) => one.name === name)!
  if (fault.transport === 'call') return breakCall(protocol, fault, flags.command, call)
  if (fault.transport === 'command') return runProcessProxy(protocol, fault, flags.command)
  if (flags.command !== undefined)
    throw new UserError(`${JSON.stringify(name)} breaks a server at a URL: use --url instead of --command`)
  return runServerProxy(protocol, fault, urlOf(flags.url), flags.port)
}

/** Runs the proxy until a signal ends it. */
async function runServerProxy(
  protocol: CertifiedProtocol,
  { name, targets }: Fault,
  url: string,
  port: number,
): Promise<void> {
  const { sabotageServer } = await import('../../../conformance/run.ts')
  const ended = waitForSignal()
  const proxy = await sabotageServer({ protocol, url, name, port }).catch((error: Error) => {
    throw new UserError(`cannot start the proxy: ${error.message}`)
  })
  process.stderr.write(
    `\n  ${proxy.url} forwards to ${url} with this fault: ${name}\n\n  Requirements that should fail: ${targets.join(', ')}\n  Press Ctrl-C to stop.\n\n`,
  )
  const signal = await ended
  const { touched } = proxy
  await proxy.close()
  process.stderr.write(
    touched ? 'sabotage: ended\n' : 'sabotage: ended; no message passed to which the fault applies\n',
  )
  process.exit(exitCodeFor(signal))
}

/** Calls a command line once, and prints what the fault makes of it. */
async function breakCall(
  protocol: CertifiedProtocol,
  { name }: Fault,
  command: string | undefined,
  words: readonly string[],
): Promise<void> {
  if (command === undefined)
    throw new UserError(`${JSON.stringify(name)} breaks a command line: name it, such as --command ${protocol}`)
  const { sabotageCall } = await import('../../../conformance/run.ts')
  const { stdout, exit } = await sabotageCall({ protocol, name, command }, words)
  process.stdout.write(stdout)
  process.exitCode = exit ?? 1
}

/** Proxies a process on standard input and output until it ends. */
async function runProcessProxy(
  protocol: CertifiedProtocol,
  { name }: Fault,
  command: string | undefined,
): Promise<void> {
  if (command === undefined)
    throw new UserError(
      `${JSON.stringify(name)} breaks a process: give its command, such as --command "backlot serve --mode mcp"`,
    )
  const { sabotageProcess } = await import('../../../conformance/run.ts')
  const { stdin: input, stdout: output } = process
  const proxy = await sabotageProcess({ protocol, name, command, input, output })
  void waitForSignal().then(proxy.stop)
  process.exit(await proxy.ended)
}

/** The fault with this name, or the only one whose name contains it. */
function findFault(fault: string, names: readonly string[]): string {
  if (names.includes(fault)) return fault
  const matching = names.filter((name) => name.toLowerCase().includes(fault.toLowerCase()))
  const [only, ...others] = matching
  if (only !== undefined && others.length === 0) return only
  if (only !== undefined)
    throw new UserError(`${matching.length} faults contain ${JSON.stringify(fault)}:\n${listOf(matching)}`)
  const [near] = suggest(fault, names)
  const guess = near === undefined ? '--list shows all faults' : `did you mean ${JSON.stringify(near)}?`
  throw new UserError(`unknown fault ${JSON.stringify(fault)}; ${guess}`)
}

const MAX_SHOWN = 20

const listOf = (names: readonly string[]): string =>
  [...names.slice(0, MAX_SHOWN).map((name) => `  ${name}`), ...(names.length > MAX_SHOWN ? ['  …'] : [])].join('\n')

function urlOf(text: string | undefined): string {
  if (text === undefined)
    throw new UserError('missing option: give the URL of the server, such as --url http://127.0.0.1:8010')
  if (URL.canParse(text) && new URL(text).protocol === 'http:') return text
  throw new UserError(`${JSON.stringify(text)} is not a URL of a server; use one that begins with http://`)
}
