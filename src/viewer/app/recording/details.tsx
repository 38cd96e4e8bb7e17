import type { ElementPlace } from '../../model/element.ts'
import type { Recording } from '../../model/recording.ts'
import type { TreeComparison } from '../../model/tree-changes.ts'
import { Tabs } from '../ui/tabs.tsx'
import { CallTab, ModelTab } from './call-tab.tsx'
import { OracleTab } from './oracle-tab.tsx'
import { StateTab } from './state-tab.tsx'
import { TreeTab } from './tree-tab.tsx'
import { EventTab, WireTab } from './wire-tab.tsx'

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
