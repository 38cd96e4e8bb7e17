import { z } from 'zod'
import { Fault } from '../../base/fault.ts'
import { compilePattern } from '../../base/pattern.ts'
import { type Element, nodeById, walk } from '../../desktop/element.ts'
import { treeHash } from '../../desktop/hash.ts'
import { select } from '../../desktop/select.ts'
import { parseSelector } from '../../desktop/selector.ts'
import { focusedElement } from '../receipt.ts'
import type { Session } from '../session.ts'
import { chooseWindow, listWindows, WindowChoice } from '../target.ts'
import { type Answer, defineTool } from '../tool.ts'
import { observe } from './observe.ts'

const Condition = z.discriminatedUnion('type', [
  z.object({ type: z.literal('element_appears'), selector: z.string() }),
  z.object({
    type: z.literal('element_disappears'),
    selector: z.string().optional(),
    element_id: z.string().optional(),
  }),
  z.object({ type: z.literal('text_visible'), regex: z.string() }),
  z.object({ type: z.literal('window_appears'), title_regex: z.string() }),
  z.object({ type: z.literal('window_disappears'), window_uid: z.string() }),
  z.object({ type: z.literal('tree_changes'), since: z.string() }),
  z.object({ type: z.literal('focused_changes') }),
])
type Condition = z.infer<typeof Condition>

/** What a condition needs to look at. `tree` is undefined while the window is gone. */
interface Sight {
  readonly session: Session
  readonly windowUid: string
  readonly tree: Element | undefined
  readonly focus: string
  readonly focusAtStart: string
}

type Check = (sight: Sight) => Promise<Answer | undefined> | Answer | undefined

/** Reads the condition once, so that a bad selector or pattern is told before any waiting. */
function checkOf(condition: Condition, session: Session, windowUid: string): Check {
  switch (condition.type) {
    case 'element_appears': {
      const selector = parseSelector(condition.selector)
      return ({ tree }) => {
        const match = tree && select(tree, selector)[0]
        return match && { element_id: match.element.id, bounds: match.element.bounds }
      }
    }
    case 'element_disappears': {
      const { selector: text, element_id: id } = condition
      if (text === undefined && id === undefined)
        throw new Fault('BadRequest', 'element_disappears: give selector or element_id', { field: 'any_of' })
      const selector = text === undefined ? undefined : parseSelector(text)
      return ({ tree }) => {
        if (!tree) return {}
        const there = selector ? select(tree, selector).length > 0 : nodeById(tree, id!) !== undefined
        return there ? undefined : {}
      }
    }
    case 'text_visible': {
      const pattern = compilePattern(condition.regex)
      return ({ tree }) => {
        if (!tree) return undefined
        for (const node of walk(tree))
          if (pattern.search(`${node.name} ${node.value ?? ''}`)) return { element_id: node.id }
        return undefined
      }
    }
    case 'window_appears': {
      const pattern = compilePattern(condition.title_regex)
      return async () => {
        const window = (await listWindows(session)).find((each) => pattern.search(each.title))
        return window && { window_uid: window.uid, title: window.title }
      }
    }
    case 'window_disappears':
      return async () => {
        const there = (await session.computer.windows()).some((each) => each.uid === condition.window_uid)
        return there ? undefined : { window_uid: condition.window_uid }
      }
    case 'tree_changes': {
      const base = session.trees.recall(windowUid, condition.since, session.clock.now())
      if (!base)
        throw new Fault('BadRequest', 'tree_changes: since is no tree_token of this window that is still held', {
          field: 'any_of',
        })
      return ({ tree }) => (tree !== base ? {} : undefined)
    }
    case 'focused_changes':
      return ({ focus, focusAtStart }) => (focus === focusAtStart ? undefined : { focused_uid: focus })
  }
}

/** The focused window and element, as one word. */
async function focusOf(session: Session): Promise<string> {
  const window = (await session.computer.windows()).find((each) => each.focused)
  const tree = window && (await session.computer.tree(window.uid))
  const element = tree && focusedElement(tree)
  return window ? `${window.uid}${element ? `#${element.id}` : ''}` : ''
}

