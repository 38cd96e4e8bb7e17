import type { Attributes, Client, Done, Event, Geometry, Property } from 'x11'

/**
 * What an X server says about windows. Each fact is requested once and kept until an event says that it has changed, so that
 * an action sends requests for what it touches, not for every window. The facts hold at the time of the last reply of the
 * server: `sync` first for those of now. Each is undefined for a window that does not exist.
 */
export interface WindowFacts {
  /** The bytes of a property. Undefined also when the window does not have it. */
  property(window: number, name: string): Promise<Buffer | undefined>
  geometry(window: number): Promise<Geometry | undefined>
  attributes(window: number): Promise<Attributes | undefined>
  parent(window: number): Promise<number | undefined>
  /** The children of a window, bottom to top. */
  children(window: number): Promise<readonly number[] | undefined>
  /** Another fact that stays true as long as the window exists. */
  lasting<T>(window: number, name: string, ask: () => Promise<T | undefined>): Promise<T | undefined>
}

interface FactConnection {
  readonly client: Client
  tryRequest<T>(send: (done: Done<T>) => void): Promise<T | undefined>
  atom(name: string): Promise<number>
}

const PROPERTY_CHANGE = 1 << 22
const STRUCTURE_NOTIFY = 1 << 17
const SUBSTRUCTURE_NOTIFY = 1 << 19
/** Programs of Qt 5 answer pings to clients that select both kinds of events about the structure on the root window. */
const ROOT_EVENTS = PROPERTY_CHANGE | STRUCTURE_NOTIFY | SUBSTRUCTURE_NOTIFY

const PROPERTY_WORDS = 65_536

/** What is known of a window, and the events that are selected on it. */
interface KnownWindow {
  events: number
  readonly facts: Map<string | number, Promise<unknown>>
}

/** Selects events on the root window, and on each window that is asked about. */
export function openWindowFacts({ client, tryRequest, atom }: FactConnection, root: number): WindowFacts {
  const windows = new Map<number, KnownWindow>()
  const knownOf = (window: number, events: number): KnownWindow => {
    const known = windows.get(window) ?? { events: 0, facts: new Map() }
    windows.set(window, known)
    const wanted = known.events | (window === root ? ROOT_EVENTS : events)
    if (wanted !== known.events) client.ChangeWindowAttributes(window, { eventMask: wanted })
    known.events = wanted
    return known
  }
  const keep = <T>(window: number, fact: string | number, events: number, ask: () => Promise<T | undefined>) => {
    const { facts } = knownOf(window, events)
    const held = facts.get(fact) as Promise<T | undefined> | undefined
    if (held) return held
    const fresh = ask()
    facts.set(fact, fresh)
    // No event tells when the number of a window that does not exist is taken by another.
    const drop = () => {
      if (facts.get(fact) === fresh) facts.delete(fact)
      if (facts.size === 0 && window !== root && windows.get(window)?.facts === facts) windows.delete(window)
    }
    fresh.then((value) => value === undefined && drop(), drop)
    return fresh
  }
  client.on('event', (event) => {
    for (const [window, fact] of changedFacts(event)) {
      if (fact === undefined) windows.delete(window)
      else windows.get(window)?.facts.delete(fact)
    }
  })
  const tree = (window: number) =>
    tryRequest<{ readonly parent: number; readonly children: readonly number[] }>((done) =>
      client.QueryTree(window, done),
    )
  knownOf(root, ROOT_EVENTS)

  return {
    async property(window, name) {
      const id = await atom(name)
      const property = await keep<Property>(window, id, PROPERTY_CHANGE | STRUCTURE_NOTIFY, () =>
        tryRequest((done) => client.GetProperty(0, window, id, 0, 0, PROPERTY_WORDS, done)),
      )
      return property?.type ? property.data : undefined
    },
    geometry: (window) =>
      keep<Geometry>(window, 'geometry', STRUCTURE_NOTIFY, () =>
        tryRequest((done) => client.GetGeometry(window, done)),
      ),
    attributes: (window) =>
      keep<Attributes>(window, 'attributes', STRUCTURE_NOTIFY, () =>
        tryRequest((done) => client.GetWindowAttributes(window, done)),
      ),
    parent: (window) => keep(window, 'parent', STRUCTURE_NOTIFY, async () => (await tree(window))?.parent),
    children: (window) =>
      keep(window, 'children', STRUCTURE_NOTIFY | SUBSTRUCTURE_NOTIFY, async () => (await tree(window))?.children),
    lasting: (window, name, ask) => keep(window, name, STRUCTURE_NOTIFY, ask),
  }
}

type ChangedFact = readonly [window: number, fact: string | number | undefined]

/** The facts that an event makes obsolete. Without the name of a fact, all of its window. */
export function changedFacts({ name, wid = 0, wid1 = 0, event = 0, parent = 0, atom }: Event): readonly ChangedFact[] {
  switch (name) {
    case 'PropertyNotify':
      return [[wid, atom]]
    case 'CreateNotify':
      return [[parent, 'children']]
    case 'DestroyNotify':
      return [
        [event, 'children'],
        [wid, undefined],
      ]
    case 'MapNotify':
    case 'UnmapNotify':
      return [[wid, 'attributes']]
    case 'ReparentNotify':
      return [
        [event, 'children'],
        [parent, 'children'],
        [wid, 'parent'],
        [wid, 'geometry'],
      ]
    // Also reports a change of the stacking order.
    case 'ConfigureNotify':
      return [
        [wid, 'children'],
        [wid1, 'geometry'],
      ]
    case 'GravityNotify':
      return [[wid, 'geometry']]
    case 'CirculateNotify':
      return [[event, 'children']]
    default:
      return []
  }
}
