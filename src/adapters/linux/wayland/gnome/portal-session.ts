import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Fault } from '../../../../base/fault.ts'
import type { EnvironmentVariables } from '../../../../base/host.ts'
import { SerialQueue } from '../../../../base/serial-queue.ts'
import { contains, type Point, type Rect } from '../../../../desktop/model/geometry.ts'
import { type Bus, BusError, DAEMON, type ObjectRef } from '../../dbus.ts'
import type { GnomeInputSession } from './gnome-devices.ts'
import type { GnomeMonitor } from './gnome-shell.ts'

const PORTAL: ObjectRef = { bus: 'org.freedesktop.portal.Desktop', path: '/org/freedesktop/portal/desktop' }
const REMOTE_DESKTOP = 'org.freedesktop.portal.RemoteDesktop'
const SCREEN_CAST = 'org.freedesktop.portal.ScreenCast'
const REQUEST = 'org.freedesktop.portal.Request'
const [KEYBOARD, POINTER, MONITOR] = [1, 2, 1]
/** Consent lasts until a person takes it back. */
const PERSIST_UNTIL_REVOKED = 2
const [GRANTED, REFUSED] = [0, 1]
/** The portal starts its programs when it is first asked. */
const MAX_ANSWER_MS = 15_000
const MAX_CONSENT_MS = 120_000

/** A file that keeps the token with which a person's consent is used again. */
export interface ConsentFile {
  read(): string | undefined
  write(token: string): void
}

/** The consent of the user whose session `env` is, in the folder for the state of programs. */
export function consentFile(env: EnvironmentVariables): ConsentFile {
  const folder = env.XDG_STATE_HOME || join(env.HOME ?? '/', '.local', 'state')
  const path = join(folder, 'backlot', 'gnome-consent')
  return {
    read() {
      try {
        return readFileSync(path, 'utf8').trim() || undefined
      } catch {
        return undefined
      }
    },
    write(token) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, `${token}\n`, { mode: 0o600 })
    },
  }
}

/** The monitors that a person has shared: the number of the stream of each, with its place. */
type Streams = readonly (readonly [stream: number, properties: { readonly position?: readonly [number, number] }])[]

interface PortalParts {
  readonly consent: ConsentFile
  readonly monitors: () => Promise<readonly GnomeMonitor[]>
  readonly warn?: ((line: string) => void) | undefined
}

/**
 * Opens a session of pointer and keys through the desktop portal. Without a token GNOME asks a person, for whom this waits; with one it
 * does not. Throws `PermissionDenied` when the person refuses.
 */
export async function openPortalSession(
  bus: Bus,
  { consent, monitors, warn }: PortalParts,
): Promise<GnomeInputSession> {
  const request = await requestsOf(bus)
  const token = consent.read()
  if (token === undefined)
    warn?.('GNOME asks on its screen whether Backlot may use pointer and keyboard; share all monitors, and allow it')
  const { session_handle: path } = await request(
    REMOTE_DESKTOP,
    'CreateSession',
    '',
    [],
    [['session_handle_token', ['s', `backlot${process.pid}`]]],
  )
  const session: ObjectRef = { bus: PORTAL.bus, path: path as string }
  await request(
    REMOTE_DESKTOP,
    'SelectDevices',
    'o',
    [session.path],
    [
      ['types', ['u', KEYBOARD | POINTER]],
      ['persist_mode', ['u', PERSIST_UNTIL_REVOKED]],
      ...(token === undefined ? [] : [['restore_token', ['s', token]] as const]),
    ],
  )
  // The position of the pointer is that on a shared monitor.
  await request(
    SCREEN_CAST,
    'SelectSources',
    'o',
    [session.path],
    [
      ['types', ['u', MONITOR]],
      ['multiple', ['b', true]],
    ],
  )
  const started = await request(REMOTE_DESKTOP, 'Start', 'os', [session.path, ''], [], MAX_CONSENT_MS)
  if (typeof started.restore_token === 'string') consent.write(started.restore_token)
  const streams = (started.streams ?? []) as Streams
  if (streams.length === 0)
    throw new Fault('PlatformUnsupported', 'no monitor is shared with Backlot, so there is nowhere to point; share all')

  // The portal handles calls at the same time, and would pass on events in another order.
  const events = new SerialQueue()
  const notify = (member: string, signature: string, ...body: readonly unknown[]) =>
    events.run(() =>
      bus.call(
        PORTAL,
        { interface: REMOTE_DESKTOP, member: `Notify${member}`, signature: `oa{sv}${signature}` },
        session.path,
        [],
        ...body,
      ),
    )
  const state = (isDown: boolean) => (isDown ? 1 : 0)
  return {
    get ended() {
      return bus.ended
    },
    async move(to) {
      const place = placeOnStream(to, streams, await monitors())
      if (!place)
        throw new Fault('PlatformUnsupported', `the monitor at ${to.x},${to.y} is not shared with Backlot; share all`)
      return notify('PointerMotionAbsolute', 'udd', ...place)
    },
    button: (code, isDown) => notify('PointerButton', 'iu', code, state(isDown)),
    wheel: (axis, turn) => notify('PointerAxisDiscrete', 'ui', axis, turn),
    keysym: (keysym, isDown) => notify('KeyboardKeysym', 'iu', keysym, state(isDown)),
    keycode: (code, isDown) => notify('KeyboardKeycode', 'iu', code, state(isDown)),
    async close() {
      await bus.tryCall(session, { interface: 'org.freedesktop.portal.Session', member: 'Close' }).catch(() => {})
    },
  }
}

