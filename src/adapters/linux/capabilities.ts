import {
  bad,
  type Capabilities,
  type ComputerCapability,
  capabilitiesWithout,
  type DoctorCheck,
  good,
  note,
  REAL_DESKTOP_LIMITS,
} from '../capabilities.ts'

const NO_BUS = 'the accessibility bus does not answer; run backlot doctor'

/** The kinds of sessions that Linux desktops have. */
export const LINUX_SESSIONS = ['x11', 'wayland'] as const
export type LinuxSession = (typeof LINUX_SESSIONS)[number]

/** The abilities that a session gives or refuses, with the capabilities that are missing without them. */
const ABILITIES = {
  windows: ['stacking_order', 'raise_windows'],
  pictures: ['screenshots'],
  'pictures of covered windows': [],
  pointer: ['pointer', 'drag', 'primitive_input'],
  'keys and text': ['keyboard', 'primitive_input'],
  clipboard: ['clipboard'],
  'programs that hang': [],
} as const satisfies Readonly<Record<string, readonly ComputerCapability[]>>

export type Ability = keyof typeof ABILITIES

/** How a session gives an ability, or why it does not and what helps. Whether a desktop is usable without it decides its verdict. */
export type Way =
  | { readonly through: string }
  | { readonly reason: string; readonly fix: string; readonly isNeeded?: boolean }

/** How a kind of session gives each ability. Capabilities, faults and the doctor are written from it. */
export type SessionWays = Readonly<Record<Ability, Way>>

const UNPERMITTED = 'which needs no permission'
const HANGING_ON_WAYLAND: Way = {
  reason:
    'a compositor does not tell which programs hang; those with accessibility are known by their silence on its bus',
  fix: 'for other programs, compare two screenshots',
}

/** The extensions of an X server that abilities need. */
export const X_EXTENSIONS = ['XTEST', 'MIT-SHM', 'Composite'] as const

/** The ways of a session of X11, whose server has `extensions`. */
export function x11Ways(extensions: readonly string[] = X_EXTENSIONS): SessionWays {
  const input: Way = extensions.includes('XTEST')
    ? { through: 'the X extension XTEST' }
    : { reason: 'the X server has no extension XTEST', fix: 'start it with that extension', isNeeded: true }
  return {
    windows: { through: `the X server, ${UNPERMITTED}` },
    pictures: {
      through: extensions.includes('MIT-SHM')
        ? 'the X extension MIT-SHM'
        : 'the connection to the X server, which has no MIT-SHM and is slower',
    },
    'pictures of covered windows': extensions.includes('Composite')
      ? { through: 'the X extension Composite' }
      : { reason: 'the X server has no extension Composite', fix: 'bring_to_foreground raises a covered window' },
    pointer: input,
    'keys and text': input,
    clipboard: { reason: 'Backlot does not reach the clipboard of X11', fix: 'use the keys of copy and paste' },
    'programs that hang': { through: '_NET_WM_PING and the accessibility bus' },
  }
}

/** The protocols that sway and other compositors of wlroots offer every program. */
export const SWAY_PROTOCOLS = {
  pictures: 'zwlr_screencopy_manager_v1',
  pointer: 'zwlr_virtual_pointer_manager_v1',
  'keys and text': 'zwp_virtual_keyboard_manager_v1',
  clipboard: 'zwlr_data_control_manager_v1',
} as const satisfies Readonly<Partial<Record<Ability, string>>>

/** The ways of a session of sway, whose compositor offers `interfaces`. */
export function swayWays(interfaces: readonly string[] = Object.values(SWAY_PROTOCOLS)): SessionWays {
  const through = (ability: keyof typeof SWAY_PROTOCOLS): Way => {
    const name = SWAY_PROTOCOLS[ability]
    if (interfaces.includes(name)) return { through: `${name}, ${UNPERMITTED}` }
    return {
      reason: `the compositor offers no ${name}`,
      fix: 'update sway to 1.5 or later',
      isNeeded: ability !== 'clipboard',
    }
  }
  return {
    windows: { through: `the IPC of sway, ${UNPERMITTED}` },
    pictures: through('pictures'),
    'pictures of covered windows': {
      reason: 'pictures show what is visible on the outputs of sway',
      fix: 'bring_to_foreground raises a covered window',
    },
    pointer: through('pointer'),
    'keys and text': through('keys and text'),
    clipboard: through('clipboard'),
    'programs that hang': HANGING_ON_WAYLAND,
  }
}

/** What KWin offers this program. */
export interface KWinOffer {
  /** The version of org_kde_kwin_fake_input, which it offers only with permission. */
  readonly fakeInput: number | undefined
  /** The protocol of its clipboard. */
  readonly clipboard: string | undefined
  /** How it composes, such as `OpenGL`. Undefined when it does not tell. */
  readonly compositing: string | undefined
  /** Whether it permits pictures. */
  readonly mayTakePictures: boolean
}

/** The offer of a current KWin with OpenGL that permits everything. */
const FULL_KWIN_OFFER: KWinOffer = {
  fakeInput: 6,
  clipboard: 'ext_data_control_manager_v1',
  compositing: 'OpenGL',
  mayTakePictures: true,
}

const BY_DESKTOP_FILE = 'which a .desktop file permits'
/** The version of org_kde_kwin_fake_input that types characters. */
export const TYPING_FAKE_INPUT = 6

