import { readFile, realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'

const INLINED_MOST = 50 * 1024

/**
 * What the model reads of files that a message refers to: their text when they are small, a note when they are large or
 * missing, and nothing of what lies outside the workspace, links included.
 */
export async function readReferences(root: string, paths: readonly string[]): Promise<string> {
  const notes = await Promise.all(paths.map((path) => readReference(root, path)))
  return notes.filter((note) => note !== undefined).join('\n\n')
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
    if (about.size > INLINED_MOST) return `[File ${path} has ${about.size} bytes and is not shown]`
    return `[File ${path}]\n${await readFile(file, 'utf8')}`
  } catch {
    return unreadable
  }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
