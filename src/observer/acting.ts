import type { Performed, WindowInfo } from '../adapters/computer.ts'
import { type Awaitable, andThen, eachInTurn } from '../base/awaitable.ts'
import type { Action } from '../desktop/input/action.ts'
import type { Target } from '../desktop/model/desktop.ts'
import { type Element, nodeById, type Path, pathOf } from '../desktop/model/element.ts'
import { contains, type Point } from '../desktop/model/geometry.ts'
import { hitTree } from '../desktop/tree/hit.ts'
import { labelsOf } from '../desktop/tree/labels.ts'
import { selectorOf } from '../desktop/tree/select.ts'
import { widgetOf } from '../desktop/widgets/widgets.ts'
import type { Hit } from './gates/confirmation.ts'
import { type Look, lookAround, newWindows, type Screen, sameScreen, sameTree } from './screen.ts'
import type { Session } from './session.ts'
import { focusedElement } from './target.ts'
import type { ToolCall } from './tool.ts'

/** What an action on a synthetic desktop costs in virtual time, so that timers and debouncing have something to count. */
const ACTION_MS = 50

export interface ActionRequest {
  /** The name in the receipt, and what a confirmation token is proposed for. */
  readonly name: string
  readonly actions: readonly Action[]
  /** The element that the caller named. */
  readonly target?: Target
  readonly dryRun: boolean
  readonly confirmToken: string | undefined
  /** How long the action itself lasts, in milliseconds. */
  readonly lastsMs?: number
  /** The tree of the target's window, which has just been read. */
  readonly seen?: Element
  readonly settleMs?: number | undefined
}

export interface ActionResult {
  readonly via: Performed['via']
  /** Why nothing received the input. */
  readonly note: string | undefined
  readonly before: Screen
  readonly after: Screen
  /** The fields that every answer to an action has. */
  readonly told: {
    readonly dry_run: boolean
    readonly changed: boolean
    readonly new_dialogs: readonly { readonly window_uid: string; readonly title: string }[]
    readonly duration_ms: number
    readonly via: Performed['via']
    readonly stale_observation?: true
    readonly before_unavailable?: true
    readonly after_unavailable?: true
  }
}

/** The one way to do something to a desktop: asks for confirmation of what will be hit, acts, and tells what changed. */
export function act(call: ToolCall<unknown>, doing: ActionRequest): Awaitable<ActionResult> {
  const { session } = call
  const startedMs = session.clock.now()
  const asked = call.onForeseen || (session.confirmation.configured && !doing.dryRun)
  const admitted = eachInTurn(doing.actions, (action) => session.windowAllowlist.admit(action))
  return andThen(
    andThen(admitted, () => (asked ? confirm(call, doing) : undefined)),
    () => actWatched(session, doing, startedMs),
  )
}

/** Tells what will be hit to those who asked; throws when that needs a token which was not given. */
async function confirm({ session, onForeseen }: ToolCall<unknown>, doing: ActionRequest): Promise<void> {
  const { name, actions, target, dryRun, confirmToken } = doing
  const nowMs = session.operatorClock.now()
  const hits = await hitsOf(session, actions, target)
  const deed = { action: name, does: JSON.stringify(actions, withoutPlaces) }
  onForeseen?.({ deed, hits })
  if (!dryRun) session.confirmation.admit(deed, hits, confirmToken, nowMs)
}

/** Where an action is done is known by what it hits, which may move a little. */
const PLACES: ReadonlySet<string> = new Set(['at', 'from', 'to', 'target', 'fromTarget', 'toTarget'])
const withoutPlaces = (key: string, value: unknown): unknown => (PLACES.has(key) ? undefined : value)

/** What a program does not tell in this time before an action, the receipt does without. */
const MAX_BEFORE_MS = 150

function actWatched(
  session: Session,
  { actions, target, seen, dryRun, lastsMs = 0, settleMs }: ActionRequest,
  startedMs: number,
) {
  const also = target ? [target.window] : []
  const look: Look = {
    also,
    parts: 'undescribed',
    seen: seen && target && { uid: target.window, tree: seen },
    withinMs: MAX_BEFORE_MS,
  }
  return andThen(lookAround(session, look), (before): Awaitable<ActionResult> => {
    const stale = isStale(session, before, target?.window)
    const doneBy = ({ via, note }: Performed, after: Screen): ActionResult => ({
      via,
      note,
      before,
      after,
      told: {
        dry_run: dryRun,
        changed: !sameScreen(before, after),
        new_dialogs: newWindows(before.windows, after.windows),
        duration_ms: session.clock.now() - startedMs,
        via,
        ...(stale && { stale_observation: true }),
        ...(isUnknown(before, target) && { before_unavailable: true }),
        ...(isUnknown(after, target) && { after_unavailable: true }),
      },
    })
    if (dryRun) return doneBy({ via: 'nothing' }, before)
    return andThen(perform(session, actions, lastsMs, settleMs), (performed) =>
      andThen(lookAround(session, { also, parts: before.parts }), (after) => {
        for (const [uid, tree] of after.trees) if (session.trees.known(uid)) session.trees.knows(uid, tree)
        return doneBy(performed, after)
      }),
    )
  })
}

