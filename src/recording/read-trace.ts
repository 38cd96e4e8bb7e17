import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { unzipSync } from 'fflate'
import { Fault } from '../base/fault.ts'
import { findScenario } from '../compose/gallery.ts'
import { VERSION } from '../compose/package.ts'
import { isToolArguments } from '../observer/result.ts'
import { hiddenPaths, parseTrace } from '../observer/trace/replay.ts'
import type { TraceRow } from '../observer/trace/trace-row.ts'
import { type AuthoredFaults, checkFaults } from '../scenario/faults/catalogue.ts'
import { checkChoices } from '../scenario/variants/axes.ts'
import type { VariantChoices } from '../scenario/variants/axis.ts'

/** The first line of a trace, as far as a recording needs it. Fields of other types count as absent. */
interface TraceHeader {
  readonly label: string
  readonly startedAt: string | undefined
  /** The start by the clock of the desktop, in milliseconds since the epoch. */
  readonly desktopStartMs: number | undefined
  readonly version: string | undefined
  readonly scenario: string | undefined
  readonly seed: number | undefined
  readonly scenarioHash: string | undefined
  readonly variant: VariantChoices | undefined
  readonly faults: ReturnType<typeof checkFaults>
}

/** A trace that was read for a recording. */
export interface ReadTrace {
  readonly text: string
  readonly header: TraceHeader
  readonly rows: readonly TraceRow[]
  /** What the trace lacks, in words. Undefined if it is complete. */
  readonly missing: string | undefined
  /** The fields of the footer. Undefined without one. */
  readonly footer: Readonly<Record<string, unknown>> | undefined
  /** A remark on a trace that does not say where it ends. */
  readonly unended: string | undefined
  /** The places of values that the trace hides, such as `4.text`. */
  readonly hidden: readonly string[]
}

/**
 * Reads the text of a trace.
 * @throws A `Fault` `BadRequest` when it has no header, more than 100,000 rows, or an unknown axis or fault.
 */
export function readTraceText(text: string, path: string): ReadTrace {
  const { label, header, rows, missing, footer, unended } = parseTrace(text, path)
  return { text, header: headerOf(header, label), rows, missing, footer, unended, hidden: rows.flatMap(hiddenPaths) }
}

function headerOf(written: Readonly<Record<string, unknown>>, label: string): TraceHeader {
  const textOf = (key: string) => (typeof written[key] === 'string' ? (written[key] as string) : undefined)
  const startMs = msOf(textOf('desktop_started_at'))
  return {
    label,
    startedAt: textOf('started_at'),
    desktopStartMs: startMs,
    version: textOf('tool_version'),
    scenario: textOf('scenario'),
    seed: Number.isSafeInteger(written.seed) ? (written.seed as number) : undefined,
    scenarioHash: textOf('scenario_hash'),
    variant: isToolArguments(written.variant) ? checkChoices(written.variant as VariantChoices) : undefined,
    faults: checkFaults(Array.isArray(written.faults) ? (written.faults as AuthoredFaults) : []),
  }
}

/**
 * When each row of a trace ended, in milliseconds after its start. A row that starts another scenario changes the clock, which
 * takes no time.
 */
export function stepTimes({ header, rows }: Pick<ReadTrace, 'header' | 'rows'>): readonly number[] {
  let startMs = header.desktopStartMs ?? msOf(rows[0]?.desktop_ts) ?? 0
  let endMs = 0
  return rows.map((row) => {
    const atMs = msOf(row.desktop_ts) ?? startMs
    if (startsScenario(row)) startMs = atMs - endMs
    endMs = Math.max(0, atMs - startMs)
    return endMs
  })
}

const startsScenario = ({ tool, args }: TraceRow): boolean =>
  tool === 'load_scenario' ||
  (tool === 'session_reset' && [args.scenario, args.path, args.yaml].some((given) => given !== undefined))

