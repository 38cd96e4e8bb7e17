import { Fault } from '../../../base/fault.ts'
import type { EnvironmentVariables } from '../../../base/host.ts'
import { type Bus, type BusMethod, type BusSignal, DAEMON, type ObjectRef, openBus, openPeer } from '../dbus.ts'

/** The toolkit of a program, which decides its accessibility conventions. */
export type Toolkit = 'gtk3' | 'gtk4' | 'qt' | 'chromium' | 'other'

/** A program that offers accessible windows. */
export interface AccessibleApp {
  readonly bus: string
  readonly root: ObjectRef
  /** 0 when the bus does not know it, as for a sandboxed program. */
  readonly pid: number
}

/** The accessibility bus of a session, and the changes that its programs have reported. */
export interface Accessibility {
  readonly bus: Bus
  /** The programs that currently offer windows. */
  apps(): Promise<readonly AccessibleApp[]>
  /** The toolkit of a program. The program is asked once. */
  toolkit(app: AccessibleApp): Promise<Toolkit>
  /** The fastest connection to a program: a direct one if it offers one, which takes half the time of the daemon. */
  connectionTo(app: AccessibleApp): Promise<Bus>
  /** The number of changes that a program has reported so far. */
  changeCount(app: string): number
  /** The number of windows that a program has opened or closed so far. */
  windowChangeCount(app: string): number
  /** Waits until the change count of a program exceeds `since`. Resolves to false after `withinMs` milliseconds. */
  waitForChange(app: string, since: number, withinMs: number): Promise<boolean>
  close(): void
}

/** The prefix of the AT-SPI interfaces. */
export const ATSPI = 'org.a11y.atspi'
export const PROPERTIES = 'org.freedesktop.DBus.Properties'

/** Reads a single property. Reading all properties of an object at once crashes Qt programs. */
export const GET: BusMethod = { interface: PROPERTIES, member: 'Get', signature: 'ss' }

export const CHILDREN: BusMethod = { interface: `${ATSPI}.Accessible`, member: 'GetChildren' }

const REGISTRY: ObjectRef = { bus: `${ATSPI}.Registry`, path: '/org/a11y/atspi/accessible/root' }
export const LAUNCHER: ObjectRef = { bus: 'org.a11y.Bus', path: '/org/a11y/bus' }
/** The first start of the accessibility bus takes longer than a call. */
const MAX_BUS_START_MS = 5000

/** The address of the session bus: from the environment, else the default of systemd. */
export function sessionBusAddress(env: EnvironmentVariables): string | undefined {
  if (env.DBUS_SESSION_BUS_ADDRESS) return env.DBUS_SESSION_BUS_ADDRESS
  return env.XDG_RUNTIME_DIR ? `unix:path=${env.XDG_RUNTIME_DIR}/bus` : undefined
}

interface AccessibilityOptions {
  /** Whether to switch accessibility on for all toolkits. Some offer nothing otherwise. */
  readonly announce?: boolean
}

/** The address of the accessibility bus. The session bus starts it on demand. */
async function findAccessibilityBus(
  sessionAddress: string,
  { announce = true }: AccessibilityOptions,
): Promise<string> {
  const session = await openBus(sessionAddress)
  try {
    const address = await session.call<string>(LAUNCHER, {
      interface: 'org.a11y.Bus',
      member: 'GetAddress',
      timeoutMs: MAX_BUS_START_MS,
    })
    const set: BusMethod = { interface: PROPERTIES, member: 'Set', signature: 'ssv' }
    if (announce) await session.tryCall(LAUNCHER, set, 'org.a11y.Status', 'IsEnabled', ['b', true])
    return address
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault(
      'PlatformUnsupported',
      `the accessibility bus cannot be started (${(error as Error).message}); install at-spi2-core`,
    )
  } finally {
    session.close()
  }
}

/** Connects to the accessibility bus of the session at `sessionAddress` and subscribes to the events of its programs. */
export async function openAccessibility(
  sessionAddress: string,
  opening: AccessibilityOptions = {},
): Promise<Accessibility> {
  const bus = await openBus(await findAccessibilityBus(sessionAddress, opening))
  const known = new Map<string, Promise<AccessibleApp>>()
  const toolkits = new Map<string, Toolkit>()
  const peers = new Map<string, Promise<Bus | undefined>>()
  const changes = new Map<string, number>()
  const openings = new Map<string, number>()
  const waiting = new Set<(app: string) => void>()

  bus.onSignal((signal) => {
    if (!isChangeSignal(signal)) return
    changes.set(signal.sender, (changes.get(signal.sender) ?? 0) + 1)
    if (isWindowSignal(signal)) openings.set(signal.sender, (openings.get(signal.sender) ?? 0) + 1)
    for (const notify of [...waiting]) notify(signal.sender)
  })
  await subscribe(bus).catch((error) => {
    bus.close()
    throw error
  })

  const toolkit = async ({ bus: app, root }: AccessibleApp): Promise<Toolkit> => {
    const known = toolkits.get(app)
    if (known) return known
    const found = toolkitNamed(await bus.tryCall<string>(root, GET, `${ATSPI}.Application`, 'ToolkitName'))
    toolkits.set(app, found)
    return found
  }
  return {
    bus,
    toolkit,
    async connectionTo(app) {
      if ((await toolkit(app)) !== 'gtk3') return bus
      const known = peers.get(app.bus)
      if (known && !(await known)?.ended) return (await known) ?? bus
      const fresh = openPeerOf(bus, app)
      peers.set(app.bus, fresh)
      // A program that hangs may answer later.
      fresh.catch(() => peers.delete(app.bus))
      return (await fresh) ?? bus
    },
    async apps() {
      const refs = await childrenOf(bus, REGISTRY)
      const names = new Set(refs.map((ref) => ref.bus))
      for (const name of known.keys())
        if (!names.has(name)) {
          known.delete(name)
          forget(peers, name)
          toolkits.delete(name)
          changes.delete(name)
          openings.delete(name)
        }
      for (const ref of refs) if (!known.has(ref.bus)) known.set(ref.bus, describeApp(bus, ref))
      return Promise.all(refs.map((ref) => known.get(ref.bus)!))
    },
    changeCount: (app) => changes.get(app) ?? 0,
    windowChangeCount: (app) => openings.get(app) ?? 0,
    waitForChange: (app, since, withinMs) =>
      new Promise((resolve) => {
        if ((changes.get(app) ?? 0) > since) return resolve(true)
        const finish = (changed: boolean) => {
          clearTimeout(timer)
          waiting.delete(onChange)
          resolve(changed)
        }
        const onChange = (sender: string) => {
          if (sender === app) finish(true)
        }
        const timer = setTimeout(finish, withinMs, false)
        waiting.add(onChange)
      }),
    close() {
      for (const name of [...peers.keys()]) forget(peers, name)
      bus.close()
    },
  }
}

