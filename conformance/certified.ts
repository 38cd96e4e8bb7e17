import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const STATES_RULES = /(?:SPEC\.md|README\.md|facts\.ts)$/

/** The requirements that a text names as the proof of what it says, as `(certified: navi session:create, session:list)`. */
export const requirementsNamedIn = (text: string): readonly string[] =>
  [...text.matchAll(/\(certified: ([a-z-]+)\s+([^)]+)\)/g)].flatMap(([, protocol, names = '']) =>
    names.split(/,\s+/).map((name) => `${protocol}:${name}`),
  )

/** The requirements that pages and lists of facts below `src` name as the proof of their rules, by path. They are read as text. */
export function requirementsNamedBySource(): ReadonlyMap<string, readonly string[]> {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => STATES_RULES.test(path))
    .map((path) => join('src', path))
    .sort()
  const named = paths.map((path) => [path, requirementsNamedIn(readFileSync(join(ROOT, path), 'utf8'))] as const)
  return new Map(named.filter(([, ids]) => ids.length > 0))
}
