import { agentWebkitProtocol } from './agent-webkit/index.ts'
import { computerToolsDoor } from './computer-tools/index.ts'
import { cortaskProtocol } from './cortask/index.ts'
import { deskDoor } from './desk/index.ts'
import { type DoorDefinition, withDoors } from './door.ts'
import { naviProtocol } from './navi/index.ts'
import { mcpDoor } from './observer-mcp/index.ts'
import { observerProtocol } from './observer-rest/index.ts'
import { openenvProtocol } from './openenv/index.ts'
import { osworldProtocol } from './osworld/index.ts'
import type { AgentProtocol, ProtocolDefinition, SessionProtocol } from './protocol.ts'
import { windieosProtocol } from './windieos/index.ts'

/** The protocols over the agent engine. A protocol is a folder and its line here. */
const REGISTERED = [
  agentWebkitProtocol, //
  cortaskProtocol,
  naviProtocol,
  windieosProtocol,
] as const

/** The protocols over the tools of the served session. A protocol is a folder and its line here. */
const REGISTERED_OVER_SESSION = [
  openenvProtocol, //
  osworldProtocol,
] as const

/** Further ways to call the observer's tools, on its port. A door is a folder and its line here. */
export const OBSERVER_DOORS: readonly DoorDefinition[] = [mcpDoor, computerToolsDoor, deskDoor]

export type AgentProtocolName = (typeof REGISTERED)[number]['name']
export type SessionProtocolName = (typeof REGISTERED_OVER_SESSION)[number]['name']
export type ProtocolName = AgentProtocolName | SessionProtocolName | typeof observerProtocol.name

/** A protocol of the registry. */
export interface RegisteredProtocol extends AgentProtocol {
  readonly name: AgentProtocolName
}

export const AGENT_PROTOCOLS: readonly RegisteredProtocol[] = REGISTERED

export const SESSION_PROTOCOLS: readonly (SessionProtocol & { readonly name: SessionProtocolName })[] =
  REGISTERED_OVER_SESSION

/** Every protocol that is served over HTTP. */
export const PROTOCOLS: readonly (ProtocolDefinition & { readonly name: ProtocolName })[] = [
  { ...observerProtocol, loadApiDescription: withDoors(observerProtocol.loadApiDescription, OBSERVER_DOORS) },
  ...REGISTERED,
  ...REGISTERED_OVER_SESSION,
]

export const PROTOCOL_NAMES: readonly ProtocolName[] = PROTOCOLS.map(({ name }) => name)

/** The protocols of `--protocols all`: the observer, and those over the agent engine. */
export const PROTOCOLS_OF_ALL: readonly ProtocolName[] = [observerProtocol.name, ...REGISTERED.map(({ name }) => name)]

/** The agent protocol with a name; undefined for other protocols and unknown names. */
export const findAgentProtocol = (name: string): RegisteredProtocol | undefined =>
  AGENT_PROTOCOLS.find((protocol) => protocol.name === name)
