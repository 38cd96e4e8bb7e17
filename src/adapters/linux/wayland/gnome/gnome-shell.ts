import { Fault } from '../../../../base/fault.ts'
import type { Rect } from '../../../../desktop/model/geometry.ts'
import { GET } from '../../accessibility/accessibility.ts'
import { type Bus, BusError, type BusMethod, DAEMON, type ObjectRef } from '../../dbus.ts'

/** The extension of GNOME Shell that `extension/` has. */
export const GNOME_EXTENSION = {
  uuid: 'desktop@backlot',
  /** The version of its interface. */
  version: 1,
  bus: 'dev.backlot.Desktop',
  path: '/dev/backlot/Desktop',
} as const

/** A window as the extension describes it. */
export interface GnomeWindow {
  readonly id: number
  readonly pid: number
  readonly title: string
  readonly isX11: boolean
  readonly isPopup: boolean
  readonly owner: number | null
  readonly isFocused: boolean
  readonly isMinimized: boolean
  /** The name of its workspace. Null when that is shown. */
  readonly workspace: string | null
  /** Its bounds without shadows. */
  readonly frame: Rect
  /** What its program draws: of X11 programs that draw a shadow, with that. */
  readonly content: Rect
}

/** A monitor in logical pixels. */
export interface GnomeMonitor extends Rect {
  readonly scale: number
  readonly isPrimary: boolean
}

/** The active keyboard layout or input method. */
export interface GnomeLayout {
  /** `xkb` or `ibus`. */
  readonly type: string
  /** Such as `us` or `de+neo`. */
  readonly id: string
}

/** A GNOME desktop at one moment. Windows are front to back. */
export interface GnomeDescription {
  readonly monitors: readonly GnomeMonitor[]
  readonly windows: readonly GnomeWindow[]
  readonly layout: GnomeLayout | null
  readonly isCapsLocked: boolean
  /** Whether something in the focused window takes text that no key has typed. */
  readonly takesText: boolean
  readonly pointer: readonly [x: number, y: number]
}

/** What the extension does with a window. */
export type GnomeAct = 'activate' | 'minimize' | 'maximize' | 'restore' | 'close'

/** The extension of a GNOME Shell. Its calls throw `PlatformUnsupported` when it does not answer. */
export interface GnomeShell {
  describe(): Promise<GnomeDescription>
  /** Returns false when the window is gone. */
  act(window: number, what: GnomeAct): Promise<boolean>
  /** Moves and resizes a window. Returns false when it is gone. */
  place(window: number, frame: Rect): Promise<boolean>
  leaveOverview(): Promise<void>
  /** The PNG file of an area of the screen, in the pixels of its monitors. */
  pictureOfArea(area: Rect): Promise<Buffer>
  /** The PNG file of a window without its shadow, even where it is covered. */
  pictureOfWindow(window: number): Promise<Buffer>
  readClipboard(): Promise<string>
  writeClipboard(text: string): Promise<void>
  /** Enters text where the keyboard is. Returns false where nothing takes it. */
  commit(text: string): Promise<boolean>
}

const EXTENSION: ObjectRef = GNOME_EXTENSION
/** GNOME Shell answers between two frames, and a busy machine draws slowly. */
const MAX_ANSWER_MS = 5000
/** A screen with many pixels takes a while to encode. */
const MAX_PICTURE_MS = 8000

/** The version of the interface of the extension that answers on a session bus. Undefined when none does. */
export async function gnomeExtensionVersion(bus: Bus): Promise<number | undefined> {
  // A call to a name without an owner would wait for a service that the bus could start.
  const hasOwner = await bus.call<boolean>(DAEMON, HAS_OWNER, GNOME_EXTENSION.bus)
  const get: BusMethod = { ...GET, timeoutMs: MAX_ANSWER_MS }
  return hasOwner ? bus.tryCall<number>(EXTENSION, get, GNOME_EXTENSION.bus, 'Version') : undefined
}

const HAS_OWNER: BusMethod = { interface: DAEMON.bus, member: 'NameHasOwner', signature: 's' }

/** Calls the extension over a session bus. */
export function gnomeShellOn(bus: Bus): GnomeShell {
  const call = async <T>(
    member: string,
    signature?: string,
    body: readonly unknown[] = [],
    timeoutMs = MAX_ANSWER_MS,
  ) => {
    const method = { interface: GNOME_EXTENSION.bus, member, timeoutMs, ...(signature !== undefined && { signature }) }
    try {
      return await bus.call<T>(EXTENSION, method, ...body)
    } catch (error) {
      if (!(error instanceof BusError)) throw error
      if (isUnanswered(error)) throw extensionGone()
      throw new Fault('PlatformUnsupported', `GNOME Shell refused ${member}: ${error.message}`)
    }
  }
  const words = ({ x, y, width, height }: Rect) => [x, y, width, height]
  return {
    describe: async () => JSON.parse(await call<string>('Describe')) as GnomeDescription,
    act: (window, what) => call<boolean>('Act', 'ts', [window, what]),
    place: (window, frame) => call<boolean>('Place', 't(iiii)', [window, words(frame)]),
    async leaveOverview() {
      await call('Act', 'ts', [0, 'leave-overview'])
    },
    pictureOfArea: (area) => call<Buffer>('PictureOfArea', '(iiii)', [words(area)], MAX_PICTURE_MS),
    pictureOfWindow: (window) => call<Buffer>('PictureOfWindow', 't', [window], MAX_PICTURE_MS),
    readClipboard: () => call<string>('ReadClipboard'),
    async writeClipboard(text) {
      await call('WriteClipboard', 's', [text])
    },
    commit: (text) => call<boolean>('Commit', 's', [text]),
  }
}

const GONE: ReadonlySet<string> = new Set([
  'org.freedesktop.DBus.Error.ServiceUnknown',
  'org.freedesktop.DBus.Error.NameHasNoOwner',
  'org.freedesktop.DBus.Error.NoReply',
])
const isUnanswered = ({ kind }: BusError): boolean => GONE.has(kind)

const extensionGone = (): Fault =>
  new Fault(
    'PlatformUnsupported',
    'the Backlot extension of GNOME Shell does not answer: unlock the screen, or run backlot doctor',
  )