/** A time of a trace in milliseconds since the epoch. Undefined for what is no time. */
export function msOf(time: unknown): number | undefined {
  const ms = typeof time === 'string' ? Date.parse(time) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** A trace as it lies in a folder or an archive. */
export interface TraceFiles {
  /** The path that the operator gave. */
  readonly path: string
  /** The text of `trace.jsonl`. */
  readonly text: string
  /** Reads a file of the trace's folder, such as `screenshots/step-00001-full.png`. Undefined if there is none. */
  read(name: string): Buffer | undefined
}

/** A file with another name than a trace's own. */
const TRACE_NAME = 'trace.jsonl'
/** The largest file of a trace, packed or unpacked. Files are read as a whole. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/**
 * Reads a trace.
 * @param path Its folder, its `trace.jsonl`, or a zip archive of the folder.
 * @throws A `Fault` `BadRequest` when there is no trace, with what was looked for, and for a file of more than 256 MiB.
 */
export function readTraceFiles(path: string): TraceFiles {
  if (!existsSync(path))
    throw new Fault('BadRequest', `${path} does not exist; give a folder, a trace.jsonl or a zip of it`)
  if (statSync(path).isDirectory()) return inFolder(path, path, TRACE_NAME)
  return isZip(path) ? inArchive(path, readRunFile(path)) : inFolder(path, dirname(path), basename(path))
}

/** Reads a file of a recorded run as a whole. Throws `BadRequest` for one that is too large or not a file. */
export function readRunFile(file: string): Buffer {
  const about = statSync(file)
  // Reading a pipe or a device may never end.
  if (!about.isFile()) throw new Fault('BadRequest', `${file} is not a file`)
  if (about.size > MAX_FILE_BYTES)
    throw new Fault('BadRequest', `${file} has ${about.size} bytes; at most ${MAX_FILE_BYTES} are read`)
  return readFileSync(file)
}

/** Whether a file begins as a zip archive. */
function isZip(path: string): boolean {
  if (!statSync(path).isFile()) return false
  const start = Buffer.alloc(2)
  const file = openSync(path, 'r')
  try {
    return readSync(file, start) === start.length && start.toString('latin1') === 'PK'
  } finally {
    closeSync(file)
  }
}

function inFolder(path: string, folder: string, name: string): TraceFiles {
  const file = join(folder, name)
  if (!existsSync(file)) throw new Fault('BadRequest', `${path} has no ${TRACE_NAME}`)
  return {
    path,
    text: readRunFile(file).toString('utf8'),
    read: (other) => {
      // Names of files come from the trace, so that none outside of its folder is read, also not by a link.
      if (!isBelow(other)) return undefined
      const found = join(folder, other)
      if (!existsSync(found) || !realpathSync(found).startsWith(join(realpathSync(folder), sep))) return undefined
      return statSync(found).isFile() ? readRunFile(found) : undefined
    },
  }
}

const isBelow = (name: string): boolean => !/^[\\/]|^\w:/.test(name) && !name.split(/[\\/]/).includes('..')

function inArchive(path: string, bytes: Buffer): TraceFiles {
  const traces: string[] = []
  unzip(path, bytes, ({ name }) => {
    if (isBelow(name) && (name === TRACE_NAME || name.endsWith(`/${TRACE_NAME}`))) traces.push(name)
    return false
  })
  const [trace] = traces.toSorted((a, b) => a.length - b.length)
  if (trace === undefined) throw new Fault('BadRequest', `${path} has no ${TRACE_NAME}`)
  const prefix = trace.slice(0, -TRACE_NAME.length)
  // Each file is unpacked when it is needed, so that an archive needs no more memory than its largest file.
  const fileNamed = (name: string): Buffer | undefined => {
    if (!isBelow(name)) return undefined
    const file = unzip(path, bytes, (entry) => entry.name === prefix + name)[prefix + name]
    return file && Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  }
  return { path, text: fileNamed(TRACE_NAME)!.toString('utf8'), read: fileNamed }
}

/** Unpacks the entries that `isWanted`. Throws `BadRequest` for what is not an archive, and for entries that are too large. */
function unzip(
  path: string,
  bytes: Buffer,
  isWanted: (entry: { readonly name: string }) => boolean,
): Readonly<Record<string, Uint8Array | undefined>> {
  try {
    return unzipSync(bytes, {
      filter: (entry) => {
        if (!isWanted(entry)) return false
        const { name, originalSize } = entry
        if (originalSize > MAX_FILE_BYTES)
          throw new Fault(
            'BadRequest',
            `${path}: ${name} unpacks to ${originalSize} bytes; at most ${MAX_FILE_BYTES} are read`,
          )
        return true
      },
    })
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown
    throw new Fault('BadRequest', `${path} cannot be read as a zip archive: ${(thrown as Error).message}`)
  }
}

/**
 * The file of the scenario of a trace: the one that the operator names, otherwise the one with the name in the header. A
 * header cannot name a file, because a trace may come from anyone.
 * @throws A `Fault` `BadRequest` when there is none.
 */
export function scenarioFileOf({ scenario }: TraceHeader, given: string | undefined): string {
  if (given !== undefined) return findScenario(given)
  if (scenario === undefined) throw new Fault('BadRequest', 'the trace names no scenario; name one with --scenario')
  const file = /[\\/]/.test(scenario) ? undefined : findScenario(scenario)
  if (file === undefined || !existsSync(file))
    throw new Fault(
      'BadRequest',
      `the trace is of the scenario ${JSON.stringify(scenario.slice(0, 100))}, which is not in the gallery; name its file with --scenario`,
    )
  return file
}

/** A reason why a replay may differ from its trace: another version recorded it. Undefined for this version. */
export const versionNote = ({ version }: TraceHeader): string | undefined =>
  version === undefined || version === VERSION
    ? undefined
    : `version ${version.slice(0, 40)} recorded the trace, and this is version ${VERSION}`
