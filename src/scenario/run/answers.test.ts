import { describe, expect, it } from 'vitest'
import { begin, click, element, setValue, until } from '../../../test/support/scenario/player.ts'
import { entriesOf, type ScenarioRun } from '../scenario-run.ts'

const CHAT = `
vars:
  draft: ''
  ana_types: false
  messages: [{id: 1, from: Ana, to: me, text: Hello}]
actors:
  Ana:
    hears: messages
    where: row.to == "Ana"
    after_ms: {between: [2000, 3000]}
    typing: ana_types
    typing_ms: 500
    answers:
      - id: ana-lunch
        where: has_words(row.text, "lunch") && row.text.matches("[0-9]")
        say: {id: '{{ next_id(messages) }}', from: Ana, to: me, text: 'Fine: {{ event.row.text.lower() }}'}
        later:
          - {after_ms: 1000, correct: {text: '{{ event.item.text }}!'}}
          - {after_ms: 2000, say: {id: '{{ next_id(messages) }}', from: Ana, to: Bo, text: Lunch}}
      - where: has_words(row.text, "lunch")
        say: {id: '{{ next_id(messages) }}', from: Ana, to: me, text: 'When?'}
  Bo:
    hears: messages
    where: row.to == "Bo"
    after_ms: 100
    away:
      until_ms: 10000
      say: {id: '{{ next_id(messages) }}', from: Bo, to: me, text: I am away.}
    answers:
      - choose:
          - {say: {id: '{{ next_id(messages) }}', from: Bo, to: Ana, text: Yes}}
          - {say: {id: '{{ next_id(messages) }}', from: Bo, to: Ana, text: No}}
states:
  open:
    windows:
      - uid: chat
        bounds: {x: 0, y: 0, width: 600, height: 700}
        tree:
          role: Window
          children:
            - {if: ana_types, id: typing, role: Text, name: Ana is typing…}
            - {repeat: messages, as: message, id: message, role: Text, name: '{{ message.from }}: {{ message.text }}'}
            - {id: draft, role: Edit, name: Message, bind: draft}
            - {id: send, role: Button, name: Send}
            - {id: ask, role: Button, name: Ask Bo}
reactions:
  - on: {tool: click_element, target_id: send}
    set: [{var: messages, append: {id: '{{ next_id(messages) }}', from: me, to: Ana, text: '{{ draft }}'}}]
  - on: {tool: click_element, target_id: ask}
    set: [{var: messages, append: {id: '{{ next_id(messages) }}', from: me, to: Bo, text: Lunch?}}]
`

const say = (run: ScenarioRun, text: string): ScenarioRun => click(setValue(run, 'draft', text), 'send')
const texts = ({ data }: ScenarioRun): readonly string[] =>
  (data.messages as readonly { from: string; text: string }[]).map(({ from, text }) => `${from}: ${text}`)
const dueAt = ({ due }: ScenarioRun) => due.map(({ atMs, answer }) => `${atMs} ${answer?.actor} ${answer?.part}`)

