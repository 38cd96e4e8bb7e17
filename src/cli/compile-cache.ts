import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Script } from 'node:vm'

/** A script, compiled as Node compiles those of CommonJS: as the body of a function. */
export interface Compiled {
  /** Calls the function with the values of its parameters. */
  readonly run: (...args: readonly unknown[]) => unknown
  /** Whether compiled code of an earlier process was taken. */
  readonly known: boolean
  /** Writes down what is compiled by now, if that is clearly more than what is written. */
  readonly keep: () => void
}

const PARAMETERS = 'exports, require, module, __filename, __dirname'
const MORE = 1.05
const DIGEST = 'sha1'
const DIGEST_BYTES = 20

/**
 * Compiles a script in ASCII, taking over what an earlier process kept of it in a folder under the same word. What is
 * damaged, or was kept by another version of Node, is passed over; a folder that cannot be written keeps nothing.
 */
export function compile(file: string, folder: string | undefined, word: string): Compiled {
  const kept = folder && join(folder, `${basename(file)}.${word}.${process.version}-${process.arch}`)
  const cachedData = kept ? readKept(kept) : undefined
  const text = `(function (${PARAMETERS}) {${readFileSync(file, 'latin1')}\n})`
  const script = new Script(text, { filename: file, ...(cachedData && { cachedData }) })
  const known = cachedData && !script.cachedDataRejected ? cachedData : undefined
  let written = known?.length ?? 0
  return {
    run: script.runInThisContext(),
    known: known !== undefined,
    keep: () => {
      if (!kept) return
      const data = script.createCachedData()
      if (data.length <= written * MORE) return
      written = data.length
      writeKept(kept, data)
    },
  }
}

/** V8 checks that the code fits, but not that it is whole. */
function readKept(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path)
    const data = bytes.subarray(DIGEST_BYTES)
    return digestOf(data).equals(bytes.subarray(0, DIGEST_BYTES)) ? data : undefined
  } catch {
    return undefined
  }
}

function writeKept(path: string, data: Buffer): void {
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(draft, Buffer.concat([digestOf(data), data]))
    renameSync(draft, path)
  } catch {
    // It is compiled anew the next time.
  }
}

const digestOf = (data: Buffer): Buffer => createHash(DIGEST).update(data).digest()
