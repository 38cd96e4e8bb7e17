import type { ClientSuite } from './client/flow.ts'
import type { ProtocolSuite } from './suite/suite.ts'

/** What the folder of a protocol exports. */
interface ProtocolFolder {
  readonly suite: ProtocolSuite
  /** The suites for its clients, by name. */
  readonly clients: Readonly<Record<string, ClientSuite>>
}

/** One row per protocol: its folder, and the names of its suites for clients. `mcp` is the MCP side of the observer. */
const FOLDERS = {
  observer: { clients: ['observer', 'mcp'], load: () => import('./observer/index.ts') },
  'agent-webkit': { clients: ['agent-webkit'], load: () => import('./agent-webkit/index.ts') },
  cortask: { clients: ['cortask'], load: () => import('./cortask/index.ts') },
  navi: { clients: ['navi'], load: () => import('./navi/index.ts') },
  windieos: { clients: ['windieos'], load: () => import('./windieos/index.ts') },
  openenv: { clients: [], load: () => import('./openenv/index.ts') },
  'agent-desktop': { clients: [], load: () => import('./agent-desktop/index.ts') },
  osworld: { clients: [], load: () => import('./osworld/index.ts') },
} as const satisfies Readonly<Record<string, { readonly clients: readonly string[]; load(): Promise<ProtocolFolder> }>>

/** The protocols that this suite certifies, by the names that the command line uses. */
export type CertifiedProtocol = keyof typeof FOLDERS
export const PROTOCOLS = Object.keys(FOLDERS) as readonly CertifiedProtocol[]

/** The protocols whose clients this suite certifies. */
export type CertifiedClientProtocol = (typeof FOLDERS)[CertifiedProtocol]['clients'][number]
export const CLIENT_PROTOCOLS: readonly CertifiedClientProtocol[] = PROTOCOLS.flatMap((name) => FOLDERS[name].clients)

/** Loads the suite for the servers of a protocol. */
export const loadSuite = async (protocol: CertifiedProtocol): Promise<ProtocolSuite> =>
  (await FOLDERS[protocol].load()).suite

/** Loads the suite for the clients of a protocol. */
export async function loadClientSuite(protocol: CertifiedClientProtocol): Promise<ClientSuite> {
  const owner = PROTOCOLS.find((name) => (FOLDERS[name].clients as readonly string[]).includes(protocol))!
  const { clients }: ProtocolFolder = await FOLDERS[owner].load()
  return clients[protocol]!
}
