import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { describeIssues } from '../../base/external-values.ts'
import { EpisodeResult } from '../episode/result.ts'
import { SuiteError } from '../suite/load-suite.ts'
import { writeWhole } from './write-whole.ts'

/** A file of results, one line per episode. */
export interface ResultsFile {
  /** Writes a result. It is on the disk when this returns. */
  append(result: EpisodeResult): void
  close(): void
}

/** Opens a file of results to continue it. A line that was cut off by the end of the machine or the process is removed. */
export function openResults(path: string): ResultsFile {
  if (existsSync(path)) {
    const bytes = readFileSync(path)
    const end = bytes.lastIndexOf(0x0a) + 1
    if (end < bytes.length) truncateSync(path, end)
  }
  const file = openSync(path, 'a')
  return {
    append(result) {
      appendFileSync(file, lineOf(result))
      fsyncSync(file)
    },
    close: () => closeSync(file),
  }
}

/** Reads results. The last line is left out if it was cut off. Throws a `SuiteError` that names a wrong line. */
export function readResults(path: string): readonly EpisodeResult[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  lines.pop()
  return lines.map((line, index) => {
    const checked = EpisodeResult.safeParse(parsed(line))
    if (checked.success) return checked.data
    throw new SuiteError(`${path}:${index + 1} is not a result:\n${describeIssues(checked.error)}`)
  })
}

/** Fields in the order of the schema, so that equal results are equal lines. */
const lineOf = (result: EpisodeResult): string => `${JSON.stringify(EpisodeResult.parse(result))}\n`

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Writes all results in the order of the episodes, at once. */
export const rewriteResults = (path: string, results: readonly EpisodeResult[]): void =>
  writeWhole(path, results.map(lineOf).join(''))
