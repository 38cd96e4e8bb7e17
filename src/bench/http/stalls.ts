import type { HostileCase, TargetServers } from './hostile-requests.ts'

/** How long another client waits for a light request while a hostile one is answered. */
export interface Stall {
  readonly name: string
  /** The longest wait, in milliseconds. */
  readonly worstMs: number
  /** What the hostile client was answered. */
  readonly answers: readonly string[]
}

const EVERY_MS = 10

/** Asks for the list of windows again and again, on a connection of its own, until `work` is done. */
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

/** Sends hostile requests one after the other; `tell` gets each as it is answered. */
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
