import { expect, it } from 'vitest'
import { BusError } from '../../dbus.ts'
import { type GnomeInputSession, gnomeDevicesOf } from './gnome-devices.ts'
import { type DisplayState, mutterMonitors } from './mutter-session.ts'

// Rules such as [GN9] are stated in README.md.

const SCREEN = { x: 0, y: 0, width: 100, height: 100 }

function sessionWith(events: string[], act: (event: string) => Promise<void> = async () => {}): GnomeInputSession {
  const note = (event: string) => {
    events.push(event)
    return act(event)
  }
  return {
    ended: false,
    move: async ({ x, y }) => note(`move ${x},${y}`),
    button: (code, isDown) => note(`button ${code} ${isDown}`),
    wheel: (axis, turn) => note(`wheel ${axis} ${turn}`),
    keysym: (keysym, isDown) => note(`keysym ${keysym} ${isDown}`),
    keycode: (code, isDown) => note(`code ${code} ${isDown}`),
    close: async () => {},
  }
}

it('[GN10] sends events in order, each after its time', async () => {
  const events: string[] = []
  const devices = gnomeDevicesOf(sessionWith(events), 'Mutter')
  const started = Date.now()
  devices.move({ x: 1, y: 2 }, SCREEN)
  devices.button(272, true, 0)
  devices.button(272, false, 30)
  devices.wheel('horizontal', -1)
  devices.key({ keysym: 97 }, true)
  devices.key({ code: 28 }, false)
  await devices.sync()
  expect(events).toEqual([
    'move 1,2',
    'button 272 true',
    'button 272 false',
    'wheel 1 -1',
    'keysym 97 true',
    'code 28 false',
  ])
  expect(Date.now() - started).toBeGreaterThanOrEqual(28)
})

it('[GN11] reports a session that a person has ended, and sends nothing more', async () => {
  const gone = new BusError('org.freedesktop.DBus.Error.UnknownObject', 'no such session')
  const devices = gnomeDevicesOf(
    sessionWith([], async () => {
      throw gone
    }),
    'Mutter',
  )
  devices.key({ code: 28 }, true)
  await expect(devices.sync()).rejects.toMatchObject({
    code: 'PlatformUnsupported',
    message: expect.stringContaining('Mutter has ended the control of pointer and keyboard'),
  })
  expect(devices.ended).toBe(true)
})

it('[GN9] knows the place and the pixels of each monitor', () => {
  const mode = (width: number, height: number, isCurrent: boolean) =>
    ['', width, height, 60, 1, [1], isCurrent ? { 'is-current': true } : {}] as const
  const state = (layoutMode: number): DisplayState => [
    1,
    [
      [
        ['DP-1', '', '', ''],
        [mode(640, 480, false), mode(1280, 800, true)],
      ],
      [['DP-2', '', '', ''], [mode(1280, 800, true)]],
    ],
    [
      [0, 0, 1.25, 0, true, [['DP-1', '', '', '']]],
      [1024, 0, 1, 1, false, [['DP-2', '', '', '']]],
    ],
    { 'layout-mode': layoutMode },
  ]
  expect(mutterMonitors(state(1))).toEqual([
    { connector: 'DP-1', bounds: { x: 0, y: 0, width: 1024, height: 640 }, scale: 1.25 },
    { connector: 'DP-2', bounds: { x: 1024, y: 0, width: 800, height: 1280 }, scale: 1 },
  ])
  expect(mutterMonitors(state(2))[0]).toEqual({
    connector: 'DP-1',
    bounds: { x: 0, y: 0, width: 1280, height: 800 },
    scale: 1,
  })
})
