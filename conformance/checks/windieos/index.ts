import './envelopes.ts'
import './introspection.ts'
import './limits.ts'
import './memory.ts'
import './perception.ts'
import './queries.ts'
import './runs.ts'
import './settings.ts'
import './handshake.ts'
import './tools.ts'
import './transcription.ts'
import type { TestContext } from '../../run/test-context.ts'
import { assertAlive, connect } from '../../windieos/driver.ts'

/** Whether this is a WindieOS backend at all. */
export async function handshake(context: TestContext): Promise<void> {
  await assertAlive(await connect(context))
}
