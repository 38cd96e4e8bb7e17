import type { Protocol } from '../requirement.ts'
import { loadSuite } from '../run/protocol-suites.ts'
import { allSabotages } from './all.ts'
import { type OpenProxy, openProxy } from './proxy.ts'
import { type Sabotage, speaksLines } from './sabotage.ts'
import { openStdioProxy, type StdioOptions, type StdioProxy } from './stdio.ts'

/** One known way to break a server of a protocol. */
export interface Fault {
  readonly name: string
  /** Beginnings of the ids of the requirements that are to notice. */
  readonly aims: readonly string[]
  /** Where it stands: before an address, or before a process that speaks over standard input and output. */
  readonly before: 'url' | 'command'
}

/** All known ways to break a server of a protocol. */
export async function sabotageFaults(protocol: Protocol): Promise<readonly Fault[]> {
  const { contract } = await loadSuite(protocol)
  return allSabotages(contract).map((one) => ({
    name: one.name,
    aims: one.aims,
    before: speaksLines(one) ? 'command' : 'url',
  }))
}

export interface SabotageOptions {
  readonly protocol: Protocol
  /** The server to stand before. */
  readonly url: string
  /** That of a fault. */
  readonly name: string
  /** 0 for any free one. */
  readonly port?: number
}

/** Serves what the server behind it serves, broken in one way. */
export async function sabotageServer({ protocol, url, name, port }: SabotageOptions): Promise<OpenProxy> {
  return openProxy({ target: url, sabotage: await named(protocol, name), ...(port !== undefined && { port }) })
}

/** Speaks as the process behind it speaks, broken in one way. */
export async function sabotageProcess(
  options: Omit<StdioOptions, 'sabotage'> & { readonly protocol: Protocol; readonly name: string },
): Promise<StdioProxy> {
  return openStdioProxy({ ...options, sabotage: await named(options.protocol, options.name) })
}

async function named(protocol: Protocol, name: string): Promise<Sabotage> {
  const { contract } = await loadSuite(protocol)
  const sabotage = allSabotages(contract).find((one) => one.name === name)
  if (!sabotage) throw new Error(`there is no sabotage "${name}" for ${protocol}`)
  return sabotage
}
