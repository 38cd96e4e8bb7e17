import { Fault } from '../../base/fault.ts'
import type { EnvironmentVariables } from '../../base/host.ts'
import { GET, sessionBusAddress } from './accessibility/accessibility.ts'
import {
  GNOME_INPUTS,
  type GnomeInput,
  gnomeWays,
  kwinWays,
  LINUX_SESSIONS,
  type LinuxSession,
  type SessionWays,
  swayWays,
  x11Ways,
} from './capabilities.ts'
import { type Bus, openBus } from './dbus.ts'
import type { DesktopBackend } from './desktop-backend.ts'
import { type Global, openWayland, waylandSocketPath } from './wayland/connection.ts'
import { openGnomeDesktop } from './wayland/gnome/gnome-desktop.ts'
import { GNOME_EXTENSION, gnomeExtensionVersion } from './wayland/gnome/gnome-shell.ts'
import { consentFile } from './wayland/gnome/portal-session.ts'
import { openKWinDesktop } from './wayland/kwin/kwin-desktop.ts'
import { findKWin, type KWinSession, kwinSupport, parseKWinSupport } from './wayland/kwin/kwin-session.ts'
import { openSwayDesktop } from './wayland/sway-desktop.ts'
import { openSwayIpc, swaySocketPath } from './wayland/sway-ipc.ts'
import { openX11Desktop } from './x11-desktop.ts'

export interface LoginSessionOptions {
  /** Actions wait until no person has used mouse or keyboard for this long, in milliseconds. */
  readonly yieldToPersonMs?: number | undefined
  /** The session to drive. By default Wayland where its compositor can be driven, else X11. */
  readonly session?: LinuxSession | undefined
  /** How pointer and keys are driven in GNOME. By default through the desktop portal. */
  readonly gnomeInput?: GnomeInput | undefined
  /** Receives one line per circumstance that the operator should know, such as a consent that a person is asked for. */
  readonly warn?: ((line: string) => void) | undefined
}

/** How the desktop of a session is driven: through its windows and input, or through the accessibility bus only. */
export type LoginSession =
  | {
      readonly kind: 'desktop'
      open(signal: AbortSignal): Promise<DesktopBackend>
      readonly ways: SessionWays
    }
  | { readonly kind: 'accessibility' }

/** A Wayland compositor that answers. */
export interface Compositor {
  /** Its name and version, as far as it tells them. */
  readonly name: string
  /** The interfaces that it offers. */
  readonly interfaces: readonly string[]
  readonly wayland: string
  /** The socket of the IPC of sway. Undefined for another compositor. */
  readonly ipc: string | undefined
  /** The session bus on which the extension of GNOME Shell answers with the interface that Backlot uses. */
  readonly gnomeBus?: string
  /** KWin, where it answers on the session bus. */
  readonly kwin?: KWinSession
}

/** Whether its windows, pictures and input can be driven. */
export const isDriven = ({ ipc, kwin, gnomeBus }: Pick<Compositor, 'ipc' | 'kwin' | 'gnomeBus'>): boolean =>
  ipc !== undefined || kwin !== undefined || gnomeBus !== undefined

/** How a compositor that can be driven gives each ability. Undefined for another. */
export function compositorWays(
  { ipc, kwin, gnomeBus, interfaces }: Compositor,
  gnomeInput: GnomeInput,
): SessionWays | undefined {
  if (ipc !== undefined) return swayWays(interfaces)
  if (gnomeBus !== undefined) return gnomeWays(gnomeInput)
  return kwin && kwinWays(kwin.offer)
}

/** Finds the session that `env` names. Throws `PlatformUnsupported` when there is none. */
export const findLoginSession = async (
  env: EnvironmentVariables,
  options: LoginSessionOptions,
): Promise<LoginSession> =>
  chooseLoginSession(env, options.session === 'x11' ? undefined : await findCompositor(env), options)

/** Chooses the session to drive where `compositor` answers. Throws `PlatformUnsupported` when there is none. */
export function chooseLoginSession(
  env: EnvironmentVariables,
  compositor: Compositor | undefined,
  { session, yieldToPersonMs, gnomeInput = 'portal', warn }: LoginSessionOptions,
): LoginSession {
  const { DISPLAY: display, WAYLAND_DISPLAY: named, XDG_SESSION_TYPE: type } = env
  if (session !== undefined && !LINUX_SESSIONS.includes(session))
    throw new Fault('BadRequest', `unknown session ${JSON.stringify(session)}; use x11 or wayland`)
  const x11 = (name: string): LoginSession => ({
    kind: 'desktop',
    open: (signal) => openX11Desktop(name, signal, yieldToPersonMs),
    ways: x11Ways(),
  })
  if (session === 'x11') {
    if (display) return x11(display)
    throw new Fault('PlatformUnsupported', 'there is no X11 session here: DISPLAY is not set; run backlot doctor')
  }
  if (!GNOME_INPUTS.includes(gnomeInput))
    throw new Fault('BadRequest', `unknown input of GNOME ${JSON.stringify(gnomeInput)}; use portal or mutter`)
  const ways = compositor && compositorWays(compositor, gnomeInput)
  if (ways) {
    if (yieldToPersonMs !== undefined)
      throw new Fault(
        'PlatformUnsupported',
        'on Wayland, input of a person cannot be distinguished from that of agents; leave --yield-to-person out',
      )
    const gnome = { input: gnomeInput, consent: consentFile(env), warn }
    return { kind: 'desktop', open: (signal) => openCompositor(compositor, { ways, gnome, signal }), ways }
  }
  const isWayland = compositor !== undefined || type === 'wayland'
  if (session === 'wayland' && !isWayland) {
    const cause = named ? `no compositor answers at ${named}` : 'WAYLAND_DISPLAY is not set'
    throw new Fault('PlatformUnsupported', `there is no Wayland session here: ${cause}; run backlot doctor`)
  }
  // The X11 programs of a session whose compositor cannot be driven can still be.
  if (display && session !== 'wayland') return x11(display)
  if (isWayland) return { kind: 'accessibility' }
  throw new Fault(
    'PlatformUnsupported',
    'there is no desktop here: neither WAYLAND_DISPLAY nor DISPLAY is set; run this inside a desktop session, or run backlot doctor',
  )
}

