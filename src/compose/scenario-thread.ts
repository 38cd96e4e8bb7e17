import { parentPort } from 'node:worker_threads'
import { Fault } from '../base/fault.ts'
import { checkScenario } from '../scenario/load/load.ts'
import type { PackedScenario } from '../scenario/load/packed.ts'
import { startScenario } from '../scenario/run/step.ts'
import type { Making } from '../scenario/seeds.ts'
import { SENT_WITH_APPLICATIONS } from './applications.ts'

/** The thread in which the scenarios that callers send are read. */

/** A sent scenario, and the seed and the variant in which it is read if they are not its own. */
export interface ReadRequest {
  readonly text: string
  readonly making: Making | undefined
}

/** The scenario, or why it cannot be used. */
export type ReadReply =
  | { readonly packed: PackedScenario }
  | { readonly fault: Pick<Fault, 'code' | 'message' | 'context'> }

parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(reply(request)))

function reply({ text, making }: ReadRequest): ReadReply {
  try {
    const checked = checkScenario(text, { ...SENT_WITH_APPLICATIONS, ...making })
    // What cannot start is refused here, where it delays nobody.
    startScenario(checked.scenario, { atMs: 0 })
    return { packed: checked.pack() }
  } catch (thrown) {
    const { code, message, context } = Fault.from(thrown)
    return { fault: { code, message, context } }
  }
}
