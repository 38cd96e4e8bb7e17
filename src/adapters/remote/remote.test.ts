import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { computerSuite } from '../../../test/support/adapters/computer.suite.ts'
import { FORM_SCENARIO } from '../../../test/support/adapters/form-scenario.ts'
import { type RemoteDesktop, remoteDesktop } from '../../../test/support/adapters/remote-desktop.ts'
import { createTestbed } from '../../compose/testbed.ts'
import { walk } from '../../desktop/model/element.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import { call } from '../../observer/call.ts'
import { openRemoteComputer } from './remote.ts'

computerSuite('[RM1] a synthetic desktop behind another server', async () => {
  const desktop = await remoteDesktop({ scenario: FORM_SCENARIO })
  return { computer: desktop.computer, until: async (read) => read(), close: desktop.close }
})

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

async function desktopOf(...given: Parameters<typeof remoteDesktop>): Promise<RemoteDesktop> {
  const desktop = await remoteDesktop(...given)
  open.push(desktop)
  return desktop
}

const THREE = `
monitors:
  - {bounds: {x: 0, y: 0, width: 400, height: 300}, primary: true}
  - {bounds: {x: 400, y: 0, width: 200, height: 200}}
states:
  only:
    windows:
      - {uid: c, title: C, bounds: {x: 10, y: 10, width: 300, height: 100}}
      - {uid: b, title: B, bounds: {x: 60, y: 60, width: 200, height: 100}}
      - {uid: a, title: A, bounds: {x: 200, y: 50, width: 100, height: 100}}
`

describe('windows of another server', () => {
  it('[RM3] are front to back, although they are listed by title', async () => {
    const { computer, other } = await desktopOf({ scenario: THREE })
    const order = async () => (await computer.windows()).map(({ uid }) => uid)
    expect(await order()).toEqual(['c', 'b', 'a'])
    await computer.perform({ type: 'activate', window: 'b' })
    expect([await order(), await other.session.computer.windows()]).toMatchObject([
      ['b', 'c', 'a'],
      [{ uid: 'b' }, { uid: 'c' }, { uid: 'a' }],
    ])
  })
})

describe('trees of another server', () => {
  const AGREE = 'CheckBox "Agree"'

  it('[RM4] are those that the other server has', async () => {
    const { computer, other } = await desktopOf({ scenario: 'showcase' })
    for (const { uid } of await computer.windows()) {
      const shown = ({ id, role, name, bounds, selected, expanded }: never) => [
        id,
        role,
        name,
        bounds,
        selected,
        expanded,
      ]
      const both = [await computer.tree(uid), await other.session.computer.tree(uid)]
      const [here, there] = both.map((tree) => [...walk(tree!)].map((node) => shown(node as never)))
      expect(here).toEqual(there)
    }
  })

  it('[RM4] keep the identity of what did not change', async () => {
    const { computer } = await desktopOf({ scenario: FORM_SCENARIO })
    const before = (await computer.tree('form'))!
    expect(await computer.tree('form')).toBe(before)
    const { id, bounds } = querySelectorAll(before, AGREE)[0]!.element
    await computer.perform({
      type: 'click',
      target: { window: 'form', element: id },
      at: centerOf(bounds),
      button: 'left',
      count: 1,
    })
    const after = (await computer.tree('form'))!
    const changed = after.children.filter((child, index) => child !== before.children[index]).map(({ id }) => id)
    expect([after === before, changed]).toEqual([false, ['agree']])
  })

  it('[RM5] mark secret fields that have a value', async () => {
    const { computer } = await desktopOf({ scenario: 'login' })
    const [window] = await computer.windows()
    const field = async () => querySelectorAll((await computer.tree(window!.uid))!, 'Edit "Password"')[0]!.element
    const { id, bounds } = await field()
    const target = { window: window!.uid, element: id }
    await computer.perform({ type: 'set_value', target, at: centerOf(bounds), value: 'hunter2', clearFirst: true })
    expect(await field()).toMatchObject({ value: '<filled>', traits: { secret: true } })
  })
})