/** The children of an accessible object, without null references. */
export const childrenOf = (bus: Bus, ref: ObjectRef): Promise<readonly ObjectRef[]> =>
  askedOnce(bus, `${ref.bus} ${ref.path} children`, async () =>
    refsOf((await bus.tryCall<readonly [string, string][]>(ref, CHILDREN)) ?? []),
  )

const beingAsked = new WeakMap<Bus, Map<string, Promise<unknown>>>()

/**
 * What several readers ask together, such as those of all windows of a program, is asked once. Only a question of the same turn of the
 * event loop that is not answered yet is shared: what it answers is not older than the last event.
 */
export function askedOnce<T>(bus: Bus, question: string, ask: () => Promise<T>): Promise<T> {
  const asked = beingAsked.get(bus) ?? new Map<string, Promise<unknown>>()
  beingAsked.set(bus, asked)
  const known = asked.get(question) as Promise<T> | undefined
  if (known) return known
  if (asked.size === 0) setImmediate(() => asked.clear())
  const answer = ask().finally(() => {
    if (asked.get(question) === answer) asked.delete(question)
  })
  asked.set(question, answer)
  return answer
}

export const refsOf = (pairs: readonly (readonly [string, string])[]): readonly ObjectRef[] =>
  pairs.filter(([, path]) => path !== `/org/a11y/atspi/null`).map(([bus, path]) => ({ bus, path }))

/** Registers for events. Without it toolkits send no events and GTK 3 keeps no cache. */
async function subscribe(bus: Bus): Promise<void> {
  const registry: ObjectRef = { bus: REGISTRY.bus, path: '/org/a11y/atspi/registry' }
  const register: BusMethod = { interface: `${ATSPI}.Registry`, member: 'RegisterEvent', signature: 'sass' }
  const addMatch: BusMethod = { interface: DAEMON.bus, member: 'AddMatch', signature: 's' }
  await Promise.all([
    bus.tryCall(DAEMON, addMatch, `type='signal',interface='${ATSPI}.Event.Object'`),
    bus.tryCall(DAEMON, addMatch, `type='signal',interface='${ATSPI}.Event.Window'`),
    bus.tryCall(registry, { ...register, timeoutMs: MAX_BUS_START_MS }, 'object:', [], ''),
    bus.tryCall(registry, { ...register, timeoutMs: MAX_BUS_START_MS }, 'window:', [], ''),
  ])
}

/** Ignores changed bounds, because an animated spinner reports them continuously. */
const isChangeSignal = ({ interface: name, member }: BusSignal): boolean =>
  name === `${ATSPI}.Event.Window` || (name === `${ATSPI}.Event.Object` && member !== 'BoundsChanged')

const isWindowSignal = ({ interface: name, member }: BusSignal): boolean =>
  name === `${ATSPI}.Event.Window` && (member === 'Create' || member === 'Destroy')

async function describeApp(bus: Bus, root: ObjectRef): Promise<AccessibleApp> {
  const ask: BusMethod = { interface: DAEMON.bus, member: 'GetConnectionUnixProcessID', signature: 's' }
  return { bus: root.bus, root, pid: (await bus.tryCall<number>(DAEMON, ask, root.bus)) ?? 0 }
}

/** Opens a direct connection. Undefined when the program offers none that works. Throws `Timeout` when it hangs. */
async function openPeerOf(bus: Bus, { root }: AccessibleApp): Promise<Bus | undefined> {
  const address = await bus.tryCall<string>(root, {
    interface: `${ATSPI}.Application`,
    member: 'GetApplicationBusAddress',
  })
  if (!address) return undefined
  try {
    return await openPeer(address, root, CHILDREN)
  } catch (error) {
    if (error instanceof Fault && error.code === 'Timeout') throw error
    return undefined
  }
}

function forget(peers: Map<string, Promise<Bus | undefined>>, name: string): void {
  peers.get(name)?.then(
    (peer) => peer?.close(),
    () => {},
  )
  peers.delete(name)
}

function toolkitNamed(name: string | undefined): Toolkit {
  if (name === 'gtk') return 'gtk3'
  if (name === 'GTK') return 'gtk4'
  if (name === 'Chromium') return 'chromium'
  return name === 'Qt' ? 'qt' : 'other'
}
