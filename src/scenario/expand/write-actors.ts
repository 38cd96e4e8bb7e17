import {
  changeEntries,
  changeItems,
  type MapEntry,
  type MapNode,
  nodeOf,
  nodeText,
  overlaid,
  type SourceNode,
  withoutKeys,
} from '../source/source-node.ts'

/** Writes what people say, and what they correct, as changes of the list that they hear. */
export function withActors(root: MapNode): MapNode {
  return changeEntries(root, (section, { node }) => {
    if (section !== 'actors' || node.kind !== 'map') return node
    return changeEntries(node, (_, { node: actor }) => (actor.kind === 'map' ? withChanges(actor) : actor))
  })
}

function withChanges(actor: MapNode): MapNode {
  const list = nodeText(actor.entries.get('hears')?.node)
  if (list === undefined) return actor
  return changeEntries(actor, (key, { node }) => (key === 'away' || key === 'answers' ? written(node) : node))

  function written(node: SourceNode): SourceNode {
    if (node.kind === 'list') return changeItems(node, (item) => [written(item)])
    if (node.kind !== 'map') return node
    const parts = changeEntries(node, (key, entry) =>
      key === 'later' || key === 'choose' ? written(entry.node) : entry.node,
    )
    return ['say', 'correct'].reduce((map, key) => withEffect(map, key, list!), parts)
  }
}

/** The map with an effect instead of a key, before its others. */
function withEffect(map: MapNode, key: string, list: string): MapNode {
  const entry = map.entries.get(key)
  if (!entry) return map
  const { keyPlace, node } = entry
  const [variable, change] = key === 'say' ? [list, 'append'] : ['event.item', 'change']
  const fields: readonly (readonly [string, MapEntry])[] = [
    ['var', { keyPlace, node: nodeOf(variable, keyPlace) }],
    [change, entry],
  ]
  const effect: MapNode = { kind: 'map', entries: new Map(fields), place: node.place }
  const set = map.entries.get('set')?.node
  const effects = set?.kind === 'list' ? [effect, ...set.items] : [effect]
  const all = { keyPlace, node: { kind: 'list', items: effects, place: node.place } } as const
  return overlaid(withoutKeys(map, [key]), { ...map, entries: new Map([['set', all]]) })
}
