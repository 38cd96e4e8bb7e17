import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { waitUntil } from '../support/linux/test-desktop.ts'
import { sharedWindowsDesktop } from '../support/mswindows/shared-windows.ts'
import { buildWindowsFixture, type ProgramWindow, type WindowsDesktop } from '../support/mswindows/windows-desktop.ts'

// Programs of a Windows desktop that hang, under Wine: a stopped program does not process messages.

let desktop: WindowsDesktop
let hung: ProgramWindow
let other: ProgramWindow
beforeAll(async () => {
  desktop = await sharedWindowsDesktop()
  hung = await desktop.launchForm()
  other = await desktop.launch(/Notepad/, 'notepad')
}, 180_000)

/** Generous, because Wine is slow on a busy machine. What matters is measured for each call. */
const MAX_TEST_MS = 180_000
/** A call waits once for the program before its action and at most once more for its receipt. Both take 0.7 s. */
const MAX_FAULT_MS = 5000
/** Enough for a thread that was started by one to be counted while another one reads. */
const BUSY_READINGS = 10
/** Calls about other programs that are made meanwhile wait for none of it. */
const MAX_OTHER_MS = 5000

/** Calls a tool. Returns the fault code of its result, and whether it came in time. */
async function faultOf(tool: string, args: object, withinMs = MAX_FAULT_MS) {
  const start = performance.now()
  const { ok, error } = await desktop.ask(tool, args)
  return { code: ok ? 'none' : error.code, inTime: performance.now() - start < withinMs }
}

const TIMEOUT = { code: 'Timeout', inTime: true }
const DONE = { code: 'none', inTime: true }
const centreOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
  x: Math.round(x + width / 2),
  y: Math.round(y + height / 2),
})

it('[WA8] a program that hangs is a Timeout for trees, clicks and keys, and works again after it', {
  timeout: MAX_TEST_MS,
}, async () => {
  const { bounds } = await hung.tree()
  await desktop.ask('bring_to_foreground', { window_uid: hung.uid })
  hung.program.stop()
  try {
    const window_uid = hung.uid
    expect(await faultOf('get_window_structure', { window_uid })).toEqual(TIMEOUT)
    expect(await faultOf('click_element', { window_uid, selector: 'Button' })).toEqual(TIMEOUT)
    expect(await faultOf('set_value', { window_uid, selector: 'Edit', value: 'late' })).toEqual(TIMEOUT)
    expect(await faultOf('click_at', centreOf(bounds))).toEqual(TIMEOUT)
    expect(await faultOf('type_text', { text: 'late' })).toEqual(TIMEOUT)
    expect(await faultOf('press_key', { keys: 'enter' })).toEqual(TIMEOUT)
    expect(await faultOf('get_screenshot', { window_uid })).toEqual(DONE)
  } finally {
    hung.program.resume()
  }
  expect(JSON.stringify(await hung.tree())).not.toContain('late')
  expect(await faultOf('set_value', { window_uid: hung.uid, selector: 'Edit', value: 'again' })).toEqual(DONE)
  expect(JSON.stringify(await hung.tree())).toContain('"value":"again"')
})

it('[WA9] other windows can be read and driven while a program hangs', { timeout: MAX_TEST_MS }, async () => {
  hung.program.stop()
  try {
    const [stuck, ...others] = await Promise.all([
      faultOf('get_window_structure', { window_uid: hung.uid }),
      faultOf('list_windows', {}, MAX_OTHER_MS),
      faultOf('get_window_structure', { window_uid: other.uid }, MAX_OTHER_MS),
    ])
    expect([stuck, ...others]).toEqual([TIMEOUT, DONE, DONE])
    expect(await faultOf('bring_to_foreground', { window_uid: other.uid })).toEqual(DONE)
    expect(await faultOf('type_text', { text: 'meanwhile' })).toEqual(DONE)
    expect(JSON.stringify(await other.tree())).toContain('meanwhile')
    const snapshot = await desktop.ask('snapshot')
    expect([snapshot.ok, snapshot.trees_unavailable]).toEqual([true, [hung.uid]])
  } finally {
    hung.program.resume()
  }
})

it('[WA10] a window that closes between find and click is WindowGone', { timeout: MAX_TEST_MS }, async () => {
  const program = await desktop.launch(/About/, 'winver')
  const { id } = await program.element('Button', 'OK')
  await program.end()
  expect(await faultOf('click_element', { window_uid: program.uid, element_id: id })).toMatchObject({
    code: 'WindowGone',
  })
})

it('[WA11] reading a program starts no threads in it, and it goes on', { timeout: MAX_TEST_MS }, async () => {
  copyFileSync(await buildWindowsFixture('busy'), join(desktop.machine.drive, 'busy.exe'))
  const busy = await desktop.launch(/^Busy, /, 'C:\\busy.exe')
  const { name } = await busy.tree()
  for (let reading = 0; reading < BUSY_READINGS; reading++) {
    await busy.element('MenuItem', 'File')
    expect((await busy.tree()).name).toBe(name)
  }
  await busy.end()
})

/** 200 characters, for which the program of slow.c takes four seconds. */
const LONG = 'abcdefghij'.repeat(20)
async function launchSlow() {
  copyFileSync(await buildWindowsFixture('slow'), join(desktop.machine.drive, 'slow.exe'))
  const slow = await desktop.launch(/^Slow$/, 'C:\\slow.exe')
  return { end: slow.end, text: async () => (await slow.element('Document', '')).value ?? '' }
}

it('[MS5] typing waits for a slow program, which then has all of the text', { timeout: MAX_TEST_MS }, async () => {
  const slow = await launchSlow()
  expect(await desktop.ask('type_text', { text: LONG })).toMatchObject({ ok: true, changed: true })
  expect(await slow.text()).toBe(LONG)
  await slow.end()
})

it('[MS5] a slow program gets no more text once its server has ended', { timeout: MAX_TEST_MS }, async () => {
  const slow = await launchSlow()
  const second = await desktop.machine.serve(['--adapter', 'windows'])
  const body = JSON.stringify({ text: LONG })
  const headers = { 'content-type': 'application/json' }
  const typing = fetch(`${second.url}/api/tool/type_text`, { method: 'POST', headers, body }).catch(() => {})
  await waitUntil('some of the text is there', async () => (await slow.text()) !== '')
  await second.kill()
  await typing
  expect(await faultOf('type_text', { text: 'END' })).toEqual(DONE)
  const text = await slow.text()
  expect(text).toMatch(/END$/)
  expect(text.length).toBeLessThan(LONG.length / 2)
  await slow.end()
})

it('Ctrl-C ends a server, and releases the keys that it holds', { timeout: MAX_TEST_MS }, async () => {
  await desktop.ask('bring_to_foreground', { window_uid: other.uid })
  await desktop.ask('clear_text', { window_uid: other.uid, selector: 'Document' })
  const second = await desktop.machine.serve(['--adapter', 'windows'])
  const body = JSON.stringify({ key: 'shift' })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${second.url}/api/tool/key_down`, { method: 'POST', headers, body })
  expect(await reply.json()).toMatchObject({ ok: true })
  process.kill(second.pid, 'SIGINT')
  expect(await second.ended).toBe(0)
  expect(await faultOf('type_text', { text: 'abc' })).toEqual(DONE)
  expect((await other.element('Document', '')).value).toBe('abc')
})
