import type { Protocol } from '../requirement.ts'
import type { agentWebkit } from '../requirements/agent-webkit.ts'
import type { cortask } from '../requirements/cortask.ts'
import type { navi } from '../requirements/navi.ts'
import type { observer } from '../requirements/observer.ts'
import type { osworld } from '../requirements/osworld.ts'
import type { windieos } from '../requirements/windieos.ts'
import type { TestContext } from '../run/test-context.ts'

/** All requirement ids; a misspelt id does not compile. */
export type RequirementId =
  | keyof (typeof observer)['requirements']
  | keyof (typeof agentWebkit)['requirements']
  | keyof (typeof cortask)['requirements']
  | keyof (typeof navi)['requirements']
  | keyof (typeof windieos)['requirements']
  | keyof (typeof osworld)['requirements']

export interface Check {
  readonly id: string
  readonly run: (context: TestContext) => Promise<void>
  readonly timeoutMs: number
  readonly pool: Pool
}

/**
 * Checks of one pool share a server. `main` uses the server under test, with the concurrency of the suite.
 * `auxiliary` and `mcp` have their own processes and run in parallel with `main`, one check at a time. `dangerous`
 * checks can crash a server or disturb its other clients (dropped sockets, broken frames, oversize, floods): they run
 * last, one at a time, each followed by a health probe.
 */
export type Pool = 'main' | 'auxiliary' | 'mcp' | 'dangerous'

interface CheckOptions {
  /** Milliseconds for the whole check; 20 s by default, more when it waits for the server's clock. */
  readonly timeoutMs?: number
  readonly pool?: Pool
}

const checks = new Map<string, Check>()
const PATIENCE_MS = 20_000

/** Registers the check of one requirement. It throws an assertion error when the server violates the requirement. */
export function check(
  id: RequirementId,
  run: (context: TestContext) => Promise<void>,
  options: CheckOptions = {},
): void {
  if (checks.has(id)) throw new Error(`${id} has two checks`)
  const { timeoutMs = PATIENCE_MS, pool = 'main' } = options
  checks.set(id, { id, run, timeoutMs, pool })
}

/** The registered checks of a protocol, by id. */
export function checksOf(protocol: Protocol): ReadonlyMap<string, Check> {
  return new Map([...checks].filter(([id]) => id.startsWith(`${protocol}:`)))
}
