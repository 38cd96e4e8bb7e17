import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml'
import { bundledFiles } from '../queue/job.ts'
import { type LoadedSuite, SuiteError } from '../suite/load-suite.ts'

/** What a desktop does not need: how its task is solved and judged, and what scripted agents and models say. */
const WITHHELD = ['solution', 'solutions', 'obedience', 'oracles', 'agent', 'model'] as const

/**
 * Writes a copy of each task's scenario, with the files that it includes and its pictures, below a folder. Copies have no
 * solution, no oracles and no comments, and behave alike.
 * @returns The path of each copy by its task.
 * @throws A `SuiteError` for a task whose copy would not be below the folder, or is there already.
 */
export async function writeServedCopies({ tasks }: LoadedSuite, folder: string): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>()
  for (const { id, file } of tasks) {
    if (!/^[\w][\w.-]*$/.test(id))
      throw new SuiteError(
        `the task ${JSON.stringify(id)} gives no name of a folder; give it an id of letters, digits and dashes`,
      )
    const { main, files } = await bundledFiles(file)
    for (const { path, ...content } of files) {
      const copy = join(folder, id, path)
      mkdirSync(dirname(copy), { recursive: true })
      writeNew(copy, 'text' in content ? servedText(path, content.text) : Buffer.from(content.base64, 'base64'))
    }
    paths.set(id, join(folder, id, main))
  }
  return paths
}

function writeNew(path: string, content: string | Buffer): void {
  try {
    writeFileSync(path, content, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new SuiteError(`${path} is there already; name an empty folder`)
  }
}

/**
 * The text of a file without what is withheld and without comments. Scalars stay as they are spelt, so that `4.0` is no
 * integer and `007` no other text. Files that are not YAML stay as they are.
 */
export function servedText(path: string, text: string): string {
  if (!/\.ya?ml$/i.test(path)) return text
  // The failsafe schema knows no numbers, so that none is spelt anew.
  const document = parseDocument(text, { schema: 'failsafe', uniqueKeys: false })
  const { contents } = document
  if (!isMap(contents)) return text
  const sources = aliasSources(document)
  withhold(contents, sources)
  keepAliasesValid(document, sources)
  removeComments(document)
  return document.toString({ lineWidth: 0 })
}

type AliasSources = ReadonlyMap<Alias, Node | undefined>

function aliasSources(document: Document): AliasSources {
  const sources = new Map<Alias, Node | undefined>()
  visit(document, { Alias: (_, alias) => void sources.set(alias, alias.resolve(document)) })
  return sources
}

/** Takes the withheld sections from a map and from the maps that are merged into it. */
function withhold(map: YAMLMap, sources: AliasSources): void {
  map.items = map.items.filter(({ key }) => !(WITHHELD as readonly unknown[]).includes(scalarText(key)))
  for (const { key, value } of map.items) {
    if (scalarText(key) !== '<<') continue
    for (const merged of isSeq(value) ? value.items : [value]) {
      const source = isAlias(merged) ? sources.get(merged) : merged
      if (isMap(source)) withhold(source, sources)
    }
  }
}

const scalarText = (node: unknown): unknown => (isScalar(node) ? node.value : undefined)

/** Puts what an alias stood for in its place where the anchor was withheld. Later aliases then mean this one. */
function keepAliasesValid(document: Document, sources: AliasSources): void {
  const met = new Set<Node>()
  visit(document, {
    Node: (_, node) => {
      const source = isAlias(node) ? sources.get(node) : undefined
      if (source && !met.has(source)) return source
      met.add(node)
      return undefined
    },
  })
}

function removeComments(document: Document): void {
  document.commentBefore = null
  document.comment = null
  visit(document, {
    Node: (_, node) => {
      node.commentBefore = null
      node.comment = null
      // Without a schema, a value that was left out would be written as an empty text.
      if (isScalar(node) && node.source === '' && node.type === 'PLAIN') node.value = '~'
    },
  })
}
