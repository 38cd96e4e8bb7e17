import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../../base/fault.ts'
import type { EnvironmentVariables } from '../../base/host.ts'
import { bad, type DoctorCheck, good, note, type RepairOptions } from '../capabilities.ts'
import {
  type Accessibility,
  GET,
  LAUNCHER,
  openAccessibility,
  sessionBusAddress,
} from './accessibility/accessibility.ts'
import { accessibilityHint, readLoadedLibraries } from './accessibility/bridge-hint.ts'
import {
  ACCESSIBLE_WAYS,
  COMPOSITOR_REMEDY,
  checkWays,
  X_EXTENSIONS,
  XWAYLAND_REMEDY,
  x11Ways,
} from './capabilities.ts'
import { openBus } from './dbus.ts'
import {
  type Compositor,
  compositorVersion,
  compositorWays,
  findCompositor,
  GNOME_SHELL_NAME,
  isDriven,
  KDE_NAME,
} from './login-session.ts'
import {
  checkGnome,
  extensionQuestion,
  GNOME_EXTENSION_FOLDER,
  installGnomeExtension,
} from './wayland/gnome/gnome-doctor.ts'
import {
  checkPermission,
  permissionFiles,
  permissionPath,
  permissionQuestion,
  writePermission,
} from './wayland/kwin/kwin-permission.ts'
import { cardinals, type Display, openDisplay } from './x11/display.ts'
import { listXWindows, type WindowManagerKind, windowManagerKindOf, type XWindow } from './x11/x-windows.ts'

/** Checks all prerequisites of the Linux adapter in the session that `env` names. Changes nothing. */
export async function checkLinux(env: EnvironmentVariables): Promise<readonly DoctorCheck[]> {
  const display = await attempt(() => openDisplay(env.DISPLAY ?? 'of this session'))
  const address = sessionBusAddress(env)
  const accessibility = address ? await attempt(() => openAccessibility(address, { announce: false })) : undefined
  const compositor = await withVersion(await findCompositor(env), address)
  try {
    return [
      checkSession(env, accessibility !== undefined && !(accessibility instanceof Fault), compositor),
      ...(await waysOf(env, display, compositor)),
      ...kde(env, compositor),
      ...(await gnome(env, address, compositor)),
      ...(env.DISPLAY ? await screen(env, env.DISPLAY, display) : []),
      ...packages(env),
      await bus(env, address),
      ...(address ? await accessible(env, address, display, accessibility) : []),
    ]
  } finally {
    if (!(display instanceof Fault)) display.close()
    if (accessibility && !(accessibility instanceof Fault)) accessibility.close()
  }
}

/** The result of an attempt, or its fault. */
type Attempt<T> = T | Fault

async function attempt<T>(open: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return await open()
  } catch (error) {
    return Fault.from(error)
  }
}

/** Where distributions put the program that starts the accessibility bus. */
const LAUNCHER_FILES = ['/usr/libexec', '/usr/lib/at-spi2-core', '/usr/lib/at-spi2', '/usr/lib'].map(
  (folder) => `${folder}/at-spi-bus-launcher`,
)

async function screen(
  env: EnvironmentVariables,
  name: string,
  display: Attempt<Display>,
): Promise<readonly DoctorCheck[]> {
  if (display instanceof Fault)
    return [
      bad('X server', display.message, `check that ${name} is the display of this session and that XAUTHORITY fits`),
    ]
  const { root_depth: depth } = display.info.screen[0]!
  return [
    depth === 24 || depth === 32
      ? good('X server', `${name}, ${depth} bits per pixel`)
      : bad('X server', `${name} has ${depth} bits per pixel`, 'start the X server with 24'),
    (await hasExtension(display, 'RANDR'))
      ? good('monitors', 'through the X extension RANDR')
      : note('monitors', 'the X server has no extension RANDR', 'the screen counts as one monitor'),
    await windowManager(display),
    checkScale(env, (await display.property(display.root, 'RESOURCE_MANAGER'))?.toString('latin1') ?? ''),
    sharedMemory(),
  ]
}

