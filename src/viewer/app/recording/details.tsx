import { type ElementPlace, elementOfPlace, propertiesOf } from '../../model/element.ts'
import type { Recording } from '../../model/recording.ts'
import { type ChangedElement, lineKey, type TreeComparison } from '../../model/tree-changes.ts'
import { Empty, Properties, Tabs } from '../ui/panel.tsx'
import { ElementTree } from '../ui/tree.tsx'
import { CallTab, EventTab, ModelTab, WireTab } from './call-tab.tsx'
import { OracleTab, StateTab } from './state-tab.tsx'

/** The tabs of a step. */
export type DetailTab = 'call' | 'tree' | 'state' | 'oracles' | 'model' | 'wire' | 'events'

interface DetailsProps {
  readonly recording: Recording
  readonly number: number
  readonly tab: DetailTab
  readonly onTab: (tab: DetailTab) => void
  readonly trees: TreeComparison
  readonly hovered: ElementPlace | undefined
  readonly selected: ElementPlace | undefined
  readonly onHover: (place: ElementPlace | undefined) => void
  readonly onSelect: (place: ElementPlace | undefined) => void
  readonly onGo: (number: number) => void
  /** The name of the panel. */
  readonly label: string
  /** The index of the chosen event. */
  readonly event: number | undefined
}

/** All that the recording has about a step, in tabs. */
export function Details({ recording, number, tab, onTab, onGo, event, label, ...tree }: DetailsProps) {
  const step = recording.steps[number - 1]
  const events = recording.events.filter(({ after }) => after === number).length
  const some = (count: number | undefined) => count || undefined
  return (
    <section class="panel details" aria-label={label}>
      <Tabs<DetailTab>
        label={label}
        tabs={[
          { name: 'call', label: 'Call' },
          { name: 'tree', label: 'Tree', note: some(tree.trees.changes.length) },
          { name: 'state', label: 'State', note: some(step?.fired.length) },
          { name: 'oracles', label: 'Oracles' },
          { name: 'model', label: 'Model' },
          { name: 'wire', label: 'Wire', note: some(step?.wire?.length) },
          { name: 'events', label: 'Events', note: some(events) },
        ]}
        chosen={tab}
        onChoose={onTab}
      >
        {tab === 'call' && <CallTab recording={recording} step={step} />}
        {tab === 'tree' && <TreeTab {...tree} />}
        {tab === 'state' && <StateTab recording={recording} number={number} />}
        {tab === 'oracles' && <OracleTab recording={recording} number={number} onGo={onGo} />}
        {tab === 'model' && <ModelTab recording={recording} step={step} />}
        {tab === 'wire' && <WireTab step={step} />}
        {tab === 'events' && <EventTab recording={recording} number={number} chosen={event} />}
      </Tabs>
    </section>
  )
}

const SIGNS: Readonly<Record<ChangedElement['kind'], string>> = { added: '+', removed: '−', changed: '~' }
/** Longer lists of changes are cut. */
const MAX_SHOWN = 200

interface TreeTabProps {
  readonly trees: TreeComparison
  readonly hovered: ElementPlace | undefined
  readonly selected: ElementPlace | undefined
  readonly onHover: (place: ElementPlace | undefined) => void
  readonly onSelect: (place: ElementPlace | undefined) => void
}

/** The trees after a step, in which its changes are marked, and a list of them. */
function TreeTab({ trees, hovered, selected, onHover, onSelect }: TreeTabProps) {
  const { merged, changes, kinds } = trees
  const element = selected && elementOfPlace(merged, selected)
  if (!merged.some(({ tree }) => tree) && changes.length === 0)
    return <Empty>The recording has no tree of this moment.</Empty>
  return (
    <div class="tree-tab">
      <div class="tree-box">
        <ElementTree
          windows={merged}
          hovered={hovered}
          selected={selected}
          onHover={onHover}
          onSelect={onSelect}
          kindOf={({ window, element }) => kinds.get(lineKey(window, element))}
        />
      </div>
      {element && (
        <section class="tree-part" aria-label="Selected element">
          <h3>
            Element
            <button type="button" class="quiet" onClick={() => onSelect(undefined)}>
              Deselect
            </button>
          </h3>
          <Properties of={propertiesOf(element)} />
        </section>
      )}
      <section class="tree-part" aria-label="Changes of the tree">
        <h3>
          {changes.length === 0
            ? 'No change of the tree'
            : changes.length === 1
              ? '1 change'
              : `${changes.length} changes`}
        </h3>
        <ul class="changes">
          {changes.slice(0, MAX_SHOWN).map((change) => (
            <Change
              key={`${change.kind} ${change.window} ${change.element?.id ?? ''}`}
              change={change}
              onSelect={onSelect}
            />
          ))}
        </ul>
        {changes.length > MAX_SHOWN && <p class="muted pad">and {changes.length - MAX_SHOWN} more</p>}
      </section>
    </div>
  )
}

interface ChangeProps {
  readonly change: ChangedElement
  readonly onSelect: (place: ElementPlace) => void
}

function Change({ change: { kind, window, element, label, below, properties }, onSelect }: ChangeProps) {
  return (
    <li>
      <span class={`sign ${kind}`} title={kind}>
        <span aria-hidden="true">{SIGNS[kind]}</span>
        <span class="sr-only">{kind}</span>
      </span>
      <div>
        {element ? (
          <button type="button" class="link" onClick={() => onSelect({ window, element: element.id })}>
            {label}
          </button>
        ) : (
          <span>{label}</span>
        )}
        {below > 0 && <span class="muted"> with {below === 1 ? '1 element' : `${below} elements`}</span>}
        {properties.map(({ name, before, after }) => (
          <p key={name} class="from-to">
            <span class="muted">{name}</span> <del>{before ?? 'none'}</del> <ins>{after ?? 'none'}</ins>
          </p>
        ))}
      </div>
    </li>
  )
}
