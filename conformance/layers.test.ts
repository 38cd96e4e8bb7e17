import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { PROTOCOLS } from './protocols.ts'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const IMPORTS = /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import\s+'([^']+)'/g

const importsOf = (path: string): readonly string[] =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(IMPORTS)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((target) => target.startsWith('.'))
    .map((target) => relative(ROOT, resolve(ROOT, dirname(path), target)))

/** All modules except tests, with what they import, types included. */
const imports = new Map(
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(test|long)\.ts$/.test(path))
    .map((path) => [path, importsOf(path)]),
)

const folderOf = (path: string) => PROTOCOLS.find((protocol) => path.startsWith(`${protocol}/`))

it('lets only the registry import the folder of a protocol, and no protocol another', () => {
  const wrong = [...imports].flatMap(([from, targets]) =>
    targets.filter((to) => folderOf(to) !== undefined && folderOf(to) !== folderOf(from)).map((to) => `${from}: ${to}`),
  )
  expect(wrong).toEqual(PROTOCOLS.map((protocol) => `protocols.ts: ${protocol}/index.ts`))
})

it('imports nothing from outside of the suite', () => {
  const outside = [...imports.values()].flat().filter((to) => to.startsWith('..'))
  expect(outside).toEqual([])
})

it('has no import cycle', () => {
  const cycles: string[] = []
  const done = new Set<string>()
  const visit = (path: string, above: readonly string[]): void => {
    const start = above.indexOf(path)
    if (start >= 0) cycles.push([...above.slice(start), path].join(' → '))
    if (start >= 0 || done.has(path)) return
    for (const target of imports.get(path) ?? []) visit(target, [...above, path])
    done.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  expect(cycles).toEqual([])
})
