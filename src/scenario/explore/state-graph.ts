import type { ExploredScreen, ScreenSearch } from './explore.ts'

/** The states of a scenario and the actions between them, for pictures. */
export interface StateGraph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}

export interface GraphNode {
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
