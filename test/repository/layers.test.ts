import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  cyclesIn,
  foldersOf,
  importsInside,
  importsOf,
  importsWhere,
  modulesOf,
} from '../support/repository/import-graph.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SRC = join(ROOT, 'src')

/** The modules of the conformance suite that the command line may import. The suite itself imports nothing from `src`. */
const CONFORMANCE = ['../conformance/run.ts', '../conformance/protocols.ts', '../conformance/requirement.ts']

/** Folders of `protocols` that every protocol may import. */
const SHARED_BY_PROTOCOLS: ReadonlySet<string> = new Set(['http'])

/** The definitions of protocols, which the registry lists. */
const DEFINITIONS = readdirSync(join(SRC, 'protocols'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SHARED_BY_PROTOCOLS.has(entry.name))
  .map(({ name }) => `protocols/${name}/index.ts`)

/** Interfaces of the outer layers. Their implementations are chosen in `compose`. */
const INTERFACES = [
  'adapters/computer.ts',
  'adapters/capabilities.ts',
  'perception/perception.ts',
  'stores/store.ts',
  'stores/folder.ts',
]

/** The product: everything that the package contains, except its entry points and the command line. */
const PRODUCT = [
  'desktop',
  'scenario',
  'paint',
  'adapters',
  'perception',
  'stores',
  'observer',
  'agent',
  'reference-agent',
  'protocols',
  'protocols/*',
  'protocols/registry.ts',
  'viewer',
  'viewer/model',
  'compose',
]

/**
 * What each row may import: rows, or single files. Imports point down only. A row is a folder of `src`, a file in `src`, a
 * folder of `viewer`, `protocols/*` for the folder of one protocol, or `protocols/registry.ts`. Every row may also import itself and `base`.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  desktop: [],
  scenario: ['desktop'],
  paint: ['desktop'],
  adapters: ['desktop', 'scenario', 'paint'],
  perception: ['desktop', 'paint'],
  stores: [],
  observer: ['desktop', 'scenario', 'paint', 'viewer/model', ...INTERFACES],
  agent: ['observer', 'scenario/source/problem.ts', 'stores/store.ts'],
  'reference-agent': ['agent', 'observer'],
  protocols: ['agent', 'observer', 'perception/perception.ts', 'stores/store.ts', 'stores/folder.ts'],
  'protocols/*': ['desktop', 'paint', 'observer', 'agent', 'protocols', 'viewer/model', ...INTERFACES],
  'protocols/registry.ts': ['protocols', ...DEFINITIONS],
  viewer: ['viewer/model'],
  'viewer/model': [],
  'viewer/app': ['viewer/model'],
  compose: PRODUCT,
  'index.ts': PRODUCT,
  'testing.ts': [...PRODUCT, 'recording'],
  recording: PRODUCT,
  evaluation: [...PRODUCT, 'recording'],
  dataset: PRODUCT,
  cli: [
    'compose',
    'adapters/open-computer.ts',
    'dataset',
    'evaluation',
    'recording',
    'protocols',
    'protocols/registry.ts',
    'protocols/observer-rest/index.ts',
    'protocols/desk/client/main.ts',
    ...CONFORMANCE,
  ],
}

/** Code that must receive time, randomness and the environment as arguments. */
const PURE = ['base', 'desktop', 'scenario', 'paint', 'observer', 'agent', 'reference-agent']
const IMPURE =
  /\b(Date\.now|new Date\(\)|Math\.random|setTimeout|setInterval|setImmediate|performance\.now|process\.env)\b/
const IMPURE_WITH_REASON: Readonly<Record<string, string>> = {
  'base/clock.ts': 'defines the real clock',
  'base/async.ts': 'measures how long work blocks the event loop; no result depends on it',
  'agent/run/agent-run.ts': 'yields to the event loop between steps',
  'observer/tools/training.ts': 'yields to the event loop between the actions of a step',
  'paint/canvas/skia.ts': 'protects the canvas library from settings of the machine that would change pixels',
}

/** All modules of the product. */
const MODULES = modulesOf(SRC)

/** The row of the table that a module belongs to. */
function rowOf(path: string): string {
  if (path in MAY_IMPORT) return path
  const [first = '', second = '', third] = path.split('/')
  if (first === 'viewer' && third !== undefined) return `${first}/${second}`
  if (first === 'protocols') return third === undefined || SHARED_BY_PROTOCOLS.has(second) ? first : 'protocols/*'
  return first
}

function mayImport(from: string, to: string): boolean {
  const row = rowOf(from)
  const target = rowOf(to)
  if (target === 'base') return true
  if (row === 'protocols/*' && target === row) return from.split('/')[1] === to.split('/')[1]
  return row === target || (MAY_IMPORT[row] ?? []).some((allowed) => allowed === target || allowed === to)
}

const imports = importsOf(SRC, MODULES)

/** The tools of the repository, of which the product imports nothing. */
const OUTSIDE = ['test', 'bench', 'fuzz'].flatMap((folder) =>
  modulesOf(join(ROOT, folder)).map((path) => join('..', folder, path)),
)

describe('the import table', () => {
  it('has a row for every module, and a module for every row', () => {
    expect(MODULES.filter((path) => !(rowOf(path) in MAY_IMPORT))).toEqual([])
    const used = new Set(MODULES.map(rowOf))
    expect(Object.keys(MAY_IMPORT).filter((row) => !used.has(row))).toEqual([])
  })

  it('allows every import', () => {
    expect(importsWhere(imports, (from, to) => !mayImport(from, to))).toEqual([])
  })

  it('keeps imports inside src, except those of the command line from the conformance suite', () => {
    expect(importsWhere(imports, (_, to) => to.startsWith('..') && !CONFORMANCE.includes(to))).toEqual([])
  })
})

describe('the import graph', () => {
  it('has no cycle, including type imports', () => {
    expect(cyclesIn(new Map([...imports, ...importsOf(SRC, OUTSIDE)]))).toEqual([])
  })

  it('is searched for cycles of any length', () => {
    const graph = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['d'], e: ['a'] }
    expect(cyclesIn(new Map(Object.entries(graph)))).toEqual(['a → b → c → a', 'd → d'])
  })
})

describe('the folders', () => {
  it.each(foldersOf(MODULES))('src/%s has no parts that import each other', (folder) => {
    expect(cyclesIn(importsInside(folder, imports))).toEqual([])
  })

  it('are compared with each other and with the files beside them', () => {
    const modules = new Map(Object.entries({ 'a/x/1.ts': ['a/y.ts'], 'a/y.ts': ['a/x/2.ts', 'b.ts'], 'a/x/2.ts': [] }))
    expect(cyclesIn(importsInside('a', modules))).toEqual(['x → y.ts → x'])
  })
})

describe('pure layers', () => {
  const pure = MODULES.filter((path) => PURE.includes(rowOf(path)))
  const isImpure = (path: string) => IMPURE.test(readFileSync(join(SRC, path), 'utf8'))

  it('receive time, randomness and the environment as arguments', () => {
    expect(pure.filter((path) => !(path in IMPURE_WITH_REASON) && isImpure(path))).toEqual([])
  })

  it('have a reason only for modules that need one', () => {
    expect(Object.keys(IMPURE_WITH_REASON).filter((path) => !pure.includes(path) || !isImpure(path))).toEqual([])
  })
})
