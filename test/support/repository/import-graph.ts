import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** What each module or part of a folder imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

const IMPORTS = /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g

/** The modules of a folder except tests, by their paths in it. */
export const modulesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|suite|real|long|wine|desktops)\.ts$/.test(path))
    .sort()

/** The files that modules of a folder import, types included, by their paths from it. */
export const importsOf = (folder: string, modules: readonly string[]): ImportGraph =>
  new Map(
    modules.map((path) => [
      path,
      [...readFileSync(join(folder, path), 'utf8').matchAll(IMPORTS)]
        .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
        .filter((target) => target.startsWith('.'))
        .map((target) => relative(folder, resolve(folder, dirname(path), target))),
    ]),
  )

/** Imports that fail a condition, as text. */
export const importsWhere = (imports: ImportGraph, isWrong: (from: string, to: string) => boolean): readonly string[] =>
  [...imports].flatMap(([from, targets]) =>
    targets.filter((to) => isWrong(from, to)).map((to) => `${from} imports ${to}`),
  )

/** The cycles that a depth-first search through a graph closes. */
export function cyclesIn(graph: ImportGraph): readonly string[] {
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

/** The imports between the parts of a folder: its folders and its files. */
export function importsInside(folder: string, imports: ImportGraph): ImportGraph {
  const inside = (path: string) => folder === '' || path.startsWith(`${folder}/`)
  const partOf = (path: string) => path.slice(folder === '' ? 0 : folder.length + 1).split('/')[0]!
  const graph = new Map<string, Set<string>>()
  for (const [from, targets] of imports) {
    if (!inside(from)) continue
    const part = partOf(from)
    const found = graph.get(part) ?? new Set()
    for (const to of targets) if (inside(to) && partOf(to) !== part) found.add(partOf(to))
    graph.set(part, found)
  }
  return new Map([...graph].map(([part, targets]) => [part, [...targets]]))
}

/** Every folder that has modules, at every level; the empty text is the whole. */
export const foldersOf = (modules: readonly string[]): readonly string[] => [
  ...new Set(
    modules.flatMap((path) => {
      const names = path.split('/')
      return names.map((_, level) => names.slice(0, level).join('/'))
    }),
  ),
]
