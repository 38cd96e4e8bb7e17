import type { Protocol } from '../requirement.ts'
import type { agentWebkit } from '../requirements/agent-webkit.ts'
import type { cortask } from '../requirements/cortask.ts'
import type { navi } from '../requirements/navi.ts'
import type { observer } from '../requirements/observer.ts'
import type { windieos } from '../requirements/windieos.ts'
import type { TestContext } from '../run/test-context.ts'

/** Every id of a requirement; a misspelt one does not compile. */
export type RequirementId =
  | keyof (typeof observer)['requirements']
  | keyof (typeof agentWebkit)['requirements']
  | keyof (typeof cortask)['requirements']
  | keyof (typeof navi)['requirements']
  | keyof (typeof windieos)['requirements']

export interface Check {
  readonly id: string
  readonly run: (context: TestContext) => Promise<void>
  readonly timeoutMs: number
  readonly pool: Pool
}

/**
 * Checks of one lane share what they act on. The main lane works on the server under test, as many at once as the suite
 * allows; `satellite` and `mcp` have processes of their own and go on beside it, one at a time. `dangerous` checks can
 * end a server or disturb its other clients, by dropped sockets, broken frames, oversize or floods: they come last, each
 * alone and followed by a health probe.
 */
export type Pool = 'main' | 'auxiliary' | 'mcp' | 'dangerous'

interface CheckOptions {
  /** Milliseconds the whole check may take; 20 s unless it has to wait for the server's own clock. */
  readonly timeoutMs?: number
  readonly pool?: Pool
}

const checks = new Map<string, Check>()
const PATIENCE_MS = 20_000

/** Registers the proof of one requirement. It ends quietly, or throws what the server did wrong. */
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
