// Writes the figure of folders and imports into docs/architecture.md. `figureOf` also draws another checkout.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = join(ROOT, 'docs/architecture.md')
const BEGIN = '<!-- figure: node .ci/architecture.mjs -->\n'
const END = '<!-- end -->'
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)|(?:^|\n)import\s+'(\.[^']+)'/g

/** The modules of the product below `src`, without tests. */
const modulesOf = (root) =>
  readdirSync(join(root, 'src'), { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|suite|real|long|wine|desktops)\.tsx?$/.test(path))
    .sort()

const folderOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : undefined)

/** Folders that only tests and tools of the repository use, wherever they were. */
const TOOLS = ['acceptance', 'repository', 'test-support', 'bench', 'fuzz']

/** The folders of `src`, with the folders that each imports. */
function foldersOf(root) {
  const folders = new Map()
  for (const path of modulesOf(root)) {
    const folder = folderOf(path)
    if (folder === undefined || TOOLS.includes(folder)) continue
    const imports = folders.get(folder) ?? new Set()
    folders.set(folder, imports)
    for (const [, one, two, three] of readFileSync(join(root, 'src', path), 'utf8').matchAll(IMPORT)) {
      const target = folderOf(posix.join(dirname(path), one ?? two ?? three))
      if (target !== undefined && target !== folder && !target.startsWith('..')) imports.add(target)
    }
  }
  return folders
}

/** The imports that no chain of other imports implies, so that the figure can be read. */
function directImports(folders) {
  const reach = (from, without) => {
    const found = new Set()
    const visit = (name) => {
      for (const next of folders.get(name) ?? [])
        if (!(name === from && next === without) && !found.has(next)) {
          found.add(next)
          visit(next)
        }
    }
    visit(from)
    return found
  }
  return [...folders].flatMap(([from, imports]) =>
    [...imports].filter((to) => !reach(from, to).has(to)).map((to) => [from, to]),
  )
}

/** The figure, as Markdown: an arrow goes from a folder to one that it imports. */
export function figureOf(root) {
  const arrows = directImports(foldersOf(root)).map(([from, to]) => `  ${from} --> ${to}`)
  return ['```mermaid', 'flowchart TB', ...arrows.sort(), '```', ''].join('\n')
}

/** The page with the figure of this checkout. */
export function currentPage(page = readFileSync(PAGE, 'utf8')) {
  const [from, to] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)]
  return `${page.slice(0, from)}\n${figureOf(ROOT)}\n${page.slice(to)}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, currentPage())
