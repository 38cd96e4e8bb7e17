import { describe, expect, it } from 'vitest'
import { createRestApp, openDesktop } from '../../testing.ts'

// The door as a whole, in short. The long tests have every route, action and refusal.

const CLICKS = {
  anthropic: { type: 'tool_use', id: 'a', name: 'computer', input: { action: 'left_click', coordinate: [320, 212] } },
  openai: { type: 'computer_call', call_id: 'c', action: { type: 'click', button: 'left', x: 320, y: 212 } },
  gemini: { name: 'click', args: { x: 250, y: 265 } },
}

describe('the computer tools', () => {
  it('[CT1] [CT20] [CT40] [CT62] click in the dialect of each vendor that is listed', async () => {
    const desktop = openDesktop({ scenario: 'login' })
    const app = await createRestApp(desktop)
    const { vendors } = (await app.inject('/computer')).json()
    expect(vendors.map(({ vendor }: { vendor: string }) => vendor)).toEqual(Object.keys(CLICKS))
    for (const [vendor, payload] of Object.entries(CLICKS)) {
      await desktop.call('move_pointer', { x: 1, y: 1 })
      const { statusCode, headers } = await app.inject({ method: 'POST', url: `/computer/${vendor}`, payload })
      expect([vendor, statusCode, headers['x-backlot-error']]).toEqual([vendor, 200, undefined])
      expect(await desktop.call('get_pointer')).toMatchObject({ x: 320, y: 212 })
    }
  })

  it('[CT10] [CT12] refuse bodies and actions that do not fit', async () => {
    const app = await createRestApp(openDesktop({ scenario: 'login' }))
    for (const vendor of Object.keys(CLICKS))
      expect((await app.inject({ method: 'POST', url: `/computer/${vendor}`, payload: {} })).statusCode).toBe(400)
    const payload = { ...CLICKS.anthropic, input: { action: 'left_clik' } }
    const { headers } = await app.inject({ method: 'POST', url: '/computer/anthropic', payload })
    expect(headers['x-backlot-error-message']).toContain('did you mean "left_click"?')
  })
})
