import type { Protocol } from '../requirement.ts'
import { loadSuite } from '../suites.ts'
import { allSabotages } from './all.ts'
import { type OpenProxy, openProxy } from './proxy.ts'

/** The names of all known ways to break a server of a protocol. */
export async function sabotageNames(protocol: Protocol): Promise<readonly string[]> {
  const { contract } = await loadSuite(protocol)
  return allSabotages(contract).map((sabotage) => sabotage.name)
}

export interface SabotageOptions {
  readonly protocol: Protocol
  /** The server to stand before. */
  readonly url: string
  /** One of `sabotageNames`. */
  readonly name: string
  /** 0 for any free one. */
  readonly port?: number
}

/** Serves what the server behind it serves, broken in one way. */
export async function sabotageServer({ protocol, url, name, port }: SabotageOptions): Promise<OpenProxy> {
  const { contract } = await loadSuite(protocol)
  const sabotage = allSabotages(contract).find((one) => one.name === name)
  if (!sabotage) throw new Error(`there is no sabotage "${name}" for ${protocol}`)
  return openProxy({ target: url, sabotage, ...(port !== undefined && { port }) })
}
