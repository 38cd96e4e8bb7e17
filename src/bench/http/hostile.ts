import { startServer, stopServer } from '../harness/load.ts'
import { atMost, ms, type ReportLine } from '../harness/measure.ts'
import { HOSTILE_CASES, type TargetServers } from './hostile-requests.ts'
import { measureStalls, measureWorstWait } from './stalls.ts'

/** On idle cores. A busy machine makes idle waits long as well, which are told beside it. */
const MAX_STALL_MS = 250
const IDLE_MS = 2000

/** How long a light request waits while a hostile one of another client is answered, and while none is. */
export async function benchHostile(): Promise<readonly ReportLine[]> {
  const server = await startServer('served', 'hostile')
  const served = JSON.parse(server.url) as TargetServers
  const idle = await measureWorstWait(served, () => new Promise((resolve) => setTimeout(resolve, IDLE_MS)))
  const stalls = await measureStalls(served, HOSTILE_CASES)
  stopServer(server)
  return [
    { what: 'longest wait of a light GET, nothing else asked', measured: ms(idle) },
    ...stalls.map(({ name, worstMs }) => atMost(name, worstMs, MAX_STALL_MS)),
  ]
}
