import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Script } from 'node:vm'

/** A script, compiled as the body of a function, as Node compiles CommonJS modules. */
export interface Compiled {
  /** Calls the function with its arguments. */
  readonly run: (...args: readonly unknown[]) => unknown
  /** Whether cached code of an earlier process was used. */
  readonly cached: boolean
  /** Writes the code compiled so far to the cache if it grew clearly. */
  readonly save: () => void
}

const PARAMETERS = 'exports, require, module, __filename, __dirname'
/** The cache is rewritten when the compiled code grew by this factor. */
const MIN_GROWTH = 1.05
const DIGEST = 'sha1'
const DIGEST_BYTES = 20

/**
 * Compiles an ASCII script, using the code that an earlier process cached in `folder` under the same key. Damaged entries
 * and entries of another Node version are ignored. If the folder is not writable, nothing is cached.
 */
export function compile(file: string, folder: string | undefined, key: string): Compiled {
  const path = folder && join(folder, `${basename(file)}.${key}.${process.version}-${process.arch}`)
  const cachedData = path ? readCache(path) : undefined
  const text = `(function (${PARAMETERS}) {${readFileSync(file, 'latin1')}\n})`
  const script = new Script(text, { filename: file, ...(cachedData && { cachedData }) })
  const cached = cachedData && !script.cachedDataRejected ? cachedData : undefined
  let given = cached?.length ?? 0
  return {
    run: script.runInThisContext(),
    cached: cached !== undefined,
    save: () => {
      if (!path) return
      const data = script.createCachedData()
      if (data.length <= given * MIN_GROWTH) return
      given = data.length
      writeCache(path, data)
    },
  }
}

/** V8 checks that cached code matches the script, but not that it is complete. */
function readCache(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path)
    const data = bytes.subarray(DIGEST_BYTES)
    return digestOf(data).equals(bytes.subarray(0, DIGEST_BYTES)) ? data : undefined
  } catch {
    return undefined
  }
}

function writeCache(path: string, data: Buffer): void {
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(draft, Buffer.concat([digestOf(data), data]))
    renameSync(draft, path)
  } catch {
    // The next start compiles the script again.
  }
}

const digestOf = (data: Buffer): Buffer => createHash(DIGEST).update(data).digest()
