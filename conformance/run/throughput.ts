import { cpus } from 'node:os'
import { createRecorder } from '../probe/frame.ts'
import type { RunContext } from './options.ts'
import { openContextFor } from './run-check.ts'

/** The rate at which sessions open on several connections in parallel. Never part of pass or fail. */
export interface Throughput {
  readonly sessionsPerSecond: number
  /** Cores of the machine that runs the suite; a server on the same machine shares them. */
  readonly cores: number
}

const DURATION_MS = 1500
const CONNECTIONS = 8

/** Opens sessions for a while. */
export async function measureThroughput(runContext: RunContext): Promise<Throughput> {
  const { suite, random } = runContext
  const startedAt = performance.now()
  let opened = 0
  const line = async () => {
    while (performance.now() - startedAt < DURATION_MS) {
      const { bench: context, close } = openContextFor(
        runContext,
        random.split('throughput'),
        createRecorder(),
        DURATION_MS * 2,
      )
      try {
        await suite.handshake(context)
        opened++
      } catch {
        return
      } finally {
        await close()
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, line))
  return { sessionsPerSecond: Math.round((opened * 1000) / (performance.now() - startedAt)), cores: cpus().length }
}
