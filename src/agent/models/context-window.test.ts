import { describe, expect, it } from 'vitest'
import { type ChatMessage, contextTokens, type ModelContext } from '../history/history.ts'
import { fitContext, roomFor, toolTokens } from './context-window.ts'
import { systemTextOf } from './dialect.ts'

const picture = { mimeType: 'image/png', base64: 'aGk=' }
const person = (text: string, pictures = 0): ChatMessage => ({
  role: 'user',
  text,
  atMs: 0,
  ...(pictures > 0 && { images: Array(pictures).fill(picture) }),
})
const round = (id: string, text: string, pictures = 0): ChatMessage[] => [
  { role: 'assistant', text: '', calls: [{ id, tool: 'look', args: { id } }], atMs: 0 },
  {
    role: 'tool',
    callId: id,
    tool: 'look',
    ok: true,
    text,
    atMs: 0,
    ...(pictures > 0 && { images: Array(pictures).fill(picture) }),
  },
]
const contextWith = (...messages: readonly (ChatMessage | ChatMessage[])[]): ModelContext => ({
  summary: undefined,
  messages: messages.flat(),
})
const picturesIn = ({ messages }: ModelContext) =>
  messages.reduce((sum, message) => sum + (message.role === 'assistant' ? 0 : (message.images?.length ?? 0)), 0)
const rounds = (count: number, text: string, pictures = 0) =>
  Array.from({ length: count }, (_, at) => round(`c${at}`, text, pictures)).flat()

describe('the context sent to a model', () => {
  it('[AG44] contains the newest three images, and a line in place of each older one', () => {
    const fitted = fitContext(contextWith(person('go', 2), rounds(25, 'shot', 1)), 100_000)
    expect(picturesIn(fitted)).toBe(5)
    const texts = fitted.messages.map(({ text }) => text)
    expect(texts.filter((text) => text === 'shot\n(A picture is not shown any more.)')).toHaveLength(22)
    expect(texts.at(-1)).toBe('shot')
  })

  it('[AG44] contains only the newest images of earlier messages', () => {
    const fitted = fitContext(contextWith(person('one', 4), rounds(2, 'shot', 1), person('two', 1)), 100_000)
    expect(
      fitted.messages.map((message) => (message.role === 'assistant' ? 0 : (message.images?.length ?? 0))),
    ).toEqual([1, 0, 1, 0, 1, 1])
    expect(fitted.messages[0]!.text).toBe('one\n(3 pictures are not shown any more.)')
  })

  it('[AG41] contains all messages if they fit', () => {
    const context = contextWith(person('one'), rounds(3, 'seen'), person('two'))
    expect(fitContext(context, 1000)).toEqual(context)
  })

  it('[AG43] shortens results of earlier rounds first', () => {
    const fitted = fitContext(contextWith(person('go'), rounds(4, 'x'.repeat(2000))), 1000)
    expect(fitted.summary).toBeUndefined()
    const texts = fitted.messages.flatMap((message) => (message.role === 'tool' ? [message.text] : []))
    expect(texts.map((text) => text.length)).toEqual([238, 238, 238, 2000])
    expect(texts[0]).toMatch(/x… \(1800 more characters are not shown\)$/)
  })

  it.each([1, 10, 100, 1000])('[AG41] fits after %i rounds, each call with its result', (count) => {
    const context = contextWith(person('before'), person('The task.'), rounds(count, 'A tree. '.repeat(2000), 1))
    const fitted = fitContext(context, 1600)
    expect(contextTokens(fitted)).toBeLessThanOrEqual(1600)
    expect(fitted.messages).toContainEqual(person('The task.'))
    const calls = fitted.messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
    const answered = fitted.messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))
    expect(answered).toEqual(calls.map(({ id }) => id))
    expect(answered.at(-1)).toBe(`c${count - 1}`)
    if (count >= 100) expect(systemTextOf('Be brief.', fitted)).toMatch(/^Be brief\.\n\nSummary of the earlier/)
  })

  it('[AG41] keeps the newest message of the user whole at any length', () => {
    const fitted = fitContext(contextWith(person('old'), rounds(3, 'x'.repeat(900)), person('y'.repeat(9000))), 500)
    expect(fitted.messages.at(-1)!.text).toHaveLength(9000)
    expect(fitted.messages.length).toBe(1)
  })

  it('[AG41] fits beside the system prompt, and keeps a minimum for messages', () => {
    expect(roomFor(1000)).toBe(800)
    expect(roomFor(1000, 'x'.repeat(400))).toBe(700)
    const tool = { name: 'look', description: 'x'.repeat(400), input: { type: 'object' } }
    expect(roomFor(1000, 'x'.repeat(400), [tool])).toBe(700 - toolTokens([tool]))
    expect(toolTokens([tool, tool])).toBeGreaterThan(200)
    expect(toolTokens([])).toBe(0)
  })

  it('[AG42] reserves a fifth of the window for messages, regardless of the system prompt and the tools', () => {
    const tool = { name: 'look', description: 'x'.repeat(40_000), input: { type: 'object' } }
    expect(roomFor(1000, 'x'.repeat(400_000))).toBe(200)
    expect(roomFor(1000, '', [tool])).toBe(200)
  })
})
