import type { HostileCase, TargetServers } from './hostile-requests.ts'

/** The delay of light requests of one client while a hostile request of another is processed. */
export interface Stall {
  readonly name: string
  /** The longest delay in milliseconds. */
  readonly worstMs: number
  /** The response to the hostile client. */
  readonly answers: readonly string[]
}

const EVERY_MS = 10

/** Requests the list of windows repeatedly on its own connection until `work` is done. */
export async function measureWorstWait({ observer }: TargetServers, work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let worstMs = 0
  const asked = (async () => {
    while (!isOver) {
      const startedMs = performance.now()
      await (await fetch(`${observer}/api/windows`)).arrayBuffer()
      worstMs = Math.max(worstMs, performance.now() - startedMs)
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS))
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
  }
  await asked
  return worstMs
}

/** Sends hostile requests in sequence. Reports each response to `tell`. */
export async function measureStalls(
  served: TargetServers,
  requests: readonly HostileCase[],
  tell: (stall: Stall) => void = () => {},
): Promise<readonly Stall[]> {
  const stalls: Stall[] = []
  for (const request of requests) {
    request.prepare?.()
    let answers: readonly string[] = []
    const worstMs = await measureWorstWait(served, async () => {
      answers = await request.send(served)
    })
    const stall = { name: request.name, worstMs, answers }
    tell(stall)
    stalls.push(stall)
  }
  return stalls
}