describe('people who answer', () => {
  it('[SC218] answer a record after a delay, by the first rule that matches', () => {
    const run = say(begin(CHAT), 'Lunch?')
    const [typing, answer] = run.due.map(({ atMs }) => atMs)
    expect([answer! >= 2000, answer! <= 3000, answer! - typing!]).toEqual([true, true, 500])
    expect(texts(until(run, answer! - 1))).toEqual(['Ana: Hello', 'me: Lunch?'])
    expect(texts(until(run, answer!))).toEqual(['Ana: Hello', 'me: Lunch?', 'Ana: When?'])
    expect(until(run, 60_000).due).toEqual([])
  })

  it('[SC219] ignore records for other people, and records that no rule matches', () => {
    expect(say(begin(CHAT), 'Good morning').due).toEqual([])
  })

  it('[SC220] use the answered record in the answer, and correct the answer later', () => {
    const run = say(begin(CHAT), 'Lunch at 12')
    const answered = until(run, run.due.at(-1)!.atMs)
    expect(texts(answered).at(-1)).toBe('Ana: Fine: lunch at 12')
    expect(texts(until(answered, answered.nowMs + 1000)).at(-1)).toBe('Ana: Fine: lunch at 12!')
    expect(element(until(answered, answered.nowMs + 1000), 'message-3').name).toBe('Ana: Fine: lunch at 12!')
  })

  it('[SC221] show that they type', () => {
    const run = say(begin(CHAT), 'Lunch?')
    const [typing, answer] = run.due.map(({ atMs }) => atMs)
    const types = (atMs: number) => until(run, atMs).data.ana_types
    expect([typing! - 1, typing!, answer! - 1, answer!].map(types)).toEqual([false, true, true, false])
    expect(element(until(run, typing!), 'typing').name).toBe('Ana is typing…')
  })

  it('[SC222] say that they are away, and answer when they are back', () => {
    const run = click(begin(CHAT), 'ask')
    expect(dueAt(run)).toEqual(['1 Bo answer', '10100 Bo answer'])
    expect(texts(until(run, 1)).at(-1)).toBe('Bo: I am away.')
    expect(texts(until(run, 10_100)).at(-1)).toMatch(/^Bo: (Yes|No)$/)
    expect(dueAt(click(until(run, 10_000), 'ask'))).toEqual(['10100 Bo answer', '10100 Bo answer'])
  })

  it('[SC223] hear each other, and not themselves', () => {
    const run = say(begin(CHAT), 'Lunch at 1')
    const lines = texts(until(run, 20_000))
    expect(lines.slice(2, 5)).toEqual(['Ana: Fine: lunch at 1!', 'Ana: Lunch', 'Bo: I am away.'])
    expect(lines[5]).toMatch(/^Bo: /)
    expect(lines.length).toBe(6)
  })

  it('[SC224] are in the log with the id of the answer, otherwise with their name', () => {
    const run = until(say(until(say(begin(CHAT), 'Lunch?'), 5000), 'Lunch at 2'), 9000)
    const events = entriesOf(run.log).map(({ kind, name }) => `${kind} ${name}`)
    expect(events).toEqual(['timer Ana', 'timer ana-lunch'])
  })

  it('[SC225] answer alike in forks, in a second run and in another thread', () => {
    const run = say(begin(CHAT, 5), 'Lunch at 3')
    const end = until(run, 30_000)
    expect(until(say(begin(CHAT, 5), 'Lunch at 3'), 30_000).data).toEqual(end.data)
    expect(until(until(run, 2100), 30_000).data).toEqual(end.data)
    expect(say(begin(CHAT, 6), 'Lunch at 3').due[0]!.atMs).not.toBe(run.due[0]!.atMs)
  })

  it('[SC226] may be many who are due at once', () => {
    let run = begin(CHAT)
    for (let time = 0; time < 20; time++) run = click(run, 'send')
    expect(run.due).toEqual([])
  })

  it.each([
    [
      'hears: messages',
      'hears: mesages',
      '8:12: actors.Ana.hears: there is no variable "mesages"; did you mean "messages"?',
    ],
    ['hears: messages', 'hears: draft', 'draft holds no records; expected a list of these'],
    ['typing: ana_types', 'typing: draft', 'draft is a text; expected true or false'],
    ['row.to == "Ana"', 'row.too == "Ana"', 'unknown field "too"'],
    ["to: me, text: 'When?'", "too: me, text: 'When?'", 'messages has no field "too"'],
    ['event.row.text.lower()', 'event.row.txt', 'unknown field "txt"; did you mean "text"?'],
    ['{{ event.item.text }}!', '{{ event.item.txt }}!', 'unknown field "txt"; did you mean "text"?'],
    ['{between: [2000, 3000]}', '{between: [3000, 2000]}', 'the first number must not be greater than the second'],
    ['- where: has_words(row.text, "lunch")\n', '- id: Bo\n', 'another reaction, timer or event has the name "Bo"'],
    [
      'where: has_words(row.text, "lunch") && row.text.matches("[0-9]")\n',
      'after_ms: 1\n',
      'never comes: the answer 1 of Ana',
    ],
    ['answers:', 'answer:', 'did you mean "answers"?'],
  ])('[SC227] reports %j written as %j', (right, wrong, message) => {
    expect(() => begin(CHAT.replace(right, wrong))).toThrow(message)
  })
})
