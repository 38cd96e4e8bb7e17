import { loadSuite, type Protocol } from '../protocols.ts'
import { allSabotages } from './generated.ts'
import { type OpenProxy, openProxy } from './proxy.ts'
import { isStdioSabotage, type Sabotage } from './sabotage.ts'
import { openStdioProxy, type StdioOptions, type StdioProxy } from './stdio.ts'

/** One sabotage of a protocol. */
export interface SabotageInfo {
  readonly name: string
  /** The ids of the requirements that should fail. */
  readonly targets: readonly string[]
  /** Whether it proxies an address or a process on standard input and output. */
  readonly transport: 'url' | 'command'
}

/** Lists all sabotages of a protocol. */
export async function listSabotages(protocol: Protocol): Promise<readonly SabotageInfo[]> {
  return allSabotages(await loadSuite(protocol)).map((one) => ({
    name: one.name,
    targets: one.targets,
    transport: isStdioSabotage(one) ? 'command' : 'url',
  }))
}

export interface SabotageOptions {
  readonly protocol: Protocol
  /** The correct server. */
  readonly url: string
  /** The name of a sabotage. */
  readonly name: string
  /** 0 selects a free port. */
  readonly port?: number
}

/** Starts a proxy that breaks a server in one way. */
export async function startSabotageProxy({ protocol, url, name, port }: SabotageOptions): Promise<OpenProxy> {
  return openProxy({ target: url, sabotage: await findSabotage(protocol, name), ...(port !== undefined && { port }) })
}

/** Starts a proxy that breaks a process in one way. */
export async function startSabotageProcess(
  options: Omit<StdioOptions, 'sabotage'> & { readonly protocol: Protocol; readonly name: string },
): Promise<StdioProxy> {
  return openStdioProxy({ ...options, sabotage: await findSabotage(options.protocol, options.name) })
}

async function findSabotage(protocol: Protocol, name: string): Promise<Sabotage> {
  const sabotage = allSabotages(await loadSuite(protocol)).find((one) => one.name === name)
  if (!sabotage) throw new Error(`${protocol} has no sabotage "${name}"`)
  return sabotage
}
