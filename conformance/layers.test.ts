import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  cyclesIn,
  foldersOf,
  importsInside,
  importsOf,
  importsWhere,
  modulesOf,
} from '../test/support/repository/import-graph.ts'
import { PROTOCOLS } from './protocols.ts'

const ROOT = fileURLToPath(new URL('.', import.meta.url))
const MODULES = modulesOf(ROOT)
const imports = importsOf(ROOT, MODULES)

const folderOf = (path: string) => PROTOCOLS.find((protocol) => path.startsWith(`${protocol}/`))

it('lets only the registry import the folder of a protocol, and no protocol another', () => {
  const wrong = importsWhere(imports, (from, to) => folderOf(to) !== undefined && folderOf(to) !== folderOf(from))
  expect(wrong).toEqual(PROTOCOLS.map((protocol) => `protocols.ts imports ${protocol}/index.ts`))
})

it('imports nothing from outside of the suite', () => {
  expect(importsWhere(imports, (_, to) => to.startsWith('..'))).toEqual([])
})

it('has no import cycle', () => {
  expect(cyclesIn(imports)).toEqual([])
})

describe('the folders', () => {
  it.each(foldersOf(MODULES))('conformance/%s has no parts that import each other', (folder) => {
    expect(cyclesIn(importsInside(folder, imports))).toEqual([])
  })
})
