import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { missingCalls } from '../../observer/trace/replay.ts'
import type { EpisodeResult } from '../episode/result.ts'
import { SuiteError } from '../suite/load-suite.ts'
import type { EvaluationManifest } from '../suite/manifest.ts'
import { RESULT_FILES, readManifest, readResults } from './results-folder.ts'

/** The results of an evaluation, as its folder has them. */
export interface StoredResults {
  readonly folder: string
  readonly manifest: EvaluationManifest
  readonly results: readonly EpisodeResult[]
}

/** Reads the results in a folder. Throws a `SuiteError` when it has none, or when its files are not those of an evaluation. */
export function readStored(folder: string): StoredResults {
  const manifest = readManifest(folder)
  const path = join(folder, RESULT_FILES.results)
  const results = readResults(path)
  if (results.length === 0) throw new SuiteError(`${path} has no result; let the evaluation play an episode first`)
  const lines = new Map<string, number>()
  for (const [index, { episode }] of results.entries()) {
    const earlier = lines.get(episode)
    if (earlier !== undefined)
      throw new SuiteError(`${path} has ${episode} twice, in the lines ${earlier} and ${index + 1}`)
    lines.set(episode, index + 1)
  }
  return { folder, manifest, results }
}

/** A call in a trace, as far as comparisons and exports read it. */
export interface StoredCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly door_call?: unknown
  readonly result_summary: Readonly<Record<string, unknown>>
  /** ISO 8601, by the clock of the desktop. */
  readonly desktop_ts: string
  readonly tree_hash_before: string | null
  readonly tree_hash_after: string | null
}

/** The trace of an episode. */
export interface StoredTrace {
  readonly text: string
  /** When the desktop started, in ISO 8601 by its clock. */
  readonly startedAt: string
  readonly calls: readonly StoredCall[]
}

/** Reads the trace of an episode, or returns why there is none to read. */
export function readTrace(stored: StoredResults, result: EpisodeResult): StoredTrace | { readonly problem: string } {
  const text = traceText(stored, result)
  if (text === undefined) return { problem: 'it has no trace' }
  const calls: StoredCall[] = []
  const rows: Row[] = []
  let [startedAt, footer]: [string?, Row?] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue
    const row = rowOf(line)
    if (!row) return { problem: `its trace is cut or changed in line ${index + 1}` }
    if (row.type === 'header' && typeof row.desktop_started_at === 'string') startedAt = row.desktop_started_at
    if (row.type === 'footer') footer = row
    if (row.type !== undefined) continue
    const call = callOf(row)
    if (!call) return { problem: `its trace has no call in line ${index + 1}` }
    calls.push(call)
    rows.push(row)
  }
  const missing = missingCalls(rows, footer)
  if (missing !== undefined) return { problem: missing }
  return startedAt === undefined ? { problem: 'its trace has no header' } : { text, startedAt, calls }
}

/** The text of a trace; undefined without one. Its path comes from a file, so that one outside of the folder is not read. */
function traceText({ folder }: StoredResults, { trace }: EpisodeResult): string | undefined {
  if (trace === null || trace.split(/[\\/]/).includes('..')) return undefined
  try {
    return readFileSync(join(folder, trace), 'utf8')
  } catch {
    return undefined
  }
}

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function rowOf(line: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRow(value) ? value : undefined
  } catch {
    return undefined
  }
}

function callOf({
  tool,
  args = {},
  result_summary = {},
  desktop_ts = '',
  door_call,
  ...hashes
}: Row): StoredCall | undefined {
  if (typeof tool !== 'string' || !isRow(args) || !isRow(result_summary) || typeof desktop_ts !== 'string')
    return undefined
  const [tree_hash_before, tree_hash_after] = [hashes.tree_hash_before, hashes.tree_hash_after].map((hash) =>
    typeof hash === 'string' ? hash : null,
  ) as [string | null, string | null]
  return {
    tool,
    args,
    ...(door_call !== undefined && { door_call }),
    result_summary,
    desktop_ts,
    tree_hash_before,
    tree_hash_after,
  }
}