/** How each ability of the session that is driven by default is given, or why it is not. Empty where there is none. */
async function waysOf(
  { DISPLAY, XDG_SESSION_TYPE }: EnvironmentVariables,
  display: Attempt<Display>,
  compositor: Compositor | undefined,
): Promise<readonly DoctorCheck[]> {
  const ways = compositor && compositorWays(compositor, 'portal')
  if (ways) return checkWays(ways)
  if (!(display instanceof Fault)) {
    const present = await Promise.all(X_EXTENSIONS.map((name) => hasExtension(display, name)))
    return checkWays(x11Ways(X_EXTENSIONS.filter((_, index) => present[index])))
  }
  const isWayland = compositor !== undefined || XDG_SESSION_TYPE === 'wayland'
  return isWayland && !DISPLAY ? checkWays(ACCESSIBLE_WAYS) : []
}

/** What a session of GNOME needs to be driven. Empty for another. */
async function gnome(
  env: EnvironmentVariables,
  address: string | undefined,
  compositor: Compositor | undefined,
): Promise<readonly DoctorCheck[]> {
  if (!compositor?.name.startsWith(GNOME_SHELL_NAME) || !address) return []
  const session = await attempt(() => openBus(address))
  if (session instanceof Fault) return []
  try {
    return await checkGnome(env, session)
  } finally {
    session.close()
  }
}

/** What permits KWin to be driven. Empty for another compositor. */
function kde(env: EnvironmentVariables, compositor: Compositor | undefined): readonly DoctorCheck[] {
  if (!compositor?.kwin) return []
  const isGranted = compositor.kwin.offer.fakeInput !== undefined
  return [checkPermission(permissionFiles(env), process.execPath, { isGranted, own: permissionPath(env) })]
}

/**
 * Sets up what the desktop needs and only a person may permit: `confirm` shows that person lines and returns whether they agree. Returns
 * what was done, and what the person does next, a line each.
 */
export async function repairLinux(
  env: EnvironmentVariables,
  { confirm, packageFolder }: RepairOptions,
): Promise<readonly string[]> {
  const compositor = await findCompositor(env)
  if (compositor?.name.startsWith(GNOME_SHELL_NAME)) {
    if (!(await confirm(extensionQuestion(env)))) return ['the extension of GNOME Shell was not copied']
    return installGnomeExtension(env, join(packageFolder, GNOME_EXTENSION_FOLDER))
  }
  return compositor?.name.startsWith(KDE_NAME) ? permitInKWin(env, compositor, confirm) : []
}

async function permitInKWin(
  env: EnvironmentVariables,
  compositor: Compositor,
  confirm: RepairOptions['confirm'],
): Promise<readonly string[]> {
  if (compositor.kwin?.offer.fakeInput !== undefined) return ['KWin permits pointer and keys already']
  const path = permissionPath(env)
  if (path === undefined) return ['HOME is not set; set it, and the .desktop file is written below it']
  if (!(await confirm(permissionQuestion(path, process.execPath)))) return [`${path} was not written`]
  writePermission(path, process.execPath)
  return [`wrote ${path}; KWin reads it within a second, and servers that run already need a new start`]
}

const hasExtension = async (display: Display, name: string): Promise<boolean> =>
  (await display.request<{ present: number }>((done) => display.client.QueryExtension(name, done))).present !== 0

/** A compositor with its version in its name, which those of GNOME and KDE tell on the session bus. */
async function withVersion(
  compositor: Compositor | undefined,
  address: string | undefined,
): Promise<Compositor | undefined> {
  if (compositor === undefined || compositor.ipc !== undefined || !address) return compositor
  const session = await attempt(() => openBus(address))
  if (session instanceof Fault) return compositor
  try {
    const version = await compositorVersion(session, compositor.name)
    return version === undefined ? compositor : { ...compositor, name: `${compositor.name} ${version}` }
  } finally {
    session.close()
  }
}

const MANAGED: Readonly<Record<WindowManagerKind, (name: string) => DoctorCheck>> = {
  ewmh: (name) => good('window manager', `${name}, which lists windows and their order`),
  icccm: (name) =>
    note(
      'window manager',
      `${name}, which does not follow EWMH: windows are listed, raised, minimised and closed, but not maximised`,
      'to maximise as well, start one that does, such as openbox',
    ),
  none: () =>
    note(
      'window manager',
      'none: windows are listed and raised, but not minimised or maximised, and new ones may cover each other',
      'start one that follows EWMH, such as openbox',
    ),
}

