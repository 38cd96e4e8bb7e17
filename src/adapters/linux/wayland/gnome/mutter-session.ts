import { Fault } from '../../../../base/fault.ts'
import { contains, EMPTY_RECT, type Rect, sameRect, unite } from '../../../../desktop/model/geometry.ts'
import { GET } from '../../accessibility/accessibility.ts'
import { type Bus, BusError, type ObjectRef } from '../../dbus.ts'
import type { GnomeInputSession } from './gnome-devices.ts'

const REMOTE_DESKTOP = 'org.gnome.Mutter.RemoteDesktop'
const SCREEN_CAST = 'org.gnome.Mutter.ScreenCast'
const DISPLAY_CONFIG = 'org.gnome.Mutter.DisplayConfig'
/** Monitors are placed in physical pixels, as `layout-mode` tells. */
const PHYSICAL_LAYOUT = 2

/** Mutter answers between two frames, and a busy machine draws slowly. */
const MAX_ANSWER_MS = 5000

/** The state of the monitors as Mutter tells it. */
export type DisplayState = readonly [
  serial: number,
  monitors: readonly (readonly [spec: readonly string[], modes: readonly MonitorMode[], ...unknown[]])[],
  logical: readonly LogicalMonitor[],
  properties: Readonly<Record<string, unknown>>,
]
type MonitorMode = readonly [
  id: string,
  width: number,
  height: number,
  rate: number,
  preferredScale: number,
  scales: readonly number[],
  properties: Readonly<Record<string, unknown>>,
]
type LogicalMonitor = readonly [
  x: number,
  y: number,
  scale: number,
  transform: number,
  isPrimary: boolean,
  specs: readonly (readonly string[])[],
  ...unknown[],
]

/** A monitor with its connector, its bounds in the coordinates of windows, and its pixels for each unit of those. */
interface ConnectedMonitor {
  readonly connector: string
  readonly bounds: Rect
  readonly scale: number
}

/** The monitors of a state. Of those that show the same, the first. */
export function mutterMonitors([, monitors, logical, properties]: DisplayState): readonly ConnectedMonitor[] {
  const isPhysical = properties['layout-mode'] === PHYSICAL_LAYOUT
  return logical.flatMap(([x, y, ownScale, transform, , specs]) => {
    const connector = specs[0]?.[0]
    const modes = monitors.find(([spec]) => spec[0] === connector)?.[1]
    const mode = modes?.find((each) => each[6]['is-current'] === true)
    if (connector === undefined || !mode) return []
    const isTurned = transform % 2 === 1
    const [across, down] = isTurned ? [mode[2], mode[1]] : [mode[1], mode[2]]
    const scale = isPhysical ? 1 : ownScale
    return [{ connector, bounds: { x, y, width: Math.round(across / scale), height: Math.round(down / scale) }, scale }]
  })
}

/**
 * Opens a session of pointer and keys through Mutter's own interface, which asks nobody. GNOME shows that the screen is shared, and a
 * person can end it there.
 */
export async function openMutterSession(bus: Bus): Promise<GnomeInputSession> {
  const call = <T>(to: ObjectRef, name: string, member: string, signature?: string, ...body: readonly unknown[]) =>
    bus.call<T>(
      to,
      { interface: name, member, timeoutMs: MAX_ANSWER_MS, ...(signature !== undefined && { signature }) },
      ...body,
    )
  const create = async (name: string, folder: string, signature?: string, ...body: readonly unknown[]) => {
    const made = await call<string>(
      { bus: name, path: `/org/gnome/Mutter/${folder}` },
      name,
      'CreateSession',
      signature,
      ...body,
    )
    return { bus: name, path: made }
  }

  const open = async () => {
    const display: ObjectRef = { bus: DISPLAY_CONFIG, path: '/org/gnome/Mutter/DisplayConfig' }
    const state = { interface: DISPLAY_CONFIG, member: 'GetCurrentState' }
    const monitors = mutterMonitors(await bus.callAll<DisplayState>(display, state))
    const session = await create(REMOTE_DESKTOP, 'RemoteDesktop')
    const id = await bus.call<string>(session, GET, `${REMOTE_DESKTOP}.Session`, 'SessionId')
    const cast = await create(SCREEN_CAST, 'ScreenCast', 'a{sv}', [['remote-desktop-session-id', ['s', id]]])
    const streams = []
    for (const monitor of monitors) {
      const record = [`${SCREEN_CAST}.Session`, 'RecordMonitor', 'sa{sv}', monitor.connector, []] as const
      streams.push({ ...monitor, stream: await call<string>(cast, ...record) })
    }
    await call(session, `${REMOTE_DESKTOP}.Session`, 'Start')
    return { session, streams, screen: monitors.map(({ bounds }) => bounds).reduce(unite, EMPTY_RECT) }
  }
  let opened = await open().catch((error) => {
    if (!(error instanceof BusError)) throw error
    throw new Fault('PlatformUnsupported', `Mutter refuses a session of pointer and keyboard: ${error.message}`)
  })
  const notify = (member: string, signature: string, ...body: readonly unknown[]) =>
    call(opened.session, `${REMOTE_DESKTOP}.Session`, `Notify${member}`, signature, ...body)
  const stop = () => call(opened.session, `${REMOTE_DESKTOP}.Session`, 'Stop').catch(() => {})

  return {
    get ended() {
      return bus.ended
    },
    async move(to, screen) {
      // A session records the monitors that there were when it began.
      if (!sameRect(opened.screen, screen)) {
        await stop()
        opened = await open()
      }
      const found = opened.streams.find(({ bounds }) => contains(bounds, to))
      if (!found) throw new Fault('PlatformUnsupported', `Mutter has no monitor at ${to.x},${to.y}`)
      const { bounds, scale, stream } = found
      return notify('PointerMotionAbsolute', 'sdd', stream, (to.x - bounds.x) * scale, (to.y - bounds.y) * scale)
    },
    button: (code, isDown) => notify('PointerButton', 'ib', code, isDown),
    wheel: (axis, turn) => notify('PointerAxisDiscrete', 'ui', axis, turn),
    keysym: (keysym, isDown) => notify('KeyboardKeysym', 'ub', keysym, isDown),
    keycode: (code, isDown) => notify('KeyboardKeycode', 'ub', code, isDown),
    async close() {
      await stop()
    },
  }
}
