import * as z from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { yieldingWork } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import { compilePattern } from '../../base/pattern.ts'
import type { Element } from '../../desktop/model/element.ts'
import { focusedElement } from '../../desktop/model/element.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import { parseSelector } from '../../desktop/tree/selector.ts'
import { findText } from '../../scenario/predicate.ts'
import type { TreeContext } from '../desktop-context.ts'
import { advanceTime } from '../desktop-context.ts'
import type { ToolResult } from '../result.ts'
import { appearanceOf, isSameAppearance, isSameView, isSameWindowList } from '../screen/screen-state.ts'
import { readWindowTree } from '../screen/screen-trees.ts'
import { containsElement, ElementChoice } from '../targets/elements.ts'
import { chooseWindow, sortedWindows, WindowChoice } from '../targets/window-lookup.ts'
import { type CallWatch, defineTool, type Progress } from '../tool.ts'
import type { ContextOf } from '../tool-context.ts'
import { observe } from './observe.ts'

const Regex = z.string().describe('An RE2 pattern that matches anywhere in the text')

/** A condition of `wait_for`. */
export const WaitCondition = z.discriminatedUnion('type', [
  z.object({ type: z.literal('element_appears'), selector: z.string().describe('Selector of the element') }),
  z.object({ type: z.literal('element_disappears'), ...ElementChoice.shape }),
  z.object({ type: z.literal('text_visible'), regex: Regex }),
  z.object({ type: z.literal('window_appears'), title_regex: Regex }),
  z.object({
    type: z.literal('window_disappears'),
    window_uid: z.string().describe('Stable id from list_windows'),
  }),
  z.object({
    type: z.literal('tree_changes'),
    since: z.string().describe('The tree_token of an earlier answer'),
  }),
  z.object({ type: z.literal('focused_changes') }),
])

type WaitCondition = z.infer<typeof WaitCondition>

/** The windows, trees and focus at one moment. */
interface WaitState {
  readonly windows: readonly WindowInfo[]
  /** The tree of the requested window, else of the focused one; undefined when there is none. */
  readonly tree: AvailableTree
  /** The tree of any window. */
  readonly treeOf: (uid: string) => Promise<AvailableTree>
  readonly focus: Focus
}

/** `unavailable` while a program does not respond: no condition about its window holds then. */
type AvailableTree = Element | 'unavailable' | undefined

interface Focus {
  /** Empty when no window has the keyboard. */
  readonly window: string
  /** The focused element, empty when there is none; undefined when that is not known. */
  readonly element: string | undefined
}

const hasMoved = (before: Focus, now: Focus): boolean =>
  before.window !== now.window ||
  (before.element !== undefined && now.element !== undefined && before.element !== now.element)

const known = (tree: AvailableTree): Element | undefined => (tree === 'unavailable' ? undefined : tree)

/** Returns the details of the match, or undefined when the condition does not hold. */
type ConditionCheck = (state: WaitState) => Promise<ToolResult | undefined> | ToolResult | undefined

/** Compiles a condition, so that an invalid selector or pattern is reported before waiting. */
function compileCondition(condition: WaitCondition, context: TreeContext, focusAtStart: Focus): ConditionCheck {
  switch (condition.type) {
    case 'element_appears': {
      const selector = parseSelector(condition.selector)
      return ({ tree }) => {
        const shown = known(tree)
        const match = shown && querySelectorAll(shown, selector)[0]
        return match && { element_id: match.element.id, bounds: match.element.bounds }
      }
    }
    case 'element_disappears': {
      const { selector, element_id: id } = condition
      if (selector === undefined && id === undefined)
        throw new Fault('BadRequest', 'any_of: element_disappears needs selector or element_id', { field: 'any_of' })
      if (selector !== undefined) parseSelector(selector)
      return ({ tree }) => (tree === 'unavailable' || (tree && containsElement(tree, condition)) ? undefined : {})
    }
    case 'text_visible': {
      const pattern = compilePattern(condition.regex)
      return ({ tree }) => {
        const shown = known(tree)
        const element = shown && findText(shown, pattern)
        return element && { element_id: element.id }
      }
    }
    case 'window_appears': {
      const pattern = compilePattern(condition.title_regex)
      return ({ windows }) => {
        const window = windows.find(({ title }) => pattern.search(title))
        return window && { window_uid: window.uid, title: window.title }
      }
    }
    case 'window_disappears': {
      const { window_uid } = condition
      return ({ windows }) => (windows.some(({ uid }) => uid === window_uid) ? undefined : { window_uid })
    }
    case 'tree_changes': {
      const base = context.trees.find(condition.since, context.operatorClock.now())
      if (!base)
        throw new Fault('SnapshotExpired', 'tree_changes: since is not a live tree_token; observe again', {
          since: condition.since,
        })
      return async ({ treeOf }) => {
        const now = await treeOf(base.windowUid)
        return now === 'unavailable' || isSameView(base.tree, now) ? undefined : {}
      }
    }
    case 'focused_changes':
      return ({ focus }) => (hasMoved(focusAtStart, focus) ? { focused_uid: focusText(focus) } : undefined)
  }
}