async function windowManager(display: Display): Promise<DoctorCheck> {
  const management = await windowManagerKindOf(display)
  const [own] = cardinals(await display.property(display.root, '_NET_SUPPORTING_WM_CHECK'))
  const name = own === undefined ? undefined : await display.property(own, '_NET_WM_NAME')
  return MANAGED[management](name?.toString('utf8') || 'one that does not report its name')
}

/** Packages that provide missing parts of the environment, with a file of each. */
const PACKAGES: readonly (readonly [name: string, provides: string, files: readonly string[]])[] = [
  ['xvfb', 'xvfb-run, a screen without a monitor', ['/usr/bin/xvfb-run']],
  ['xauth', 'needed by xvfb-run', ['/usr/bin/xauth']],
  ['dbus-daemon', 'dbus-run-session', ['/usr/bin/dbus-run-session']],
  ['at-spi2-core', 'the accessibility bus', LAUNCHER_FILES],
]

/** The packages to install where there is no desktop or no bus. */
function packages(env: EnvironmentVariables): readonly DoctorCheck[] {
  if (env.DISPLAY && sessionBusAddress(env)) return []
  const missing = PACKAGES.filter(([, , files]) => !files.some((file) => existsSync(file)))
  if (missing.length === 0) return [good('packages', 'xvfb, dbus-daemon and at-spi2-core are installed')]
  const provided = missing.map(([name, provides]) => `${name} (${provides})`).join(', ')
  const names = missing.map(([name]) => name).join(' ')
  return [note('packages', `not installed: ${provided}`, `apt-get install --no-install-recommends ${names}`)]
}

function sharedMemory(): DoctorCheck {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return good('shared memory', '/dev/shm is writable')
  } catch {
    return note(
      'shared memory',
      '/dev/shm is not writable',
      'screenshots are read through the connection, which is slower',
    )
  }
}

async function bus(env: EnvironmentVariables, address: string | undefined): Promise<DoctorCheck> {
  const subject = 'session bus'
  if (!address)
    return bad(
      subject,
      'DBUS_SESSION_BUS_ADDRESS is not set',
      'run this in a terminal of the desktop, or start everything under dbus-run-session',
    )
  const opened = await attempt(() => openBus(address))
  if (opened instanceof Fault)
    return bad(subject, opened.message, `check that DBUS_SESSION_BUS_ADDRESS (${address}) is that of this session`)
  opened.close()
  return good(subject, env.DBUS_SESSION_BUS_ADDRESS ? 'present' : 'found through XDG_RUNTIME_DIR')
}

async function accessible(
  env: EnvironmentVariables,
  address: string,
  display: Attempt<Display>,
  accessibility: Attempt<Accessibility> | undefined,
): Promise<readonly DoctorCheck[]> {
  if (accessibility === undefined) return []
  if (accessibility instanceof Fault) {
    return [bad('accessibility bus', accessibility.message, await remedyFor(accessibility, address))]
  }
  const apps = await accessibility.apps()
  const [windows, enabled] = await Promise.all([
    display instanceof Fault ? [] : listXWindows(display),
    isEnabled(address),
  ])
  const pids = new Set(apps.map((app) => app.pid))
  const silent = windows.filter(({ pid, popup }) => pid !== 0 && !popup && !pids.has(pid))
  return [
    good('accessibility bus', `present, with ${apps.length} program${apps.length === 1 ? '' : 's'}`),
    enabled
      ? good('accessibility switch', 'on')
      : note(
          'accessibility switch',
          'off',
          'Backlot switches it on when it starts; programs started before may need a restart',
        ),
    ...(env.NO_AT_BRIDGE
      ? [
          bad(
            'NO_AT_BRIDGE',
            'set: GTK 3 programs offer no accessibility',
            'unset NO_AT_BRIDGE and restart the programs',
          ),
        ]
      : []),
    ...silentPrograms(silent),
  ]
}

