import { accessSync, constants } from 'node:fs'
import { Fault } from '../../base/fault.ts'
import { type Accessibility, GET, LAUNCHER, openAccessibility, sessionBusAddress } from './accessibility.ts'
import { openBus } from './bus.ts'
import { cardinals, type Display, openDisplay } from './display.ts'
import { hasWindowManager, listWindows } from './windows.ts'

/** One thing that driving a desktop depends on. */
export interface Finding {
  readonly subject: string
  /** `bad` stops something from working, `note` is worth knowing. */
  readonly verdict: 'good' | 'bad' | 'note'
  readonly found: string
  /** What to do about it. */
  readonly fix?: string
}

type Environment = Readonly<Record<string, string | undefined>>

const good = (subject: string, found: string): Finding => ({ subject, verdict: 'good', found })
const bad = (subject: string, found: string, fix: string): Finding => ({ subject, verdict: 'bad', found, fix })
const note = (subject: string, found: string, fix: string): Finding => ({ subject, verdict: 'note', found, fix })

/** Looks at everything that the Linux adapter needs of the session that `env` names, changing nothing. */
export async function examineLinux(env: Environment): Promise<readonly Finding[]> {
  const display = await attempt(() => openDisplay(env.DISPLAY ?? 'of this session'))
  const address = sessionBusAddress(env)
  const accessibility = address ? await attempt(() => openAccessibility(address, { announce: false })) : undefined
  try {
    return [
      session(env),
      ...(env.DISPLAY ? await screen(env.DISPLAY, display) : []),
      await bus(env, address),
      ...(address ? await accessible(env, address, display, accessibility) : []),
    ]
  } finally {
    if (!(display instanceof Fault)) display.close()
    if (accessibility && !(accessibility instanceof Fault)) accessibility.close()
  }
}

/** What an attempt gave, or why it failed. */
type Outcome<T> = T | Fault

async function attempt<T>(open: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return await open()
  } catch (error) {
    return Fault.from(error)
  }
}

function session({ XDG_SESSION_TYPE: type, DISPLAY: display }: Environment): Finding {
  const subject = 'session'
  if (display && type !== 'wayland') return good(subject, `X11 on ${display}`)
  if (display)
    return note(
      subject,
      `Wayland; only programs that run through Xwayland on ${display} can be seen and driven`,
      'for all programs, log out and choose "X11" or "Xorg" at the login screen',
    )
  if (type === 'wayland')
    return bad(
      subject,
      'Wayland without X11: trees and the elements’ own actions only, no pictures, pointer or keys',
      'log out and choose "X11" or "Xorg" at the login screen',
    )
  return bad(
    subject,
    'none: DISPLAY is not set',
    'run this in a terminal of the desktop; over SSH set DISPLAY=:0; without a screen start one: xvfb-run',
  )
}

const EXTENSIONS: readonly (readonly [name: string, verdict: 'bad' | 'note', purpose: string])[] = [
  ['XTEST', 'bad', 'pointer and keys'],
  ['MIT-SHM', 'note', 'fast pictures'],
  ['Composite', 'note', 'pictures of covered windows'],
  ['RANDR', 'note', 'monitors'],
]

async function screen(name: string, display: Outcome<Display>): Promise<readonly Finding[]> {
  if (display instanceof Fault)
    return [
      bad('X server', display.message, `check that ${name} is the display of this session and that XAUTHORITY fits`),
    ]
  const { root_depth: depth } = display.info.screen[0]!
  return [
    depth === 24 || depth === 32
      ? good('X server', `${name}, ${depth} bits per pixel`)
      : bad('X server', `${name} has ${depth} bits per pixel`, 'start the X server with 24'),
    ...(await Promise.all(
      EXTENSIONS.map(async ([extension, verdict, purpose]): Promise<Finding> => {
        const answer = await display.ask<{ present: number }>((done) => display.client.QueryExtension(extension, done))
        if (answer.present) return good(`X extension ${extension}`, `there, for ${purpose}`)
        return { subject: `X extension ${extension}`, verdict, found: 'missing', fix: `without it: no ${purpose}` }
      }),
    )),
    await windowManager(display),
    sharedMemory(),
  ]
}

async function windowManager(display: Display): Promise<Finding> {
  const subject = 'window manager'
  const remedy = 'start one that follows EWMH, such as openbox'
  if (!(await hasWindowManager(display))) return bad(subject, 'none', remedy)
  const supported = cardinals(await display.property(display.root, '_NET_SUPPORTED'))
  const needed = ['_NET_CLIENT_LIST_STACKING', '_NET_ACTIVE_WINDOW', '_NET_CLOSE_WINDOW']
  const atoms = await Promise.all(needed.map(display.atom))
  const missing = needed.filter((_, index) => !supported.includes(atoms[index]!))
  return missing.length === 0
    ? good(subject, 'there, and tells of windows and their order')
    : bad(subject, `it does not know ${missing.join(', ')}`, remedy)
}

function sharedMemory(): Finding {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return good('shared memory', '/dev/shm can be written to')
  } catch {
    return note('shared memory', '/dev/shm cannot be written to', 'pictures are read through the connection: slower')
  }
}

async function bus(env: Environment, address: string | undefined): Promise<Finding> {
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
  return good(subject, env.DBUS_SESSION_BUS_ADDRESS ? 'there' : 'found through XDG_RUNTIME_DIR')
}

async function accessible(
  env: Environment,
  address: string,
  display: Outcome<Display>,
  accessibility: Outcome<Accessibility> | undefined,
): Promise<readonly Finding[]> {
  if (accessibility === undefined) return []
  if (accessibility instanceof Fault) {
    const hangs = accessibility.code === 'Timeout'
    const fix = hangs ? 'it hangs: log out and in again' : 'install it: apt-get install at-spi2-core'
    return [bad('accessibility bus', accessibility.message, fix)]
  }
  const apps = await accessibility.apps()
  const [windows, enabled] = await Promise.all([
    display instanceof Fault ? [] : listWindows(display),
    isEnabled(address),
  ])
  const pids = new Set(apps.map((app) => app.pid))
  const silent = windows.filter(({ pid, popup }) => pid !== 0 && !popup && !pids.has(pid))
  return [
    good('accessibility bus', `there, with ${apps.length} program${apps.length === 1 ? '' : 's'}`),
    enabled
      ? good('accessibility switch', 'on')
      : note(
          'accessibility switch',
          'off',
          'Backlot switches it on when it starts; programs started before may need a restart',
        ),
    ...(env.NO_AT_BRIDGE
      ? [bad('NO_AT_BRIDGE', 'set: GTK 3 programs stay silent', 'unset NO_AT_BRIDGE and start the programs anew')]
      : []),
    ...(silent.length > 0
      ? [
          note(
            'silent programs',
            [...new Set(silent.map(({ process, title }) => process || title))].join(', '),
            'start Chromium and Electron programs with --force-renderer-accessibility, Qt programs with QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1, Java programs with the access bridge; then restart them',
          ),
        ]
      : []),
  ]
}

/** Whether toolkits are told that somebody listens. */
async function isEnabled(address: string): Promise<boolean> {
  const session = await openBus(address)
  try {
    return (await session.try<boolean>(LAUNCHER, GET, 'org.a11y.Status', 'IsEnabled')) === true
  } finally {
    session.close()
  }
}
