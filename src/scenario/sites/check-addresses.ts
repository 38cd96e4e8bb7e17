import { didYouMean } from '../../base/strings.ts'
import {
  childOf,
  type MapNode,
  nodeText,
  type Report,
  type ScalarNode,
  type SourceNode,
} from '../source/source-node.ts'
import { addressOf, type PathPart, segmentsOf } from './sites.ts'

/** The paths of a site. */
type PathsByHost = ReadonlyMap<string, readonly string[]>

/** Reports links and other addresses of a file that no page answers. Templates in them may be anything. */
export function checkAddresses(root: MapNode, paths: PathsByHost, report: Report): void {
  const seen = new Set<SourceNode>()
  const visit = (node: SourceNode, host: string | undefined): void => {
    if (node.kind === 'scalar' || seen.has(node)) return
    seen.add(node)
    if (node.kind === 'list') {
      for (const item of node.items) visit(item, host)
      return
    }
    for (const [key, entry] of node.entries) {
      const text = ADDRESS_KEYS.has(key) && entry.node.kind === 'scalar' ? nodeText(entry.node) : undefined
      if (text === undefined) visit(entry.node, host)
      else checkAddress(text, entry.node as ScalarNode, host, paths, report)
    }
  }
  const sites = childOf(root, 'sites')
  if (sites?.kind === 'map')
    for (const [host, { node }] of sites.entries) {
      visit(node, host)
      for (const to of redirectsOf(node)) checkAddress(nodeText(to) ?? '', to, host, paths, report)
    }
  visit(root, undefined)
}

const ADDRESS_KEYS: ReadonlySet<string> = new Set(['href', 'navigate'])

function redirectsOf(site: SourceNode): readonly ScalarNode[] {
  const pages = site.kind === 'map' ? childOf(site, 'pages') : undefined
  if (pages?.kind !== 'map') return []
  return [...pages.entries.values()].flatMap(({ node }) => {
    const redirect = node.kind === 'map' ? childOf(node, 'redirect') : undefined
    const to = redirect?.kind === 'map' ? childOf(redirect, 'to') : redirect
    return to?.kind === 'scalar' ? [to] : []
  })
}

/** Stands for a template in an address. */
const HOLE = '--template--'

function checkAddress(
  text: string,
  { place }: ScalarNode,
  host: string | undefined,
  paths: PathsByHost,
  report: Report,
): void {
  const filled = text.replace(/\{\{.*?\}\}/gs, HOLE)
  if (filled.startsWith(HOLE) || filled.trim() === '') return
  const base = host ?? UNKNOWN
  const url = addressOf(filled, `https://${base}/`)
  if (!url || url.host.includes(HOLE)) return
  const known = url.host === UNKNOWN ? [...paths.values()].flat() : paths.get(url.host)
  const hosts = [...paths.keys()]
  if (!known) {
    report(place, `there is no site ${url.host}${didYouMean(url.host, hosts) || `; the sites are ${hosts.join(', ')}`}`)
    return
  }
  const parts = url.pathname.split('/').filter((part) => part !== '')
  if (known.some((path) => fits(segmentsOf(path), parts))) return
  const asHost = hosts.find((each) => text.startsWith(each))
  const where = url.host === UNKNOWN ? 'no site' : url.host
  const hint =
    asHost === undefined
      ? didYouMean(text, known) || `; its pages are ${known.slice(0, MAX_LISTED).join(', ')}`
      : `; write https://${text} for another site`
  report(place, `${where === 'no site' ? 'no site has' : `${where} has no`} page ${text}${hint}`)
}

/** The host of relative addresses outside of a site. */
const UNKNOWN = 'any-site'
const MAX_LISTED = 6

const fits = (segments: readonly PathPart[], parts: readonly string[]): boolean =>
  segments.length === parts.length &&
  segments.every(
    (segment, index) => 'param' in segment || parts[index]!.includes(HOLE) || segment.word === parts[index],
  )
