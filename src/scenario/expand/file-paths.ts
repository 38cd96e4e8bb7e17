import { textOfValue } from '../expression/data-type.ts'
import { type Expansion, fillScalar } from './expand-text.ts'
import type { Names } from './names.ts'
import { type MapEntry, plainValue, type SourceNode } from './source-node.ts'

/** Fills the templates in the paths of `files`, whose texts are filled already. */
export function fillFilePaths(files: SourceNode, names: Names, expansion: Expansion): SourceNode {
  if (files.kind !== 'map') return files
  const entries = new Map<string, MapEntry>()
  for (const [written, { keyPlace, node }] of files.entries) {
    const filled = fillScalar({ kind: 'scalar', value: written, place: keyPlace }, names, expansion).node
    const path = textOfValue(plainValue(filled))
    if (entries.has(path)) expansion.report(keyPlace, `${written} is ${path}, which is another file here`)
    entries.set(path, { keyPlace, node: asFileText(node) })
  }
  return { ...files, entries }
}

/** A number or boolean that a template gave, as the text of a file. */
const asFileText = (node: SourceNode): SourceNode =>
  node.kind === 'scalar' && node.value !== null ? { ...node, value: String(node.value) } : node
