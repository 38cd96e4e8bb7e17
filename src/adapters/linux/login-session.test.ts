import { describe, expect, it } from 'vitest'
import { openRealComputer } from '../open-computer.ts'
import { withoutPadding } from './accessibility/accessible-node.ts'
import {
  type GnomeInput,
  gnomeWays,
  kwinWays,
  LINUX_SESSIONS,
  type LinuxSession,
  swayWays,
  x11Ways,
} from './capabilities.ts'
import { type Compositor, chooseLoginSession, findLoginSession } from './login-session.ts'

// Rules such as [LX60] are stated in the README of the adapter.

const SWAY: Compositor = {
  name: 'sway 1.7',
  interfaces: ['zwlr_screencopy_manager_v1'],
  wayland: '/run/wayland-1',
  ipc: '/run/sway.sock',
}
const GNOME: Compositor = { ...SWAY, name: 'GNOME (Mutter)', ipc: undefined }
const OFFER = {
  fakeInput: 6,
  clipboard: 'ext_data_control_manager_v1',
  compositing: 'QPainter',
  mayTakePictures: false,
}
const KDE: Compositor = {
  ...SWAY,
  name: 'KDE (KWin)',
  ipc: undefined,
  kwin: { bus: 'unix:path=/run/bus', offer: OFFER },
}
const DRIVEN_GNOME: Compositor = { ...GNOME, gnomeBus: 'unix:path=/run/bus' }
const X11 = { DISPLAY: ':1' }
const WAYLAND = { WAYLAND_DISPLAY: 'wayland-1' }

describe('the session that is driven', () => {
  it.each<[string, Record<string, string>, Compositor | undefined, LinuxSession | undefined, string]>([
    ['X11', X11, undefined, undefined, 'x11'],
    ['sway with Xwayland', { ...X11, ...WAYLAND }, SWAY, undefined, 'sway'],
    ['sway with Xwayland', { ...X11, ...WAYLAND }, SWAY, 'wayland', 'sway'],
    ['sway with Xwayland', { ...X11, ...WAYLAND }, SWAY, 'x11', 'x11'],
    ['sway alone', WAYLAND, SWAY, undefined, 'sway'],
    ['KDE with Xwayland', { ...X11, ...WAYLAND }, KDE, undefined, 'kde'],
    ['KDE with Xwayland', { ...X11, ...WAYLAND }, KDE, 'x11', 'x11'],
    ['KDE without its session bus', WAYLAND, { ...GNOME, name: 'KDE (KWin)' }, undefined, 'accessibility'],
    ['GNOME with Xwayland', { ...X11, ...WAYLAND }, GNOME, undefined, 'x11'],
    ['GNOME with Xwayland', { ...X11, ...WAYLAND }, GNOME, 'wayland', 'accessibility'],
    ['GNOME with the extension', { ...X11, ...WAYLAND }, DRIVEN_GNOME, undefined, 'gnome'],
    ['GNOME with the extension', { ...X11, ...WAYLAND }, DRIVEN_GNOME, 'x11', 'x11'],
    ['GNOME alone', WAYLAND, GNOME, undefined, 'accessibility'],
    ['Wayland without a compositor', { XDG_SESSION_TYPE: 'wayland' }, undefined, undefined, 'accessibility'],
    ['Wayland without a compositor', { XDG_SESSION_TYPE: 'wayland' }, undefined, 'wayland', 'accessibility'],
    ['Wayland without a compositor', { ...X11, XDG_SESSION_TYPE: 'wayland' }, undefined, undefined, 'x11'],
  ])('[LX60] [LX15] [LX63a] is chosen by the environment: %s %j', (_, env, compositor, session, expected) => {
    const found = chooseLoginSession(env, compositor, { session })
    const ways = {
      x11: x11Ways(),
      sway: swayWays(SWAY.interfaces),
      gnome: gnomeWays('portal'),
      kde: kwinWays(OFFER),
      accessibility: undefined,
    }
    expect(found.kind === 'desktop' ? found.ways : undefined).toEqual(ways[expected as keyof typeof ways])
  })

  it('[LX60] is X11 where no compositor answers', async () => {
    const found = await findLoginSession({ ...X11, WAYLAND_DISPLAY: '/nonexistent/wayland-0' }, {})
    expect(found.kind === 'desktop' && found.ways).toEqual(x11Ways())
  })

  it.each<[Record<string, string>, string | undefined, string]>([
    [{}, undefined, 'there is no desktop here: neither WAYLAND_DISPLAY nor DISPLAY is set'],
    [WAYLAND, 'x11', 'there is no X11 session here: DISPLAY is not set'],
    [X11, 'wayland', 'there is no Wayland session here: WAYLAND_DISPLAY is not set'],
    [{ ...X11, ...WAYLAND }, 'wayland', 'there is no Wayland session here: no compositor answers at wayland-1'],
    [X11, 'mir', 'unknown session "mir"; use x11 or wayland'],
  ])('[LX60] is refused where there is none: %j %s', (env, session, message) => {
    const choose = () => chooseLoginSession(env, undefined, { session: session as LinuxSession | undefined })
    expect(choose).toThrow(message)
  })

  it('[LX60] does not yield to a person on Wayland', () => {
    for (const compositor of [SWAY, KDE, DRIVEN_GNOME])
      expect(() => chooseLoginSession(WAYLAND, compositor, { yieldToPersonMs: 500 })).toThrow(
        'leave --yield-to-person out',
      )
  })

  it('[LX60] uses the input of GNOME that the operator chooses', () => {
    const found = chooseLoginSession(WAYLAND, DRIVEN_GNOME, { gnomeInput: 'mutter' })
    expect(found.kind === 'desktop' && found.ways).toEqual(gnomeWays('mutter'))
    const choose = () => chooseLoginSession(WAYLAND, DRIVEN_GNOME, { gnomeInput: 'evdev' as GnomeInput })
    expect(choose).toThrow('unknown input of GNOME "evdev"; use portal or mutter')
  })
})

it.each(LINUX_SESSIONS)('[LX60] is not %s where --adapter auto drives another system', async (session) => {
  await expect(openRealComputer('auto', { platform: 'win32', env: {} }, { session })).rejects.toMatchObject({
    code: 'BadRequest',
    message: '--session applies to the desktops of Linux only, not to --adapter windows',
  })
})

it('[LX60] has no input of GNOME where --adapter auto drives another system', async () => {
  await expect(
    openRealComputer('auto', { platform: 'win32', env: {} }, { gnomeInput: 'portal' }),
  ).rejects.toMatchObject({
    code: 'BadRequest',
    message: '--gnome-input applies to the desktops of Linux only, not to --adapter windows',
  })
})

it('[LX16] leaves out what Firefox adds to characters above U+FFFF', () => {
  expect(withoutPadding('\u{1f600}\ufeff a \ufeffb \u{1f1f5}\ufeff\u{1f1f1}\ufeff')).toBe(
    '\u{1f600} a \ufeffb \u{1f1f5}\u{1f1f1}',
  )
})
