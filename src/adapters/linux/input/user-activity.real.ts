import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Pointer } from 'x11'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  type TestWindow,
  waitUntil,
} from '../../../../test/support/linux/test-desktop.ts'
import type { Computer } from '../../computer.ts'
import { openLinuxComputer } from '../linux.ts'
import { openDisplay } from '../x11/display.ts'

const YIELD_MS = 800

let testDesktop: LinuxTestDesktop
let form: TestWindow
let agent: Computer

beforeAll(async () => {
  testDesktop = await startTestDesktop()
  form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
  await testDesktop.computer.perform({ type: 'activate', window: form.uid })
  agent = await openLinuxComputer(testDesktop.desktop.env, { yieldToPersonMs: YIELD_MS })
})
afterAll(async () => {
  await agent?.close()
  await testDesktop?.close()
})

/** A person at the mouse or the keyboard, as the X server sees it. */
const person = (...does: readonly string[]) =>
  expect(spawnSync('xdotool', does, { env: testDesktop.desktop.env }).status).toBe(0)
const timed = async (act: () => unknown) => {
  const startedMs = performance.now()
  await act()
  return performance.now() - startedMs
}
const hover = (x: number) => agent.perform({ type: 'hover', at: { x, y: 5 }, forMs: 0 })

describe('an agent that yields to a person', () => {
  it('[LX34] waits after the mouse was moved, then continues', async () => {
    const after = async () => {
      person('mousemove', '900', '700')
      await hover(700)
    }
    expect(await timed(after)).toBeGreaterThan(YIELD_MS - 30)
  })

  it('[LX34] waits after a key was pressed', async () => {
    const after = async () => {
      person('key', 'F9')
      await agent.perform({ type: 'key', keys: 'f8' })
    }
    expect(await timed(after)).toBeGreaterThan(YIELD_MS - 30)
  })

  it('[LX34] does not wait for its own input', async () => {
    await hover(710)
    expect(await timed(() => hover(720))).toBeLessThan(YIELD_MS - 250)
  })

  it('[LX34] aborts a drag that a person interrupts, with no button left down', async () => {
    await hover(730)
    const drag = agent.perform({
      type: 'drag',
      from: { x: 900, y: 700 },
      to: { x: 1000, y: 700 },
      modifiers: [],
      durationMs: 5000,
    })
    const outcome = Promise.resolve(drag).then(
      () => undefined,
      (error) => error,
    )
    const display = await openDisplay(testDesktop.desktop.display)
    const LEFT_BUTTON = 0x100
    const pointer = () => display.request<Pointer>((done) => display.client.QueryPointer(display.root, done))
    await waitUntil(
      'the drag is under way',
      async () => ((await pointer()).keyMask & LEFT_BUTTON) !== 0 && (await pointer()).rootX > 905,
    )
    // A hand moves on and on.
    const moves = Array.from({ length: 20 }, (_, index) => ['mousemove', `${800 - index}`, '600', 'sleep', '0.03'])
    testDesktop.desktop.start('xdotool', ...moves.flat())
    expect(await outcome).toMatchObject({ code: 'Timeout', message: expect.stringContaining('person') })
    expect((await pointer()).keyMask & LEFT_BUTTON).toBe(0)
    display.close()
  })
})
