import { didYouMean } from '../../base/strings.ts'
import {
  childOf,
  type MapEntry,
  type MapNode,
  nodeText,
  type Report,
  type SourceNode,
  type SourceProblem,
} from '../source/source-node.ts'
import { optionIn, withOptionSet } from './components.ts'

/** Reads a file that a scenario includes: its node, or why it cannot be read. `from` is the file that names it. */
export type ReadInclude = (path: string, from: string) => MapNode | UnreadInclude

/** Why an included file cannot be used: a message about the line that names it, or problems in the file itself. */
export type UnreadInclude = { readonly message: string } | { readonly unreadable: readonly SourceProblem[] }

const MAX_FILES = 100
const MAX_INCLUDE_DEPTH = 10

/** Sections that are maps by name: files add to them. */
const NAMED_SECTIONS =
  'components params vars types computed events sites actors states files locales synonyms solutions'.split(' ')
/** Sections that are lists: those of an included file come first. */
const LISTED_SECTIONS = ['windows', 'reactions', 'timers', 'undo', 'faults', 'assert']
/** The keys of a file that is included. */
export const INCLUDED_SECTIONS: readonly string[] = [...NAMED_SECTIONS, ...LISTED_SECTIONS, 'include']

/** The root of a scenario with everything that it includes. A file that is included twice counts once. */
export function withIncludes(root: MapNode, readInclude: ReadInclude, report: Report): MapNode {
  const seen = new Set<string>()
  const merge = (map: MapNode, chain: readonly string[]): MapNode => {
    const include = childOf(map, 'include')
    if (!include) return map
    const bare = { ...map, entries: new Map([...map.entries].filter(([key]) => key !== 'include')) }
    const paths = include.kind === 'list' ? include.items : [include]
    // In the order of the file: what two of them include comes before both.
    const parts = paths.flatMap((path) => readOne(path, map.place.file, chain) ?? [])
    return parts.reduceRight<MapNode>((current, part) => joined(part, current, report), bare)
  }
  const readOne = (node: SourceNode, from: string, chain: readonly string[]): MapNode | undefined => {
    const path = nodeText(node)
    if (path === undefined) {
      report(node.place, 'expected the path of a scenario file')
      return undefined
    }
    const found = readInclude(path, from)
    if ('message' in found) {
      report(node.place, found.message)
      return undefined
    }
    if ('unreadable' in found) {
      for (const { place, message } of found.unreadable) report(place, message)
      return undefined
    }
    const { file } = found.place
    if (chain.includes(file)) {
      report(node.place, `the file includes itself: ${[...chain, file].join(' → ')}`)
      return undefined
    }
    if (seen.has(file)) return undefined
    seen.add(file)
    if (seen.size > MAX_FILES || chain.length > MAX_INCLUDE_DEPTH) {
      report(node.place, `more than ${MAX_FILES} files, or ${MAX_INCLUDE_DEPTH} within each other, are included`)
      return undefined
    }
    for (const [key, { keyPlace }] of found.entries)
      if (!INCLUDED_SECTIONS.includes(key))
        report(
          keyPlace,
          `${JSON.stringify(key)} has no meaning in a file that is included${didYouMean(key, INCLUDED_SECTIONS) || `; expected ${INCLUDED_SECTIONS.join(', ')}`}`,
        )
    return merge(found, [...chain, file])
  }
  return merge(root, [root.place.file])
}

function joined(part: MapNode, root: MapNode, report: Report): MapNode {
  const entries = new Map(root.entries)
  for (const [key, entry] of part.entries) {
    const own = root.entries.get(key)
    if (!own) entries.set(key, entry)
    else if (LISTED_SECTIONS.includes(key)) entries.set(key, concatenated(entry, own))
    else if (NAMED_SECTIONS.includes(key)) entries.set(key, united(key, entry, own, report))
  }
  return { ...root, entries }
}

function concatenated(first: MapEntry, second: MapEntry): MapEntry {
  if (!isListOrEmpty(second.node)) return second
  const items = [first, second].flatMap(({ node }) => (node.kind === 'list' ? node.items : []))
  return { ...second, node: { kind: 'list', items, place: second.node.place } }
}

/** Whether other items can be added to a section. Any other value stays, so that it is reported. */
export const isListOrEmpty = (node: SourceNode): boolean =>
  node.kind === 'list' || (node.kind === 'scalar' && node.value === null)

function united(section: string, part: MapEntry, own: MapEntry, report: Report): MapEntry {
  if (part.node.kind !== 'map' || own.node.kind !== 'map') return own
  const entries = new Map([...part.node.entries, ...own.node.entries])
  for (const [name, entry] of own.node.entries) {
    const other = part.node.entries.get(name)
    const option = section === 'params' ? optionIn(other?.node) : undefined
    if (other && section === 'locales') entries.set(name, united(`${section}.${name}`, other, entry, report))
    else if (option) entries.set(name, { ...entry, node: withOptionSet(option, entry.node) })
    else if (other)
      report(entry.keyPlace, `${section}.${name} is already defined in ${other.keyPlace.file}:${other.keyPlace.line}`)
  }
  return { ...own, node: { ...own.node, entries } }
}
