import { agentWebkitContract } from '../agent-webkit/contract.ts'
import { type Check, checksOf } from '../checks/check.ts'
import type { Contract } from '../contract/contract.ts'
import { shapeRequirements } from '../contract/shapes.ts'
import { cortaskContract } from '../cortask/contract.ts'
import { naviContract } from '../navi/contract.ts'
import { observerContract } from '../observer/contract.ts'
import { osworldContract } from '../osworld/contract.ts'
import type { Protocol, RequirementSet, Requirements } from '../requirement.ts'
import { agentWebkit } from '../requirements/agent-webkit.ts'
import { cortask } from '../requirements/cortask.ts'
import { navi } from '../requirements/navi.ts'
import { observer } from '../requirements/observer.ts'
import { osworld } from '../requirements/osworld.ts'
import { windieos } from '../requirements/windieos.ts'
import { windieosContract } from '../windieos/contract.ts'
import type { TestContext } from './test-context.ts'

/** The requirements, contract and checks of one protocol. */
export interface ProtocolSuite {
  readonly set: RequirementSet
  readonly contract: Contract
  /** Fails when the address is not a server of this protocol. Runs before all checks. */
  handshake(context: TestContext): Promise<void>
  readonly checks: ReadonlyMap<string, Check>
  /** The number of parallel checks: 1 where all clients share one state. */
  readonly concurrency: number
}

/** The suite before its checks are loaded. */
interface SuiteOutline {
  readonly set: RequirementSet
  readonly contract: Contract
  readonly concurrency: number
  load(): Promise<{ handshake(context: TestContext): Promise<void> }>
}

const OUTLINES: Partial<Record<Protocol, SuiteOutline>> = {
  observer: {
    set: observer,
    contract: observerContract,
    concurrency: 1,
    load: () => import('../checks/observer/index.ts'),
  },
  'agent-webkit': {
    set: agentWebkit,
    contract: agentWebkitContract,
    concurrency: 8,
    load: () => import('../checks/agent-webkit/index.ts'),
  },
  cortask: {
    set: cortask,
    contract: cortaskContract,
    concurrency: 8,
    load: () => import('../checks/cortask/index.ts'),
  },
  navi: {
    set: navi,
    contract: naviContract,
    concurrency: 8,
    load: () => import('../checks/navi/index.ts'),
  },
  windieos: {
    set: windieos,
    contract: windieosContract,
    concurrency: 4,
    load: () => import('../checks/windieos/index.ts'),
  },
  osworld: {
    set: osworld,
    contract: osworldContract,
    concurrency: 1,
    load: () => import('../checks/osworld/index.ts'),
  },
}

/** Loads the checks of a protocol and its requirements, including those of the contract. */
export async function loadSuite(protocol: Protocol): Promise<ProtocolSuite> {
  const outline = OUTLINES[protocol]
  if (!outline) throw new Error(`no conformance suite for ${protocol}`)
  const { handshake } = await outline.load()
  const { contract, concurrency } = outline
  return { set: whole(outline), contract, handshake, checks: checksOf(protocol), concurrency }
}

/** The protocols that have a suite. */
export const suiteNames = (): readonly Protocol[] => Object.keys(OUTLINES) as Protocol[]

function whole({ set, contract }: SuiteOutline): RequirementSet {
  const requirements: Requirements = { ...set.requirements, ...shapeRequirements(contract, set.requirements) }
  return { ...set, requirements }
}
