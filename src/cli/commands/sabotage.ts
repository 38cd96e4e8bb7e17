import { Command } from 'commander'
import { PROTOCOLS, type Protocol } from '../../../conformance/requirement.ts'
import type { Fault } from '../../../conformance/run.ts'
import { suggest } from '../../base/text/suggest.ts'
import { portNumber, protocolName } from '../arguments.ts'
import { exitCodeFor, waitForSignal } from '../signals.ts'
import { UserError } from '../user-error.ts'

interface SabotageFlags {
  readonly url?: string
  readonly command?: string
  readonly port: number
  readonly list?: boolean
}

/** `backlot sabotage`: stands before a server that is right and breaks one thing of it. */
export function sabotageCommand(): Command {
  return new Command('sabotage')
    .description(
      'Break a server in one way, to see whether a client or a suite notices: a proxy that stands before it.',
    )
    .argument('<protocol>', PROTOCOLS.join(', '), protocolName)
    .argument('[fault]', 'one of those that --list names, or a part of its name')
    .option('--url <url>', 'the server that is right, such as http://127.0.0.1:8010')
    .option('--command <command>', 'observer: what starts the MCP side that is right; this one speaks for it')
    .option('--port <number>', 'where to listen on 127.0.0.1; 0 takes any free one', portNumber, 0)
    .option('--list', 'name all faults, one a line')
    .addHelpText(
      'after',
      `
Examples:
  backlot sabotage agent-webkit --list
  backlot sabotage agent-webkit "counts by two" --url http://127.0.0.1:8010 --port 8011
  backlot certify agent-webkit --url http://127.0.0.1:8011      must fail now
  backlot sabotage observer "hides a tool" --command "backlot serve --mode mcp"`,
    )
    .action(sabotage)
}

async function sabotage(protocol: Protocol, words: string | undefined, flags: SabotageFlags): Promise<void> {
  const { sabotageFaults } = await import('../../../conformance/run.ts')
  const faults = await sabotageFaults(protocol)
  const names = faults.map(({ name }) => name)
  if (flags.list) {
    process.stdout.write(`${names.join('\n')}\n`)
    return
  }
  if (words === undefined) throw new UserError(`which of the ${names.length} faults? --list names them`)
  const name = chosen(words, names)
  const fault = faults.find((one) => one.name === name)!
  if (fault.transport === 'command') return speakFor(protocol, fault, flags.command)
  if (flags.command !== undefined)
    throw new UserError(`${JSON.stringify(name)} breaks what is at an address: give --url instead of --command`)
  return standBefore(protocol, fault, urlOf(flags.url), flags.port)
}

/** Listens until somebody wants it to end. */
async function standBefore(protocol: Protocol, { name, targets }: Fault, url: string, port: number): Promise<void> {
  const { sabotageServer } = await import('../../../conformance/run.ts')
  const ended = waitForSignal()
  const proxy = await sabotageServer({ protocol, url, name, port }).catch((error: Error) => {
    throw new UserError(`the proxy cannot start: ${error.message}`)
  })
  process.stderr.write(
    `\n  ${proxy.url} is ${url}, but: ${name}\n\n  Who should notice: ${targets.join(', ')}\n  Ctrl-C ends it.\n\n`,
  )
  const signal = await ended
  const { touched } = proxy
  await proxy.close()
  process.stderr.write(touched ? 'sabotage: ended\n' : 'sabotage: ended; nothing passed that could be broken so\n')
  process.exit(exitCodeFor(signal))
}

/** Speaks on standard input and output as the process behind it does, until that one ends. */
async function speakFor(protocol: Protocol, { name }: Fault, command: string | undefined): Promise<void> {
  if (command === undefined)
    throw new UserError(
      `${JSON.stringify(name)} breaks a process: give what starts it, such as --command "backlot serve --mode mcp"`,
    )
  const { sabotageProcess } = await import('../../../conformance/run.ts')
  const { stdin: input, stdout: output } = process
  const proxy = await sabotageProcess({ protocol, name, command, input, output })
  void waitForSignal().then(proxy.stop)
  process.exit(await proxy.ended)
}

/** The fault of this name, or the only one that holds these words. */
function chosen(fault: string, names: readonly string[]): string {
  if (names.includes(fault)) return fault
  const holding = names.filter((name) => name.toLowerCase().includes(fault.toLowerCase()))
  const [only, ...others] = holding
  if (only !== undefined && others.length === 0) return only
  if (only !== undefined)
    throw new UserError(`${holding.length} faults hold ${JSON.stringify(fault)}:\n${shown(holding)}`)
  const [near] = suggest(fault, names)
  const guess = near === undefined ? '--list names all' : `did you mean ${JSON.stringify(near)}?`
  throw new UserError(`there is no fault ${JSON.stringify(fault)}; ${guess}`)
}

const MAX_SHOWN = 20

const shown = (names: readonly string[]): string =>
  [...names.slice(0, MAX_SHOWN).map((name) => `  ${name}`), ...(names.length > MAX_SHOWN ? ['  …'] : [])].join('\n')

function urlOf(text: string | undefined): string {
  if (text === undefined) throw new UserError('which server? Give --url, such as --url http://127.0.0.1:8010')
  if (URL.canParse(text) && new URL(text).protocol === 'http:') return text
  throw new UserError(`${JSON.stringify(text)} is no address of a server; it begins with http://`)
}