const PollMs = (byDefault: number) =>
  z.int().min(1).max(60_000).default(byDefault).describe('How often to look, in milliseconds; at least 50')
const POLL_LEAST_MS = 50

const waitFor = defineTool({
  name: 'wait_for',
  kind: 'look',
  summary: 'Wait until one of several conditions holds; never longer than timeout_ms.',
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
    polls: z.int(),
  }),
  faults: ['Timeout', 'WindowGone', 'BadRequest'],
  traits: { untrusted: true, idempotent: true },
  run: async ({ input, session }) => {
    const most = session.settings.wait_for.max_timeout_ms
    const timeoutMs = Math.min(input.timeout_ms, most)
    const { window } = await chooseWindow(session, input)
    const checks = input.any_of.map((condition) => checkOf(condition, session, window.uid))
    const startedMs = session.clock.now()
    const focusAtStart = await focusOf(session)
    for (let polls = 1; ; polls++) {
      const tree = await session.computer.tree(window.uid)
      const sight = { session, windowUid: window.uid, tree, focus: await focusOf(session), focusAtStart }
      for (const [index, check] of checks.entries()) {
        const detail = await check(sight)
        const elapsed_ms = session.clock.now() - startedMs
        if (detail) return { matched_index: index, matched_detail: detail, elapsed_ms, polls }
      }
      const elapsedMs = session.clock.now() - startedMs
      if (elapsedMs >= timeoutMs) throw await timedOut(session, window.uid, elapsedMs, polls)
      await session.clock.sleep(Math.min(Math.max(input.poll_ms, POLL_LEAST_MS), timeoutMs - elapsedMs))
    }
  },
})

async function timedOut(session: Session, windowUid: string, elapsedMs: number, polls: number): Promise<Fault> {
  const window = (await listWindows(session)).find((each) => each.uid === windowUid)
  return new Fault(
    'Timeout',
    `no condition held within ${elapsedMs} ms`,
    { elapsed_ms: elapsedMs, polls },
    {
      elapsed_ms: elapsedMs,
      polls,
      matched_index: null,
      last_observation: window ? await observe(session, window, {}) : null,
    },
  )
}

const waitIdle = defineTool({
  name: 'wait_idle',
  kind: 'look',
  summary: 'Wait until a window has not changed for quiet_ms.',
  input: WindowChoice.extend({
    quiet_ms: z.int().min(0).max(60_000).default(750).describe('How long it must be still, in milliseconds'),
    timeout_ms: z.int().min(0).default(5000).describe('At most this long, in milliseconds'),
    poll_ms: PollMs(100),
  }),
  output: z.object({ elapsed_ms: z.number(), tree_hash: z.string().nullable() }),
  faults: ['Timeout', 'WindowGone'],
  traits: { idempotent: true },
  run: async ({ input, session }) => {
    const timeoutMs = Math.min(input.timeout_ms, session.settings.wait_for.max_timeout_ms)
    const { window } = await chooseWindow(session, input)
    const startedMs = session.clock.now()
    let tree = await session.computer.tree(window.uid)
    let quietSinceMs = startedMs
    for (;;) {
      const nowMs = session.clock.now()
      const elapsed_ms = nowMs - startedMs
      if (nowMs - quietSinceMs >= input.quiet_ms) return { elapsed_ms, tree_hash: tree ? treeHash(tree) : null }
      if (elapsed_ms >= timeoutMs)
        throw new Fault(
          'Timeout',
          `the window was still changing after ${elapsed_ms} ms`,
          { elapsed_ms },
          { elapsed_ms },
        )
      const pollMs = Math.max(input.poll_ms, POLL_LEAST_MS)
      await session.clock.sleep(Math.min(pollMs, timeoutMs - elapsed_ms, input.quiet_ms - (nowMs - quietSinceMs)))
      const next = await session.computer.tree(window.uid)
      if (next !== tree) quietSinceMs = session.clock.now()
      tree = next
    }
  },
})

export const waitingTools = [waitFor, waitIdle]
