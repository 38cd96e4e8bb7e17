import type { ClientProtocol, RequirementSet } from '../requirement.ts'
import { agentWebkitClient } from './agent-webkit/index.ts'
import { cortaskClient } from './cortask/index.ts'
import type { Flow, ScriptedServer, ServerContext } from './flow.ts'
import { mcpClient } from './mcp/index.ts'
import { naviClient } from './navi/index.ts'
import { observerClient } from './observer/index.ts'
import { windieosClient } from './windieos/index.ts'

/** Everything the suite knows of the clients of one protocol: one row here and one folder. */
export interface ClientSuite<Server extends ScriptedServer = ScriptedServer> {
  readonly set: RequirementSet
  /** What the client has to do for anything to be judged, as the end of "the client did not …". */
  readonly minimum: string
  /** The first one is played alone: it shows whether the client can be judged at all. */
  readonly flows: readonly Flow<Server>[]
  /** Requirements that others rely on: when one of them fails, the failures of those that rely on it are not judged. */
  readonly dependencies: Readonly<Record<string, readonly string[]>>
  /** The scripted server of one conversation. */
  open(scene: ServerContext): Server
}

/** A suite whose servers only its own flows know. */
const suite = <Server extends ScriptedServer>(of: ClientSuite<Server>): ClientSuite => of as unknown as ClientSuite

const SUITES: Readonly<Record<ClientProtocol, ClientSuite>> = {
  observer: suite(observerClient),
  mcp: suite(mcpClient),
  'agent-webkit': suite(agentWebkitClient),
  cortask: suite(cortaskClient),
  navi: suite(naviClient),
  windieos: suite(windieosClient),
}

/** The suite of a protocol's clients. */
export const clientSuite = (protocol: ClientProtocol): ClientSuite => SUITES[protocol]
