import { Fault } from '../../../base/fault.ts'
import { type Bus, DAEMON, type Method, openBus, openPeer, type Ref, type Signal } from '../dbus/bus.ts'

/** Which conventions a program follows. */
export type Toolkit = 'gtk3' | 'gtk4' | 'qt' | 'chromium' | 'other'

/** A program that offers accessible windows. */
export interface App {
  readonly bus: string
  readonly root: Ref
  /** 0 when the bus does not know, as for a program in a sandbox of its own. */
  readonly pid: number
}

/** The accessibility bus of a session, and what its programs have said lately. */
export interface Accessibility {
  readonly bus: Bus
  /** The programs that offer windows now. */
  apps(): Promise<readonly App[]>
  /** Asks the program itself, once. */
  toolkit(app: App): Promise<Toolkit>
  /** The shortest way to a program: its own connection where it has one, half as long as that through the daemon. */
  wayTo(app: App): Promise<Bus>
  /** How many times a program has reported a change so far. */
  changesOf(app: string): number
  /** How many times a program has opened or closed a window so far. */
  openingsOf(app: string): number
  /** Ends at a program's next reported change after `since`, or after `withinMs`; tells which. */
  change(app: string, since: number, withinMs: number): Promise<boolean>
  close(): void
}

/** An accessible object's place in the interfaces of AT-SPI. */
export const ATSPI = 'org.a11y.atspi'
export const PROPERTIES = 'org.freedesktop.DBus.Properties'

/** Only ever one property: asking for all of an object's properties at once crashes Qt programs. */
export const GET: Method = { interface: PROPERTIES, member: 'Get', takes: 'ss' }

export const CHILDREN: Method = { interface: `${ATSPI}.Accessible`, member: 'GetChildren' }

const REGISTRY: Ref = { bus: `${ATSPI}.Registry`, path: '/org/a11y/atspi/accessible/root' }
export const LAUNCHER: Ref = { bus: 'org.a11y.Bus', path: '/org/a11y/bus' }
/** Starting the accessibility bus for the first time takes longer than a call. */
const START_MOST_MS = 5000

/** Where the session bus is: as the environment says, else where systemd puts it. */
export function sessionBusAddress(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.DBUS_SESSION_BUS_ADDRESS) return env.DBUS_SESSION_BUS_ADDRESS
  return env.XDG_RUNTIME_DIR ? `unix:path=${env.XDG_RUNTIME_DIR}/bus` : undefined
}

interface Opening {
  /** Whether toolkits are told that somebody listens; some stay silent otherwise. */
  readonly announce?: boolean
}

