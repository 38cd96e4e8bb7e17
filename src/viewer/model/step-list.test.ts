import { expect, it } from 'vitest'
import { shownStep, smallRecording } from '../../../test/support/viewer/small-recording.ts'
import {
  callText,
  createStepList,
  LAST_STEP_LINK,
  SHOW_ALL,
  type StepFilter,
  stepLink,
  stepOfLink,
  toolsOf,
} from './step-list.ts'

// Rules such as [VW12] are stated in README.md of the viewer.

const recording = smallRecording({
  steps: [
    shownStep(1, { tool: 'click_element', acts: true, args: 1 }),
    shownStep(2, { tool: 'get_text', result: 2, ok: false, error: { code: 'Timeout', message: 'too late' } }),
    shownStep(3, { model: { reasoning: 'The Total is right' } }),
  ],
  events: [
    { after: 0, protocol: 'agent-webkit', direction: 'in', name: 'user_message', content: 0 },
    { after: 2, protocol: 'agent-webkit', direction: 'out', name: 'message_delta', content: 2 },
  ],
  tables: { values: [null, { selector: 'Button "Save"', count: 2 }, 'Grand TOTAL'] },
})

const shown = (filter: Partial<StepFilter>) =>
  createStepList(recording)({ ...SHOW_ALL, ...filter }).map(({ kind, number }) => `${kind} ${number}`)

it('[VW22] lists events after their steps', () => {
  expect(shown({})).toEqual(['start 0', 'event 0', 'step 1', 'step 2', 'event 2', 'step 3'])
})

it('[VW12] filters by text, tool, errors and acting', () => {
  expect(shown({ text: ' total ' })).toEqual(['step 2', 'event 2', 'step 3'])
  expect(shown({ text: 'TOO LATE' })).toEqual(['step 2'])
  expect(shown({ text: '.*' })).toEqual([])
  expect(shown({ tool: 'wait' })).toEqual(['step 3'])
  expect([shown({ errors: true }), shown({ acting: true })]).toEqual([['step 2'], ['step 1']])
})

it('[VW11] filters by a range', () => {
  expect(shown({ range: { from: 2, to: 3 } })).toEqual(['step 2', 'event 2', 'step 3'])
})

it('[VW13] reads and writes addresses of steps', () => {
  expect(stepLink(17)).toBe('#step=17')
  expect(
    ['#step=17', '#step=0', '#step=99', LAST_STEP_LINK, '#step=x', '#step=-1', ''].map((hash) => stepOfLink(hash, 20)),
  ).toEqual([...[17, 0, 20, 20], ...[undefined, undefined, undefined]])
})

it('writes a call in one line', () => {
  expect(recording.steps.map((step) => callText(step, recording))).toEqual([
    'click_element selector=Button "Save" count=2',
    'get_text null',
    'wait null',
  ])
  expect(toolsOf(recording)).toEqual(['click_element', 'get_text', 'wait'])
})
