import type { Protocol } from '../requirement.ts'
import { loadSuite } from '../run/protocol-suites.ts'
import { allSabotages } from './all.ts'
import { type OpenProxy, openProxy } from './proxy.ts'
import { isStdioSabotage, type Sabotage } from './sabotage.ts'
import { openStdioProxy, type StdioOptions, type StdioProxy } from './stdio.ts'

/** One known way to break a server of a protocol. */
export interface SabotageInfo {
  readonly name: string
  /** Beginnings of the ids of the requirements that are to notice. */
  readonly targets: readonly string[]
  /** Where it stands: before an address, or before a process that speaks over standard input and output. */
  readonly transport: 'url' | 'command'
}

/** All known ways to break a server of a protocol. */
export async function listSabotages(protocol: Protocol): Promise<readonly SabotageInfo[]> {
  const { contract } = await loadSuite(protocol)
  return allSabotages(contract).map((one) => ({
    name: one.name,
    targets: one.targets,
    transport: isStdioSabotage(one) ? 'command' : 'url',
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
export async function startSabotageProxy({ protocol, url, name, port }: SabotageOptions): Promise<OpenProxy> {
  return openProxy({ target: url, sabotage: await findSabotage(protocol, name), ...(port !== undefined && { port }) })
}

/** Speaks as the process behind it speaks, broken in one way. */
export async function startSabotageProcess(
  options: Omit<StdioOptions, 'sabotage'> & { readonly protocol: Protocol; readonly name: string },
): Promise<StdioProxy> {
  return openStdioProxy({ ...options, sabotage: await findSabotage(options.protocol, options.name) })
}

async function findSabotage(protocol: Protocol, name: string): Promise<Sabotage> {
  const { contract } = await loadSuite(protocol)
  const sabotage = allSabotages(contract).find((one) => one.name === name)
  if (!sabotage) throw new Error(`there is no sabotage "${name}" for ${protocol}`)
  return sabotage
}
