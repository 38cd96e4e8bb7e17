import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Writes a file at once, so that a process or a machine that ends leaves either the file before or the new one.
 * @throws The error of the file system; on Windows also while another program has had the file open for two seconds.
 */
export function writeWhole(path: string, text: string): void {
  const written = `${path}.new`
  try {
    const file = openSync(written, 'w')
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    replace(path, written)
  } catch (error) {
    rmSync(written, { force: true })
    throw error
  }
}

/** The errors of Windows for a file that another program, such as an editor or a virus scanner, has open. */
const IN_USE: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY'])
const MAX_IN_USE_MS = 2000
const PAUSE_MS = 50

function replace(path: string, written: string): void {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    try {
      renameSync(written, path)
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
