import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CountedDisplay, countRequestsTo } from '../../../../test/support/linux/counted-display.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  waitUntil,
} from '../../../../test/support/linux/test-desktop.ts'
import { createTestbed, type Testbed } from '../../../compose/testbed.ts'
import { call } from '../../../observer/call.ts'

const WINDOWS = 40
const MAX_REQUESTS = 60

let testDesktop: LinuxTestDesktop
let counted: CountedDisplay
let testbed: Testbed

// biome-ignore lint/suspicious/noExplicitAny: the result depends on the tool.
type Answer = any

async function ask(tool: string, args: unknown = {}): Promise<Answer> {
  const { body, fault } = await call(testbed.session, tool, args)
  if (fault) throw fault
  return body
}

beforeAll(async () => {
  testDesktop = await startTestDesktop()
  counted = await countRequestsTo(testDesktop.desktop.display)
  testbed = await createTestbed({ adapter: 'linux', env: { ...testDesktop.desktop.env, DISPLAY: counted.name } })
  testDesktop.desktop.start(PYTHON, fixturePath('gtk-windows.py'), String(WINDOWS))
  const windows = await waitUntil('all windows are open', async () => {
    const { windows } = await ask('list_windows')
    return windows.length === WINDOWS && windows
  })
  for (const { window_uid } of windows)
    await waitUntil('its tree can be read', async () => {
      const { fault } = await call(testbed.session, 'get_window_structure', { window_uid })
      return !fault
    })
})
afterAll(async () => {
  await testbed?.close()
  counted?.close()
  await testDesktop?.close()
})

/** The requests to the X server of one call. */
async function requestsOf(tool: string, args: unknown): Promise<number> {
  const before = counted.requests
  await ask(tool, args)
  return counted.requests - before
}

describe('a desktop with forty windows whose trees were read', () => {
  it.each([
    ['press_key', { keys: 'Tab' }],
    ['type_text', { text: 'hello' }],
    ['click_element', { window_title: 'Window 7', selector: 'Button "Speak"' }],
    ['bring_to_foreground', { window_title: 'Window 9' }],
  ])('[LX10] takes few requests for %s', async (tool, args) => {
    await ask('bring_to_foreground', { window_title: 'Window 7' })
    await ask(tool, args)
    expect(await requestsOf(tool, args)).toBeLessThanOrEqual(MAX_REQUESTS)
  })
})
