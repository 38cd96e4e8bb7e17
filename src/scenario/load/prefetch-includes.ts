import { Fault } from '../../base/fault.ts'
import { readSource } from '../source/source.ts'
import type { Include, IncludedText, ReadApplication } from './load.ts'

/** Reads a file. Throws a `Fault` for one that may not be read. */
type ReadText = (path: string) => Promise<string>

const MAX_FILES = 100

/**
 * Reads the files that a scenario includes, and those that these include, before it is loaded. Files of applications are
 * read when they are asked for.
 */
export async function prefetchIncludes(
  text: string,
  file: string,
  read: ReadText,
  readApplication: ReadApplication = () => undefined,
): Promise<Include> {
  const found = new Map<string, IncludedText | { readonly message: string }>()
  const open = [{ text, file }]
  for (let next = open.pop(); next && found.size < MAX_FILES; next = open.pop())
    for (const path of includesIn(next.text)) {
      if (readApplication(path, next.file)) continue
      const name = besides(next.file, path)
      if (found.has(name)) continue
      const one = await readOne(name, path, read)
      found.set(name, one)
      if ('text' in one) open.push(one)
    }
  return (path, from) =>
    readApplication(path, from) ??
    found.get(besides(from, path)) ?? { message: `more than ${MAX_FILES} files are included` }
}

async function readOne(
  name: string,
  path: string,
  read: ReadText,
): Promise<IncludedText | { readonly message: string }> {
  try {
    return { file: name, text: await read(name) }
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    return { message: `${JSON.stringify(path)} cannot be included: ${thrown.message}` }
  }
}

/** Whether a text may include files; a cheap look before it is parsed. */
export const mayInclude = (text: string): boolean =>
  /^['"]?include['"]?\s*:/m.test(text) || (/^\s*\{/.test(text) && /include['"]?\s*:/.test(text))

/** The paths under `include` in a text; none in a text that is not YAML. */
function includesIn(text: string): readonly string[] {
  if (!mayInclude(text)) return []
  const source = readSource(text)
  const value = 'unreadable' in source ? undefined : source.value
  if (typeof value !== 'object' || value === null || !('include' in value)) return []
  return [value.include].flat().filter((path): path is string => typeof path === 'string')
}

/** A path that is written in a file, from where that file's own path starts. */
function besides(file: string, path: string): string {
  if (path.startsWith('/')) return path
  const parts = file.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
