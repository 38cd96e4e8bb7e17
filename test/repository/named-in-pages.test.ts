import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

// CONTRIBUTING.md and the README.md files name files and code in backticks. What they name exists.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Folders without sources of this repository. */
const FOREIGN: ReadonlySet<string> = new Set(['node_modules', '.git', 'reports', 'dist', 'built', '.pages', '.backlot'])
const CODE = /\.(?:[cm]?ts|tsx|mjs|py|c|json|ya?ml|sh)$/

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return FOREIGN.has(entry.name) ? [] : filesBelow(path)
    return [path]
  })

const FILES = filesBelow('')
const PAGES = FILES.filter((path) => path === 'CONTRIBUTING.md' || /(?:^|\/)README\.md$/.test(path))

/** Every end of a path, at a folder: `b/c.ts` and `c.ts` of `a/b/c.ts`, and the folders above. */
const PATH_ENDS: ReadonlySet<string> = new Set(
  FILES.flatMap((file) => {
    const parts = file.split('/')
    return parts.flatMap((_, end) => parts.slice(0, end + 1).map((__, start) => parts.slice(start, end + 1).join('/')))
  }),
)

/** Every word and file name of the code, without comments and without this file. */
const WORDS: ReadonlySet<string> = new Set(
  FILES.filter((path) => CODE.test(path) && !/package-lock\.json$|named-in-pages/.test(path)).flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const code = /\.(?:[cm]?ts|tsx|mjs|c)$/.test(path) ? text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '') : text
    return [...(code.match(/\w+/g) ?? []), ...(code.match(/[\w-]+\.\w+/g) ?? [])]
  }),
)

/** A file, and not a route such as `/openapi.json`. */
const FILE = /^(?!\/)[\w.*{}|/-]+\.(?:[cm]?ts|tsx|md|mjs|ya?ml|json|py)$/
const DATA = /\.(?:json|ya?ml|py|mjs)$/
/** A folder of this repository by its path, and not a route such as `/api/tool`. */
const FOLDER = /^(?:src|conformance|test|bench|fuzz|docs|scenarios|fixtures|\.ci)\/[\w./-]*$/
/** `CONSTANT_NAME`, `camelCase` and `PascalCase`; a single capital word is a placeholder such as `NAME`, unless it is code. */
const NAME =
  /^(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{4,}|[a-z]+[a-z0-9]*(?:[A-Z][a-z0-9]*)+|(?:[A-Z][a-z0-9]+){2,})(?:\(\))?$/

/** Stand for what the reader puts there. */
const PLACEHOLDERS = new Set(['NAME', 'STYLE', 'PROTOCOL', 'ROLE', 'FILE', 'PATH', 'FOLDER', 'FAULT'])
const PLACEHOLDER = new RegExp(`(?:${[...PLACEHOLDERS].join('|')})`)

/** The texts in backticks outside of blocks of code. */
const spansOf = (page: string): readonly string[] =>
  [...page.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)

function isDead(word: string, page: string): boolean {
  if (PLACEHOLDERS.has(word)) return false
  if (FILE.test(word) || FOLDER.test(word)) {
    // The package is called `backlot`.
    const path = word.replace(/^(?:\.|backlot)\//, '').replace(/\/$/, '')
    // A file of data that the program writes is named in the code.
    if (DATA.test(path) && WORDS.has(basename(path))) return false
    if (PLACEHOLDER.test(path) || /[*{}|]/.test(path)) return false
    return !PATH_ENDS.has(path) && !existsSync(join(ROOT, dirname(page), path))
  }
  return NAME.test(word) && !WORDS.has(word.replace('()', ''))
}

/** The files and names in backticks of a page which do not exist. */
const deadIn = (text: string, page: string): readonly string[] =>
  spansOf(text)
    .flatMap((span) => span.split(/[\s,;]+/))
    .filter((word) => isDead(word, page))

describe('a page', () => {
  it.each(PAGES)('%s names files and code that exist', (page) => {
    expect(deadIn(readFileSync(join(ROOT, page), 'utf8'), page)).toEqual([])
  })

  it('that names deleted files and code is found', () => {
    const page =
      'A kind is a row of `JUDGES` in `src/scenario/oracle.ts`, beside `check-names.ts`, `openNothing()` and `src/nothing/`.'
    expect(deadIn(page, 'CONTRIBUTING.md')).toEqual([
      'JUDGES',
      'src/scenario/oracle.ts',
      'check-names.ts',
      'openNothing()',
      'src/nothing/',
    ])
    expect(deadIn('`package.json`, `repository/names.test.ts`, `STYLE/tokens.ts`, `MAX_STEPS`', 'README.md')).toEqual(
      [],
    )
  })
})
