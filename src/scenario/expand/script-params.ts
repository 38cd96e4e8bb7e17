import { textOfValue } from '../expression/data-type.ts'
import { type Expansion, evaluateNode } from './expand-text.ts'
import type { Names } from './names.ts'
import { plainValue, type SourceNode } from './source-node.ts'

/** A template of a script that names a parameter; all others are filled while the script is played. */
const PARAMETER = /\{\{\s*params\.([\w.]+)\s*\}\}/g

/** Fills the parameters in the script of an agent. */
export function fillScriptParams(node: SourceNode, names: Names, expansion: Expansion): SourceNode {
  if (node.kind === 'list')
    return { ...node, items: node.items.map((item) => fillScriptParams(item, names, expansion)) }
  if (node.kind === 'map') {
    const entries = [...node.entries].map(
      ([key, entry]) => [key, { ...entry, node: fillScriptParams(entry.node, names, expansion) }] as const,
    )
    return { ...node, entries: new Map(entries) }
  }
  if (typeof node.value !== 'string') return node
  const value = node.value.replace(PARAMETER, (_, path: string) => {
    const filled = evaluateNode({ ...node, value: `{{ ${path} }}` }, names, expansion).node
    return textOfValue(plainValue(filled))
  })
  return { ...node, value }
}
