import { describe, expect, it } from 'vitest'
import { openRealComputer } from '../open-computer.ts'
import { accessibilityHint } from './accessibility/bridge-hint.ts'
import { checkLinux, checkScale, checkSession } from './doctor.ts'

const badOnes = async (env: Record<string, string>) =>
  (await checkLinux(env)).filter(({ verdict }) => verdict === 'bad').map(({ subject }) => subject)

describe('the doctor', () => {
  it('reports a missing display and a missing bus, each with its fix', async () => {
    const findings = await checkLinux({})
    expect(findings.map(({ subject }) => subject)).toEqual(['session', 'packages', 'session bus'])
    const bad = findings.filter(({ subject }) => subject !== 'packages')
    for (const { verdict, fix } of bad) expect([verdict, typeof fix]).toEqual(['bad', 'string'])
    expect(findings[0]!.fix).toContain('package xvfb')
  })

  it('distinguishes a display and a bus that do not answer from unset ones', async () => {
    const env = { DISPLAY: ':64999', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/at/all' }
    expect(await badOnes(env)).toEqual(['X server', 'session bus', 'accessibility bus'])
  })

  it('[LX43] does not recommend installing the accessibility bus where the session bus is unavailable', async () => {
    const findings = await checkLinux({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/at/all' })
    const { fix } = findings.find(({ subject }) => subject === 'accessibility bus')!
    expect(fix).toContain('session bus')
    expect(fix).not.toContain('install')
  })

  it('recognises Wayland', async () => {
    expect(await badOnes({ XDG_SESSION_TYPE: 'wayland' })).toEqual(['session', 'session bus'])
  })
})

describe('a real desktop', () => {
  it('[LX39] is refused when there is none, with the missing parts', async () => {
    await expect(openRealComputer('linux', { platform: 'linux', env: {} })).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message: expect.stringContaining('DISPLAY'),
    })
    await expect(openRealComputer('auto', { platform: 'aix', env: {} })).rejects.toMatchObject({
      code: 'PlatformUnsupported',
    })
  })
})

it.each([
  ['7f00-7f01 r-xp 0 0:0 1 /usr/lib/x86_64-linux-gnu/libQt6Core.so.6', 'QT_LINUX_ACCESSIBILITY_ALWAYS_ON'],
  ['7f00-7f01 r-xp 0 0:0 1 /usr/lib/chromium/chromium', '--force-renderer-accessibility'],
  ['7f00-7f01 r-xp 0 0:0 1 /usr/lib/jvm/java-17/lib/server/libjvm.so', 'access bridge'],
  ['7f00-7f01 r-xp 0 0:0 1 /usr/lib/jvm/java-17/lib/server/libjvm.so', 'AtkWrapper'],
  ['7f00-7f01 r-xp 0 0:0 1 /usr/lib/x86_64-linux-gnu/libgtk-x11-2.0.so.0', 'GTK_MODULES=gail:atk-bridge'],
  ['7f00-7f01 r-xp 0 0:0 1 /usr/lib/x86_64-linux-gnu/libgtk-3.so.0', 'NO_AT_BRIDGE'],
  ['7f00-7f01 r-xp 0 0:0 1 /usr/lib/x86_64-linux-gnu/libtk8.6.so', 'get_ocr'],
  ['7f00-7f01 r-xp 0 0:0 1 /usr/bin/xterm', 'get_ocr'],
  ['', 'get_ocr'],
])('[LX43] names the remedy for a program with %s', (maps, remedy) => {
  expect(accessibilityHint(maps).fix).toContain(remedy)
})

// Rules such as [LX44] are stated in the README of the adapter.

it('[LX44] is good where nothing scales what programs draw', () => {
  const expected = { subject: 'scale', verdict: 'good', found: 'programs draw in screen pixels' }
  expect(checkScale({}, '')).toEqual(expected)
  expect(checkScale({ GDK_SCALE: '1', QT_SCALE_FACTOR: '' }, '*customization:\t-color\nXft.dpi:\t96\n')).toEqual(
    expected,
  )
})

it.each<[Record<string, string>, string, string]>([
  [{}, 'Xft.antialias:\t1\nXft.dpi:\t192\n', 'Xft.dpi is 192'],
  [{ GDK_SCALE: '2' }, '', 'GDK_SCALE=2'],
  [{ GDK_DPI_SCALE: '0.5' }, '', 'GDK_DPI_SCALE=0.5'],
  [{ QT_SCALE_FACTOR: '1.5' }, '', 'QT_SCALE_FACTOR=1.5'],
  [{ QT_SCREEN_SCALE_FACTORS: 'eDP-1=2;HDMI-1=1' }, '', 'QT_SCREEN_SCALE_FACTORS=eDP-1=2;HDMI-1=1'],
  [{ QT_FONT_DPI: '144' }, '', 'QT_FONT_DPI=144'],
  [{ GDK_SCALE: '2', QT_SCALE_FACTOR: '2' }, 'Xft.dpi: 120', 'Xft.dpi is 120, GDK_SCALE=2, QT_SCALE_FACTOR=2'],
])('[LX44] names what scales programs: %j %j', (env, resources, found) => {
  const check = checkScale(env, resources)
  expect(check).toMatchObject({ verdict: 'note', found, fix: expect.stringContaining('scale factor 1') })
})

// Rules such as [LX45] are stated in the README of the adapter.

it.each<[string, Record<string, string>, boolean, 'good' | 'note' | 'bad', string]>([
  ['X11', { DISPLAY: ':1', XDG_SESSION_TYPE: 'x11' }, true, 'good', 'X11 on :1'],
  ['X11 over SSH', { DISPLAY: ':1', XDG_SESSION_TYPE: 'tty' }, false, 'good', 'X11 on :1'],
  ['Wayland with Xwayland', { DISPLAY: ':1', XDG_SESSION_TYPE: 'wayland' }, true, 'note', 'Xwayland on :1'],
  ['Wayland alone', { XDG_SESSION_TYPE: 'wayland' }, true, 'note', 'trees and the elements’ own actions only'],
  ['Wayland alone without a bus', { XDG_SESSION_TYPE: 'wayland' }, false, 'bad', 'Wayland without X11'],
  ['no session', {}, true, 'bad', 'neither WAYLAND_DISPLAY nor DISPLAY is set'],
])('[LX45] judges %s by what of it can be driven', (_, env, hasAccessibility, verdict, found) => {
  expect(checkSession(env, hasAccessibility)).toMatchObject({
    subject: 'session',
    verdict,
    found: expect.stringContaining(found),
    ...(verdict === 'good' ? {} : { fix: expect.any(String) }),
  })
})

describe('a Wayland session', () => {
  const sway = { name: 'sway 1.7', ipc: '/run/sway.sock' }
  const offer = { fakeInput: 6, clipboard: undefined, compositing: 'OpenGL', mayTakePictures: true }
  const kde = { name: 'KDE (KWin) 6.7.4', ipc: undefined, kwin: { bus: 'unix:path=/run/bus', offer } }
  const gnome = { name: 'GNOME (Mutter)', ipc: undefined }

  it('[LX45] names its compositor, and no session that it does not have', () => {
    const found = [
      checkSession({ XDG_SESSION_TYPE: 'wayland', DISPLAY: ':0' }, true, sway),
      checkSession({ XDG_SESSION_TYPE: 'wayland', DISPLAY: ':0' }, true, kde),
      checkSession({ XDG_SESSION_TYPE: 'wayland', DISPLAY: ':0' }, true, gnome),
      checkSession({ XDG_SESSION_TYPE: 'wayland' }, true, gnome),
      checkSession({ XDG_SESSION_TYPE: 'wayland' }, true, { ...gnome, gnomeBus: 'unix:path=/run/bus' }),
    ]
    expect(found.map(({ verdict, found }) => [verdict, found])).toEqual([
      ['good', 'Wayland, sway 1.7, with the programs of Xwayland'],
      ['good', 'Wayland, KDE (KWin) 6.7.4, with the programs of Xwayland'],
      ['note', 'Wayland, GNOME (Mutter); only programs that run through Xwayland on :0 can be driven'],
      [
        'note',
        'Wayland, GNOME (Mutter) without X11: trees and the elements’ own actions only, no screenshots, pointer or keys',
      ],
      ['good', 'Wayland, GNOME (Mutter), with the programs of Xwayland'],
    ])
    expect(JSON.stringify(found)).not.toMatch(/log out|login screen/)
  })
})
