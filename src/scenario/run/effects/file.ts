import { Fault } from '../../../base/fault.ts'
import {
  copyPath,
  exists,
  type Files,
  movePath,
  removePath,
  resolvePath,
  writeFile,
} from '../../../desktop/files/files.ts'
import { filesOf } from '../../../desktop/model/desktop.ts'
import type { FileChange } from '../../schema/change.ts'
import { withDesktop } from '../scenario-run.ts'
import { type ApplyEffect, type FillText, skipEffect, textFiller } from './context.ts'

/** Changes a file. An impossible change is skipped and recorded. */
export const applyFileChange: ApplyEffect<FileChange> = (run, change, context) => {
  const { desktop } = run
  try {
    const files = changedFiles(filesOf(desktop), change, textFiller(run, context))
    return files === desktop.files ? run : withDesktop(run, { ...desktop, files })
  } catch (error) {
    if (error instanceof Fault) return skipEffect(run, 'path', error.message)
    throw error
  }
}

function changedFiles(files: Files, change: FileChange, fill: FillText): Files {
  const { text, copy_to, move_to, remove } = change
  const path = resolvePath('/', fill(change.path))
  if (remove) return removePath(files, path)
  if (copy_to !== undefined) return copyPath(files, path, resolvePath('/', fill(copy_to)))
  if (move_to !== undefined) return movePath(files, path, resolvePath('/', fill(move_to)))
  if (text === undefined) return files
  if (text === null) return exists(files, path) ? files : { ...files, [path]: null }
  return writeFile(files, path, fill(text))
}
