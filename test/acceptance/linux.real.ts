import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Config } from '../../src/compose/config.ts'
import { createTestbed, type RestServer, type Testbed } from '../../src/compose/testbed.ts'
import {
  fixturePath,
  type LinuxTestDesktop,
  PYTHON,
  startTestDesktop,
  type TestWindow,
  waitUntil,
} from '../support/linux/test-desktop.ts'
import { observerSuite } from './observer.suite.ts'

// The observer over HTTP on a real desktop, as agents use it.

let testDesktop: LinuxTestDesktop
let testbed: Testbed
let served: RestServer
let folder: string

beforeAll(async () => {
  testDesktop = await startTestDesktop()
  folder = mkdtempSync(join(tmpdir(), 'backlot-real-'))
  testbed = await createTestbed({
    config: Config.parse({ tracing: { dir: folder } }),
    adapter: 'linux',
    env: testDesktop.desktop.env,
    stopFile: join(folder, 'stop'),
  })
  served = await testbed.serveRest({ port: 0 })
})
afterAll(async () => {
  await testbed?.close()
  await testDesktop?.close()
  rmSync(folder, { recursive: true, force: true })
})

// biome-ignore lint/suspicious/noExplicitAny: the response depends on the tool.
type Answer = { readonly status: number; readonly body: any }

async function get(path: string): Promise<Answer> {
  const reply = await fetch(served.url + path)
  return { status: reply.status, body: await reply.json() }
}

async function post(path: string, body: unknown = {}): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(served.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: reply.status, body: await reply.json() }
}

describe('the observer on a real calculator', () => {
  let calculator: TestWindow
  beforeAll(async () => {
    calculator = await testDesktop.launch(/Calculator/, 'gnome-calculator')
  })
  afterAll(async () => {
    calculator.process.kill()
    await waitUntil('it is gone', async () => (await testDesktop.computer.windows()).length === 0)
  })

  const reads42 = () =>
    post('/api/wait_for', {
      any_of: [{ type: 'element_appears', selector: 'Document[value="42"]' }],
      timeout_ms: 5000,
      window_uid: calculator.uid,
    })

  it('reports its platform', async () => {
    const { body } = await get('/api/healthz')
    expect(body).toMatchObject({ ok: true, platform: 'Linux', adapter: 'LinuxAdapter' })
    const { windows } = (await get('/api/windows')).body
    expect(windows).toMatchObject([{ title: 'Calculator', window_uid: calculator.uid, focused: true }])
  })

  it('multiplies by clicking elements', async () => {
    for (const name of ['7', '×', '6', '=']) {
      const { body } = await post('/api/element/click', { selector: `Button[name="${name}"]` })
      expect(body).toMatchObject({ ok: true, action: 'click_element', dry_run: false })
    }
    expect((await reads42()).body).toMatchObject({ ok: true, matched_index: 0 })
  })

  it('multiplies by clicking coordinates', async () => {
    await post('/api/action', { action: 'key', value: 'escape' })
    for (const name of ['7', '×', '6', '=']) {
      const selector = encodeURIComponent(`Button[name="${name}"]`)
      const { bounds } = (await get(`/api/find_element?selector=${selector}`)).body
      const at = { x: bounds.x + Math.floor(bounds.width / 2), y: bounds.y + Math.floor(bounds.height / 2) }
      expect((await post('/api/action', { action: 'click_at', ...at })).body.ok).toBe(true)
    }
    expect((await reads42()).status).toBe(200)
  })

  it('multiplies by keys', async () => {
    await post('/api/action', { action: 'key', value: 'escape' })
    expect((await post('/api/action', { action: 'type', value: '7*6' })).body.ok).toBe(true)
    expect((await post('/api/action', { action: 'key', value: 'Return' })).body.ok).toBe(true)
    expect((await reads42()).status).toBe(200)
  })

  it('returns the changes since a token, and screenshots of the size of the window', async () => {
    const first = (await get('/api/observe')).body
    await post('/api/element/click', { selector: 'Button[name="1"]' })
    const second = (await get(`/api/observe?since=${first.tree_token}`)).body
    expect(second).toMatchObject({ ok: true, format: 'custom', base_token: first.tree_token, unchanged: false })
    const reply = await fetch(`${served.url}/api/screenshot?window_uid=${calculator.uid}`)
    const shot = (await reply.json()) as { data: string }
    const { width, height } = PNG.sync.read(Buffer.from(shot.data, 'base64'))
    const { bounds } = (await get('/api/windows')).body.windows[0]
    expect([width, height]).toEqual([bounds.width, bounds.height])
  })
})