describe('pictures of another server', () => {
  it('[RM6] show an area as it is, and black outside of the screen', async () => {
    const { computer, other } = await desktopOf({ scenario: THREE })
    const area = { x: -10, y: 5, width: 60, height: 40 }
    const [picture, whole] = [
      await computer.screenshot({ area }),
      await other.session.computer.screenshot({ screen: true }),
    ]
    const pixel = (of: typeof picture, x: number, y: number) => [
      ...of
        .pixels()
        .subarray((y * of.width + x) * 4)
        .subarray(0, 4),
    ]
    expect([picture.width, picture.height, pixel(picture, 5, 5)]).toEqual([60, 40, [0, 0, 0, 255]])
    expect(pixel(picture, 40, 20)).toEqual(pixel(whole, 30, 25))
    const outside = await computer.screenshot({ area: { x: 5000, y: 5000, width: 2, height: 1 } })
    expect([...outside.pixels()]).toEqual([0, 0, 0, 255, 0, 0, 0, 255])
  })

  it('[RM6] show all monitors', async () => {
    const { computer } = await desktopOf({ scenario: THREE })
    const { width, height } = await computer.screenshot({ screen: true })
    expect([width, height]).toEqual([600, 300])
  })
})

describe('input on another server', () => {
  it('[RM7] includes held buttons and keys, which closing releases', async () => {
    const { computer, other } = await desktopOf({ scenario: FORM_SCENARIO })
    await computer.perform({ type: 'press', at: { x: 300, y: 200 }, button: 'left' })
    await computer.perform({ type: 'key_down', key: 'shift' })
    expect(await computer.pointer()).toEqual({ at: { x: 300, y: 200 }, buttons: ['left'], keys: ['shift'] })
    await computer.close()
    expect(await other.session.computer.pointer()).toMatchObject({ buttons: [], keys: [] })
  })

  it('[RM8] is not typed into a window that took the keyboard meanwhile', async () => {
    const { computer, other } = await desktopOf({ scenario: FORM_SCENARIO })
    const typed = computer.perform({ type: 'type', text: 'secret' }, { keyboardWindow: 'other' })
    await expect(typed).rejects.toMatchObject({ code: 'WindowOccluded' })
    expect(other.session.steps).toBeGreaterThan(0)
    expect(other.session.computer.simulation!.stepCount).toBe(0)
  })

  it('[RM9] ends on the other server too when the operator stops it, but not when this server closes', async () => {
    const { computer, other } = await desktopOf({ scenario: FORM_SCENARIO })
    const second = await openRemoteComputer({ url: (await other.serveRest({ port: 0 })).url })
    second.abort?.({ closing: true })
    await second.close()
    expect(other.session.stopSignal.aborted).toBe(false)
    computer.abort?.()
    await expect(computer.perform({ type: 'type', text: 'a' })).rejects.toMatchObject({ code: 'PermissionDenied' })
    await computer.close()
    expect(other.session.stopSignal.aborted).toBe(true)
  })

  it('[RM10] is refused with the code of the other server', async () => {
    const { computer } = await desktopOf({ scenario: FORM_SCENARIO, config: { read_only: true } })
    await expect(computer.perform({ type: 'type', text: 'a' })).rejects.toMatchObject({ code: 'PermissionDenied' })
  })

  it('[RM10] that needs a confirmation there says where to configure it', async () => {
    const config = { confirmation_required: [{ name_regex: 'Agree' }] }
    const { computer } = await desktopOf({ scenario: FORM_SCENARIO, config })
    const target = { window: 'form', element: 'agree' }
    await expect(computer.perform({ type: 'invoke', target, at: { x: 1, y: 1 } })).rejects.toMatchObject({
      code: 'PermissionDenied',
      message: expect.stringContaining('configure the rules of confirmation here instead'),
    })
  })
})

describe('a token', () => {
  it('[RM2] is sent to the other server, and is in no error and no warning', async () => {
    const { computer, url, warnings } = await desktopOf(
      { scenario: FORM_SCENARIO },
      { token: 'topsecret' },
      { token: 'topsecret' },
    )
    expect(await computer.windows()).toHaveLength(2)
    const wrong = await openRemoteComputer({ url, token: 'wrongsecret' }).catch((error: Error) => error)
    expect(wrong).toMatchObject({ code: 'PermissionDenied', message: expect.stringContaining('BACKLOT_REMOTE_TOKEN') })
    expect(JSON.stringify([warnings, (wrong as Error).message])).not.toMatch(/topsecret|wrongsecret/)
  })

  it('[RM2] is not sent to the target of a redirect', async () => {
    const seen: (string | undefined)[] = []
    const target = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.end('{}')
    })
    const redirect = createServer((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${portOf(target)}/api/healthz` }).end(),
    )
    for (const server of [target, redirect]) {
      await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
      open.push({ close: () => new Promise((closed) => server.close(closed)) })
    }
    const opened = openRemoteComputer({ url: `http://127.0.0.1:${portOf(redirect)}`, token: 'topsecret' })
    await expect(opened).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message: expect.stringContaining('redirects to'),
    })
    expect(seen).toEqual([])
  })
})

