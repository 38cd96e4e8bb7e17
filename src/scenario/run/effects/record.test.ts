import { describe, expect, it } from 'vitest'
import { begin, click, element, form, setValue, until } from '../../../../test/support/scenario/player.ts'
import {
  appendToLog,
  EMPTY_LOG,
  entriesOf,
  MAX_LOG_ENTRIES,
  type ScenarioRun,
  timesHappened,
} from '../../scenario-run.ts'

// Rules such as [SC183] are stated in ../../SPEC.md.

const reacting = (set: string, ...more: readonly string[]): ScenarioRun =>
  begin(form('reactions:', `  - {on: {tool: click_element, target_id: ok}, set: [${set}]}`, ...more))
const status = (run: ScenarioRun) => element(run, 'status').name

describe('scheduled effects', () => {
  it('[SC183] happen later, with the text and window of the event', () => {
    const run = begin(
      form(
        'reactions:',
        '  - on: {tool: set_value, target_id: name, text_regex: "(.*)!"}',
        '    set: [{schedule: {after_ms: 500, set: [{id: status, name: "{text} later"}], transition_to: end}}]',
      ),
    )
    const set = setValue(run, 'name', 'Hi!')
    expect([status(until(set, 499)), until(set, 499).state]).toEqual(['Ready', 'start'])
    expect(until(set, 500).state).toBe('end')
  })

  it('[SC183] happen in any state, and only if their guards hold', () => {
    const set = '{schedule: {after_ms: 9, when: [{id: name, value: x}], set: [{id: status, name: Guarded}]}}'
    expect(status(until(click(reacting(set), 'ok'), 9))).toBe('Ready')
    expect(status(until(setValue(click(reacting(set), 'ok'), 'name', 'x'), 9))).toBe('Guarded')
    const moved = begin(
      form(
        '  same:',
        '    windows: [{uid: main, tree: {children: [{id: status, name: Ready}, {id: end}]}}]',
        'reactions:',
        '  - {on: {tool: click_element, target_id: ok}, set: [{schedule: {after_ms: 9, set: [{id: status, name: Late}]}}], transition_to: same}',
      ),
    )
    expect(status(until(click(moved, 'ok'), 9))).toBe('Late')
  })

  it('[SC183] can schedule others, draw their time from the seed, and are limited', () => {
    const nested = '{schedule: {after_ms: 5, set: [{schedule: {after_ms: 5, set: [{id: status, name: Twice}]}}]}}'
    const run = click(reacting(nested), 'ok')
    expect([status(until(run, 9)), status(until(run, 10))]).toEqual(['Ready', 'Twice'])
    const drawn = (seed: number) =>
      click(
        begin(
          form(
            'reactions: [{on: {tool: click_element, target_id: ok}, set: [{schedule: {after_ms: {between: [1, 1000]}}}]}]',
          ),
          seed,
        ),
        'ok',
      ).due[0]!.atMs
    expect(new Set([1, 1, 2].map(drawn)).size).toBe(2)
    const flood = until(
      begin(form('timers: [{every_ms: 10, set: [{schedule: {after_ms: 80000000, set: [{id: status, name: x}]}}]}]')),
      12_000,
    )
    expect(flood.due).toHaveLength(1001)
    expect(entriesOf(flood.log)[0]).toMatchObject({ kind: 'effect-skipped', name: 'schedule', atMs: 10_010 })
  })
})

describe('the log of a run', () => {
  it('[SC184] records texts and events', () => {
    const run = click(
      setValue(
        reacting(
          '{log: "name is {name.value}"}, {emit: sent, with: {to: "{name.value}", value: "{name.value}", ok: true, at: "{status.name}"}}',
          'events: {sent: {to: text, value: integer, ok: boolean, at: number}}',
        ),
        'name',
        '12',
      ),
      'ok',
    )
    expect(entriesOf(run.log)).toEqual([
      { atMs: 0, kind: 'log', name: 'name is 12' },
      { atMs: 0, kind: 'emit', name: 'sent', fields: { to: '12', value: 12, ok: true, at: null } },
    ])
    expect(timesHappened(run.log, 'sent')).toBe(1)
  })

  it('[SC184] keeps the latest entries and cuts long texts', () => {
    let log = EMPTY_LOG
    for (let at = 0; at < MAX_LOG_ENTRIES + 250; at++) log = appendToLog(log, { atMs: at, kind: 'emit', name: 'tick' })
    expect(entriesOf(log).length).toBeGreaterThanOrEqual(MAX_LOG_ENTRIES)
    expect(entriesOf(log).length).toBeLessThanOrEqual(MAX_LOG_ENTRIES + 100)
    expect(entriesOf(log).at(-1)!.atMs).toBe(MAX_LOG_ENTRIES + 249)
    expect(timesHappened(log, 'tick')).toBe(MAX_LOG_ENTRIES + 250)
    const long = click(setValue(reacting('{log: "{name.value}"}'), 'name', 'x'.repeat(5000)), 'ok')
    expect(entriesOf(long.log)[0]!.name).toHaveLength(1000)
  })
})

describe('transition_to: previous', () => {
  const STATES =
    '    windows: [{uid: main, title: End, tree: {role: Window, children: [{id: back, role: Button, name: Back}]}}]'
  it('[SC186] returns to the state before', () => {
    const run = begin(
      form(
        '  help:',
        STATES,
        'reactions:',
        '  - {on: {tool: click_element, target_id: ok}, transition_to: help}',
        '  - {on: {tool: click_element, target_id: back}, transition_to: previous}',
        '  - {on: {tool: click_element, target_id: note}, transition_to: previous}',
      ),
    )
    const there = click(run, 'ok')
    expect([there.state, there.previous, click(there, 'back').state]).toEqual(['help', 'start', 'start'])
    expect(click(run, 'note').state).toBe('start')
  })

  it('[SC186] enters a state of that name', () => {
    const run = begin(
      form('  previous:', STATES, 'reactions: [{on: {tool: click_element, target_id: ok}, transition_to: previous}]'),
    )
    expect(click(run, 'ok').state).toBe('previous')
  })
})
