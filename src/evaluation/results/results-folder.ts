import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { describeIssues } from '../../base/external-values.ts'
import { isProcessRunning } from '../agents/agent-folder.ts'
import { EpisodeResult } from '../episode/result.ts'
import { SuiteError } from '../suite/load-suite.ts'
import { EvaluationManifest } from '../suite/manifest.ts'

const LOCK_FILE = 'evaluation.lock'

/** The process that uses a folder. */
const Holder = z.object({ pid: z.int().min(1), host: z.string() })

/** How often a process states that it goes on, and after how long without that it has ended, in milliseconds. */
const RENEW_MS = 10_000
const EXPIRE_MS = 60_000

/**
 * Takes a folder of results for this process. A lock whose process has ended is replaced.
 * @returns A function that gives the folder back.
 * @throws A `SuiteError` while another evaluation uses the folder.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, LOCK_FILE)
  if (!create(path)) {
    const holder = holderOf(path)
    if (holder !== 'ended')
      throw new SuiteError(
        `another evaluation uses ${folder}${holder && ` (process ${holder.pid} on ${holder.host})`}; wait for its end, or choose another folder with --out`,
      )
    rmSync(path, { force: true })
    if (!create(path)) throw new SuiteError(`another evaluation uses ${folder}; choose another folder with --out`)
  }
  const renewal = setInterval(() => renew(path), RENEW_MS)
  renewal.unref()
  return () => {
    clearInterval(renewal)
    rmSync(path, { force: true })
  }
}

/** Creates a lock. Returns false when there is one. */
function create(path: string): boolean {
  try {
    writeFileSync(path, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function renew(path: string): void {
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {
    // Whoever removed the lock has taken the folder.
  }
}

/** The process that holds a lock; an empty string if the lock does not tell, and `ended` if it does not run any more. */
function holderOf(path: string): z.infer<typeof Holder> | '' | 'ended' {
  try {
    if (Date.now() - statSync(path).mtimeMs > EXPIRE_MS) return 'ended'
    const holder = Holder.parse(JSON.parse(readFileSync(path, 'utf8')))
    return holder.host === hostname() && !isProcessRunning(holder.pid) ? 'ended' : holder
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'ended' : ''
  }
}

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

/**
 * Writes a file at once, so that a process or a machine that ends leaves either the file before or the new one.
 * @throws The error of the file system; on Windows also while another program has had the file open for two seconds.
 */
export function writeWhole(path: string, text: string): void {
  const newFile = `${path}.new`
  try {
    const file = openSync(newFile, 'w')
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    replace(path, newFile)
  } catch (error) {
    rmSync(newFile, { force: true })
    throw error
  }
}

/** The errors of Windows for a file that another program, such as an editor or a virus scanner, has open. */
const IN_USE: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY'])
const MAX_IN_USE_MS = 2000
const PAUSE_MS = 50

function replace(path: string, newFile: string): void {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    try {
      renameSync(newFile, path)
      return
    } catch (error) {
      const failure = error as NodeJS.ErrnoException
      if (process.platform !== 'win32' || !IN_USE.has(failure.code)) throw failure
      if (waitedMs >= MAX_IN_USE_MS) {
        failure.message += '; another program may have the file open'
        throw failure
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}

/** The files of an evaluation below its folder. */
export const RESULT_FILES = {
  manifest: 'manifest.json',
  results: 'results.jsonl',
  summary: 'summary.json',
  markdown: 'summary.md',
  junit: 'junit.xml',
  report: 'report.html',
} as const

/** Reads the manifest of results. Throws a `SuiteError` when the folder has none. */
export function readManifest(folder: string): EvaluationManifest {
  const path = join(folder, RESULT_FILES.manifest)
  let read: unknown
  try {
    read = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new SuiteError(`${folder} has no readable ${RESULT_FILES.manifest}, as backlot eval writes it`)
  }
  const { format } = (read ?? {}) as { readonly format?: unknown }
  if (format !== 'backlot-eval-1')
    throw new SuiteError(`${path} has the format ${JSON.stringify(format)}; this version reads backlot-eval-1`)
  const checked = EvaluationManifest.safeParse(read)
  if (!checked.success) throw new SuiteError(`${path} is not a manifest:\n${describeIssues(checked.error)}`)
  return checked.data
}
