import { agentWebkitProtocol } from './agent-webkit/index.ts'
import { computerToolsDoor } from './computer-tools/index.ts'
import { cortaskProtocol } from './cortask/index.ts'
import type { AgentProtocol, ProtocolDefinition } from './definition.ts'
import { type DoorDefinition, withDoors } from './door.ts'
import { naviProtocol } from './navi/index.ts'
import { mcpDoor } from './observer-mcp/index.ts'
import { observerProtocol } from './observer-rest/index.ts'
import { windieosProtocol } from './windieos/index.ts'

/** The protocols over the agent engine. A protocol is a folder and its line here. */
const REGISTERED = [
  agentWebkitProtocol, //
  cortaskProtocol,
  naviProtocol,
  windieosProtocol,
] as const

/** Further ways to call the observer's tools, on its port. A door is a folder and its line here. */
export const OBSERVER_DOORS: readonly DoorDefinition[] = [mcpDoor, computerToolsDoor]

export type AgentProtocolName = (typeof REGISTERED)[number]['name']
export type ProtocolName = AgentProtocolName | typeof observerProtocol.name

/** A protocol of the registry. */
export interface RegisteredProtocol extends AgentProtocol {
  readonly name: AgentProtocolName
}

export const AGENT_PROTOCOLS: readonly RegisteredProtocol[] = REGISTERED

/** Every protocol that is served over HTTP, in the order of `--protocols all`. */
export const PROTOCOLS: readonly (ProtocolDefinition & { readonly name: ProtocolName })[] = [
  { ...observerProtocol, loadSurface: withDoors(observerProtocol.loadSurface, OBSERVER_DOORS) },
  ...REGISTERED,
]

export const PROTOCOL_NAMES: readonly ProtocolName[] = PROTOCOLS.map(({ name }) => name)

/** The agent protocol with a name; undefined for the observer and for unknown names. */
export const findAgentProtocol = (name: string): RegisteredProtocol | undefined =>
  AGENT_PROTOCOLS.find((protocol) => protocol.name === name)
