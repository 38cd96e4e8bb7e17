import type { Contract } from '../contract/contract.ts'
import { generatedMcpSabotages } from '../observer/mcp-sabotage.ts'
import type { Protocol } from '../requirement.ts'
import { generatedSabotages } from './generated.ts'
import type { Sabotage } from './sabotage.ts'
import { agentWebkitSabotages } from './semantic/agent-webkit.ts'
import { agentWebkitEdgeSabotages } from './semantic/agent-webkit-edges.ts'
import { cortaskSabotages } from './semantic/cortask.ts'
import { cortaskRequestSabotages } from './semantic/cortask-requests.ts'
import { naviSabotages } from './semantic/navi.ts'
import { actingSabotages } from './semantic/observer/acting.ts'
import { gateSabotages } from './semantic/observer/gates.ts'
import { mcpSabotages } from './semantic/observer/mcp.ts'
import { mcpHttpSabotages } from './semantic/observer/mcp-http.ts'
import { misreadingSabotages } from './semantic/observer/misreadings.ts'
import { observationSabotages } from './semantic/observer/observation.ts'
import { omissionSabotages } from './semantic/observer/omissions.ts'
import { refusalSabotages } from './semantic/observer/refusals.ts'
import { osworldSabotages } from './semantic/osworld.ts'
import { windieosSabotages } from './semantic/windieos.ts'
import { windieosEdgeSabotages } from './semantic/windieos-edges.ts'

const SEMANTIC: Readonly<Record<Protocol, readonly Sabotage[]>> = {
  observer: [
    ...observationSabotages,
    ...misreadingSabotages,
    ...actingSabotages,
    ...refusalSabotages,
    ...gateSabotages,
    ...omissionSabotages,
    ...mcpSabotages,
    ...mcpHttpSabotages,
  ],
  'agent-webkit': [...agentWebkitSabotages, ...agentWebkitEdgeSabotages],
  cortask: [...cortaskSabotages, ...cortaskRequestSabotages],
  navi: naviSabotages,
  windieos: [...windieosSabotages, ...windieosEdgeSabotages],
  osworld: osworldSabotages,
}

/** Sabotages written by hand: correct shapes, wrong meaning. */
export const semanticSabotages = (protocol: Protocol): readonly Sabotage[] => SEMANTIC[protocol]

/** All sabotages of a protocol. */
export const allSabotages = (contract: Contract): readonly Sabotage[] => [
  ...semanticSabotages(contract.protocol),
  ...generatedSabotages(contract),
  ...(contract.protocol === 'observer' ? generatedMcpSabotages() : []),
]

/** A control that changes nothing; any failure with it is a false alarm. */
export const createControl = (protocol: Protocol): Sabotage => ({ name: 'nothing', protocol, targets: [] })
