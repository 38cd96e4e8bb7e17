import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'

const MAX_INLINED_BYTES = 50 * 1024
/** Once the files of a message reach this length, the others are skipped. */
const MAX_TOTAL_LENGTH = 1024 * 1024
/** Further files are not opened. */
const MAX_REFERENCES = 1000

/**
 * Reads the referenced files of a message for the model: small files as text, and a note for large or missing ones and for
 * those outside of the workspace, also behind links. One note stands for all files beyond the limits.
 */
export async function readReferences(root: string, paths: readonly string[]): Promise<string> {
  const notes: string[] = []
  let remaining = MAX_TOTAL_LENGTH
  for (const [index, path] of paths.entries()) {
    if (remaining <= 0 || index === MAX_REFERENCES) {
      notes.push(`[${paths.length - index} more files are not shown]`)
      break
    }
    const note = await readReference(root, path)
    notes.push(note)
    remaining -= note.length
  }
  return notes.join('\n\n')
}

async function readReference(root: string, path: string): Promise<string> {
  const wanted = resolve(root, path)
  const outside = `[File ${path} is outside of the workspace and is not shown]`
  if (path.includes('\0') || !isBelow(resolve(root), wanted)) return outside
  const unreadable = `[File ${path} cannot be read]`
  try {
    const file = await realpath(wanted)
    if (!isBelow(await realpath(root), file)) return outside
    const info = await stat(file)
    // Opening a pipe would block until its other end opens.
    if (!info.isFile()) return unreadable
    if (info.size > MAX_INLINED_BYTES) return `[File ${path} has ${info.size} bytes and is not shown]`
    return `[File ${path}]\n${await readFile(file, 'utf8')}`
  } catch {
    return unreadable
  }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
