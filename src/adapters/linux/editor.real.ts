import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LinuxTestDesktop, startTestDesktop, type TestWindow } from '../../../test/support/linux/test-desktop.ts'

let testDesktop: LinuxTestDesktop
let editor: TestWindow

beforeAll(async () => {
  testDesktop = await startTestDesktop()
  editor = await testDesktop.launch(/Mousepad/, 'mousepad', '--disable-server')
})
afterAll(() => testDesktop?.close())

const clear = async () => {
  await editor.perform('Document', { type: 'focus' })
  await editor.perform('Document', { type: 'clear_text' })
}
const text = async () => (await editor.element('Document')).value

const LINE = 'Zażółć gęślą jaźń · 你好，世界 · مرحبا بالعالم · 👩‍💻🎬 — {"key": [1, ~`|\\]}'

describe('an editor', () => {
  it('[LX23] contains exactly the typed line, in any script', async () => {
    await clear()
    expect(await testDesktop.computer.perform({ type: 'type', text: LINE })).toEqual({ via: 'keyboard' })
    expect(await text()).toBe(LINE)
  })

  it('[LX23] contains several lines and tabs, and capitals while caps lock is on', async () => {
    await clear()
    await testDesktop.computer.perform({ type: 'key', keys: 'capslock' })
    try {
      await testDesktop.computer.perform({ type: 'type', text: 'One\n\tTwo Żó\nthree' })
    } finally {
      await testDesktop.computer.perform({ type: 'key', keys: 'capslock' })
    }
    expect(await text()).toBe('One\n\tTwo Żó\nthree')
  })

  it('[LX23] contains a thousand characters typed at once', async () => {
    await clear()
    const long = 'The quick brown fox jumps over the lazy dog. '.repeat(23).slice(0, 1000)
    await testDesktop.computer.perform({ type: 'type', text: long })
    await editor.waitForText(long)
    expect(await text()).toBe(long)
  })

  it('[LX18] accepts a value without keys and appends to it', async () => {
    await editor.perform('Document', { type: 'set_value', value: 'Grüße 👋', clearFirst: true })
    const added = await editor.perform('Document', { type: 'set_value', value: ' und mehr', clearFirst: false })
    expect(added).toEqual({ via: 'accessibility' })
    expect(await text()).toBe('Grüße 👋 und mehr')
  })

  it('[LX22] selects with a double click, a drag and chords', async () => {
    await editor.perform('Document', { type: 'set_value', value: 'one two three', clearFirst: true })
    await editor.perform('Document', { type: 'focus' })
    await testDesktop.computer.perform({ type: 'key', keys: 'ctrl+a' })
    await testDesktop.computer.perform({ type: 'type', text: 'all new' })
    expect(await text()).toBe('all new')
    const { bounds } = await editor.element('Document')
    const at = { x: bounds.x + 12, y: bounds.y + 10 }
    await testDesktop.computer.perform({ type: 'click', at, button: 'left', count: 2 })
    await testDesktop.computer.perform({ type: 'type', text: 'ALL' })
    expect(await text()).toBe('ALL new')
    const from = { x: bounds.x + 2, y: at.y }
    const to = { x: bounds.x + 300, y: at.y }
    await testDesktop.computer.perform({ type: 'drag', from, to, modifiers: [], durationMs: 100 })
    await testDesktop.computer.perform({ type: 'key', keys: 'Delete' })
    expect(await text()).toBe('')
  })

  it('[LX22] selects letters, not words, with a drag from the point of the last click', async () => {
    await editor.perform('Document', { type: 'set_value', value: 'wwwwwwww wwwwwwww', clearFirst: true })
    const { bounds } = await editor.element('Document')
    const from = { x: bounds.x + 30, y: bounds.y + 10 }
    await testDesktop.computer.perform({ type: 'click', at: from, button: 'left', count: 1 })
    const to = { x: bounds.x + 300, y: from.y }
    await testDesktop.computer.perform({ type: 'drag', from, to, modifiers: [], durationMs: 0 })
    await testDesktop.computer.perform({ type: 'key', keys: 'Delete' })
    expect(await text()).toMatch(/^w{1,7}$/)
  })
})