interface CompositorOptions {
  readonly ways: SessionWays
  readonly gnome: Omit<Parameters<typeof openGnomeDesktop>[1], 'signal'>
  readonly signal: AbortSignal
}

/** Opens the desktop of a compositor that can be driven. */
function openCompositor(
  { wayland, ipc, kwin, gnomeBus }: Compositor,
  { ways, gnome, signal }: CompositorOptions,
): Promise<DesktopBackend> {
  if (ipc !== undefined) return openSwayDesktop({ wayland, ipc }, signal)
  if (gnomeBus !== undefined) return openGnomeDesktop(gnomeBus, { ...gnome, signal })
  return openKWinDesktop({ wayland, bus: kwin!.bus, ways }, signal)
}

/** A compositor that is recognised by an interface that others do not offer. */
interface KnownCompositor {
  readonly interfaceName: string
  readonly name: string
  /** Asks for its version on the session bus. */
  readonly version?: (bus: Pick<Bus, 'tryCall'>) => Promise<string | undefined>
}

/** The name of the compositor of KDE, before its version. */
export const KDE_NAME = 'KDE (KWin)'

/** GNOME Shell answers between two frames, and a busy machine draws slowly. */
const MAX_SHELL_MS = 3000

/** The name of the compositor of GNOME, before its version. */
export const GNOME_SHELL_NAME = 'GNOME (Mutter)'

const KNOWN_COMPOSITORS: readonly KnownCompositor[] = [
  {
    interfaceName: 'gtk_shell1',
    name: GNOME_SHELL_NAME,
    version: (bus) =>
      bus.tryCall<string>(
        { bus: 'org.gnome.Shell', path: '/org/gnome/Shell' },
        { ...GET, timeoutMs: MAX_SHELL_MS },
        'org.gnome.Shell',
        'ShellVersion',
      ),
  },
  {
    interfaceName: 'org_kde_plasma_shell',
    name: KDE_NAME,
    version: async (bus) => parseKWinSupport((await kwinSupport(bus)) ?? '').version,
  },
  { interfaceName: 'zwlr_screencopy_manager_v1', name: 'a compositor of wlroots' },
]

/** The version of a compositor of this name. Undefined when it does not tell it within the time of a call. */
export const compositorVersion = (bus: Pick<Bus, 'tryCall'>, named: string): Promise<string | undefined> =>
  Promise.resolve(KNOWN_COMPOSITORS.find(({ name }) => name === named)?.version?.(bus)).catch(() => undefined)

/** The compositor of a session. Undefined when none answers. */
export async function findCompositor(env: EnvironmentVariables): Promise<Compositor | undefined> {
  const wayland = waylandSocketPath(env)
  if (wayland === undefined) return undefined
  const folder = env.XDG_RUNTIME_DIR ?? '/tmp'
  const globals = await globalsAt(wayland, folder).catch(undefinedForFault)
  const offered = globals?.map(({ interfaceName }) => interfaceName)
  const ipc = swaySocketPath(env)
  const version = offered === undefined || ipc === undefined ? undefined : await versionOf(ipc)
  if (offered && version !== undefined) return { name: `sway ${version}`, interfaces: offered, wayland, ipc }
  const known = KNOWN_COMPOSITORS.find(({ interfaceName }) => offered?.includes(interfaceName))?.name
  // GNOME is driven over the session bus, so it need not pass file descriptors.
  const gnome = offered && known !== GNOME_SHELL_NAME ? undefined : await findGnome(env).catch(undefinedForFault)
  if (!globals && !gnome) return undefined
  const kwin = globals && known === KDE_NAME ? await findKWin(env, globals, folder).catch(undefinedForFault) : undefined
  const name = gnome ? GNOME_SHELL_NAME : (known ?? 'another compositor')
  return { name, interfaces: offered ?? [], wayland, ipc: undefined, ...(kwin && { kwin }), ...gnome }
}

/** What the compositor at a socket offers. */
async function globalsAt(wayland: string, folder: string): Promise<readonly Global[]> {
  const connection = await openWayland(wayland, folder)
  connection.close()
  return connection.globals
}

function undefinedForFault(error: unknown): undefined {
  if (error instanceof Fault) return undefined
  throw error
}

/** GNOME Shell on the session bus, which is in `gnomeBus` where the extension of Backlot answers. Undefined without one. */
async function findGnome(env: EnvironmentVariables): Promise<Pick<Compositor, 'gnomeBus'> | undefined> {
  const address = sessionBusAddress(env)
  if (address === undefined) return undefined
  const bus = await openBus(address)
  try {
    if ((await compositorVersion(bus, GNOME_SHELL_NAME)) === undefined) return undefined
    return (await gnomeExtensionVersion(bus)) === GNOME_EXTENSION.version ? { gnomeBus: address } : {}
  } finally {
    bus.close()
  }
}

/** The version of sway. Undefined when it does not answer. */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    const ipc = await openSwayIpc(path)
    try {
      return await ipc.version()
    } finally {
      ipc.close()
    }
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
