import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

const DECLARATION = /^export (?:declare |abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm

function modules(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|suite|real|long|wine)\.ts$/.test(name))
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

it('has no reason for a name that one module declares', () => {
  const found = new Set([...repeated('src'), ...repeated('conformance')])
  expect(Object.keys(REASONS).filter((name) => !found.has(name))).toEqual([])
})
