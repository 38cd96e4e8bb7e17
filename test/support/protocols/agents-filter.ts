import { type ParsedXml, walkXml } from './xml.ts'

// What agents that read OSWorld's accessibility tree show to their model, and how they read places.

const ENDS = 'item button heading label scrollbar searchbox textbox link tabelement textfield textarea menu'.split(' ')
const TAGS: ReadonlySet<string> = new Set(
  'alert canvas check-box combo-box entry icon image paragraph scroll-bar section slider static table-cell terminal text'.split(
    ' ',
  ),
)

/** The elements of a tree of Linux that agents keep. */
export const keptByAgents = (root: ParsedXml): readonly ParsedXml[] => [...walkXml(root)].filter(isKept)

function isKept({ tag, attributes, text }: ParsedXml): boolean {
  const isSet = (state: string) => attributes[`st:${state}`] === 'true'
  const isKnown = tag.startsWith('document') || TAGS.has(tag) || ENDS.some((end) => tag.endsWith(end))
  const isUsable = ['enabled', 'editable', 'expandable', 'checkable'].some(isSet)
  if (!isKnown || !isSet('showing') || !isSet('visible') || !isUsable) return false
  if ((attributes.name ?? '') === '' && text === '') return false
  const [x, y] = evaluated(attributes['cp:screencoord'])
  const [width, height] = evaluated(attributes['cp:size'])
  return x >= 0 && y >= 0 && width > 0 && height > 0
}

/** A tuple of two whole numbers, as Python evaluates it. Throws for any other text. */
export function evaluated(tuple = '(-1, -1)'): readonly [number, number] {
  const [, first, second] = /^\((-?\d+), (-?\d+)\)$/.exec(tuple) ?? []
  if (first === undefined || second === undefined) throw new Error(`${tuple} is not a tuple of two numbers`)
  return [Number(first), Number(second)]
}
