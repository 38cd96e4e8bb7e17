import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { createAgent } from '../engine.ts'
import { parseProfiles } from '../profiles-file.ts'
import type { Toolbox } from '../toolbox.ts'
import { parseScript } from './script.ts'
import { cannedTools, scriptedModel } from './scripted-model.ts'

// Rules such as [AG51] are stated in SPEC.md beside this file.

/** Returns the answers of an agent with this script to the messages in order. */
async function answers(script: unknown, texts: readonly string[], toolbox?: Toolbox): Promise<string[]> {
  const session = createAgent({ model: scriptedModel(parseScript(script)) }).open(toolbox ? { toolbox } : {})
  const answers: string[] = []
  for (const text of texts) answers.push((await session.send({ text }).ended).text)
  return answers
}

it('[AG51] plays the first turn whose conditions all hold', async () => {
  const script = {
    turns: [
      { on: { text: 'save', state: 'editing' }, steps: [{ say: 'saving' }] },
      { on: { regex: '(?i)^bye' }, steps: [{ say: 'see you' }] },
      { on: { turn: 3 }, steps: [{ say: 'third' }] },
      { steps: [{ say: 'other' }] },
    ],
  }
  const toolbox = (state: string): Toolbox => ({
    list: () => [],
    call: async () => ({ ok: true, result: '' }),
    state: () => state,
  })
  expect(await answers(script, ['SAVE it', 'Bye!', 'hm', 'hm'], toolbox('editing'))).toEqual([
    'saving',
    'see you',
    'third',
    'other',
  ])
  expect(await answers(script, ['save it'], toolbox('saved'))).toEqual(['other'])
})

it('[AG53] matches and repeats only the beginning of a message', async () => {
  const script = {
    turns: [
      { on: { text: 'save' }, steps: [{ say: 'saving' }] },
      { on: { regex: '(?s)quit.*' }, steps: [{ say: 'ends with {{match.0}}' }] },
      { steps: [{ say: '{{message}}' }] },
    ],
  }
  const far = 'x'.repeat(64 * 1024)
  const [late, early, long] = await answers(script, [`${far}save`, `save${far}`, `${'😀'.repeat(530_000)}save`])
  expect([late, early]).toEqual([`${far}save`, 'saving'])
  expect(long).toBe('😀'.repeat(512 * 1024))
  const [matched] = await answers(script, [`quit${far}`])
  expect(matched).toBe(`ends with quit${far.slice(4)}`)
})

it('[AG51] [AG61] selects a turn by an available tool, and uses the first tool of a name', async () => {
  const tool = (name: string, result: string) => ({
    name,
    description: result,
    input: {},
    acts: false,
    ok: true,
    result,
  })
  const toolbox = cannedTools([tool('mouse', 'mine'), tool('bell', 'rings'), tool('mouse', 'built in')])
  expect(toolbox.list().map(({ name, description }) => [name, description])).toEqual([
    ['mouse', 'mine'],
    ['bell', 'rings'],
  ])
  const script = {
    turns: [
      { on: { tool: 'keyboard' }, steps: [{ say: 'typing' }] },
      { on: { tool: 'mouse' }, steps: [{ call: 'mouse', as: 'done' }, { say: '{{results.done.text}}' }] },
      { steps: [{ say: 'neither' }] },
    ],
  }
  expect([await answers(script, ['go'], toolbox), await answers(script, ['go'])]).toEqual([['mine'], ['neither']])
})

it('[AG52] fills steps with the message, results and answers', async () => {
  const toolbox: Toolbox = {
    list: () => [],
    call: async (name, args) => ({ ok: args.n !== 2, result: { name, args } }),
  }
  const script = [
    { call: 'look', with: { what: 'for {{message}}', turn: '{{turn}}' }, as: 'seen' },
    { call: 'look', with: { n: 2, seen: '{{results.seen.output.args}}' }, as: 'failed' },
    {
      if: { value: '{{results.failed.ok}}', equals: 'false' },
      do: [{ say: '{{results.failed.output.args.seen.what}}/{{results.seen.output.args.turn}}/{{nothing.at.all}}' }],
    },
  ]
  expect(await answers(script, ['gold'], toolbox)).toEqual(['for gold/1/'])
})

