import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { unzipSync } from 'fflate'
import { Fault } from '../base/fault.ts'

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