/** A point of the screen on the stream of its monitor, in the pixels of that. Undefined on one that is not shared. */
export function placeOnStream(
  to: Point,
  streams: Streams,
  monitors: readonly (Rect & Pick<GnomeMonitor, 'scale'>)[],
): readonly [stream: number, x: number, y: number] | undefined {
  const monitor = monitors.find((each) => contains(each, to))
  const found = streams.find(([, { position }]) => position?.[0] === monitor?.x && position?.[1] === monitor?.y)
  return monitor && found && [found[0], (to.x - monitor.x) * monitor.scale, (to.y - monitor.y) * monitor.scale]
}

type Answer = Readonly<Record<string, unknown>>
type Option = readonly [name: string, value: readonly [signature: string, value: unknown]]

/** Calls methods of the portal that answer with a signal, because a person may be asked. */
async function requestsOf(bus: Bus) {
  const rule = `type='signal',interface='${REQUEST}',member='Response'`
  await bus.call(DAEMON, { interface: DAEMON.bus, member: 'AddMatch', signature: 's' }, rule)
  const waiting = new Map<string, (code: number, answer: Answer) => void>()
  bus.onSignal(({ path, interface: name, member, body: [code, answer] }) => {
    if (name === REQUEST && member === 'Response') waiting.get(path)?.(code as number, answer as Answer)
  })
  let last = 0
  return async (
    name: string,
    member: string,
    signature: string,
    body: readonly unknown[],
    options: readonly Option[],
    withinMs = MAX_ANSWER_MS,
  ): Promise<Answer> => {
    const token = `backlot${process.pid}_${++last}`
    const path = `${PORTAL.path}/request/${bus.name.slice(1).replaceAll('.', '_')}/${token}`
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<Answer>((resolve, reject) => {
        const fail = (fault: Error) => reject(fault)
        timer = setTimeout(
          fail,
          withinMs,
          new Fault(
            'Timeout',
            `the desktop portal did not answer ${member} within ${withinMs / 1000} s; a person may not have answered its dialog`,
          ),
        )
        waiting.set(path, (code, answer) => {
          if (code === GRANTED) resolve(answer)
          else if (code === REFUSED)
            fail(
              new Fault(
                'PermissionDenied',
                'a person has refused Backlot the use of pointer and keyboard; start it again to be asked again',
              ),
            )
          else fail(new Fault('PlatformUnsupported', `the desktop portal has ended ${member} (${code})`))
        })
        const method = { interface: name, member, signature: `${signature}a{sv}`, timeoutMs: MAX_ANSWER_MS }
        bus
          .call(PORTAL, method, ...body, [['handle_token', ['s', token]], ...options])
          .catch((error) =>
            fail(
              error instanceof BusError
                ? new Fault(
                    'PlatformUnsupported',
                    `the desktop portal refuses ${member}: ${error.message}; install xdg-desktop-portal-gnome`,
                  )
                : error,
            ),
          )
      })
    } finally {
      clearTimeout(timer)
      waiting.delete(path)
    }
  }
}
