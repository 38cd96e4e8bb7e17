import { describe, expect, it } from 'vitest'
import { act, begin, click, element, form, type } from '../../../test/support/scenario/player.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { elementsAffectedBy, stepScenario } from './step.ts'

// Rules such as [SC154] are stated in ../SPEC.md.

const CHAT = `
vars: {sent: ""}
states:
  open:
    windows:
      - uid: chat
        title: Chat
        tree:
          role: Window
          name: Chat
          children:
            - {id: who, role: Edit, name: Message, value: ""}
            - {id: send, role: Button, name: Send, presses: enter}
            - {id: notes, role: Document, name: Notes, value: ""}
            - {id: sent, role: Text, name: "{{ sent }}"}
            - {id: keys, role: Text, name: "-"}
reactions:
  - {on: {tool: click_element, target_id: send}, set: [{var: sent, to: '{{ sent + value("who") + ";" }}'}, {id: who, value: ""}]}
`
const chat = (more = ''): ScenarioRun => begin(CHAT + more)
const KEYS = `  - {on: {keys: Tab}, set: [{id: keys, name: tabbed}]}
  - {on: {keys: Return, target_id: notes}, set: [{id: keys, name: entered}]}
`

describe('keys in typed text', () => {
  it.each(['hi\nhow are you\n', 'hi\r\nhow are you\r\n', 'hi\rhow are you\r'])(
    '[SC154] run the reactions of each key at its place: %j',
    (text) => {
      const step = act(click(chat(), 'who'), { type: 'type', text })
      expect([element(step.run, 'sent').name, element(step.run, 'who').value]).toEqual(['hi;how are you;', ''])
      expect([step.via, step.reactions, step.note]).toEqual(['reaction', [0, 0], undefined])
    },
  )

  it('[SC154] send what follows them to the element that then has the focus', () => {
    const run = type(click(begin(form()), 'name'), 'Ann\tcall back')
    expect([element(run, 'name').value, element(run, 'note').value]).toEqual(['Ann', 'call back'])
    const opened = begin(
      form(
        'windows:',
        '  - {uid: ask, title: Ask, bounds: {x: 0, y: 0, width: 300, height: 200}, tree: {role: Window, name: Ask, children: [{id: more, role: Edit, name: More, value: "", focused: true}]}}',
        'reactions: [{on: {tool: click_element, target_id: ok}, set: [{open: ask}]}]',
      ),
    )
    const asked = type(click(opened, 'name'), 'Ann\nlater')
    expect([element(asked, 'name').value, element(asked, 'more').value]).toEqual(['Ann', 'later'])
  })

  it('[SC154] are keys for reactions, as pressed keys are', () => {
    expect(element(type(click(chat(KEYS), 'who'), 'a\tb'), 'keys').name).toBe('tabbed')
  })

  it('[SC155] stay in a field of several lines unless a reaction waits for them', () => {
    const plain = act(click(chat(), 'notes'), { type: 'type', text: 'a\tb\nc' })
    expect([element(plain.run, 'notes').value, plain.reactions]).toEqual(['a\tb\nc', []])
    const awaited = act(click(chat(KEYS), 'notes'), { type: 'type', text: 'a\nb' })
    expect([element(awaited.run, 'notes').value, element(awaited.run, 'keys').name]).toEqual(['a\nb', 'entered'])
    const whole = `  - {on: {tool: type_text, target_id: notes, text_regex: "(?s).*"}, set: [{id: keys, name: "{text}"}]}\n`
    expect(element(type(click(chat(whole), 'notes'), 'a\nb'), 'keys').name).toBe('a\nb')
  })

  it('[SC155] are text where widgets are inert, unless a reaction waits for them', () => {
    const inert = (text: string) => type(click(chat(`${KEYS}widgets: inert\n`), 'who'), text)
    expect(element(inert('a\nb'), 'who').value).toBe('a\nb')
    expect([element(inert('a\tb'), 'who').value, element(inert('a\tb'), 'keys').name]).toEqual(['ab', 'tabbed'])
  })

  it('[SC156] are also characters that a reaction waits for, where nothing takes text', () => {
    const help = chat('  - {on: {keys: "?"}, set: [{id: keys, name: help}]}\n')
    const atButton = type(act(help, focusOf('send')).run, '?')
    expect(element(atButton, 'keys').name).toBe('help')
    const inField = type(click(help, 'who'), 'why?')
    expect([element(inField, 'keys').name, element(inField, 'who').value]).toEqual(['-', 'why?'])
  })

  it('[SC157] have a limit in one text, beyond which nothing is typed', () => {
    const run = click(chat(), 'who')
    expect(() => type(run, '\n'.repeat(1002))).toThrow('the text presses more than 1000 keys; type it in parts')
    expect(element(type(run, '\n'.repeat(1000)), 'who').value).toBe('')
  })

  it('[SC158] stand although what follows them is not received, with a note', () => {
    const step = act(click(chat(), 'who'), { type: 'type', text: 'hi\t text' })
    expect([element(step.run, 'who').value, step.via, step.note]).toEqual([
      'hi',
      'behaviour',
      'a part of the text was not received: the Button "Send" has the keyboard and takes no text; click or focus a field first',
    ])
  })

  it('[SC154] affect what they press', () => {
    const affected: string[] = []
    stepScenario(click(chat(), 'who'), { type: 'action', action: { type: 'type', text: 'hi\n' } }, (run, part) => {
      affected.push(...elementsAffectedBy(run, part).map(({ element: id }) => `${part.type} ${id}`))
    })
    expect(affected).toEqual(['type who', 'key who', 'key send', 'key send'])
  })
})

const focusOf = (id: string) =>
  ({ type: 'focus', at: { x: 0, y: 0 }, target: { window: 'chat', element: id } }) as const
