import './broken.ts'
import './chat.ts'
import './connecting.ts'
import './requests.ts'
import './rest.ts'
import './runs.ts'
import './stopping.ts'
import type { Bench } from '../../bench.ts'

/** Whether this is a Cortask gateway at all. */
export async function greet(bench: Bench): Promise<void> {
  await bench.socket('/ws')
}
