import { describe, expect, it } from 'vitest'
import type { WindowInfo } from '../../adapters/computer.ts'
import { openDesktop } from '../../testing.ts'
import { Settings } from '../settings.ts'
import { WindowAllowlist } from './window-allowlist.ts'

// Rules such as [OB251] are stated in src/observer/SPEC.md.

const APP = `
states:
  a:
    windows:
      - uid: mock:calc
        title: Calculator
        process: gnome-calculator
        bounds: {x: 0, y: 0, width: 200, height: 200}
        tree:
          role: Window
          name: Calculator
          children:
            - {id: seven, role: Button, name: "7", bounds: {x: 10, y: 50, width: 40, height: 30}}
            - {id: shown, role: Edit, name: Shown, bounds: {x: 10, y: 100, width: 100, height: 28}}
      - uid: mock:mail
        title: Mail
        process: mail
        bounds: {x: 300, y: 0, width: 200, height: 200}
        tree:
          role: Window
          name: Mail
          children:
            - {id: send, role: Button, name: Send, bounds: {x: 310, y: 50, width: 60, height: 30}}
            - {id: to, role: Edit, name: To, bounds: {x: 310, y: 100, width: 100, height: 28}}
`
const CALCULATOR = { window_uid: 'mock:calc' }
const MAIL = { window_uid: 'mock:mail' }

const desk = (allow: object) => {
  const opened = openDesktop({ scenario: APP, config: { allow } })
  return async (tool: string, args: object) => {
    const { error, ok } = await opened.tryCall(tool, args)
    return ok ? 'ok' : error?.code
  }
}

describe('the window allow list', () => {
  it.each([
    ['click_element', { ...CALCULATOR, element_id: 'seven' }, { ...MAIL, element_id: 'send' }],
    ['set_value', { ...CALCULATOR, element_id: 'shown', value: '1' }, { ...MAIL, element_id: 'to', value: '1' }],
    ['focus_element', { ...CALCULATOR, element_id: 'shown' }, { ...MAIL, element_id: 'to' }],
    ['click_at', { x: 20, y: 60 }, { x: 320, y: 60 }],
    ['hover_at', { x: 20, y: 60 }, { x: 320, y: 60 }],
    ['scroll', { x: 20, y: 60 }, { x: 320, y: 60 }],
    ['bring_to_foreground', CALCULATOR, MAIL],
    ['drag', { from: { x: 20, y: 60 }, to: { x: 30, y: 60 } }, { from: { x: 20, y: 60 }, to: { x: 320, y: 60 } }],
    ['click_at', { x: 20, y: 60, dry_run: true }, { x: 320, y: 60, dry_run: true }],
    ['click_at', { x: 20, y: 60 }, { x: 800, y: 600 }],
  ])('[OB251] [OB252] allows %s only on the windows that it names', async (tool, inside, outside) => {
    for (const allow of [{ process: ['^gnome-calculator$'] }, { title: ['(?i)^calc'] }]) {
      const ask = desk(allow)
      expect([await ask(tool, inside), await ask(tool, outside)]).toEqual(['ok', 'PermissionDenied'])
    }
  })

  it('[OB252] allows keys while a listed window has the focus', async () => {
    const ask = desk({ process: ['mail'] })
    expect(await ask('type_text', { text: 'x' })).toBe('PermissionDenied')
    expect(await ask('click_element', { ...MAIL, element_id: 'to' })).toBe('ok')
    expect([await ask('type_text', { text: 'x' }), await ask('press_key', { keys: 'a' })]).toEqual(['ok', 'ok'])
  })

  it('[OB251] requires both process and title to match when both are given', async () => {
    const ask = desk({ process: ['mail'], title: ['Calculator'] })
    const outcomes = [await ask('bring_to_foreground', CALCULATOR), await ask('bring_to_foreground', MAIL)]
    expect(outcomes).toEqual(['PermissionDenied', 'PermissionDenied'])
  })

  it('[OB251] names the window and the mismatch, but not its title', async () => {
    const { error } = await openDesktop({ scenario: APP, config: { allow: { title: ['Mail'] } } }).tryCall('click_at', {
      x: 20,
      y: 60,
    })
    expect(error).toMatchObject({ message: expect.stringMatching(/mock:calc.*title/), context: CALCULATOR })
    expect(JSON.stringify(error)).not.toContain('Calculator')
  })

  it('[OB251] does not limit observation', async () => {
    expect(await desk({ process: ['none'] })('get_window_structure', MAIL)).toBe('ok')
  })

  it('[OB251] refuses an invalid pattern', () => {
    expect(() => openDesktop({ scenario: APP, config: { allow: { process: ['('] } } })).toThrow(/\(/)
  })

  it('[OB253] treats a menu as part of its window, and asks where to scroll', async () => {
    const place = { bounds: { x: 0, y: 0, width: 50, height: 50 }, pid: 1, handle: '1' }
    const windows: readonly WindowInfo[] = [
      { ...place, uid: 'menu', title: '', process: '', focused: false, popupOf: 'main' },
      { ...place, uid: 'main', title: 'Main', process: 'main', focused: true },
    ]
    const real = { windows: () => windows, stage: undefined }
    const list = new WindowAllowlist(real, Settings.parse({ allow: { process: ['main'] } }).allow)
    const at = { x: 5, y: 5 }
    expect(list.admit({ type: 'click', at, button: 'left', count: 1 })).toBeUndefined()
    expect(() => list.admit({ type: 'scroll', clicks: 1 })).toThrow(/x and y/)
    expect(list.admit({ type: 'scroll', clicks: 1, at })).toBeUndefined()
  })

  it('[OB254] leaves the clipboard alone, which all windows paste', async () => {
    const list = new WindowAllowlist({ windows: () => [] }, Settings.parse({ allow: { process: ['main'] } }).allow)
    expect(() => list.admit({ type: 'set_clipboard', text: 'x' })).toThrow(/no window/)
    expect(await desk({ process: ['none'] })('set_clipboard', { text: 'x' })).toBe('PermissionDenied')
  })
})
