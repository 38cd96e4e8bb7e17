import * as z from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import { compilePattern } from '../../base/pattern/pattern.ts'
import { yieldingWork } from '../../base/yielding.ts'
import type { Element } from '../../desktop/model/element.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import { parseSelector } from '../../desktop/tree/selector.ts'
import { findText } from '../../scenario/oracle.ts'
import type { ToolResult } from '../result.ts'
import { appearanceOf, isSameAppearance, isSameView, isSameWindowList } from '../screen/screen-state.ts'
import { advanceTime } from '../session/advance-time.ts'
import type { Parts } from '../session/context.ts'
import type { TreeParts } from '../session/parts.ts'
import { focusedElement } from '../targets/focused-element.ts'
import { chooseWindow, containsElement, ElementChoice, sortedWindows, WindowChoice } from '../targets/target.ts'
import { defineTool } from '../tool.ts'
import { observe } from './observe.ts'

const Regex = z.string().describe('An RE2 pattern that matches somewhere in it')

const Condition = z.discriminatedUnion('type', [
  z.object({ type: z.literal('element_appears'), selector: z.string().describe('Which element') }),
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
type Condition = z.infer<typeof Condition>

/** What the conditions are judged by at one moment. */
interface Look {
  readonly windows: readonly WindowInfo[]
  /** The window asked for, else the focused one; undefined while there is none. */
  readonly tree: Element | undefined
  /** The tree of any window. */
  readonly treeOf: (uid: string) => Promise<Element | undefined>
  /** The focused window and element, as one word. */
  readonly focus: string
}

type Check = (look: Look) => Promise<ToolResult | undefined> | ToolResult | undefined

/** Reads the condition once, so that a bad selector or pattern is told before any waiting. */
function checkOf(condition: Condition, context: TreeParts, focusAtStart: string): Check {
  switch (condition.type) {
    case 'element_appears': {
      const selector = parseSelector(condition.selector)
      return ({ tree }) => {
        const match = tree && querySelectorAll(tree, selector)[0]
        return match && { element_id: match.element.id, bounds: match.element.bounds }
      }
    }
    case 'element_disappears': {
      const { selector, element_id: id } = condition
      if (selector === undefined && id === undefined)
        throw new Fault('BadRequest', 'any_of: element_disappears needs selector or element_id', { field: 'any_of' })
      if (selector !== undefined) parseSelector(selector)
      return ({ tree }) => (tree && containsElement(tree, condition) ? undefined : {})
    }
    case 'text_visible': {
      const pattern = compilePattern(condition.regex)
      return ({ tree }) => {
        const element = tree && findText(tree, pattern)
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
        throw new Fault('SnapshotExpired', 'tree_changes: since is no tree_token that is still held; observe again', {
          since: condition.since,
        })
      return async ({ treeOf }) => (isSameView(base.tree, await treeOf(base.windowUid)) ? undefined : {})
    }
    case 'focused_changes':
      return ({ focus }) => (focus === focusAtStart ? undefined : { focused_uid: focus })
  }
}

/** `watchesFocus`: a condition asks which element has the keyboard. Otherwise no other program than the one shown is asked. */
async function look(context: TreeParts, windowUid: string | undefined, watchesFocus: boolean): Promise<Look> {
  const windows = await sortedWindows(context)
  const focused = windows.find((each) => each.focused)
  const treeOf = async (uid: string) => context.computer.tree(uid)
  const shown = windowUid === undefined ? windows[0] : windows.find(({ uid }) => uid === windowUid)
  const tree = shown && (await treeOf(shown.uid))
  const focusTree = shown === focused ? tree : watchesFocus && focused ? await treeOf(focused.uid) : undefined
  const element = focusTree && focusedElement(focusTree)
  return { windows, tree, treeOf, focus: focused ? `${focused.uid}${element ? `#${element.id}` : ''}` : '' }
}

/** Whether nothing that most conditions look at has moved, so that they need not be judged again. */
const isStill = (before: Look | undefined, now: Look): boolean =>
  before !== undefined &&
  before.tree === now.tree &&
  before.focus === now.focus &&
  isSameWindowList(before.windows, now.windows)

const PollMs = (byDefault: number) =>
  z.int().min(1).max(60_000).default(byDefault).describe('How often to look, in milliseconds; at least 50')
const POLL_LEAST_MS = 50

/** Which time a wait was measured in. A virtual wait takes no real time, so nothing that others do can happen during it. */
const WaitClock = z
  .enum(['virtual', 'real'])
  .describe('The time that elapsed_ms counts: virtual time passes at once, and other clients change nothing meanwhile')

const clockOf = ({ clock }: Parts<'clock'>): z.infer<typeof WaitClock> => (clock.virtual ? 'virtual' : 'real')

/** A time-out on a virtual clock needs saying: the caller has seen no time pass. */
const withinTime = (context: TreeParts, elapsedMs: number): string =>
  context.clock.virtual
    ? `within ${elapsedMs} ms of virtual time, which passed at once; changes that other clients make are not waited for (a server with --clock real waits for them)`
    : `within ${elapsedMs} ms`

const waitFor = defineTool({
  name: 'wait_for',
  kind: 'look',
  summary:
    'Wait until one of several conditions holds; never longer than timeout_ms. On a virtual clock the wait moves the time of the desktop and returns at once.',
  input: z.object({
    any_of: z.array(Condition).min(1).max(50).describe('The first that holds ends the wait'),
    timeout_ms: z.int().min(0).default(5000).describe('At most this long, in milliseconds'),
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
  run: async ({ input }, context: TreeParts) => {
    const timeoutMs = Math.min(input.timeout_ms, context.settings.wait_for.max_timeout_ms)
    if (input.window_uid !== undefined) await chooseWindow(context, input)
    const startedMs = context.clock.now()
    const watchesFocus = input.any_of.some(({ type }) => type === 'focused_changes')
    let sight = await look(context, input.window_uid, watchesFocus)
    const { focus } = sight
    const work = yieldingWork()
    const checks: Check[] = []
    for (const condition of input.any_of) {
      checks.push(checkOf(condition, context, focus))
      await work.pause()
    }
    // A token may be of a window that is not in sight.
    const everywhere = input.any_of.some(({ type }) => type === 'tree_changes')
    let judged: Look | undefined
    for (let polls = 1; ; polls++) {
      const still = !everywhere && isStill(judged, sight)
      for (const [index, check] of still ? [] : checks.entries()) {
        const detail = await check(sight)
        const elapsed_ms = context.clock.now() - startedMs
        if (detail) return { matched_index: index, matched_detail: detail, elapsed_ms, clock: clockOf(context), polls }
        await work.pause()
      }
      judged = sight
      const elapsedMs = context.clock.now() - startedMs
      if (elapsedMs >= timeoutMs) throw await timedOut(context, input.window_uid, elapsedMs, polls)
      await advanceTime(context, Math.min(Math.max(input.poll_ms, POLL_LEAST_MS), timeoutMs - elapsedMs))
      sight = await look(context, input.window_uid, watchesFocus)
      await work.pause()
    }
  },
})

async function timedOut(
  context: TreeParts,
  windowUid: string | undefined,
  elapsedMs: number,
  polls: number,
): Promise<Fault> {
  const windows = await sortedWindows(context)
  const window = windowUid === undefined ? windows[0] : windows.find(({ uid }) => uid === windowUid)
  const told = { elapsed_ms: elapsedMs, clock: clockOf(context), polls }
  return new Fault('Timeout', `no condition held ${withinTime(context, elapsedMs)}`, told, {
    ...told,
    matched_index: null,
    last_observation: window ? await observe(context, window, {}) : null,
  })
}

const waitIdle = defineTool({
  name: 'wait_idle',
  kind: 'look',
  summary:
    'Wait until a window has not changed for quiet_ms. On a virtual clock the wait moves the time of the desktop and returns at once.',
  input: WindowChoice.extend({
    quiet_ms: z.int().min(0).max(60_000).default(750).describe('How long it must be still, in milliseconds'),
    timeout_ms: z.int().min(0).default(5000).describe('At most this long, in milliseconds'),
    poll_ms: PollMs(100),
  }),
  output: z.object({
    elapsed_ms: z.number(),
    clock: WaitClock,
    tree_hash: z.string().describe('Empty when the window is gone or has no tree'),
  }),
  faults: ['Timeout', 'WindowGone'],
  traits: { idempotent: true },
  run: async ({ input }, context: TreeParts) => {
    const timeoutMs = Math.min(input.timeout_ms, context.settings.wait_for.max_timeout_ms)
    const { window } = await chooseWindow(context, input)
    const startedMs = context.clock.now()
    const work = yieldingWork()
    let shown = await appearanceOf(context, window)
    let quietSinceMs = startedMs
    for (;;) {
      const nowMs = context.clock.now()
      const elapsed_ms = nowMs - startedMs
      if (nowMs - quietSinceMs >= input.quiet_ms) {
        const tree_hash = shown.tree ? treeHash(shown.tree) : ''
        return { elapsed_ms, clock: clockOf(context), tree_hash }
      }
      if (elapsed_ms >= timeoutMs) {
        const told = { elapsed_ms, clock: clockOf(context) }
        throw new Fault('Timeout', `the window did not come to rest ${withinTime(context, elapsed_ms)}`, told, told)
      }
      const pollMs = Math.max(input.poll_ms, POLL_LEAST_MS)
      await advanceTime(context, Math.min(pollMs, timeoutMs - elapsed_ms, input.quiet_ms - (nowMs - quietSinceMs)))
      const next = await appearanceOf(context, window)
      if (!isSameAppearance(shown, next)) quietSinceMs = context.clock.now()
      shown = next
      await work.pause()
    }
  },
})

export const waitingTools = [waitFor, waitIdle]