const focusText = ({ window, element }: Focus): string => (element ? `${window}#${element}` : window)

interface ReadOptions {
  readonly windowUid: string | undefined
  /** Whether a condition depends on the focused element. Otherwise only the program of the shown window is queried. */
  readonly watchesFocus: boolean
  /** The timeout for the tree of each program, in milliseconds. */
  readonly withinMs: number
}

/** Reads the state that conditions are checked on. */
async function readWaitState(
  context: TreeContext,
  { windowUid, watchesFocus, withinMs }: ReadOptions,
): Promise<WaitState> {
  const windows = await sortedWindows(context)
  const focused = windows.find((each) => each.focused)
  const treeOf = async (uid: string) => readWindowTree(context, uid, withinMs)
  const shown = windowUid === undefined ? windows[0] : windows.find(({ uid }) => uid === windowUid)
  const tree = shown && (await treeOf(shown.uid))
  const focusTree = shown === focused ? tree : watchesFocus && focused ? await treeOf(focused.uid) : undefined
  const element = focusTree === 'unavailable' ? undefined : ((focusTree && focusedElement(focusTree)?.id) ?? '')
  return { windows, tree, treeOf, focus: { window: focused?.uid ?? '', element } }
}

/** Whether the state that most conditions depend on is unchanged, so that they need not be checked again. */
const isSameWaitState = (before: WaitState | undefined, now: WaitState): boolean =>
  before !== undefined &&
  before.tree === now.tree &&
  focusText(before.focus) === focusText(now.focus) &&
  isSameWindowList(before.windows, now.windows)

/** However little of a wait is left, a program has this long for its tree. */
const MIN_READ_MS = 1000

const PollMs = (byDefault: number) =>
  z.int().min(1).max(60_000).default(byDefault).describe('The polling interval, in milliseconds; at least 50')
const MIN_POLL_MS = 50

/** The clock of a wait. A virtual wait takes no real time, so other clients can change nothing during it. */
const WaitClock = z
  .enum(['virtual', 'real'])
  .describe('The clock that elapsed_ms counts: virtual time passes at once, and other clients change nothing meanwhile')

const clockOf = ({ clock }: ContextOf<'clock'>): z.infer<typeof WaitClock> => (clock.virtual ? 'virtual' : 'real')

/** Explains a time-out on a virtual clock, during which the caller sees no time pass. */
const withinTime = (context: TreeContext, elapsedMs: number): string =>
  context.clock.virtual
    ? `within ${elapsedMs} ms of virtual time, which passed at once; changes by other clients are not waited for (use a server with --clock real)`
    : `within ${elapsedMs} ms`

/** How long a wait may last, and a text for its caller if that is less than the argument asks for. */
export function waitLimit(
  { settings }: Pick<TreeContext, 'settings'>,
  argument: string,
  askedMs: number,
): { readonly limitMs: number; readonly cut: string | undefined } {
  const { max_timeout_ms: limitMs } = settings.wait_for
  return askedMs > limitMs
    ? { limitMs, cut: `${argument} ${askedMs} was cut to ${limitMs}, the most that this server waits; call again` }
    : { limitMs: askedMs, cut: undefined }
}

/** Reports the progress of a wait. Throws `Timeout` after the caller has cancelled it. */
function reportWait({ signal, onProgress }: CallWatch, progress: Progress): void {
  if (signal?.aborted) throw new Fault('Timeout', `the caller cancelled the wait after ${progress.elapsedMs} ms`)
  onProgress?.(progress)
}

const waitFor = defineTool({
  name: 'wait_for',
  kind: 'look',
  summary:
    'Wait until one of several conditions holds, at most timeout_ms. On a virtual clock the wait advances the desktop clock and returns at once.',
  input: z.object({
    any_of: z.array(WaitCondition).min(1).max(50).describe('The first condition that holds ends the wait'),
    timeout_ms: z.int().min(0).default(5000).describe('The maximum duration, in milliseconds'),
    poll_ms: PollMs(200),
    window_uid: WindowChoice.shape.window_uid,
  }),
  output: z.object({
    matched_index: z.int(),
    matched_detail: z.record(z.string(), z.unknown()),
    elapsed_ms: z.number(),
    clock: WaitClock,
    polls: z.int(),
  }),
  faults: ['Timeout', 'WindowGone', 'SnapshotExpired', 'BadRequest'],
  traits: { untrusted: true, idempotent: true },
  run: async ({ input, watch }, context: TreeContext) => {
    const { limitMs: timeoutMs, cut } = waitLimit(context, 'timeout_ms', input.timeout_ms)
    if (input.window_uid !== undefined) await chooseWindow(context, input)
    const startedMs = context.clock.now()
    const watchesFocus = input.any_of.some(({ type }) => type === 'focused_changes')
    const readAgain = () => {
      const leftMs = timeoutMs - (context.clock.now() - startedMs)
      return readWaitState(context, {
        windowUid: input.window_uid,
        watchesFocus,
        withinMs: Math.max(MIN_READ_MS, leftMs),
      })
    }
    let state = await readAgain()
    const { focus } = state
    const work = yieldingWork()
    const checks: ConditionCheck[] = []
    for (const condition of input.any_of) {
      checks.push(compileCondition(condition, context, focus))
      await work.pause()
    }
    // A token may be of a window that is not in state.
    const everywhere = input.any_of.some(({ type }) => type === 'tree_changes')
    let checked: WaitState | undefined
    for (let polls = 1; ; polls++) {
      const unchanged = !everywhere && isSameWaitState(checked, state)
      for (const [index, check] of unchanged ? [] : checks.entries()) {
        const detail = await check(state)
        const elapsed_ms = context.clock.now() - startedMs
        if (detail) return { matched_index: index, matched_detail: detail, elapsed_ms, clock: clockOf(context), polls }
        await work.pause()
      }
      checked = state
      const elapsedMs = context.clock.now() - startedMs
      if (elapsedMs >= timeoutMs) throw await timedOut(context, input, state, { elapsedMs, polls, cut })
      reportWait(watch, { elapsedMs, timeoutMs })
      await advanceTime(context, Math.min(Math.max(input.poll_ms, MIN_POLL_MS), timeoutMs - elapsedMs))
      state = await readAgain()
      await work.pause()
    }
  },
})