/** The remedy for an accessibility bus that does not start. */
async function remedyFor({ code }: Fault, address: string): Promise<string> {
  if (code === 'Timeout') return 'it hangs: log out and in again'
  const session = await attempt(() => openBus(address))
  if (session instanceof Fault) return 'fix the session bus, which starts it'
  session.close()
  return LAUNCHER_FILES.some((file) => existsSync(file))
    ? 'at-spi2-core is installed, but the session bus does not start it: log out and in again'
    : 'install it: apt-get install at-spi2-core'
}

/** Reports programs with windows but without accessibility, by toolkit. */
function silentPrograms(silent: readonly XWindow[]): readonly DoctorCheck[] {
  const byToolkit = new Map<string, { readonly fix: string; readonly names: Set<string> }>()
  for (const { pid, process, title } of silent) {
    const { toolkit, fix } = accessibilityHint(readLoadedLibraries(pid))
    const known = byToolkit.get(toolkit) ?? { fix, names: new Set() }
    known.names.add(process || title)
    byToolkit.set(toolkit, known)
  }
  return [...byToolkit].map(([toolkit, { fix, names }]) =>
    note('silent programs', `${[...names].join(', ')}, built with ${toolkit}`, fix),
  )
}

/** Whether accessibility is switched on for toolkits. */
async function isEnabled(address: string): Promise<boolean> {
  const session = await openBus(address)
  try {
    return (await session.tryCall<boolean>(LAUNCHER, GET, 'org.a11y.Status', 'IsEnabled')) === true
  } finally {
    session.close()
  }
}

/** What kind of session it is, and what of it can be driven. `hasAccessibility`: its accessibility bus answers. */
export function checkSession(
  { XDG_SESSION_TYPE: type, DISPLAY: display }: EnvironmentVariables,
  hasAccessibility: boolean,
  compositor?: Pick<Compositor, 'name' | 'ipc' | 'kwin' | 'gnomeBus'>,
): DoctorCheck {
  const subject = 'session'
  if (compositor && isDriven(compositor))
    return good(subject, `Wayland, ${compositor.name}, with the programs of Xwayland`)
  const isWayland = compositor !== undefined || type === 'wayland'
  if (display && !isWayland) return good(subject, `X11 on ${display}`)
  const wayland = compositor ? `Wayland, ${compositor.name}` : 'Wayland'
  if (display)
    return note(
      subject,
      `${wayland}; only programs that run through Xwayland on ${display} can be driven`,
      XWAYLAND_REMEDY,
    )
  if (isWayland) {
    // Such a session is usable only through the accessibility bus.
    const tell = hasAccessibility ? note : bad
    return tell(
      subject,
      `${wayland} without X11: trees and the elements’ own actions only, no screenshots, pointer or keys`,
      COMPOSITOR_REMEDY,
    )
  }
  return bad(
    subject,
    'none: neither WAYLAND_DISPLAY nor DISPLAY is set',
    'run this in a terminal of the desktop; over SSH set DISPLAY=:0; without a screen start one: xvfb-run (package xvfb)',
  )
}

const SCALES = ['GDK_SCALE', 'GDK_DPI_SCALE', 'QT_SCALE_FACTOR', 'QT_SCREEN_SCALE_FACTORS', 'QT_FONT_DPI']
const DEFAULT_DPI = 96

/**
 * Reports scaling. Bounds are screen pixels on scaled desktops too, although programs measure in their own units.
 * @param resources The X resources of the root window, where desktops leave the resolution of text.
 */
export function checkScale(env: EnvironmentVariables, resources: string): DoctorCheck {
  const dpi = Number(/^Xft\.dpi:\s*(\d+)/m.exec(resources)?.[1] ?? DEFAULT_DPI)
  const set = [
    ...(dpi === DEFAULT_DPI ? [] : [`Xft.dpi is ${dpi}`]),
    ...SCALES.filter((name) => env[name] && env[name] !== '1').map((name) => `${name}=${env[name]}`),
  ]
  if (set.length === 0) return good('scale', 'programs draw in screen pixels')
  return note('scale', set.join(', '), 'bounds are in screen pixels; monitors are listed with scale factor 1')
}
