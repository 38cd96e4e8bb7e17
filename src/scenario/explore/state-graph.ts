import { textWidth } from '../../desktop/model/text-width.ts'
import type { ExploredScreen, ScreenSearch } from './explore.ts'

/** The states of a scenario and the actions between them, for pictures. */
interface StateGraph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

interface GraphNode {
  readonly label: string
  readonly kind: 'start' | 'solved' | 'failed' | 'unreached' | 'open'
}

export interface GraphEdge {
  readonly from: number
  readonly to: number
  /** The first actions between the two, and how many more there are. */
  readonly label: string
}

const MAX_SCREENS = 60
const MAX_LABELS = 2

/** The graph of a search: its states, or its first screens when the scenario has one state. */
export function stateGraphOf(search: ScreenSearch): StateGraph {
  return search.scenario.states.size > 1 ? graphOfStates(search) : graphOfScreens(search)
}

function graphOfStates({ scenario, screens }: ScreenSearch): StateGraph {
  const names = [...scenario.states.keys()]
  const nodes = names.map((name): GraphNode => {
    const own = screens.filter(({ run }) => run.state === name)
    const count = own.length === 1 ? '1 screen' : `${own.length} screens`
    return { label: `${name} (${count})`, kind: own.length === 0 ? 'unreached' : kindOf(own, screens[0]!) }
  })
  const labels = new Map<string, Set<string>>()
  for (const { run, steps } of screens)
    for (const { to, label } of steps) {
      const other = screens[to]!.run.state
      if (other === run.state) continue
      const key = `${names.indexOf(run.state)} ${names.indexOf(other)}`
      labels.set(key, (labels.get(key) ?? new Set()).add(label))
    }
  return { nodes, edges: edgesOf(labels) }
}

function graphOfScreens({ screens }: ScreenSearch): StateGraph {
  const shown = screens.slice(0, MAX_SCREENS)
  const labels = new Map<string, Set<string>>()
  for (const { index, steps } of shown)
    for (const { to, label } of steps)
      if (to < shown.length) labels.set(`${index} ${to}`, (labels.get(`${index} ${to}`) ?? new Set()).add(label))
  return {
    nodes: shown.map((screen) => ({ label: `screen ${screen.index + 1}`, kind: kindOf([screen], screens[0]!) })),
    edges: edgesOf(labels),
  }
}

function kindOf(screens: readonly ExploredScreen[], first: ExploredScreen): GraphNode['kind'] {
  if (screens.some(({ verdict }) => verdict === 'solved')) return 'solved'
  if (screens.some(({ verdict }) => verdict === 'failed')) return 'failed'
  return screens.includes(first) ? 'start' : 'open'
}

const edgesOf = (labels: ReadonlyMap<string, ReadonlySet<string>>): readonly GraphEdge[] =>
  [...labels].map(([key, found]) => {
    const [from = 0, to = 0] = key.split(' ').map(Number)
    const first = [...found].slice(0, MAX_LABELS).join(', ')
    return { from, to, label: found.size > MAX_LABELS ? `${first}, … ${found.size - MAX_LABELS} more` : first }
  })

/** A graph in the language of Mermaid. */
export function toMermaid({ nodes, edges }: StateGraph): string {
  const lines = [
    'flowchart LR',
    ...nodes.map(({ label, kind }, index) => `  n${index}["${escapedForMermaid(label)}"]:::${kind}`),
    ...edges.map(({ from, to, label }) => `  n${from} -->|"${escapedForMermaid(label)}"| n${to}`),
    '  classDef start stroke-width:3px',
    '  classDef solved fill:#d7f5dd',
    '  classDef failed fill:#fbdcdc',
    '  classDef unreached stroke-dasharray:4',
    '  classDef open fill:#fff',
  ]
  return `${lines.join('\n')}\n`
}

const escapedForMermaid = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/"/g, '#quot;')
    .replace(/[<>|\n]/g, ' ')

const HEIGHT = 36
const GAP_X = 220
const GAP_Y = 40
const MARGIN = 24
const FONT = 13
const MAX_LABEL = 40

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly node: GraphNode
}

