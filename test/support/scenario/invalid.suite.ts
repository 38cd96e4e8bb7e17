import { getHeapStatistics } from 'node:v8'
import { expect } from 'vitest'
import { AuthoredScript } from '../../../src/agent/script/script.ts'
import { Fault } from '../../../src/base/fault.ts'
import { parseScenario } from '../../../src/scenario/load/load.ts'
import type { ScenarioProblem } from '../../../src/scenario/source/problem.ts'
import { type InvalidFile, includeParts } from './invalid-files.ts'

const MAX_MS = 60_000
const MAX_HEAP_BYTES = 1_500_000_000

/** How the loader treats a file: undefined when it is refused with a position, in time and in memory. */
export function mistreatmentOf({ name, text }: InvalidFile): string | undefined {
  const startMs = performance.now()
  const problem = refusalProblem(text)
  const tookMs = Math.round(performance.now() - startMs)
  if (problem !== undefined) return `${name}: ${problem}`
  if (tookMs > MAX_MS) return `${name}: took ${tookMs} ms`
  const heapBytes = getHeapStatistics().used_heap_size
  return heapBytes > MAX_HEAP_BYTES ? `${name}: the heap has ${heapBytes} bytes` : undefined
}

function refusalProblem(text: string): string | undefined {
  try {
    parseScenario(text, { file: 'own.yaml', include: includeParts, script: AuthoredScript })
    return 'is accepted'
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'ScenarioInvalid') return `crashes: ${String(thrown)}`
    const issues = thrown.context.issues as readonly ScenarioProblem[]
    const lines = text.split('\n').length
    const isPlaced = ({ file, line, column, message }: ScenarioProblem) =>
      line >= 1 && (file !== undefined || line <= lines + 1) && column >= 1 && message !== ''
    return issues.length > 0 && issues.every(isPlaced) ? undefined : `has no position: ${thrown.message}`
  }
}

/** Expects all files to be refused. */
export function expectRefused(files: Iterable<InvalidFile>): void {
  const wrong: string[] = []
  for (const file of files) {
    const problem = mistreatmentOf(file)
    if (problem !== undefined) wrong.push(problem)
  }
  expect(wrong).toEqual([])
}
