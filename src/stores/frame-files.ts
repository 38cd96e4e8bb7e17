import { closeSync, existsSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '../base/fault.ts'
import type { IdSource } from '../base/ids.ts'
import type { OpenFrameFile } from './folder.ts'

/** Each holds a picture in memory and a file descriptor. */
const MAX_OPEN = 1024
/** A file system in memory, on Linux. */
const SHARED_MEMORY = '/dev/shm'

/**
 * Creates frame files, in memory where the system has such a folder. Only programs of the same user can open them. On Linux a
 * file has no name and is opened through this process, so that none is left when this process is killed.
 * @param ids Names the files.
 */
export function frameFiles(ids: IdSource): OpenFrameFile {
  let count = 0
  return (bytes) => {
    if (count === MAX_OPEN) throw new Fault('Busy', `${MAX_OPEN} sessions share frames already; close some of them`)
    const isLinux = existsSync(SHARED_MEMORY)
    const name = join(isLinux ? SHARED_MEMORY : tmpdir(), `backlot-${ids.hex(16)}`)
    const file = openSync(name, 'wx+', 0o600)
    if (isLinux) rmSync(name)
    try {
      ftruncateSync(file, bytes)
    } catch (error) {
      closeSync(file)
      if (!isLinux) rmSync(name, { force: true })
      throw error
    }
    count++
    let isOpen = true
    return {
      path: isLinux ? `/proc/${process.pid}/fd/${file}` : name,
      write: (given, at) => {
        for (let done = 0; done < given.length; ) done += writeSync(file, given, done, given.length - done, at + done)
      },
      close: () => {
        if (!isOpen) return
        isOpen = false
        count--
        closeSync(file)
        if (!isLinux) rmSync(name, { force: true })
      },
    }
  }
}
