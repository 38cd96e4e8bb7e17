import './actions.ts'
import './elements.ts'
import './errors.ts'
import './find.ts'
import './gates.ts'
import './mcp.ts'
import './observation.ts'
import './oracles.ts'
import './pictures.ts'
import './receipts.ts'
import './scenarios.ts'
import './server.ts'
import './snapshots.ts'
import './structure.ts'
import './text.ts'
import './traces.ts'
import './waiting.ts'
import './windows.ts'
import type { Bench } from '../../bench.ts'
import { Health } from '../../contract/observer-shapes.ts'
import { read } from './desk.ts'
import { initialize } from './mcp.ts'

/** Whether this is an observer at all. */
export async function greet(bench: Bench): Promise<void> {
  if (bench.subject.url === undefined) return void (await initialize(await bench.ownMcp()))
  read(await bench.http.get('/api/healthz'), Health)
}