describe('the observer on a real form', () => {
  let form: TestWindow
  beforeAll(async () => {
    form = await testDesktop.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
  })

  it('fills the form in', async () => {
    const set = { selector: 'Edit[name="First name"]', value: 'Zofia 中 😀' }
    expect((await post('/api/element/set_value', set)).body).toMatchObject({ ok: true, changed: true })
    expect((await post('/api/element/click', { selector: 'CheckBox[name="Agree"]' })).body.ok).toBe(true)
    const select = { selector: 'ComboBox[name="Colour"]', option_name: 'Green' }
    expect((await post('/api/element/select', select)).body.ok).toBe(true)
    const predicates = [
      { kind: 'value_equals', selector: 'Edit[name="First name"]', expected: 'Zofia 中 😀' },
      { kind: 'value_equals', selector: 'ComboBox[name="Colour"]', expected: 'Green' },
    ]
    expect((await post('/api/assert_state', { predicates })).body).toMatchObject({ ok: true, all_passed: true })
  })

  it('reports dialogs that an action opened', async () => {
    const { body } = await post('/api/element/click', { selector: 'Button[name="Delete all"]' })
    expect(body.new_dialogs).toMatchObject([{ title: 'Really?' }])
    const yes = { window_uid: body.new_dialogs[0].window_uid, selector: 'Button[name="No"]' }
    expect((await post('/api/element/click', yes)).body.ok).toBe(true)
    await form.waitForText('answered')
  })

  it('refuses covered, disabled and missing elements', async () => {
    const cover = await testDesktop.launch(/^Cover$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Cover')
    await testDesktop.computer.perform({ type: 'window', window: cover.uid, to: 'maximize' })
    const on = (selector: string) => post('/api/element/click', { selector, window_uid: form.uid })
    expect((await on('Button[name="Greet"]')).body.error.code).toMatch(/^(Element|Window)Occluded$/)
    cover.process.kill()
    await waitUntil('it is gone', async () =>
      (await testDesktop.computer.windows()).every(({ uid }) => uid !== cover.uid),
    )
    expect((await on('Button[name="Greet"]')).body.ok).toBe(true)
    expect((await on('Button[name="Forbidden"]')).body.error.code).toBe('ElementDisabled')
    expect((await on('Button[name="Nowhere"]')).body.error.code).toBe('ElementNotFound')
  })

  it('fails for a program that hangs, and answers for others', async () => {
    const other = await testDesktop.launch(/^Other$/, PYTHON, fixturePath('gtk-form.py'), '--title', 'Other')
    other.process.kill('SIGSTOP')
    const { body } = await get(`/api/structure?window_uid=${other.uid}`)
    expect(body.error).toMatchObject({ code: 'Timeout', recoverable: true })
    expect((await get(`/api/structure?window_uid=${form.uid}`)).body.ok).toBe(true)
    other.process.kill('SIGKILL')
    await waitUntil('it is gone', async () =>
      (await testDesktop.computer.windows()).every(({ uid }) => uid !== other.uid),
    )
    const gone = await post('/api/element/click', { window_uid: other.uid, selector: 'Button[name="Greet"]' })
    expect(gone.body.error.code).toBe('WindowGone')
  })

  const typesUntil = async (url: string, stop: () => unknown) => {
    const named = { window_uid: form.uid, selector: 'Edit[name="First name"]' }
    await post('/api/element/clear_text', named)
    await post('/api/element/focus', named)
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ action: 'type', value: 'abcd '.repeat(4000) })
    const typing = fetch(`${url}/api/action`, { method: 'POST', headers, body })
    await waitUntil('typing has begun', async () => (await form.element('Edit[name="First name"]')).value !== '')
    await stop()
    return (await typing).json()
  }
  const brokenOff = { ok: false, code: 'PermissionDenied', error: 'all input was stopped by the operator' }

  it('[OB256] aborts the running action on stop-all', async () => {
    const other = await createTestbed({
      config: Config.parse({}),
      adapter: 'linux',
      env: testDesktop.desktop.env,
    })
    const { url } = await other.serveRest({ port: 0 })
    const stopAll = () => fetch(`${url}/api/stop-all`, { method: 'POST' })
    expect(await typesUntil(url, stopAll)).toMatchObject(brokenOff)
    await other.close()
  })

  it('[OB256] accepts no more input after stop-all, and aborts the running action', async () => {
    const stop = () => writeFileSync(join(folder, 'stop'), '')
    expect(await typesUntil(served.url, stop)).toMatchObject(brokenOff)
    expect(existsSync(join(folder, 'stop'))).toBe(true)
    const click = () => post('/api/element/click', { selector: 'Button[name="Greet"]', window_uid: form.uid })
    const refused = await waitUntil('input is refused', async () => {
      const { body } = await click()
      return body.ok ? undefined : body
    })
    expect(refused.error.code).toBe('PermissionDenied')
    expect((await get(`/api/structure?window_uid=${form.uid}`)).body.ok).toBe(true)
  })
})

observerSuite('a real desktop', async () => {
  const own = await startTestDesktop()
  const below = mkdtempSync(join(tmpdir(), 'backlot-real-'))
  let shown: TestWindow | undefined
  return {
    folder: below,
    open: (settings) =>
      createTestbed({
        config: Config.parse(settings),
        adapter: 'linux',
        env: own.desktop.env,
        dataFolder: below,
      }),
    renew: async () => {
      shown?.process.kill('SIGKILL')
      await waitUntil('the form is gone', async () => (await own.computer.windows()).length === 0)
      shown = await own.launch(/^Form$/, PYTHON, fixturePath('gtk-form.py'))
    },
    close: async () => {
      await own.close()
      rmSync(below, { recursive: true, force: true })
    },
  }
})

describe.each(['x11', 'sway'] as const)('a server whose desktop of %s goes away', (session) => {
  it('[REST8] [LX39] says so in healthz, and refuses calls', async () => {
    const own = await startTestDesktop({ session })
    const served = await createTestbed({ adapter: 'linux', env: own.desktop.env })
    try {
      const { url } = await served.serveRest({ port: 0 })
      const health = async () => {
        const reply = await fetch(`${url}/api/healthz`)
        return [reply.status, ((await reply.json()) as { desktop_error: string | null }).desktop_error]
      }
      expect(await health()).toEqual([200, null])
      process.kill(own.desktop.pids.server, 'SIGKILL')
      const gone = await waitUntil('the desktop is gone', async () => {
        const answer = await health()
        return answer[1] !== null && answer
      })
      expect(gone).toEqual([200, expect.stringMatching(/has ended|cannot be opened|does not answer/)])
      const { error } = (await (await fetch(`${url}/api/windows`)).json()) as { error: { code: string } }
      expect(error.code).toBe('PlatformUnsupported')
    } finally {
      await served.close()
      await own.close()
    }
  })
})
