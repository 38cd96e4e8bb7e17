import { didYouMean } from '../../base/strings.ts'
import { withSpeltKeys } from './misspelt-keys.ts'
import {
  childOf,
  type MapEntry,
  type MapNode,
  nodeText,
  overlaid,
  type Report,
  type SourceNode,
  withoutKeys,
} from './source-node.ts'

/** Keys of a state that say how it differs from the state that it extends. */
const DIFFERENCES = ['extends', 'without', 'set']
const STATE_KEYS = ['windows', ...DIFFERENCES]

/** Replaces each state that extends another by the whole state. */
export function extendStates(states: MapNode, report: Report): MapNode {
  const done = new Map<string, SourceNode>()
  const open = new Set<string>()
  const resolve = (name: string, { node }: MapEntry): SourceNode => {
    const known = done.get(name)
    if (known) return known
    open.add(name)
    const spelt = node.kind === 'map' ? withSpeltKeys(node, ['extends'], STATE_KEYS, report) : node
    const whole = spelt.kind === 'map' ? extended(spelt, states, resolve, open, report) : spelt
    open.delete(name)
    done.set(name, whole)
    return whole
  }
  const entries = [...states.entries].map(([name, entry]) => [name, { ...entry, node: resolve(name, entry) }] as const)
  return { ...states, entries: new Map(entries) }
}

type Resolve = (name: string, entry: MapEntry) => SourceNode

function extended(
  state: MapNode,
  states: MapNode,
  resolve: Resolve,
  open: ReadonlySet<string>,
  report: Report,
): SourceNode {
  const named = childOf(state, 'extends')
  if (!named) {
    for (const key of ['without', 'set'])
      if (state.entries.has(key))
        report(state.entries.get(key)!.keyPlace, `${key} changes the state that extends names; extends is missing`)
    return withoutKeys(state, DIFFERENCES)
  }
  const name = nodeText(named)
  const entry = name === undefined ? undefined : states.entries.get(name)
  if (!entry || name === undefined) {
    const known = [...states.entries.keys()]
    report(
      named.place,
      `unknown state ${JSON.stringify(name ?? null)}${didYouMean(name ?? '', known) || `; the states are ${known.join(', ')}`}`,
    )
    return withoutKeys(state, DIFFERENCES)
  }
  if (open.has(name)) {
    report(named.place, `the state extends itself: ${[...open, name].join(' → ')}`)
    return withoutKeys(state, DIFFERENCES)
  }
  const base = resolve(name, entry)
  const windows = changedWindows(
    withoutWindows(
      mergedWindows(itemsOf(base, 'windows'), itemsOf(state, 'windows')),
      childOf(state, 'without'),
      report,
    ),
    childOf(state, 'set'),
    report,
  )
  const list: SourceNode = { kind: 'list', items: windows, place: childOf(state, 'windows')?.place ?? state.place }
  const whole = base.kind === 'map' ? overlaid(base, withoutKeys(state, DIFFERENCES)) : state
  return { ...whole, entries: new Map([...whole.entries, ['windows', { keyPlace: state.place, node: list }]]) }
}

const itemsOf = (state: SourceNode, key: string): readonly SourceNode[] => {
  const list = state.kind === 'map' ? childOf(state, key) : undefined
  return list?.kind === 'list' ? list.items : []
}

const uidOfNode = (window: SourceNode): string | undefined =>
  window.kind === 'map' ? nodeText(childOf(window, 'uid')) : undefined

/** Windows with the same uid keep their place and take the new keys; new windows come in front. */
function mergedWindows(base: readonly SourceNode[], own: readonly SourceNode[]): readonly SourceNode[] {
  const named = new Map(
    own.flatMap((window) => (uidOfNode(window) === undefined ? [] : [[uidOfNode(window)!, window]])),
  )
  const known = new Set(base.map(uidOfNode))
  const added = own.filter((window) => uidOfNode(window) === undefined || !known.has(uidOfNode(window)))
  const merged = base.map((window) => {
    const over = named.get(uidOfNode(window) ?? '')
    return over?.kind === 'map' && window.kind === 'map' ? overlaid(window, over) : window
  })
  return [...added, ...merged]
}

function withoutWindows(
  windows: readonly SourceNode[],
  without: SourceNode | undefined,
  report: Report,
): readonly SourceNode[] {
  if (!without) return windows
  const uids = without.kind === 'list' ? without.items : [without]
  for (const uid of uids)
    if (!windows.some((window) => uidOfNode(window) === nodeText(uid)))
      report(uid.place, `no window has the uid ${JSON.stringify(nodeText(uid) ?? null)}`)
  return windows.filter((window) => !uids.some((uid) => nodeText(uid) === uidOfNode(window)))
}

/** Windows after the changes of a `set`: the same keys as in a reaction, but for `value_now: {add: …}`. */
function changedWindows(
  windows: readonly SourceNode[],
  set: SourceNode | undefined,
  report: Report,
): readonly SourceNode[] {
  const changes = set?.kind === 'list' ? set.items : []
  return changes.reduce(
    (current, change) => (change.kind === 'map' ? changed(current, change, report) : current),
    windows,
  )
}

function changed(windows: readonly SourceNode[], change: MapNode, report: Report): readonly SourceNode[] {
  const id = nodeText(childOf(change, 'id'))
  const uid = nodeText(childOf(change, 'window'))
  const fields = withoutKeys(change, ['id', 'window', 'append', 'remove'])
  let found = 0
  const result = windows.map((window) => {
    if (window.kind !== 'map' || (uid !== undefined && uidOfNode(window) !== uid)) return window
    if (id === undefined) {
      found++
      return overlaid(window, fields)
    }
    const tree = childOf(window, 'tree')
    const next = tree && changedBelow(tree, id, change, fields)
    if (!next || next === tree) return window
    found++
    return overlaid(window, { ...window, entries: new Map([['tree', { keyPlace: tree.place, node: next }]]) })
  })
  if (found === 0) {
    const what = id === undefined ? `window ${JSON.stringify(uid ?? null)}` : `element ${JSON.stringify(id)}`
    report(change.place, `there is no ${what} in the state that is extended`)
  }
  return result
}

function changedBelow(node: SourceNode, id: string, change: MapNode, fields: MapNode): SourceNode {
  if (node.kind !== 'map') return node
  if (nodeText(childOf(node, 'id')) === id) return withAppended(overlaid(node, fields), childOf(change, 'append'))
  const children = childOf(node, 'children')
  if (children?.kind !== 'list') return node
  const isRemoved = (child: SourceNode) =>
    isTrue(childOf(change, 'remove')) && child.kind === 'map' && nodeText(childOf(child, 'id')) === id
  const items = children.items.flatMap((child) => (isRemoved(child) ? [] : [changedBelow(child, id, change, fields)]))
  if (items.length === children.items.length && items.every((item, index) => item === children.items[index]))
    return node
  return withChildren(node, { ...children, items })
}

const isTrue = (node: SourceNode | undefined): boolean => node?.kind === 'scalar' && node.value === true

function withAppended(element: MapNode, append: SourceNode | undefined): MapNode {
  if (append?.kind !== 'list') return element
  const children = childOf(element, 'children')
  const items = children?.kind === 'list' ? children.items : []
  return withChildren(element, { ...append, items: [...items, ...append.items] })
}

const withChildren = (element: MapNode, children: SourceNode): MapNode => ({
  ...element,
  entries: new Map([...element.entries, ['children', { keyPlace: element.place, node: children }]]),
})
