import { createHash } from 'node:crypto'
import { readFileSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

/** The content of agents, by which a change of an agent is noticed. */

/** A larger file, such as an interpreter that a command names, counts by its size. */
const MAX_READ_BYTES = 5_000_000
const MAX_FILES = 2000

/** What is at a path; undefined for nothing, and for text that is no path. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

const isFile = (path: string): boolean => statOf(path)?.isFile() ?? false
const isFolder = (path: string): boolean => statOf(path)?.isDirectory() ?? false

/** The files that a shell command names: as a word, as the value of an option or a variable, or as a module of Python. */
export function filesInCommand(command: string): readonly string[] {
  let folder = resolve('.')
  let before = ''
  const files: string[] = []
  for (const [, double, single, bare] of command.matchAll(/"([^"]*)"|'([^']*)'|([^\s"';&|<>()]+)/g)) {
    const word = double ?? single ?? bare ?? ''
    if (before === 'cd' && isFolder(resolve(folder, word))) folder = resolve(folder, word)
    const inOption = word.slice(word.indexOf('=') + 1)
    const asModule = before === '-m' ? pythonFiles(folder, word) : []
    files.push(...[resolve(folder, word), resolve(folder, inOption), ...asModule].filter(isFile))
    before = word
  }
  return files
}

/** The hash of the paths that are files, and of the files that they import below their folder. Null without files. */
export function hashOfFiles(named: readonly string[]): string | null {
  const entries = named.filter(isFile)
  if (entries.length === 0) return null
  const found = new Set(entries)
  // A set hands out what is added while it is read.
  for (const file of found) {
    const root = entries.find((entry) => isBelow(dirname(entry), file))
    if (root === undefined || found.size > MAX_FILES) continue
    for (const imported of importsOf(file)) if (isBelow(dirname(root), imported)) found.add(imported)
  }
  const place = (file: string) => relative('.', file).replaceAll('\\', '/')
  return hashOfTexts([...found].map((file) => `${place(file)}\0${contentOf(file)}`).sort())
}

const isBelow = (folder: string, file: string): boolean =>
  file.startsWith(folder + sep) && !relative(folder, file).split(sep).includes('node_modules')

function contentOf(file: string): string {
  const { size } = statSync(file)
  return size > MAX_READ_BYTES ? String(size) : createHash('sha256').update(readFileSync(file)).digest('hex')
}

/** The endings that a path in an import may leave out. TypeScript writes the ending of the compiled file. */
const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '/index.js', '/index.ts']

/** The files that a program names in its text by a path that begins with a dot, or that Python imports. */
function importsOf(file: string): readonly string[] {
  const [ending = ''] = /\.\w+$/.exec(file) ?? []
  if (!/^\.(?:[cm]?[jt]sx?|py)$/.test(ending) || statSync(file).size > MAX_READ_BYTES) return []
  const text = readFileSync(file, 'utf8')
  if (ending === '.py') return pythonImports(file, text)
  return [...text.matchAll(/["'`](\.{1,2}\/[^"'`\n]{1,300})["'`]/g)].flatMap(([, path = '']) => {
    const bare = path.replace(/\.([cm]?)js$/, '.$1ts')
    return [...ENDINGS.map((each) => path + each), bare].map((each) => join(dirname(file), each)).filter(isFile)
  })
}

function pythonImports(file: string, text: string): readonly string[] {
  const from = [...text.matchAll(/^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+([^\n]+)/gm)].flatMap(
    ([, dots = '', module = '', names = '']) => {
      const folder = join(dirname(file), ...Array.from({ length: Math.max(0, dots.length - 1) }, () => '..'))
      const inside = [...names.matchAll(/\w+/g)].map(([name]) => (module === '' ? name : `${module}.${name}`))
      return [module, ...inside].flatMap((each) => pythonFiles(folder, each))
    },
  )
  const whole = [...text.matchAll(/^[ \t]*import[ \t]+([^\n]+)/gm)].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => pythonFiles(dirname(file), name.trim().split(/\s/)[0] ?? '')),
  )
  return [...from, ...whole]
}

/** The files of a module of Python, such as `package.module`. */
const pythonFiles = (folder: string, module: string): readonly string[] => {
  const path = join(folder, ...module.split('.'))
  return [`${path}.py`, join(path, '__init__.py'), join(path, '__main__.py')].filter(
    (file) => module !== '' && basename(file) !== '.py' && isFile(file),
  )
}

/** The SHA-256 of a list of texts. */
export function hashOfTexts(parts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:${part}`)
  return hash.digest('hex')
}