/** The address of the accessibility bus, which the session bus starts when nobody has yet. */
async function findAccessibilityBus(sessionAddress: string, { announce = true }: Opening): Promise<string> {
  const session = await openBus(sessionAddress)
  try {
    const address = await session.call<string>(LAUNCHER, {
      interface: 'org.a11y.Bus',
      member: 'GetAddress',
      withinMs: START_MOST_MS,
    })
    const set: Method = { interface: PROPERTIES, member: 'Set', takes: 'ssv' }
    if (announce) await session.try(LAUNCHER, set, 'org.a11y.Status', 'IsEnabled', ['b', true])
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

/** Connects to the accessibility bus of the session at `sessionAddress` and listens to its programs. */
export async function openAccessibility(sessionAddress: string, opening: Opening = {}): Promise<Accessibility> {
  const bus = await openBus(await findAccessibilityBus(sessionAddress, opening))
  const known = new Map<string, Promise<App>>()
  const toolkits = new Map<string, Toolkit>()
  const peers = new Map<string, Promise<Bus | undefined>>()
  const changes = new Map<string, number>()
  const openings = new Map<string, number>()
  const waiting = new Set<(app: string) => void>()

  bus.onSignal((signal) => {
    if (!tellsOfChange(signal)) return
    changes.set(signal.sender, (changes.get(signal.sender) ?? 0) + 1)
    if (tellsOfWindow(signal)) openings.set(signal.sender, (openings.get(signal.sender) ?? 0) + 1)
    for (const heard of [...waiting]) heard(signal.sender)
  })
  await listen(bus).catch((error) => {
    bus.close()
    throw error
  })

  const toolkit = async ({ bus: app, root }: App): Promise<Toolkit> => {
    const asked = toolkits.get(app)
    if (asked) return asked
    const told = toolkitNamed(await bus.try<string>(root, GET, `${ATSPI}.Application`, 'ToolkitName'))
    toolkits.set(app, told)
    return told
  }
  return {
    bus,
    toolkit,
    async wayTo(app) {
      if ((await toolkit(app)) !== 'gtk3') return bus
      const known = peers.get(app.bus)
      if (known && !(await known)?.ended) return (await known) ?? bus
      const fresh = openPeerOf(bus, app)
      peers.set(app.bus, fresh)
      // A program that hangs now may answer later.
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
      for (const ref of refs) if (!known.has(ref.bus)) known.set(ref.bus, meet(bus, ref))
      return Promise.all(refs.map((ref) => known.get(ref.bus)!))
    },
    changesOf: (app) => changes.get(app) ?? 0,
    openingsOf: (app) => openings.get(app) ?? 0,
    change: (app, since, withinMs) =>
      new Promise((resolve) => {
        if ((changes.get(app) ?? 0) > since) return resolve(true)
        const finish = (changed: boolean) => {
          clearTimeout(timer)
          waiting.delete(heard)
          resolve(changed)
        }
        const heard = (sender: string) => {
          if (sender === app) finish(true)
        }
        const timer = setTimeout(finish, withinMs, false)
        waiting.add(heard)
      }),
    close() {
      for (const name of [...peers.keys()]) forget(peers, name)
      bus.close()
    },
  }
}

/** The children of an accessible object; those that it only announces are left out. */
export async function childrenOf(bus: Bus, ref: Ref): Promise<readonly Ref[]> {
  return refsOf((await bus.try<readonly [string, string][]>(ref, CHILDREN)) ?? [])
}

export const refsOf = (pairs: readonly (readonly [string, string])[]): readonly Ref[] =>
  pairs.filter(([, path]) => path !== `/org/a11y/atspi/null`).map(([bus, path]) => ({ bus, path }))

/** GTK 3 keeps its cache, and toolkits send events, only once somebody has registered for them. */
async function listen(bus: Bus): Promise<void> {
  const registry: Ref = { bus: REGISTRY.bus, path: '/org/a11y/atspi/registry' }
  const register: Method = { interface: `${ATSPI}.Registry`, member: 'RegisterEvent', takes: 'sass' }
  const addMatch: Method = { interface: DAEMON.bus, member: 'AddMatch', takes: 's' }
  await Promise.all([
    bus.try(DAEMON, addMatch, `type='signal',interface='${ATSPI}.Event.Object'`),
    bus.try(DAEMON, addMatch, `type='signal',interface='${ATSPI}.Event.Window'`),
    bus.try(registry, { ...register, withinMs: START_MOST_MS }, 'object:', [], ''),
    bus.try(registry, { ...register, withinMs: START_MOST_MS }, 'window:', [], ''),
  ])
}

/** A moving spinner reports its bounds for ever, and that says nothing about the rest. */
const tellsOfChange = ({ interface: name, member }: Signal): boolean =>
  name === `${ATSPI}.Event.Window` || (name === `${ATSPI}.Event.Object` && member !== 'BoundsChanged')

const tellsOfWindow = ({ interface: name, member }: Signal): boolean =>
  name === `${ATSPI}.Event.Window` && (member === 'Create' || member === 'Destroy')

async function meet(bus: Bus, root: Ref): Promise<App> {
  const ask: Method = { interface: DAEMON.bus, member: 'GetConnectionUnixProcessID', takes: 's' }
  return { bus: root.bus, root, pid: (await bus.try<number>(DAEMON, ask, root.bus)) ?? 0 }
}

/** Undefined when the program has no connection of its own, or not for us. Throws `Timeout` when it hangs. */
async function openPeerOf(bus: Bus, { root }: App): Promise<Bus | undefined> {
  const address = await bus.try<string>(root, { interface: `${ATSPI}.Application`, member: 'GetApplicationBusAddress' })
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