/** Does one action after the other, and gives how the last was done. */
function perform(
  session: Session,
  actions: readonly Action[],
  lastsMs: number,
  settleMs: number | undefined,
): Awaitable<Performed> {
  const { computer } = session
  let last: Performed = { via: 'nothing' }
  const done = eachInTurn(actions, (action) =>
    // Windows of a real desktop may have changed since the action was let through.
    andThen(computer.about.synthetic ? undefined : session.windowAllowlist.admit(action), () =>
      andThen(computer.perform(action, { settleMs }), (performed) => {
        last = performed
      }),
    ),
  )
  const passed = () => pass(session, lastsMs)
  return andThen(andThen(done, passed), () => last)
}

/** Lets an action last its time; on a real desktop it has done so by itself. */
function pass({ clock, computer, halted }: Session, lastsMs: number): Awaitable<void> {
  if (clock.virtual) return clock.sleep(ACTION_MS + lastsMs)
  if (computer.about.synthetic && lastsMs > 0) return clock.sleep(lastsMs, halted)
}

/** Whether the program concerned did not tell its state in time: that of the target, else of the focused window. */
const isUnknown = ({ windows, unread }: Screen, target: Target | undefined): boolean =>
  unread.size > 0 && windows.some(({ uid, focused }) => (target ? uid === target.window : focused) && unread.has(uid))

/** Whether what the client knows of the window, or of any window it looked at, is no longer so, without its own doing. */
function isStale(session: Session, { trees, unread }: Screen, windowUid: string | undefined): boolean {
  const concerned = windowUid === undefined ? [...trees.keys()] : [windowUid]
  return concerned.some((uid) => {
    const known = session.trees.known(uid)
    return known !== undefined && !unread.has(uid) && !sameTree(known, trees.get(uid))
  })
}

/**
 * The elements that some actions will hit: the one named, what lies at their points, what has the keyboard, and on a
 * synthetic desktop also what they press on the way, such as the default button by Enter.
 */
async function hitsOf(session: Session, actions: readonly Action[], target: Target | undefined): Promise<Hit[]> {
  const met: (Target & { readonly reacts?: boolean })[] = target ? [...(await meetsTarget(session, target))] : []
  for (const action of actions) met.push(...(await meets(session, action)))
  met.push(...(session.bare.stage?.foresee(actions) ?? []))
  const hits = new Map<string, Hit>()
  for (const each of met) {
    const hit = await hitOf(session, each)
    if (!hit) continue
    const key = JSON.stringify(hit.target)
    if (each.reacts || !hits.has(key)) hits.set(key, hit)
  }
  return [...hits.values()]
}

/** The element that the caller named, first, and the control that it is part of. */
async function meetsTarget(session: Session, target: Target): Promise<readonly Target[]> {
  const tree = await session.bare.tree(target.window)
  const path = tree && pathOf(tree, target.element)
  if (!tree || !path) return [target]
  return clickedAt(tree, path).map(({ id }) => ({ window: target.window, element: id }))
}

/** Rules look at the unredacted element, the caller is told of the redacted one. */
async function hitOf(
  session: Session,
  { window, element, reacts = false }: Target & { readonly reacts?: boolean },
): Promise<Hit | undefined> {
  const bare = await session.bare.tree(window)
  const node = bare && nodeById(bare, element)
  const shown = await session.computer.tree(window)
  const path = shown && pathOf(shown, element)
  if (!node || !path) return undefined
  const labels = labelsOf(node, { reacts })
  return { target: { window, element }, element: node, labels, selector: selectorOf(shown, path) }
}

async function meets(session: Session, action: Action): Promise<readonly Target[]> {
  if (action.type === 'click' || action.type === 'hover') return meetsAt(session, action.at)
  if (action.type === 'drag') return [...(await meetsAt(session, action.from)), ...(await meetsAt(session, action.to))]
  if (action.type !== 'type' && action.type !== 'key') return []
  const window = (await session.bare.windows()).find((each) => each.focused)
  const tree = window && (await session.bare.tree(window.uid))
  const focused = tree && focusedElement(tree)
  return window && focused ? [{ window: window.uid, element: focused.id }] : []
}

/** Front to back; a popup that sticks out of its window counts as well. */
async function meetsAt(session: Session, at: Point): Promise<readonly Target[]> {
  const windows = await session.bare.windows()
  for (const { uid } of session.computer.about.synthetic ? windows : windowsUnder(windows, at)) {
    const tree: Element | undefined = await session.bare.tree(uid)
    const path = tree && hitTree(tree, at)
    if (path) return clickedAt(tree, path).map(({ id }) => ({ window: uid, element: id }))
  }
  return []
}

/** The front window of a real desktop at a point and, when that is a popup, the window whose elements may lie in it. */
function windowsUnder(windows: readonly WindowInfo[], at: Point): readonly WindowInfo[] {
  const front = windows.find(({ bounds }) => contains(bounds, at))
  return windows.filter(({ uid }) => uid === front?.uid || uid === front?.popupOf)
}

/** The element at a path and the control that a click there is for, be it that element or one that holds it. */
function clickedAt(tree: Element, path: Path): readonly Element[] {
  let element = tree
  let control: Element | undefined
  for (const index of path) {
    element = element.children[index]!
    if (widgetOf(element)?.click) control = element
  }
  return control ? [element, control] : [element]
}