async function timedOut(
  context: TreeContext,
  { window_uid: windowUid }: { readonly window_uid?: string | undefined },
  { tree }: WaitState,
  { elapsedMs, polls, cut }: { readonly elapsedMs: number; readonly polls: number; readonly cut: string | undefined },
): Promise<Fault> {
  const windows = await sortedWindows(context)
  const window = windowUid === undefined ? windows[0] : windows.find(({ uid }) => uid === windowUid)
  const details = { elapsed_ms: elapsedMs, clock: clockOf(context), polls }
  const why = tree === 'unavailable' ? '; the program of the window does not respond' : ''
  // A program that does not respond is not queried again, and one without a tree has no observation.
  const isShown = window && tree !== 'unavailable'
  return new Fault(
    'Timeout',
    `no condition held ${withinTime(context, elapsedMs)}${why}${cut ? `; ${cut}` : ''}`,
    details,
    {
      ...details,
      matched_index: null,
      last_observation: isShown ? await observe(context, window, {}) : null,
    },
  )
}

const waitIdle = defineTool({
  name: 'wait_idle',
  kind: 'look',
  summary:
    'Wait until a window has not changed for quiet_ms. On a virtual clock the wait advances the desktop clock and returns at once.',
  input: WindowChoice.extend({
    quiet_ms: z
      .int()
      .min(0)
      .max(60_000)
      .default(750)
      .describe('How long the window must be unchanged, in milliseconds'),
    timeout_ms: z.int().min(0).default(5000).describe('The maximum duration, in milliseconds'),
    poll_ms: PollMs(100),
  }),
  output: z.object({
    elapsed_ms: z.number(),
    clock: WaitClock,
    tree_hash: z.string().describe('Empty when the window is closed or has no tree'),
  }),
  faults: ['Timeout', 'WindowGone'],
  traits: { idempotent: true },
  run: async ({ input, watch }, context: TreeContext) => {
    const { limitMs: timeoutMs, cut } = waitLimit(context, 'timeout_ms', input.timeout_ms)
    const { window } = await chooseWindow(context, input)
    const startedMs = context.clock.now()
    const work = yieldingWork()
    const readAgain = async () =>
      appearanceOf(context, window, Math.max(MIN_READ_MS, timeoutMs - (context.clock.now() - startedMs)))
    let shown = await readAgain()
    let quietSinceMs = startedMs
    for (;;) {
      const nowMs = context.clock.now()
      const elapsed_ms = nowMs - startedMs
      if (shown.tree !== 'unavailable' && nowMs - quietSinceMs >= input.quiet_ms) {
        const tree_hash = shown.tree ? treeHash(shown.tree) : ''
        return { elapsed_ms, clock: clockOf(context), tree_hash }
      }
      if (elapsed_ms >= timeoutMs) {
        const details = { elapsed_ms, clock: clockOf(context) }
        const why = shown.tree === 'unavailable' ? '; its program does not respond' : ''
        throw new Fault(
          'Timeout',
          `the window kept changing ${withinTime(context, elapsed_ms)}${why}${cut ? `; ${cut}` : ''}`,
          details,
          details,
        )
      }
      reportWait(watch, { elapsedMs: elapsed_ms, timeoutMs })
      const pollMs = Math.max(input.poll_ms, MIN_POLL_MS)
      await advanceTime(
        context,
        Math.min(pollMs, timeoutMs - elapsed_ms, Math.max(1, input.quiet_ms - (nowMs - quietSinceMs))),
      )
      const next = await readAgain()
      if (!isSameAppearance(shown, next)) quietSinceMs = context.clock.now()
      shown = next
      await work.pause()
    }
  },
})

export const waitingTools = [waitFor, waitIdle]
