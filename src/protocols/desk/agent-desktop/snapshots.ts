import { createHash } from 'node:crypto'
import { LruCache } from '../../../base/lru-cache.ts'
import type { DesktopSession } from '../../../observer/session/session.ts'
import { CommandError } from './envelope.ts'
import { CHANGING, type DeskNode, walkNodes } from './tree.ts'

const MAX_SESSIONS = 1000
const MAX_SNAPSHOTS = 128
const KEPT_SNAPSHOTS = 96

/** What identifies an element of a snapshot, when a later command names its ref. */
export interface RefEntry {
  readonly windowUid: string
  readonly process: string
  readonly role: string
  readonly path: string
  readonly order: number
  readonly name: string
  readonly value: string
  readonly description: string
  readonly nativeId: string | undefined
  /** The ref below which a drill found it. */
  readonly drill: string | undefined
}

/** The refs of a snapshot, by number. */
export interface Snapshot {
  readonly id: string
  /** The id of the session that took it. */
  readonly owner: string
  readonly windowUid: string
  readonly entries: Map<number, RefEntry>
  /** The latest number that was given. */
  last: number
}

/** A session of agent-desktop: snapshots of one are never seen in another. */
export interface NamedSession {
  readonly id: string
  readonly name: string | undefined
  readonly startedMs: number
  endedMs: number | undefined
  latest: Snapshot | undefined
}

/** What agent-desktop keeps in files, here for each session of the server. */
export interface DeskState {
  readonly sessions: LruCache<string, NamedSession>
  /** The snapshots of all sessions, the oldest first. */
  readonly snapshots: Map<string, Snapshot>
  snapshotCount: number
  sessionCount: number
}

const states = new WeakMap<DesktopSession, { readonly epoch: number; readonly state: DeskState }>()

/** The state of a session, new after each reset. */
export function deskStateOf(session: DesktopSession): DeskState {
  const { epoch } = session.context.trees.refs
  const known = states.get(session)
  if (known?.epoch === epoch) return known.state
  const state: DeskState = {
    sessions: new LruCache(MAX_SESSIONS),
    snapshots: new Map(),
    snapshotCount: 0,
    sessionCount: 0,
  }
  states.set(session, { epoch, state })
  return state
}

/** The session that a command names; the one without a name otherwise. */
export function namedSession(state: DeskState, id: string, startedMs = 0, name?: string): NamedSession {
  const known = state.sessions.get(id)
  if (known) return known
  const made = { id, name, startedMs, endedMs: undefined, latest: undefined }
  state.sessions.set(id, made)
  return made
}

/** Keeps a new snapshot. Its id depends on the seed and on the number of snapshots before it. */
export function addSnapshot(state: DeskState, session: NamedSession, windowUid: string, seed: unknown): Snapshot {
  const digest = createHash('sha256')
    .update(`${String(seed)}\0${session.id}\0${state.snapshotCount++}`)
    .digest()
  const id = `s${digest.readBigUInt64BE(0).toString(36).padStart(4, '0')}`
  const snapshot = { id, owner: session.id, windowUid, entries: new Map(), last: 0 }
  state.snapshots.set(id, snapshot)
  session.latest = snapshot
  if (state.snapshots.size > MAX_SNAPSHOTS)
    for (const old of [...state.snapshots.keys()].slice(0, state.snapshots.size - KEPT_SNAPSHOTS))
      state.snapshots.delete(old)
  return snapshot
}

export const entryOf = (node: DeskNode, process: string, drill: string | undefined): RefEntry => ({
  windowUid: node.windowUid,
  process,
  role: node.role,
  path: node.path,
  order: node.order,
  name: node.name,
  value: node.value,
  description: node.description,
  nativeId: node.nativeId,
  drill,
})

const REF = /^@(?:([A-Za-z0-9_-]{3,64}):)?e(\d{1,10})$/
const MAX_NUMBER = 0xff_ff_ff_ff