const FILLS: Readonly<Record<GraphNode['kind'], string>> = {
  start: '#e6efff',
  solved: '#d7f5dd',
  failed: '#fbdcdc',
  unreached: '#ffffff',
  open: '#f7f8fa',
}

/** A graph as an SVG: layers from left to right by the number of steps from the first node. */
export function toSvg({ nodes, edges }: StateGraph): string {
  const boxes = placed(nodes, layersOf(nodes.length, edges))
  const width = Math.max(...boxes.map(({ x, width }) => x + width)) + MARGIN
  const height = Math.max(...boxes.map(({ y }) => y + HEIGHT)) + MARGIN
  const lines = edges.map(({ from, to, label }) => arrow(boxes[from]!, boxes[to]!, label))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="${FONT}">
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#667085"/></marker></defs>
<rect width="100%" height="100%" fill="#ffffff"/>
${[...lines, ...boxes.map(drawn)].join('\n')}
</svg>
`
}

/** The layer of each node. Nodes that nothing leads to are in a layer of their own at the end. */
function layersOf(count: number, edges: StateGraph['edges']): readonly number[] {
  const layers: (number | undefined)[] = Array.from({ length: count })
  layers[0] = 0
  const open = [0]
  for (let at = 0; at < open.length; at++)
    for (const { from, to } of edges)
      if (from === open[at] && layers[to] === undefined) {
        layers[to] = layers[from]! + 1
        open.push(to)
      }
  const last = Math.max(...layers.map((layer) => layer ?? 0)) + 1
  return layers.map((layer) => layer ?? last)
}

function placed(nodes: readonly GraphNode[], layers: readonly number[]): readonly Box[] {
  const rows = new Map<number, number>()
  const widths = nodes.map(({ label }) => Math.ceil(textWidth(label, FONT)) + 32)
  const lefts: number[] = []
  for (let layer = 0, x = MARGIN; layer <= Math.max(...layers); layer++) {
    lefts.push(x)
    x += Math.max(0, ...widths.filter((_, index) => layers[index] === layer)) + GAP_X
  }
  return nodes.map((node, index) => {
    const layer = layers[index]!
    const row = rows.get(layer) ?? 0
    rows.set(layer, row + 1)
    return { x: lefts[layer]!, y: MARGIN + row * (HEIGHT + GAP_Y), width: widths[index]!, node }
  })
}

function drawn({ x, y, width, node: { label, kind } }: Box): string {
  const dashes = kind === 'unreached' ? ' stroke-dasharray="4"' : ''
  return `<rect x="${x}" y="${y}" width="${width}" height="${HEIGHT}" rx="8" fill="${FILLS[kind]}" stroke="#667085"${dashes}/><text x="${x + width / 2}" y="${y + HEIGHT / 2 + 5}" text-anchor="middle">${escapedForXml(label)}</text>`
}

function arrow(from: Box, to: Box, label: string): string {
  const isForward = to.x > from.x
  const [x1, y1] = isForward ? [from.x + from.width, from.y + HEIGHT / 2] : [from.x + from.width / 2, from.y + HEIGHT]
  const [x2, y2] = isForward ? [to.x, to.y + HEIGHT / 2] : [to.x + to.width / 2, to.y + HEIGHT]
  const bend = isForward ? 0 : GAP_Y
  const path = isForward
    ? `M${x1} ${y1}C${x1 + GAP_X / 2} ${y1} ${x2 - GAP_X / 2} ${y2} ${x2} ${y2}`
    : `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 + bend} ${x2} ${y2}`
  const text = label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label
  const middle = { x: (x1 + x2) / 2, y: (y1 + y2) / 2 + bend * 0.75 - 4 }
  return `<path d="${path}" fill="none" stroke="#667085" marker-end="url(#tip)"/><text x="${middle.x}" y="${middle.y}" text-anchor="middle" font-size="11" fill="#475467">${escapedForXml(text)}<title>${escapedForXml(label)}</title></text>`
}

const escapedForXml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
