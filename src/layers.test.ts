import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** The doors of the suite outside: what the command line may open. */
const CONFORMANCE = ['../conformance/run.ts', '../conformance/requirement.ts']

const SRC = dirname(fileURLToPath(import.meta.url))

/** Folders of `protocols` that every protocol may import. */
const SHARED_BY_PROTOCOLS: ReadonlySet<string> = new Set(['http'])

/** The definitions of protocols, which the registry lists. */
const DEFINITIONS = readdirSync(join(SRC, 'protocols'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SHARED_BY_PROTOCOLS.has(entry.name))
  .map(({ name }) => `protocols/${name}/index.ts`)

/** Who may import whom. Every arrow points down; `base` is visible to all, a folder sees itself, `*` is all but test support. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  desktop: [],
  scenario: ['desktop'],
  paint: ['desktop'],
  adapters: ['desktop', 'scenario', 'paint'],
  perception: ['desktop', 'paint'],
  stores: [],
  observer: [
    'desktop',
    'scenario',
    'paint',
    'adapters/computer.ts',
    'perception/perception.ts',
    'stores/store.ts',
    'stores/folder.ts',
  ],
  agent: ['observer', 'scenario/problem.ts', 'stores/store.ts'],
  'protocols/*': [
    'observer',
    'agent',
    'paint',
    'desktop',
    'adapters/computer.ts',
    'perception/perception.ts',
    'stores/store.ts',
    'stores/folder.ts',
    'protocols',
  ],
  protocols: ['agent', 'observer', 'perception/perception.ts', 'stores/store.ts', 'stores/folder.ts'],
  'protocols/registry.ts': ['protocols', ...DEFINITIONS],
  inspector: [],
  '.': ['*'],
  'test-support': ['*'],
  bench: ['*', 'test-support'],
  fuzz: ['*'],
  cli: ['.', 'protocols', 'protocols/registry.ts', 'protocols/observer-rest/index.ts', ...CONFORMANCE],
}

/** Time, chance, the environment and timers arrive as arguments; only the rim touches the real ones. */
const IMPURE =
  /\b(Date\.now|new Date\(\)|Math\.random|setTimeout|setInterval|setImmediate|performance\.now|process\.env)\b/
const PURE = ['base', 'desktop', 'scenario', 'paint', 'observer', 'agent']
const RIM: Readonly<Record<string, string>> = {
  'base/clock.ts': 'it is where real time comes from',
  'base/yielding.ts': 'it measures how long work holds the event loop, on which no result depends',
  'agent/run/run.ts': 'it gives way to other work between steps',
  'observer/tools/training.ts': 'it gives way to other work between the actions of a step',
  'paint/skia.ts': 'it shields the canvas library from settings of the machine that would change pixels',
}

const sources = (folder: string): readonly string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return sources(path)
    return path.endsWith('.ts') && !/\.(test|suite|real)\.ts$/.test(path) ? [relative(SRC, path)] : []
  })

/** The row of the table a file belongs to. */
function roomOf(path: string): string {
  if (path === 'protocols/registry.ts') return path
  const [first = '', second] = path.split('/')
  if (second === undefined) return '.'
  if (first === 'protocols')
    return path.split('/').length > 2 && !SHARED_BY_PROTOCOLS.has(second) ? 'protocols/*' : 'protocols'
  return first
}

function mayImport(from: string, to: string): boolean {
  const room = roomOf(from)
  const other = roomOf(to)
  if (other === 'base') return true
  if (room === 'protocols/*' && other === 'protocols/*') return from.split('/')[1] === to.split('/')[1]
  if (room === other) return true
  const rows = MAY_IMPORT[room] ?? []
  return rows.some((row) => (row === '*' && other !== 'test-support') || row === other || row === to)
}

const IMPORTS = /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g

const importsOf = (path: string): readonly string[] =>
  [...readFileSync(join(SRC, path), 'utf8').matchAll(IMPORTS)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((target) => target.startsWith('.'))
    .map((target) => relative(SRC, resolve(SRC, dirname(path), target)))

/** The cycles that a depth-first search through a graph closes. */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (path: string, above: readonly string[]): void => {
    const start = above.indexOf(path)
    if (start >= 0) cycles.push([...above.slice(start), path].join(' → '))
    if (start >= 0 || done.has(path)) return
    for (const target of graph.get(path) ?? []) visit(target, [...above, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return cycles
}

describe('the house', () => {
  const files = sources(SRC)

  it('has a row in the table for every room', () => {
    expect([...new Set(files.map(roomOf))].filter((room) => !(room in MAY_IMPORT))).toEqual([])
  })

  it('imports only downwards', () => {
    const wrong = files.flatMap((from) =>
      importsOf(from)
        .filter((to) => !mayImport(from, to))
        .map((to) => `${from} imports ${to}`),
    )
    expect(wrong).toEqual([])
  })

  it('has no import cycle, imports of types included', () => {
    expect(cyclesIn(new Map(files.map((path) => [path, importsOf(path)])))).toEqual([])
  })

  it('finds cycles of any length', () => {
    const graph = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['d'], e: ['a'] }
    expect(cyclesIn(new Map(Object.entries(graph)))).toEqual(['a → b → c → a', 'd → d'])
  })

  it('never leaves src', () => {
    const outside = files.flatMap((from) =>
      importsOf(from)
        .filter((to) => to.startsWith('..'))
        .map((to) => `${from} → ${to}`),
    )
    expect(outside.filter((arrow) => !CONFORMANCE.some((door) => arrow.endsWith(door)))).toEqual([])
  })

  it('takes time, chance and the environment as arguments', () => {
    const impure = files
      .filter((path) => PURE.includes(roomOf(path)) && !(path in RIM))
      .filter((path) => IMPURE.test(readFileSync(join(SRC, path), 'utf8')))
    expect(impure).toEqual([])
  })
})