const portOf = (server: ReturnType<typeof createServer>): number => (server.address() as { port: number }).port

describe('a session on the desktop of another server', () => {
  it('[RM1] is one session of that server, if the URL names it', async () => {
    const { other, url } = await desktopOf({ scenario: FORM_SCENARIO })
    const opened = await fetch(`${url}/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scenario: 'login' }),
    })
    const { base_url: path } = (await opened.json()) as { base_url: string }
    const computer = await openRemoteComputer({ url: `${url}${path}/` })
    open.unshift(computer as never)
    expect((await computer.windows()).map(({ title }) => title)).toEqual(['Acme Login'])
    expect(await other.session.computer.windows()).toHaveLength(2)
    computer.abort?.()
    await computer.close()
    expect(other.session.stopSignal.aborted).toBe(true)
  })

  it('[RM11] has the gates and receipts of this server', async () => {
    const { url } = await desktopOf({ scenario: FORM_SCENARIO })
    const config = { budget: { max_actions: 1 } }
    const here = await createTestbed({ adapter: 'remote', remote: { url }, env: {}, config })
    open.unshift(here)
    const click = () => call(here.session, 'click_element', { window_uid: 'form', selector: 'CheckBox "Agree"' })
    expect((await click()).fresh).toMatchObject({ ok: true, changed: true, via: 'behaviour' })
    expect((await click()).fresh).toMatchObject({ ok: false, error: { code: 'BudgetExceeded' } })
    expect(here.about()).toBe(`the Linux desktop behind ${url}`)
    const { fresh } = await call(here.session, 'session_advance', { ms: 1000 })
    expect(fresh).toMatchObject({ error: { code: 'PlatformUnsupported' } })
  })

  it('[RM11] is traced here', async () => {
    const { url, other } = await desktopOf({ scenario: FORM_SCENARIO })
    const folder = mkdtempSync(join(tmpdir(), 'remote-trace-'))
    const here = await createTestbed({
      adapter: 'remote',
      remote: { url },
      env: {},
      config: { tracing: { dir: folder } },
    })
    open.unshift(here, { close: async () => rmSync(folder, { recursive: true }) })
    await call(here.session, 'trace_start', {})
    await call(here.session, 'set_value', { window_uid: 'form', selector: 'Edit "First name"', value: 'Ada' })
    const { fresh } = await call(here.session, 'trace_stop', {})
    const rows = readFileSync(String(fresh.path), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.find(({ tool }) => tool === 'set_value')).toMatchObject({ result_summary: { ok: true, changed: true } })
    const there = await call(other.session, 'trace_status', {})
    expect(there.fresh).toMatchObject({ active_trace_id: null })
  })

  it('[RM11] is served over other front doors', async () => {
    const { url } = await desktopOf({ scenario: FORM_SCENARIO })
    const here = await createTestbed({ adapter: 'remote', remote: { url }, env: {} })
    open.unshift(here)
    const osworld = await here.serveProtocol('osworld', { port: 0 })
    const picture = await fetch(`${osworld.url}/screenshot`)
    expect(picture.headers.get('content-type')).toBe('image/png')
    const tree = await (await fetch(`${osworld.url}/accessibility`)).text()
    expect(tree).toContain('First name')
    const { url: rest } = await here.serveRest({ port: 0 })
    const pressed = await fetch(`${rest}/computer/anthropic`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'tool_use', id: 't1', name: 'computer', input: { action: 'cursor_position' } }),
    })
    expect(await pressed.text()).toContain('X=')
  })

  it('[RM14] reports what it lacks, with the reasons', async () => {
    const { url, warnings } = await desktopOf({ scenario: FORM_SCENARIO })
    const here = await createTestbed({ adapter: 'remote', remote: { url }, env: {} })
    open.unshift(here)
    const { fresh, cached } = await call(here.session, 'get_capabilities', {})
    expect({ ...cached, ...fresh }).toMatchObject({
      adapter: 'RemoteAdapter',
      supports: { primitive_input: true, scenarios: false },
      unsupported: { simulation: 'scenario, time, forks and oracles stay with the other server; call its tools there' },
    })
    expect(warnings).toEqual([
      `${url} serves a scenario; unless it runs with --clock real, its time passes only while it acts`,
    ])
  })
})
