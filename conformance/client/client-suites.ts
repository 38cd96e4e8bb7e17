import { agentWebkitClient } from '../agent-webkit/client/index.ts'
import { cortaskClient } from '../cortask/client/index.ts'
import { naviClient } from '../navi/client/index.ts'
import { observerClient } from '../observer/client/index.ts'
import { mcpClient } from '../observer/mcp-client/index.ts'
import type { ClientProtocol, RequirementSet } from '../requirement.ts'
import { windieosClient } from '../windieos/client/index.ts'
import type { Flow, ScriptedServer, ServerContext } from './flow.ts'

/** The requirements and flows for the clients of one protocol: one row here and one folder. */
export interface ClientSuite<Server extends ScriptedServer = ScriptedServer> {
  readonly set: RequirementSet
  /** The minimum that a client has to do, as the end of "the client did not …". */
  readonly minimum: string
  /** The first flow is played alone: it shows whether the client is reachable. */
  readonly flows: readonly Flow<Server>[]
  /**
   * The requirements that each requirement relies on: when one of them fails, failures of the requirement are not
   * judged.
   */
  readonly dependencies: Readonly<Record<string, readonly string[]>>
  /** The scripted server of one conversation. */
  open(context: ServerContext): Server
}

/** Hides the server type of a suite. */
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