/** The ways of a session of KDE, whose compositor offers this. */
export function kwinWays(offer: KWinOffer = FULL_KWIN_OFFER): SessionWays {
  const input = kwinInputWay(offer)
  const pictures = kwinPictureWay(offer)
  return {
    windows: { through: `scripts in KWin, ${UNPERMITTED}` },
    pictures,
    'pictures of covered windows': pictures,
    pointer: input,
    'keys and text': input,
    clipboard:
      offer.clipboard === undefined
        ? { reason: 'KWin offers no ext_data_control_manager_v1', fix: 'update KWin' }
        : { through: `${offer.clipboard}, ${UNPERMITTED}` },
    'programs that hang': HANGING_ON_WAYLAND,
  }
}

/** How pointer and keys are driven in GNOME: through the desktop portal, or through an interface of Mutter that asks nobody. */
export const GNOME_INPUTS = ['portal', 'mutter'] as const
export type GnomeInput = (typeof GNOME_INPUTS)[number]

const BY_EXTENSION = 'the Backlot extension of GNOME Shell, which a person has enabled'

/** The ways of a session of GNOME whose shell has the extension of Backlot. */
export function gnomeWays(input: GnomeInput): SessionWays {
  const devices =
    input === 'mutter'
      ? 'Mutter’s own interface, which --gnome-input mutter allows'
      : 'the desktop portal, with the consent that GNOME asks a person for once'
  return {
    windows: { through: BY_EXTENSION },
    pictures: { through: BY_EXTENSION },
    'pictures of covered windows': { through: BY_EXTENSION },
    pointer: { through: devices },
    'keys and text': { through: `${devices}; characters without a key through ${BY_EXTENSION}` },
    clipboard: { through: BY_EXTENSION },
    'programs that hang': HANGING_ON_WAYLAND,
  }
}

function kwinInputWay({ fakeInput }: KWinOffer): Way {
  if (fakeInput === undefined)
    return {
      reason: 'KWin permits pointer and keys only to programs that a .desktop file names',
      fix: 'run backlot doctor --fix, then start again',
      isNeeded: true,
    }
  if (fakeInput < TYPING_FAKE_INPUT)
    return {
      reason: `KWin offers version ${fakeInput} of org_kde_kwin_fake_input, which does not type text`,
      fix: 'update KWin; 6.7 has version 6',
      isNeeded: true,
    }
  return { through: `org_kde_kwin_fake_input, ${BY_DESKTOP_FILE}` }
}

function kwinPictureWay({ compositing, mayTakePictures }: KWinOffer): Way {
  if (compositing !== undefined && compositing !== 'OpenGL')
    return {
      reason: `KWin composes with ${compositing}, and takes screenshots with OpenGL only`,
      fix: 'use trees, or run KWin where it finds a device in /dev/dri',
      isNeeded: true,
    }
  if (!mayTakePictures)
    return {
      reason: 'KWin permits screenshots only to programs that a .desktop file names',
      fix: 'run backlot doctor --fix, then start again',
      isNeeded: true,
    }
  return { through: `ScreenShot2 of KWin, ${BY_DESKTOP_FILE}; not verified` }
}

/** What helps where a compositor gives access through accessibility only. Any distribution has sway, not all have sessions of X11. */
export const COMPOSITOR_REMEDY =
  'use the elements’ own actions, a session of sway or KDE, or GNOME with the Backlot extension (backlot doctor --fix)'

/** What helps where the programs of Xwayland can be driven. */
export const XWAYLAND_REMEDY =
  'for all features, start programs through Xwayland (GDK_BACKEND=x11, QT_QPA_PLATFORM=xcb), or use a session of sway or KDE, or GNOME with the Backlot extension (backlot doctor --fix)'

const refusedByCompositor = (what: string): Way => ({
  reason: `Backlot cannot ${what} on this Wayland compositor`,
  fix: COMPOSITOR_REMEDY,
})

/** The ways of a session whose compositor has no backend. */
export const ACCESSIBLE_WAYS: SessionWays = {
  windows: refusedByCompositor('place or arrange windows'),
  pictures: refusedByCompositor('take screenshots'),
  'pictures of covered windows': refusedByCompositor('take screenshots'),
  pointer: refusedByCompositor('use the pointer'),
  'keys and text': refusedByCompositor('press keys'),
  clipboard: refusedByCompositor('reach the clipboard'),
  'programs that hang': HANGING_ON_WAYLAND,
}

/** Why a session lacks an ability and what helps. Undefined when it has it. */
export function refusal(ways: SessionWays, ability: Ability): string | undefined {
  const way = ways[ability]
  return 'reason' in way ? `${way.reason}; ${way.fix}` : undefined
}

/** What a desktop can do in a session with these ways, with or without its accessibility bus. */
export function capabilitiesOf(ways: SessionWays, hasAccessibility: boolean): Capabilities {
  const missing: Partial<Record<ComputerCapability, string>> = {}
  for (const [ability, capabilities] of Object.entries(ABILITIES) as [Ability, readonly ComputerCapability[]][]) {
    const reason = refusal(ways, ability)
    if (reason !== undefined) for (const capability of capabilities) missing[capability] ??= reason
  }
  const { clipboard: _, ...limits } = REAL_DESKTOP_LIMITS
  return capabilitiesWithout({
    ...limits,
    ...missing,
    ...(!hasAccessibility && { accessibility_tree: NO_BUS, native_actions: NO_BUS }),
  })
}

/** A check for each ability: the way that is used and what grants it, or what is missing and helps. */
export const checkWays = (ways: SessionWays): readonly DoctorCheck[] =>
  (Object.entries(ways) as [Ability, Way][]).map(([ability, way]) => {
    if ('through' in way) return good(ability, `through ${way.through}`)
    return (way.isNeeded ? bad : note)(ability, way.reason, way.fix)
  })
