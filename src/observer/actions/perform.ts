import type { PerformOptions, PerformResult } from '../../adapters/computer.ts'
import { type Awaitable, andThen, forEachInOrder } from '../../base/awaitable.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import {
  type CaptureOptions,
  captureScreen,
  isSameScreen,
  isSameView,
  newWindows,
  type ScreenState,
} from '../screen/screen-state.ts'
import type { ActionParts } from '../session/parts.ts'
import type { ToolInvocation } from '../tool.ts'

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
  readonly via: PerformResult['via']
  /** Why nothing received the input. */
  readonly note: string | undefined
  readonly before: ScreenState
  readonly after: ScreenState
  /** The fields that every answer to an action has. */
  readonly fields: {
    readonly dry_run: boolean
    readonly changed: boolean
    readonly new_dialogs: readonly { readonly window_uid: string; readonly title: string }[]
    readonly duration_ms: number
    readonly via: PerformResult['via']
    readonly stale_observation?: true
    readonly before_unavailable?: true
    readonly after_unavailable?: true
  }
}

/** The one way to do something to a desktop: asks for confirmation of what will be hit, acts, and tells what changed. */
export function performActions(
  call: ToolInvocation<unknown>,
  context: ActionParts,
  doing: ActionRequest,
): Awaitable<ActionResult> {
  const startedMs = context.clock.now()
  const asked = call.onPreview || (context.confirmation.configured && !doing.dryRun)
  const admitted = forEachInOrder(doing.actions, (action) => context.windowAllowlist.admit(action))
  return andThen(
    andThen(admitted, () => (asked ? confirm(call, context, doing) : undefined)),
    () => actWatched(context, doing, startedMs),
  )
}

/** Tells what will be hit to those who asked; throws when that needs a token which was not given. */
async function confirm(
  { onPreview }: ToolInvocation<unknown>,
  context: ActionParts,
  doing: ActionRequest,
): Promise<void> {
  const { name, actions, target, dryRun, confirmToken } = doing
  const nowMs = context.operatorClock.now()
  const hits = await context.confirmation.hitsOf(actions, target)
  const signature = { action: name, parameters: JSON.stringify(actions, withoutPlaces) }
  onPreview?.({ signature, hits })
  if (!dryRun) context.confirmation.admit(signature, hits, confirmToken, nowMs)
}

/** Where an action is done is known by what it hits, which may move a little. */
const PLACES: ReadonlySet<string> = new Set(['at', 'from', 'to', 'target', 'fromTarget', 'toTarget'])
const withoutPlaces = (key: string, value: unknown): unknown => (PLACES.has(key) ? undefined : value)

/** What a program does not tell in this time before an action, the receipt does without. */
const MAX_BEFORE_MS = 150

function actWatched(
  context: ActionParts,
  { actions, target, seen, dryRun, lastsMs = 0, settleMs }: ActionRequest,
  startedMs: number,
) {
  const also = target ? [target.window] : []
  const look: CaptureOptions = {
    also,
    parts: 'undescribed',
    seen: seen && target && { uid: target.window, tree: seen },
    withinMs: MAX_BEFORE_MS,
  }
  return andThen(captureScreen(context, look), (before): Awaitable<ActionResult> => {
    const stale = isStale(context, before, target?.window)
    const doneBy = ({ via, note }: PerformResult, after: ScreenState): ActionResult => ({
      via,
      note,
      before,
      after,
      fields: {
        dry_run: dryRun,
        changed: !isSameScreen(before, after),
        new_dialogs: newWindows(before.windows, after.windows),
        duration_ms: context.clock.now() - startedMs,
        via,
        ...(stale && { stale_observation: true }),
        ...(isUnknown(before, target) && { before_unavailable: true }),
        ...(isUnknown(after, target) && { after_unavailable: true }),
      },
    })
    if (dryRun) return doneBy({ via: 'nothing' }, before)
    const keyboardAt = before.windows.find(({ focused }) => focused)?.uid
    return andThen(perform(context, actions, lastsMs, { settleMs, keyboardWindow: keyboardAt }), (performed) =>
      andThen(captureScreen(context, { also, parts: before.parts }), (after) => {
        for (const [uid, tree] of after.trees) if (context.trees.known(uid)) context.trees.knows(uid, tree)
        return doneBy(performed, after)
      }),
    )
  })
}

/** Does one action after the other, and gives how the last was done. */
function perform(
  context: ActionParts,
  actions: readonly Action[],
  lastsMs: number,
  options: PerformOptions,
): Awaitable<PerformResult> {
  const { computer } = context
  let last: PerformResult = { via: 'nothing' }
  const done = forEachInOrder(actions, (action) =>
    // Windows of a real desktop may have changed since the action was let through.
    andThen(computer.info.synthetic ? undefined : context.windowAllowlist.admit(action), () =>
      andThen(computer.perform(action, options), (performed) => {
        last = performed
      }),
    ),
  )
  const passed = () => pass(context, lastsMs)
  return andThen(andThen(done, passed), () => last)
}

/** Lets an action last its time; on a real desktop it has done so by itself. */
function pass({ clock, computer, stopSignal: halted }: ActionParts, lastsMs: number): Awaitable<void> {
  if (clock.virtual) return clock.sleep(ACTION_MS + lastsMs)
  if (computer.info.synthetic && lastsMs > 0) return clock.sleep(lastsMs, halted)
}

/** Whether the program concerned did not tell its state in time: that of the target, else of the focused window. */
const isUnknown = ({ windows, unread }: ScreenState, target: Target | undefined): boolean =>
  unread.size > 0 && windows.some(({ uid, focused }) => (target ? uid === target.window : focused) && unread.has(uid))

/** Whether what the client knows of the window, or of any window it looked at, is no longer so, without its own doing. */
function isStale(context: ActionParts, { trees, unread }: ScreenState, windowUid: string | undefined): boolean {
  const concerned = windowUid === undefined ? [...trees.keys()] : [windowUid]
  return concerned.some((uid) => {
    const known = context.trees.known(uid)
    return known !== undefined && !unread.has(uid) && !isSameView(known, trees.get(uid))
  })
}
