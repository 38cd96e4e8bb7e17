import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  waitUntil,
} from '../../../../test/support/linux/test-desktop.ts'
import { type Display, openDisplay } from '../x11/display.ts'
import { readKeymap } from './keyboard.ts'

let testDesktop: LinuxTestDesktop
let display: Display

beforeAll(async () => {
  testDesktop = await startTestDesktop()
  display = await openDisplay(testDesktop.desktop.display)
})
afterEach(() => testDesktop.endPrograms())
afterAll(async () => {
  display?.close()
  await testDesktop?.close()
})

/** Replaces the keyboard map, as the settings of a desktop do. While typing, this process holds the server now and then. */
async function setLayouts(layouts: string): Promise<void> {
  const child = spawn('setxkbmap', ['-layout', layouts], { env: testDesktop.desktop.env, stdio: 'ignore' })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error(`setxkbmap ended with ${status}`)
}

/** The part of the XKB extension that the test uses. */
interface Xkb {
  readonly UseCoreKbd: number
  UseExtension(major: number, minor: number, done: () => boolean): void
  LatchLockState(device: number, ...masksAndGroups: readonly (number | boolean)[]): void
}

/** Switches between the layouts of the map, as the panel and the keys of a desktop do. */
async function lockLayout(index: number): Promise<void> {
  const xkb = (await display.extension<Xkb>('xkb'))!
  await display.request<void>((done) => xkb.UseExtension(1, 0, () => done(undefined, undefined)))
  xkb.LatchLockState(xkb.UseCoreKbd, 0, 0, true, index, 0, 0, false, 0)
  await display.sync()
}

/** What the keys of letters produce. */
async function activeKeys(): Promise<string> {
  const { group, rows, firstCode } = await readKeymap(display)
  return JSON.stringify([group, rows.slice(24 - firstCode, 60 - firstCode)])
}

const SWITCHES: readonly (readonly [how: string, layouts: string, (turn: number) => Promise<void>])[] = [
  ['to another one of three', 'us,de,ru', (turn) => lockLayout((turn + 1) % 3)],
  ['to another keyboard map', 'us', (turn) => setLayouts(['de', 'fr', 'us,ru'][turn % 3]!)],
]
type Program = [toolkit: string, title: RegExp, program: string, ...args: string[]]
const PROGRAMS: readonly Program[] = [
  ['GTK 3', /^Form$/, 'gtk-form.py'],
  ['Qt 5', /^Qt form$/, 'qt-form.py', 'PyQt5'],
  ['Qt 6', /^Qt form$/, 'qt-form.py', 'PyQt6'],
]
/** Characters of keys that the layouts exchange, of keys that only one of them has, and of none. */
const TEXT = 'zy ZY [{@}] ;-= qa über Straße żółw 日本 '.repeat(8)
const FIELD = 'Edit "First name"'

describe.each<Program>(PROGRAMS)('a form of %s', (_toolkit, title, program, ...args) => {
  it.each(SWITCHES)(
    '[LX23a] has exactly the text that is typed while a person switches the layout %s',
    async (_how, layouts, switchLayout) => {
      await setLayouts(layouts)
      const form = await testDesktop.launch(title, PYTHON, fixturePath(program), ...args)
      const typedSoFar = async () => (await form.element(FIELD)).value ?? ''
      await form.perform(FIELD, { type: 'focus' })
      const typing = { ended: false }
      const typed = Promise.resolve(testDesktop.computer.perform({ type: 'type', text: TEXT, intervalMs: 4 }))
        .then(
          () => undefined,
          (error: unknown) => error,
        )
        .finally(() => {
          typing.ended = true
        })
      let switches = 0
      for (; !typing.ended; switches++) {
        const { length } = await typedSoFar()
        const before = await activeKeys()
        await switchLayout(switches)
        expect(await activeKeys()).not.toBe(before)
        await waitUntil('more is typed', async () => typing.ended || (await typedSoFar()).length > length)
      }
      expect(await typed).toBeUndefined()
      expect(switches).toBeGreaterThan(3)
      expect(await typedSoFar()).toBe(TEXT)
    },
  )
})

it('[LX23a] has exactly the text that is typed while a person turns caps lock on and holds Shift', async () => {
  await setLayouts('us')
  const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
  await form.perform(FIELD, { type: 'focus' })
  const typedSoFar = async () => (await form.element(FIELD)).value ?? ''
  const typing = testDesktop.computer.perform({ type: 'type', text: TEXT, intervalMs: 4 })
  for (const keys of [
    ['key', 'Caps_Lock'],
    ['keydown', 'shift', 'sleep', '0.1', 'keyup', 'shift'],
    ['key', 'Caps_Lock'],
  ]) {
    const { length } = await typedSoFar()
    await waitUntil('more is typed', async () => (await typedSoFar()).length > length)
    await once(spawn('xdotool', keys, { env: testDesktop.desktop.env }), 'exit')
  }
  expect((await typedSoFar()).length).toBeLessThan(TEXT.length)
  await typing
  expect(await typedSoFar()).toBe(TEXT)
})

it('[LX23a] leaves keys alone that another keyboard map uses meanwhile', async () => {
  await setLayouts('us')
  const form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
  await form.perform(FIELD, { type: 'focus' })
  const text = 'żółw 日本 '.repeat(20)
  const typing = testDesktop.computer.perform({ type: 'type', text, intervalMs: 4 })
  await waitUntil('some is typed', async () => (await form.element(FIELD)).value !== '')
  await setLayouts('pl')
  await typing
  expect((await form.element(FIELD)).value).toBe(text)
  const keys = (await readKeymap(display)).rows
  await setLayouts('pl')
  expect(keys).toEqual((await readKeymap(display)).rows)
})
