import { startServer, stopServer } from '../harness/load.ts'
import { atMost, ms, type ReportLine } from '../harness/measure.ts'
import { HOSTILE_CASES, type TargetServers } from './hostile-requests.ts'
import { measureStalls, measureWorstWait } from './stalls.ts'

/** For idle cores. A busy machine also delays requests when no hostile one runs; the report lists those delays too. */
const MAX_STALL_MS = 250
const IDLE_MS = 2000

/** Measures the delay of a light request during a hostile one of another client, and without one. */
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