it('[AG54] plays deterministically', async () => {
  const play = async () => {
    const script = parseScript({
      seed: 9,
      turns: [{ steps: [{ think: 'a thought of some length' }, { say: 'and an answer of some length' }] }],
    })
    const steps: unknown[] = []
    const session = createAgent({ model: scriptedModel(script) }).open()
    session.listen((event) => {
      if (event.type === 'text_delta' || event.type === 'thinking_delta') steps.push([event.type, event.text])
    })
    await session.send({ text: 'go' }).ended
    return steps
  }
  const first = await play()
  expect(first.length).toBeGreaterThan(5)
  expect(await play()).toEqual(first)
})

it.each([
  [{ turns: [{ step: [] }] }, 'turns'],
  [{ turns: [{ steps: [{ sya: 'hello' }] }] }, 'steps'],
  [[{ call: 'x', wiht: {} }], 'turns'],
])('[AG56] refuses the misspelt %j', (script, path) => {
  expect(() => parseScript(script)).toThrow(
    expect.objectContaining({ code: 'ScenarioInvalid', message: expect.stringContaining(path) }),
  )
})

it.each([
  [{ repeat: 3 }, 'turns[0].steps[0].repeat: expected keys with values, found 3'],
  [{ repeat: { times: 'x', steps: [] } }, 'turns[0].steps[0].repeat.times: expected a number, found "x"'],
  [
    { repeat: { count: 2, steps: [] } },
    'turns[0].steps[0].repeat.count: unknown key "count"; the keys here are times, steps',
  ],
  [{ if: 'x' }, 'turns[0].steps[0].if: expected keys with values, found "x"'],
  [{ delay: 'long' }, 'turns[0].steps[0].delay: expected a number or keys with values, found "long"'],
  [
    { repeat: { times: 2, steps: [{ sya: 'x' }] } },
    'turns[0].steps[0].repeat.steps[0].sya: unknown key "sya"; did you mean "say"?',
  ],
])('[AG57] reports the problem of the step %j', (step, message) => {
  expect(() => parseScript([step])).toThrow(
    expect.objectContaining({ code: 'ScenarioInvalid', message: expect.stringContaining(message) }),
  )
})

it('[AG58] accepts a pace with only one half', () => {
  expect(parseScript({ pace: { ms: [5, 9] }, turns: [] }).pace).toEqual({ characters: [3, 12], ms: [5, 9] })
  expect(parseScript({ pace: { characters: [1, 1] }, turns: [] }).pace).toEqual({ characters: [1, 1], ms: [0, 0] })
})

it.each([
  [{ turns: [{ on: { regex: '(' }, steps: [] }] }],
  [{ turns: [{ steps: [{ if: { value: 'x', matches: '(' }, do: [] }] }] }],
])('[AG56] refuses the pattern in %j', (script) => {
  expect(() => parseScript(script)).toThrow(expect.objectContaining({ code: 'ScenarioInvalid' }))
})

it('[AG62] refuses a second profile of the same id', () => {
  const cast = (ids: readonly string[]) => `profiles: [${ids.map((id) => `{id: ${id}, name: Somebody}`).join(', ')}]`
  expect(parseProfiles(cast(['one', 'two'])).profiles).toHaveLength(2)
  expect(() => parseProfiles(cast(['one', 'two', 'one']))).toThrow(
    expect.objectContaining({ code: 'ScenarioInvalid', message: expect.stringContaining('"one"') }),
  )
})

it('[AG51] parses the script in the README', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, yaml] = /```yaml\n([\s\S]*?)```/.exec(readme)!
  expect(parseScript(parse(yaml!).agent).turns).toHaveLength(2)
})

it('[AG55] patterns of a script match the beginning of a long message', async () => {
  const script = {
    turns: [{ on: { regex: '(?i)[a-z]+ end' }, steps: [{ say: 'found' }] }, { steps: [{ say: 'other' }] }],
  }
  const [short, long] = [`${'word '.repeat(100)}end`, `${'word '.repeat(1_000_000)}end`]
  expect(await answers(script, [short, long])).toEqual(['found', 'other'])
})