/** A ref as a command names it. */
export interface NamedRef {
  readonly snapshot: Snapshot
  readonly number: number
  readonly entry: RefEntry
}

/** Finds the snapshot and the entry of a ref. */
export function findRef(
  state: DeskState,
  session: NamedSession,
  ref: string,
  given: string | undefined,
  { acceptsBareRefs }: { readonly acceptsBareRefs: boolean },
): NamedRef {
  const [, embedded, digits] = REF.exec(ref) ?? []
  const number = Number(digits)
  if (digits === undefined || number < 1 || number > MAX_NUMBER)
    throw new CommandError('INVALID_ARGS', `Invalid ref '${ref.slice(0, 100)}': expected @SNAPSHOT:eN`)
  if (embedded !== undefined && given !== undefined && embedded !== given)
    throw new CommandError('INVALID_ARGS', `The ref names the snapshot ${embedded}, and --snapshot names ${given}`)
  if (embedded === undefined && !(acceptsBareRefs && given !== undefined))
    throw new CommandError('INVALID_ARGS', `The ref '${ref}' names no snapshot`, {
      suggestion: 'Use the ref_id as the snapshot printed it, such as @s8f3k2p9:e5',
    })
  const id = embedded ?? given!
  const snapshot = state.snapshots.get(id)
  if (snapshot?.owner !== session.id)
    throw new CommandError('SNAPSHOT_NOT_FOUND', `Snapshot '${id}' is not in this session`, {
      delivery: 'not_delivered',
      suggestion: 'Run snapshot again and use its refs',
    })
  const entry = snapshot.entries.get(number)
  if (!entry) throw stale(`Ref @${id}:e${number} is not in its snapshot`)
  return { snapshot, number, entry }
}

export const stale = (message: string): CommandError =>
  new CommandError('STALE_REF', message, {
    delivery: 'not_delivered',
    suggestion: 'Run snapshot again and use its refs',
  })

/** Finds the element of an entry in the tree as it is now: none is stale, several are never one of them. */
export function identify(entry: RefEntry, tree: DeskNode): DeskNode {
  const alike = [...walkNodes(tree)].filter(({ role, path }) => role === entry.role && path === entry.path)
  const found = narrowed(entry, alike)
  if (found.length === 0) throw stale(`The ${entry.role} ${JSON.stringify(entry.name)} is not there any more`)
  if (found.length === 1) return found[0]!
  throw new CommandError('AMBIGUOUS_TARGET', `${found.length} elements match the ref; none was chosen`, {
    delivery: 'not_delivered',
    suggestion: 'Run snapshot with --root on a container around the element, or name it by other means',
    details: { candidates: found.slice(0, 5).map(({ role, name, bounds }) => ({ role, name, bounds })) },
  })
}

/** By native id if only one has it, else by a name that stays, by value, by description; what has none of them by its place. */
function narrowed(entry: RefEntry, all: readonly DeskNode[]): readonly DeskNode[] {
  const alike = entry.nativeId === undefined ? all : all.filter(({ nativeId }) => nativeId === entry.nativeId)
  if (alike.length < 2 && entry.nativeId !== undefined) return alike
  const isChanging = CHANGING.has(entry.role)
  const hasStableName = entry.name !== '' && !(isChanging && entry.name === entry.value)
  const isAnonymous = !hasStableName && entry.description === '' && (isChanging || entry.value === '')
  if (isAnonymous) return all.filter(({ order }) => order === entry.order)
  const sameName = hasStableName ? alike.filter(({ name }) => name === entry.name) : alike
  if (sameName.length < 2 || isChanging) return sameName
  const sameValue = entry.value === '' ? sameName : sameName.filter(({ value }) => value === entry.value)
  if (sameValue.length < 2 || entry.description === '') return sameValue
  return sameValue.filter(({ description }) => description === entry.description)
}
