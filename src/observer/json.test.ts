import { expect, it } from 'vitest'
import { button, desktop, window } from '../desktop/model/builders.ts'
import { toJsonChunks } from './json.ts'
import { cutDepth, toWireElement } from './wire.ts'

const tree = (...names: readonly string[]) =>
  toWireElement(desktop(window('Bench', {}, ...names.map((name) => button(name)))).windows[0]!.tree)

const whole = (pieces: readonly (string | Buffer)[]): string => pieces.map(String).join('')

const read = (pieces: readonly (string | Buffer)[]): unknown => JSON.parse(whole(pieces))

it('writes the same text as JSON.stringify, wherever trees and pictures occur', () => {
  const wide = tree(...Array.from({ length: 200 }, (_, index) => `Button "${index}" – ü`))
  const answers = [
    { ok: true, list: [1, null], left: undefined, nested: { a: 'b' } },
    { ok: true, tree: tree('One', 'Two') },
    { tree: wide, after: 1 },
    { ok: true, observation: { tree: wide, gone: undefined }, data: 'QUJD'.repeat(10_000) },
    { observation: { screenshot_b64: 'QUJD'.repeat(10_000), tree: cutDepth(wide, 0) }, reward: 0 },
    {},
  ]
  expect(answers.map((answer) => read(toJsonChunks(answer)))).toEqual(
    answers.map((answer) => JSON.parse(JSON.stringify(answer))),
  )
})

it('writes a tree at the position of its field', () => {
  const shown = tree('One')
  expect(whole(toJsonChunks({ shown }))).toBe(`${JSON.stringify({ shown })}\n`)
})

it('serialises a repeated object once, and its siblings every time', () => {
  const same = { window: 'Bench – ü', tree: tree('One'), data: 'QUJD'.repeat(10_000) }
  const answers = [1, 2, 3, 4].map((step_id) => toJsonChunks({ ok: true, left: undefined, step_id }, same))
  for (const [place, answer] of answers.entries())
    expect(read(answer)).toEqual({ ok: true, step_id: place + 1, ...same })
  expect(answers[3]!.at(-1)).toBe(answers[2]!.at(-1))
  expect(read(toJsonChunks({}, same))).toEqual(same)
  expect(read(toJsonChunks({ also: tree('Two') }, same))).toEqual({ also: tree('Two'), ...same })
})
