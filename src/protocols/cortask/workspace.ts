import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'

const MAX_INLINED_BYTES = 50 * 1024
/** As many characters make the files of a message enough. */
const MAX_TOGETHER_BYTES = 1024 * 1024
/** More files than that are not even looked for. */
const MAX_REFERENCES = 1000

/**
 * What the model reads of files that a message refers to: their text when they are small, a note when they are large or
 * missing, and nothing of what lies outside the workspace, links included. One note stands for all that would be too much.
 */
export async function readReferences(root: string, paths: readonly string[]): Promise<string> {
  const notes: string[] = []
  let room = MAX_TOGETHER_BYTES
  for (const [index, path] of paths.entries()) {
    if (room <= 0 || index === MAX_REFERENCES) {
      notes.push(`[${paths.length - index} more files are not shown]`)
      break
    }
    const note = await readReference(root, path)
    if (note === undefined) continue
    notes.push(note)
    room -= note.length
  }
  return notes.join('\n\n')
}

async function readReference(root: string, path: string): Promise<string | undefined> {
  const wanted = resolve(root, path)
  if (path.includes('\0') || !isBelow(resolve(root), wanted)) return undefined
  const unreadable = `[File ${path} cannot be read]`
  try {
    const file = await realpath(wanted)
    if (!isBelow(await realpath(root), file)) return undefined
    const about = await stat(file)
    // Whoever opens a pipe waits for its other end.
    if (!about.isFile()) return unreadable
    if (about.size > MAX_INLINED_BYTES) return `[File ${path} has ${about.size} bytes and is not shown]`
    return `[File ${path}]\n${await readFile(file, 'utf8')}`
  } catch {
    return unreadable
  }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
