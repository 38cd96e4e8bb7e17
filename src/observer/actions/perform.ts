import type { PerformOptions, PerformResult } from '../../adapters/computer.ts'
import { type Awaitable, andThen, forEachInOrder } from '../../base/async.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { Target } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { ActingContext } from '../desktop-context.ts'
import { captureScreen, isSameScreen, isSameView, newWindows, type ScreenState } from '../screen/screen-state.ts'
import type { ToolInvocation } from '../tool.ts'

/** The virtual duration of an action on a synthetic desktop, so that timers and debouncing see time pass. */
const ACTION_MS = 50

export interface ActionRequest {
  /** The name in the receipt, for which a confirmation token is proposed. */
  readonly name: string
  readonly actions: readonly Action[]
  /** The element that the caller named. */
  readonly target?: Target
  /** The window that the receipt is about, if the caller named no element. */
  readonly window?: string | undefined
  readonly dryRun: boolean
  readonly confirmToken: string | undefined
  /** The duration of the action itself, in milliseconds. */
  readonly durationMs?: number
  /** The tree of the target's window, if it has just been read. */
  readonly tree?: Element
  readonly settleMs?: number | undefined
}

export interface ActionResult {
  readonly via: PerformResult['via']
  /** Why nothing received the input. */
  readonly note: string | undefined
  readonly before: ScreenState
  readonly after: ScreenState
  /** The fields that every result of an action has. */
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

/**
 * Performs actions on the desktop: checks the window allowlist and the confirmation rules, acts, and compares the screen
 * before and after. All tools that act use it.
 */
export function performActions(
  call: ToolInvocation<unknown>,
  context: ActingContext,
  request: ActionRequest,
): Awaitable<ActionResult> {
  const startedMs = context.clock.now()
  return andThen(prepare(call, context, request), (before) => {
    const { actions, target, dryRun, durationMs = 0, settleMs } = request
    const stale = isStale(context, before, target?.window)
    const resultOf = ({ via, note }: PerformResult, after: ScreenState): ActionResult => ({
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
        ...(isUnavailable(before, target) && { before_unavailable: true }),
        ...(isUnavailable(after, target) && { after_unavailable: true }),
      },
    })
    if (dryRun) return resultOf({ via: 'nothing' }, before)
    const keyboardWindow = before.windows.find(({ focused }) => focused)?.uid
    const performed = andThen(performAll(context, actions, { settleMs, keyboardWindow }), (last) =>
      andThen(passDuration(context, durationMs), () => last),
    )
    return andThen(performed, (last) =>
      andThen(captureScreen(context, { windowUids: windowsOf(request), areas: before.areas }), (after) => {
        for (const [uid, tree] of after.trees) if (context.trees.knownTree(uid)) context.trees.setKnown(uid, tree)
        return resultOf(last, after)
      }),
    )
  })
}

/** Checks that actions are allowed. Returns the screen before them. */
function prepare(
  call: ToolInvocation<unknown>,
  context: ActingContext,
  request: ActionRequest,
): Awaitable<ScreenState> {
  const { actions, target, tree, dryRun } = request
  const needsHits = call.onPreview || (context.confirmation.configured && !dryRun)
  const allowed = forEachInOrder(actions, (action) => context.windowAllowlist.admit(action))
  const confirmed = andThen(allowed, () => (needsHits ? confirm(call, context, request) : undefined))
  return andThen(confirmed, () =>
    captureScreen(context, {
      windowUids: windowsOf(request),
      areas: 'undescribed',
      knownTree: tree && target && { uid: target.window, tree },
      timeoutMs: MAX_BEFORE_MS,
    }),
  )
}

/** The windows whose content a receipt compares. */
const windowsOf = ({ target, window }: ActionRequest): readonly string[] =>
  [target?.window ?? window].filter((uid) => uid !== undefined)

/** Reports the elements that will be hit to a preview. Throws when an action needs a token that was not given. */
async function confirm(
  { onPreview }: ToolInvocation<unknown>,
  context: ActingContext,
  { name, actions, target, dryRun, confirmToken }: ActionRequest,
): Promise<void> {
  const nowMs = context.operatorClock.now()
  const hits = await context.confirmation.hitsOf(actions, target)
  const signature = { action: name, parameters: JSON.stringify(actions, withoutPosition) }
  onPreview?.({ signature, hits, actions })
  if (!dryRun) context.confirmation.admit(signature, hits, confirmToken, nowMs)
}

/** Positions are not part of a signature: the elements that are hit identify them, and may move a little. */
const POSITION_KEYS: ReadonlySet<string> = new Set(['at', 'from', 'to', 'through', 'target', 'fromTarget', 'toTarget'])
const withoutPosition = (key: string, value: unknown): unknown => (POSITION_KEYS.has(key) ? undefined : value)

/** How long an action waits for the state before it. */
const MAX_BEFORE_MS = 150

/** Performs actions one after the other and returns the result of the last one. */
function performAll(
  context: ActingContext,
  actions: readonly Action[],
  options: PerformOptions,
): Awaitable<PerformResult> {
  const { computer, clock, stopSignal } = context
  let last: PerformResult = { via: 'nothing' }
  const keep = (performed: PerformResult) => {
    last = performed
  }
  const perform = (action: Action): Awaitable<void> => {
    if (action.type === 'type' && action.intervalMs && !computer.info.typesAtIntervals)
      return typeSlowly(action.text, action.intervalMs)
    const performed = computer.perform(action, options)
    return performed instanceof Promise ? performed.then(keep) : keep(performed)
  }
  const typeSlowly = (text: string, intervalMs: number) =>
    forEachInOrder([...text], (character) =>
      andThen(perform({ type: 'type', text: character }), () => clock.sleep(intervalMs, stopSignal)),
    )
  // The windows of a real desktop may have changed since the first check.
  const checkAndPerform = (action: Action) => andThen(context.windowAllowlist.admit(action), () => perform(action))
  const done = forEachInOrder(actions, computer.info.synthetic ? perform : checkAndPerform)
  return andThen(done, () => last)
}

/** Lets the duration of an action pass. On a real desktop it has passed already. */
function passDuration({ clock, computer, stopSignal }: ActingContext, durationMs: number): Awaitable<void> {
  if (clock.virtual) return clock.sleep(ACTION_MS + durationMs)
  if (computer.info.synthetic && durationMs > 0) return clock.sleep(durationMs, stopSignal)
}

/** Whether the state of the target's window, else of the focused window, is unavailable. */
const isUnavailable = ({ windows, unavailable }: ScreenState, target: Target | undefined): boolean =>
  unavailable.size > 0 &&
  windows.some(({ uid, focused }) => (target ? uid === target.window : focused) && unavailable.has(uid))

/** Whether the window, else any window that the client has observed, has changed by itself since. */
function isStale(context: ActingContext, { trees, unavailable }: ScreenState, windowUid: string | undefined): boolean {
  const uids = windowUid === undefined ? [...trees.keys()] : [windowUid]
  return uids.some((uid) => {
    const known = context.trees.knownTree(uid)
    return known !== undefined && !unavailable.has(uid) && !isSameView(known, trees.get(uid))
  })
}
