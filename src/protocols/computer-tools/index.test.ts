import { describe, expect, it } from 'vitest'
import { createRestApp, openDesktop } from '../../testing.ts'

// The door as a whole, in short. The long tests have every route, action and refusal.

const CLICKS = {
  anthropic: { type: 'tool_use', id: 'a', name: 'computer', input: { action: 'left_click', coordinate: [320, 212] } },
  openai: { type: 'computer_call', call_id: 'c', action: { type: 'click', button: 'left', x: 320, y: 212 } },
  gemini: { name: 'click', args: { x: 250, y: 265 } },
}

describe('the computer tools', () => {
  it('[CT1] [CT21] [CT36] [CT55] click in the dialect of each vendor that is listed', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const app = await createRestApp(desktop)
    const { vendors } = (await app.inject('/computer')).json()
    expect(vendors.map(({ vendor }: { vendor: string }) => vendor)).toEqual([
      ...Object.keys(CLICKS),
      'anthropic-browser',
      'openai-browser',
    ])
    for (const [vendor, payload] of Object.entries(CLICKS)) {
      await desktop.call('move_pointer', { x: 1, y: 1 })
      const { statusCode, headers } = await app.inject({ method: 'POST', url: `/computer/${vendor}`, payload })
      expect([vendor, statusCode, headers['x-backlot-error']]).toEqual([vendor, 200, undefined])
      expect(await desktop.call('get_pointer')).toMatchObject({ x: 320, y: 212 })
    }
  })

  it('[CT8] show the monitor that the query chooses, and click on it', async () => {
    const scenario = `
monitors: [{bounds: {x: 0, y: 0, width: 1280, height: 800}, primary: true}, {bounds: {x: -1000, y: 100, width: 1000, height: 500}}]
states: {a: {windows: [{uid: w, title: W, bounds: {x: -900, y: 150, width: 400, height: 300}}]}}
`
    const desktop = openDesktop({ scenario })
    const app = await createRestApp(desktop)
    const at = { anthropic: [10, 20], openai: [10, 20], gemini: [10, 40] } as const
    for (const [vendor, [x, y]] of Object.entries(at)) {
      const own = CLICKS[vendor as keyof typeof CLICKS]
      const payload =
        'action' in own
          ? { ...own, action: { ...own.action, x, y } }
          : 'input' in own
            ? { ...own, input: { ...own.input, coordinate: [x, y] } }
            : { ...own, args: { x, y } }
      await desktop.call('move_pointer', { x: 1, y: 1 })
      const { statusCode } = await app.inject({ method: 'POST', url: `/computer/${vendor}?monitor=1`, payload })
      const { x: left, y: top } = await desktop.call('get_pointer')
      expect([vendor, statusCode, left, top]).toEqual([vendor, 200, -990, 120])
      for (const monitor of ['7', 'x'])
        expect(
          (await app.inject({ method: 'POST', url: `/computer/${vendor}?monitor=${monitor}`, payload })).statusCode,
        ).toBe(400)
      expect((await app.inject(`/computer/${vendor}/definition?monitor=7`)).body).toContain('there is no monitor 7')
    }
    const { display_width_px, display_height_px } = (
      await app.inject('/computer/anthropic/definition?monitor=1&version=computer_20250124')
    ).json()
    expect([display_width_px, display_height_px]).toEqual([1000, 500])
  })

  it('[CT12] [CT14] refuse bodies and actions that do not fit', async () => {
    const app = await createRestApp(openDesktop({ scenario: 'login' }))
    for (const vendor of Object.keys(CLICKS))
      expect((await app.inject({ method: 'POST', url: `/computer/${vendor}`, payload: {} })).statusCode).toBe(400)
    const payload = { ...CLICKS.anthropic, input: { action: 'left_clik' } }
    const { headers } = await app.inject({ method: 'POST', url: '/computer/anthropic', payload })
    expect(headers['x-backlot-error-message']).toContain('did you mean "left_click"?')
  })

  it('[CT15] [CT46] answer calls whose safety checks have ids of any text', async () => {
    const app = await createRestApp(openDesktop({ scenario: 'login' }))
    const post = (...ids: readonly string[]) => {
      const payload = { ...CLICKS.openai, pending_safety_checks: ids.map((id) => ({ id })) }
      return app.inject({ method: 'POST', url: '/computer/openai', payload })
    }
    expect((await post('cu_1', 'cu_2')).headers['x-backlot-confirm']).toBe('cu_1,cu_2')
    for (const ids of [['a\nb'], ['ключ'], Array.from({ length: 100 }, () => 'x'.repeat(500))]) {
      const { statusCode, headers, body } = await post(...ids)
      expect([statusCode, headers['x-backlot-confirm']]).toEqual([412, undefined])
      expect(JSON.parse(body).pending_safety_checks).toHaveLength(ids.length)
    }
  })

  it('[CT61] [CT62] execute what Gemini wants confirmed for an acknowledgement of that call only', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const app = await createRestApp(desktop)
    const post = async (safety_acknowledgement: unknown, confirm = 'none') => {
      const safety_decision = { decision: 'require_confirmation', explanation: 'A banner.' }
      const payload = { name: 'move', args: { x: 500, y: 500, safety_decision, safety_acknowledgement } }
      const headers = { 'x-backlot-confirm': confirm }
      return (await app.inject({ method: 'POST', url: '/computer/gemini', headers, payload })).headers
    }
    const refused = await post('false')
    expect(refused['x-backlot-error']).toBe('ConfirmationRequired')
    for (const value of [undefined, false, '', 'no', {}])
      expect((await post(value, 'ct:0'))['x-backlot-error']).toBe('ConfirmationRequired')
    expect(await desktop.call('get_pointer')).toMatchObject({ x: 0, y: 0 })
    expect((await post(undefined, String(refused['x-backlot-confirm'])))['x-backlot-error']).toBeUndefined()
    expect(await desktop.call('get_pointer')).toMatchObject({ x: 640, y: 400 })
  })
})
