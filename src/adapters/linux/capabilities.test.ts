import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Action } from '../../desktop/input/action.ts'
import type { Accessibility } from './accessibility/accessibility.ts'
import {
  type Ability,
  ACCESSIBLE_WAYS,
  capabilitiesOf,
  checkWays,
  type GnomeInput,
  gnomeWays,
  type KWinOffer,
  kwinWays,
  refusal,
  SWAY_PROTOCOLS,
  swayWays,
  x11Ways,
} from './capabilities.ts'
import { checkSession } from './doctor.ts'
import { compositorVersion } from './login-session.ts'
import { accessibleComputer } from './wayland/accessible-computer.ts'

// Rules such as [LX61] are stated in the README of the adapter.

const GUIDE = readFileSync('docs/real-desktops.md', 'utf8')
/** A KWin without OpenGL and without permission, which is what it offers where nobody has set anything up. */
const BARE_KWIN: KWinOffer = {
  fakeInput: undefined,
  clipboard: undefined,
  compositing: 'OpenGL',
  mayTakePictures: false,
}
const SESSIONS = {
  X11: x11Ways(),
  sway: swayWays(),
  KDE: kwinWays(),
  GNOME: gnomeWays('portal'),
  'KDE without permission': kwinWays(BARE_KWIN),
  'KDE without OpenGL': kwinWays({ ...BARE_KWIN, fakeInput: 5, compositing: 'QPainter' }),
  'another compositor': ACCESSIBLE_WAYS,
}
const refusals = Object.values(SESSIONS).flatMap((ways) =>
  Object.keys(ways).flatMap((ability) => refusal(ways, ability as Ability) ?? []),
)

describe('what a session lacks', () => {
  it.each(Object.entries(SESSIONS))(
    '[LX61] has the same reasons in the doctor, capabilities and guide: %s',
    (_, ways) => {
      const told = checkWays(ways).flatMap(({ found, fix }) => (fix === undefined ? [] : [`${found}; ${fix}`]))
      expect(told).toEqual(Object.keys(ways).flatMap((ability) => refusal(ways, ability as Ability) ?? []))
      const reasons = Object.values(capabilitiesOf(ways, true)).filter((reason) => reason !== true)
      for (const ability of ['windows', 'pictures', 'pointer', 'keys and text', 'clipboard'] as const) {
        const reason = refusal(ways, ability)
        if (reason === undefined) continue
        expect(reasons).toContain(reason)
        expect(GUIDE).toContain(reason)
      }
    },
  )

  it('[LX61] has the same reasons in faults', async () => {
    const computer = accessibleComputer(
      async () => ({}) as Accessibility,
      async () => {},
    )
    const messageOf = async (act: () => unknown): Promise<string> => {
      try {
        await act()
        return 'not refused'
      } catch (error) {
        return (error as Error).message
      }
    }
    const perform = (action: Action) => messageOf(() => computer.perform(action))
    expect({
      windows: await perform({ type: 'activate', window: 'atspi:1' }),
      pictures: await messageOf(() => computer.screenshot({ screen: true })),
      pointer: await perform({ type: 'scroll', clicks: 1 }),
      'keys and text': await perform({ type: 'type', text: 'x' }),
      clipboard: await perform({ type: 'set_clipboard', text: 'x' }),
    }).toEqual(
      Object.fromEntries(
        (['windows', 'pictures', 'pointer', 'keys and text', 'clipboard'] as const).map((ability) => [
          ability,
          refusal(ACCESSIBLE_WAYS, ability),
        ]),
      ),
    )
  })

  it('[LX61] has a remedy that names no session that may not exist', () => {
    const wayland = { name: 'GNOME (Mutter) 50.5', ipc: undefined }
    const remedies = [{ DISPLAY: ':0' }, {}].map((env) =>
      checkSession({ ...env, XDG_SESSION_TYPE: 'wayland' }, true, wayland),
    )
    for (const text of [...refusals, ...remedies.map(({ fix }) => fix), GUIDE])
      expect(text).not.toMatch(/(session|desktop) of X11|sway or X11|X11 session|log out|login screen/)
  })
})

describe('the abilities of a session', () => {
  it('[LX46] name the interface that is used and what grants access to it', () => {
    const interfaces = Object.values(SWAY_PROTOCOLS).filter((name) => name !== SWAY_PROTOCOLS.pointer)
    const verdicts = (ways: Parameters<typeof checkWays>[0]) =>
      checkWays(ways).map(({ subject, verdict, found }) => `${subject}: ${verdict}, ${found}`)
    expect(verdicts(swayWays(interfaces))).toEqual([
      'windows: good, through the IPC of sway, which needs no permission',
      'pictures: good, through zwlr_screencopy_manager_v1, which needs no permission',
      'pictures of covered windows: note, pictures show what is visible on the outputs of sway',
      'pointer: bad, the compositor offers no zwlr_virtual_pointer_manager_v1',
      'keys and text: good, through zwp_virtual_keyboard_manager_v1, which needs no permission',
      'clipboard: good, through zwlr_data_control_manager_v1, which needs no permission',
      expect.stringMatching(/^programs that hang: note/),
    ])
    expect(verdicts(kwinWays())).toEqual([
      'windows: good, through scripts in KWin, which needs no permission',
      'pictures: good, through ScreenShot2 of KWin, which a .desktop file permits; not verified',
      'pictures of covered windows: good, through ScreenShot2 of KWin, which a .desktop file permits; not verified',
      'pointer: good, through org_kde_kwin_fake_input, which a .desktop file permits',
      'keys and text: good, through org_kde_kwin_fake_input, which a .desktop file permits',
      'clipboard: good, through ext_data_control_manager_v1, which needs no permission',
      expect.stringMatching(/^programs that hang: note/),
    ])
    expect(verdicts(x11Ways(['MIT-SHM']))).toEqual([
      'windows: good, through the X server, which needs no permission',
      'pictures: good, through the X extension MIT-SHM',
      'pictures of covered windows: note, the X server has no extension Composite',
      'pointer: bad, the X server has no extension XTEST',
      'keys and text: bad, the X server has no extension XTEST',
      'clipboard: note, Backlot does not reach the clipboard of X11',
      'programs that hang: good, through _NET_WM_PING and the accessibility bus',
    ])
  })

  it('[LX46] name how pointer and keys are granted in GNOME', () => {
    const wayOf = (input: GnomeInput) => checkWays(gnomeWays(input)).find(({ subject }) => subject === 'pointer')
    expect(wayOf('portal')).toMatchObject({
      verdict: 'good',
      found: expect.stringContaining('consent that GNOME asks'),
    })
    expect(wayOf('mutter')).toMatchObject({ verdict: 'good', found: expect.stringContaining('--gnome-input mutter') })
  })

  it.each([
    ['GNOME (Mutter)', 'org.gnome.Shell', '50.5', '50.5'],
    ['KDE (KWin)', 'org.kde.KWin', 'Version\n=======\nKWin version: 6.7.4\nQt Version: 6.11.2\n', '6.7.4'],
    ['KDE (KWin)', 'org.kde.KWin', undefined, undefined],
    ['another compositor', '', '', undefined],
  ])('[LX45] have a compositor of a version: %s', async (name, service, answer, version) => {
    const tryCall = async <T>({ bus }: { bus: string }) => {
      expect(bus).toBe(service)
      return answer as T | undefined
    }
    expect(await compositorVersion({ tryCall }, name)).toBe(version)
  })
})
