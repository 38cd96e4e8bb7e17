import { expect } from 'vitest'
import { changeData, type DataChange } from '../../../src/scenario/data/data-change.ts'
import { showData, withInstances } from '../../../src/scenario/run/show-data.ts'
import { runWith, type ScenarioRun } from '../../../src/scenario/scenario-run.ts'
import { screenOf } from './live-edits.ts'

/** Windows that follow the data: one with a condition, a dialog of it, and one for each item of a list. */
export const DRAFTS = `
vars:
  asking: false
  page: mail
  drafts: [{id: 1, to: ana, text: Hello}, {id: 2, to: bo, text: ''}]
states:
  open:
    windows:
      - uid: sure
        if: asking
        title: Sure?
        modal_to: mail
        bounds: {x: 300, y: 300, width: 300, height: 160}
        tree: {role: Dialog, name: Sure?, children: [{id: note, role: Edit, name: Note}, {role: Text, name: '{{ page }}'}, {id: no, role: Button, name: 'No', closes: true}]}
      - uid: draft
        repeat: drafts
        as: draft
        title: 'To {{ draft.to }}'
        bounds: {x: '{{ 300 + 40 * draft_index }}', y: 80, width: 320, height: 300}
        tree:
          role: Window
          name: 'To {{ draft.to }}'
          children:
            - {id: to, role: Edit, name: To, bind: draft.to}
            - {id: memo, role: Edit, name: Memo}
            - {role: Text, name: '{{ size(draft.text) }} characters'}
            - {if: draft.text == "", id: hint, role: Text, name: Write something.}
            - {repeat: 'drafts.filter(each, each.id != draft.id)', as: other, id: other, role: Button, name: '{{ other.to }}'}
            - {id: send, role: Button, name: Send}
            - {id: shut, role: Button, name: Shut}
      - uid: mail
        title: Mail
        bounds: {x: 20, y: 40, width: 260, height: 400}
        tree: {role: Window, name: Mail, children: [{id: new, role: Button, name: New}, {id: ask, role: Button, name: Ask}, {id: away, role: Button, name: Away}, {role: Text, name: '{{ size(drafts) }} drafts'}]}
  away: {extends: open, without: [sure, draft], set: [{id: away, name: Back}]}
reactions:
  - {on: {tool: click_element, target_id: new}, set: [{var: drafts, append: {id: '{{ next_id(drafts) }}', to: '', text: ''}}]}
  - {on: {tool: click_element, target_id: ask}, set: [{var: asking, to: true}]}
  - {on: {tool: click_element, target_id: send, window: draft}, set: [{var: event.item, remove: true}]}
  - {on: {tool: click_element, target_id: shut}, set: [{close: draft}]}
  - {on: {tool: click_element, target_id: other}, set: [{var: event.item.text, to: '{{ event.items.draft.to }}'}, {id: memo, value: '{{ event.items.other.to }}'}]}
  - {on: {tool: click_element, target_id: away}, in: open, transition_to: away}
  - {on: {tool: click_element, target_id: away}, in: away, transition_to: open}
`

/** The run with a change of its data. */
export function changed(run: ScenarioRun, change: DataChange): ScenarioRun {
  const result = changeData(run.scenario.program!.scope, run.data, change)
  return 'message' in result ? run : showData(run, runWith(run, { data: result.data }))
}

/** Compares the windows of a run with those made again. */
export function demandSameWindows(run: ScenarioRun): void {
  const again = withInstances(run.scenario.program!, run, run, () => true, true)
  const shown = ({ desktop }: ScenarioRun) => desktop.windows.map(({ tree: _, ...window }) => JSON.stringify(window))
  expect([shown(run), screenOf(run)]).toEqual([shown(again), screenOf(again)])
}
