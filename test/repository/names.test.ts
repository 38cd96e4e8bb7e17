import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

// One word, one meaning: an exported name is declared in one module. `src` and `conformance` are separate programs.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Every folder of `src/protocols` and of `conformance` with a definition. The observer has one folder per transport. */
const PROTOCOLS = ['src/protocols', 'conformance'].flatMap((home) =>
  readdirSync(join(ROOT, home))
    .filter((folder) => existsSync(join(ROOT, home, folder, 'index.ts')))
    .map((folder) => folder.replace(/^observer-\w+$/, 'observer')),
)

/** Names that several modules declare with the same meaning, and why. */
const REASONS: Readonly<Record<string, string>> = {
  parseScenario: 'the public API declares it again with a type that names no other package',
}

/** One function per role, in each layer that has a table of roles. */
const ROLES: ReadonlySet<string> = new Set(
  `
  button cell checkbox combo day dialog document edit expander group headerItem link
  list listItem menu menuBar menuItem pane radio row scrollbar slider spinner splitter
  tab tabItem table tabs text toggle treeItem
  `.split(/\s+/),
)
const LAYERS = /^src\/(?:desktop\/model\/builders|desktop\/(?:widgets|roles)|paint\/(?:frame\/draw-op|widgets))\b/

/** Words that mean different things on their own: an exported name says which. Wires keep the words of their documents. */
const NEEDS_A_NOUN: ReadonlySet<string> = new Set(
  `
  at follow holds isNew look mark nameOf part parts placeOf run settle shown textOf tick ticked turn well written
  Look Mark Part Parts Recorder Run Session Surface Turn ABOUT IN OUT SENSE URL
  `.split(/\s+/),
)
const WIRE = /\/(?:contract|responses|wire)\.ts$/

const MAX_SHARED = 4

/** Names of files that more folders have, each with the same subject in all of them. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  'chrome.ts': 'what one style draws in its own way',
  'connection.ts': 'a connection of one protocol or system',
  'contract.ts': 'the messages of one protocol',
  'doctor.ts': 'what one adapter needs of its machine',
  'document.ts': 'the document of one protocol',
  'driver.ts': 'calls servers of one protocol',
  'files.ts': 'the files of one protocol or of a desktop',
  'http.ts': 'the requests of one protocol or door over HTTP',
  'index.ts': 'the definition of a folder',
  'input.ts': 'keyboard and pointer of one system, tool or protocol',
  'probe.ts': 'what the audit asks one protocol for',
  'routes.ts': 'the routes of one protocol',
  'sabotage.ts': 'breaks the messages of one protocol',
  'server.ts': 'a server of one protocol',
  'tokens.ts': 'the tokens of one language or style',
  'translate.ts': 'events of the engine in one protocol',
  'wire.ts': 'the messages of one protocol',
}

const DECLARATION = /^export (?:declare |abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm

function modules(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|suite|real|long|wine|desktops)\.ts$/.test(name))
    .map((name) => join(folder, name))
}

/** The modules that declare each exported name. */
function declarations(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const path of paths) {
    for (const [, name = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(DECLARATION)) {
      found.set(name, (found.get(name) ?? new Set()).add(path))
    }
  }
  return found
}

const protocolOf = (path: string) => PROTOCOLS.find((name) => new RegExp(`[/.]${name}[./-]`).test(path))

/** Whether each module belongs to another protocol: their folders have the same modules with the same exports. */
function isOnePerProtocol(paths: ReadonlySet<string>): boolean {
  const protocols = [...paths].map(protocolOf)
  return !protocols.includes(undefined) && new Set(protocols).size === paths.size
}

function repeated(folder: string): readonly string[] {
  return [...declarations(modules(folder))]
    .filter(([, paths]) => paths.size > 1 && !isOnePerProtocol(paths))
    .filter(([name, paths]) => !(ROLES.has(name) && [...paths].every((path) => LAYERS.test(path))))
    .map(([name]) => name)
}

describe.each(['src', 'conformance'])('exported names of %s', (folder) => {
  const found = repeated(folder)

  it('are declared in one module, or have a reason', () => {
    expect(found.filter((name) => !(name in REASONS)).sort()).toEqual([])
  })
})

it('exports no word that has several meanings', () => {
  const paths = ['src', 'conformance'].flatMap(modules).filter((path) => !WIRE.test(path))
  const found = [...declarations(paths)].filter(([name]) => NEEDS_A_NOUN.has(name))
  expect(found.map(([name, where]) => `${name} in ${[...where].join(', ')}`)).toEqual([])
})

it(`has the same subject in all files of a name that more than ${MAX_SHARED} modules have`, () => {
  const counts = new Map<string, number>()
  for (const path of ['src', 'conformance'].flatMap(modules)) {
    const name = basename(path)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const shared = [...counts].filter(([, count]) => count > MAX_SHARED).map(([name]) => name)
  expect(shared.filter((name) => !(name in FILE_NAMES)).sort()).toEqual([])
  // Those that few folders have still are what a new style or door calls its files.
  expect(Object.keys(FILE_NAMES).filter((name) => (counts.get(name) ?? 0) < 2)).toEqual([])
})

it('has no reason for a name that one module declares', () => {
  const found = new Set([...repeated('src'), ...repeated('conformance')])
  expect(Object.keys(REASONS).filter((name) => !found.has(name))).toEqual([])
})
