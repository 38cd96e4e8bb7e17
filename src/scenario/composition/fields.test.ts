import { describe, expect, it } from 'vitest'
import { screen } from '../../../test/support/scenario/live-edits.ts'
import { begin, click, element, key, setValue, type } from '../../../test/support/scenario/player.ts'
import { walk } from '../../desktop/model/element.ts'
import { offsetOf } from '../../desktop/widgets/scrolling.ts'
import type { ScenarioRun } from '../scenario-run.ts'

// Rules such as [CMP42] are stated in README.md.

const selectedIn = (run: ScenarioRun): readonly string[] =>
  [...walk(run.desktop.windows[0]!.tree)].filter(({ selected }) => selected).map(({ id }) => id)
const focusOf = (run: ScenarioRun) => run.desktop.windows[0]!.focus

describe('the parts of two templates with one id', () => {
  const run = begin(
    screen(
      `{repeat: posts, as: post, id: post, role: Group, name: '{{ post.id }}', children: [{id: like, role: Button, name: Like}, {id: note, role: Edit, name: Note, bind: post.note}]},
       {repeat: answers, as: answer, id: answer, role: Group, name: '{{ answer.id }}', children: [{id: like, role: Button, name: Like}, {id: note, role: Edit, name: Note, bind: answer.note}]}`,
      {
        vars: "{last: '', posts: [{id: 1, note: a}, {id: 2, note: b}], answers: [{id: 1, note: c}]}",
        reactions: `[{on: {tool: click_element, target_id: post.like}, set: [{var: last, to: 'post {{ event.item.id }}: {{ value("post.note") }}'}]},
          {on: {tool: click_element, target_id: answer.like}, set: [{var: last, to: 'answer {{ event.item.id }}'}]},
          {on: {changed: post.note}, set: [{var: last, to: '{{ event.items.post.id }} says {{ event.value }}'}]}]`,
      },
    ),
  )

  it('[CMP42] differ by the id of their items', () => {
    expect(click(run, 'post-2.like').data.last).toBe('post 2: b')
    expect(click(run, 'answer-1.like').data.last).toBe('answer 1')
  })

  it('[CMP43] are watched in every item', () => {
    expect(setValue(run, 'post-2.note', 'x').data.last).toBe('2 says x')
    expect(setValue(run, 'post-1.note', 'y').data.last).toBe('1 says y')
    expect(setValue(run, 'answer-1.note', 'z').data.last).toBe('')
  })
})

describe('the selected item', () => {
  const chosen = (role: string, item: string, vars: string) =>
    begin(
      screen(
        `{id: all, role: ${role}, name: All, bind: active, children: [{repeat: files, as: file, id: file, role: ${item}, name: '{{ file.id }}'}]}, {id: active, role: Text, name: '{{ active }}'}, {if: active == "c", id: third, role: Text, name: Third}, {id: close, role: Button, name: Close}`,
        {
          vars,
          reactions: `[{on: {tool: click_element, target_id: close}, set: [{var: files, where: row.id == active, remove: true}]}]`,
        },
      ),
    )
  const FILES = 'files: [{id: a}, {id: b}, {id: c}]'

  it('[CMP46] that goes is followed by the next tab, then by the one before', () => {
    const run = chosen('TabControl', 'TabItem', `{active: b, ${FILES}}`)
    expect([selectedIn(run), element(run, 'active').name]).toEqual([['file-b'], 'b'])
    const next = click(run, 'close')
    expect([next.data.active, selectedIn(next), element(next, 'active').name, element(next, 'third').name]).toEqual([
      'c',
      ['file-c'],
      'c',
      'Third',
    ])
    const before = click(next, 'close')
    expect([before.data.active, selectedIn(before)]).toEqual(['a', ['file-a']])
    const none = click(before, 'close')
    expect([none.data.active, selectedIn(none)]).toEqual(['a', []])
  })

  it('[CMP46] that goes leaves a list without one', () => {
    const next = click(chosen('List', 'ListItem', `{active: b, ${FILES}}`), 'close')
    expect([next.data.active, selectedIn(next)]).toEqual(['b', []])
  })
})

describe('fields of items', () => {
  const run = begin(
    screen(
      `{id: area, role: ScrollArea, name: All, height: 200, children: [{repeat: {of: lines, sort_by: rank}, as: line, id: line, role: Group, name: '{{ line.id }}', children: [{id: text, role: Edit, name: Text, bind: line.text, validation: {required: true}}, {id: drop, role: Button, name: Drop}]}]}, {id: save, role: Button, name: Save, submits: true}, {id: turn, role: Button, name: Turn}, {id: saved, role: Text, name: '{{ saved }}'}`,
      {
        vars: `{saved: 0, lines: [${Array.from({ length: 12 }, (_, index) => `{id: ${index}, rank: ${index}, text: '${index === 8 ? '' : 'x'}'}`).join(', ')}]}`,
        reactions: `[{on: {tool: click_element, target_id: save}, set: [{var: saved, to: '{{ saved + 1 }}'}]},
          {on: {tool: click_element, target_id: drop}, set: [{var: event.item, remove: true}]},
          {on: {keys: f2}, set: [{var: lines, remove: true, where: row.id == 3}]},
          {on: {tool: click_element, target_id: turn}, set: [{var: lines, change: {rank: '{{ 0 - row.rank }}'}, where: 'true'}]}]`,
      },
    ),
  )

  it('[CMP47] that are invalid block a button that submits, and the first has the focus and is in view', () => {
    const blocked = click(run, 'save')
    expect([blocked.data.saved, focusOf(blocked), element(blocked, 'line-8.text').traits?.invalid?.message]).toEqual([
      0,
      'line-8.text',
      'This field is required',
    ])
    expect(offsetOf(element(blocked, 'area')).y).toBeGreaterThan(0)
    expect(click(setValue(blocked, 'line-8.text', 'y'), 'save').data.saved).toBe(1)
  })

  it('[CMP50] leave the focus to nothing else when they go', () => {
    const inField = type(click(run, 'line-3.text'), 'z')
    expect(focusOf(inField)).toBe('line-3.text')
    const gone = key(inField, 'f2')
    expect([(gone.data.lines as readonly unknown[]).length, focusOf(gone)]).toEqual([11, undefined])
  })

  it('[CMP51] keep the scroll offset when they are sorted while none of them is scrolled away', () => {
    const turned = click(run, 'turn')
    expect(offsetOf(element(turned, 'area')).y).toBe(offsetOf(element(run, 'area')).y)
  })
})
