import { capabilitiesWithout, REAL_DESKTOP_LIMITS } from '../../../src/adapters/capabilities.ts'
import type { Computer, PerformOptions, WindowInfo } from '../../../src/adapters/computer.ts'
import type { Element } from '../../../src/desktop/model/element.ts'
import { call } from '../../../src/observer/call.ts'
import { DesktopSession } from '../../../src/observer/session/session.ts'
import { Settings } from '../../../src/observer/settings.ts'
import { fromPixels } from '../../../src/paint/picture.ts'
import { openDesktop } from '../../../src/testing.ts'
import { manualClock } from '../base/manual-clock.ts'

/** An element with default fields. */
export const testElement = (part: Partial<Element>): Element => ({
  id: 'root',
  role: 'Window',
  name: '',
  value: null,
  description: null,
  enabled: true,
  focused: false,
  bounds: { x: 0, y: 0, width: 100, height: 100 },
  keyboardShortcut: null,
  children: [],
  ...part,
})
/** The bounds of the button of the form. */
export const place = { x: 10, y: 10, width: 40, height: 10 }
export const form = testElement({
  name: 'Form',
  children: [testElement({ id: 'ok', role: 'Button', name: 'OK', bounds: place })],
})
export const windowAt = (uid: string, x: number, focused: boolean): WindowInfo => ({
  uid,
  handle: uid,
  title: uid,
  process: uid,
  pid: 1,
  bounds: { x, y: 0, width: 100, height: 100 },
  focused,
})
/** A real desktop with a form in the background and another window that has the keyboard. */
export function realDesktop(part: Partial<Computer> = {}, settings: unknown = {}) {
  const { session: other } = openDesktop({ scenario: 'states: {a: {windows: []}}' })
  const clock = manualClock()
  const given: (PerformOptions | undefined)[] = []
  const { clipboard, ...limits } = REAL_DESKTOP_LIMITS
  const computer: Computer = {
    info: {
      platform: 'Linux',
      adapter: 'LinuxAdapter',
      synthetic: false,
      supports: capabilitiesWithout(part.readClipboard ? limits : { ...limits, clipboard }),
    },
    monitors: () => [{ index: 0, primary: true, bounds: { x: 0, y: 0, width: 400, height: 100 }, scaleFactor: 1 }],
    windows: () => [windowAt('front', 200, true), windowAt('form', 0, false)],
    tree: (uid) => (uid === 'form' ? form : undefined),
    screenshot: () => fromPixels(1, 1, new Uint8Array(4)),
    perform: (_, options) => {
      given.push(options)
      return { via: 'pointer' }
    },
    pointer: () => ({ at: { x: 5, y: 5 }, buttons: [], keys: [] }),
    close: () => {},
    ...part,
  }
  const { ids, context, operatorClock } = other
  const { folder, traces, perception } = context
  const parts = { id: 'real', computer, clock, operatorClock, ids, folder, traces, audit: traces, perception }
  const session = new DesktopSession({ ...parts, settings: Settings.parse(settings), version: '0' })
  return { session, clock, given, ask: (tool: string, args: unknown) => call(session, tool, args) }
}
