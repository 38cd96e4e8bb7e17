import { z } from 'zod'
import type { Performed, WindowInfo } from '../adapters/computer.ts'
import type { Action } from '../desktop/action.ts'
import { type Element, nodeById, pathOf, walk } from '../desktop/element.ts'
import type { Point } from '../desktop/geometry.ts'
import { treeHash } from '../desktop/hash.ts'
import { selectorOf } from '../desktop/select.ts'
import type { Hit } from './gates/confirmation.ts'
import type { Session } from './session.ts'
import {
  chooseWindow,
  type ElementChoice,
  type Found,
  findElement,
  listWindows,
  reach,
  treeOf,
  type WindowChoice,
} from './target.ts'
import type { Answer, ToolCall } from './tool.ts'
import { Bounds } from './wire.ts'

/** What an action on a synthetic desktop costs in virtual time, so that timers and debouncing have something to count. */
export const ACTION_MS = 50

const State = z.object({ tree_hash: z.string().nullable(), focused_selector: z.string() })

/** The answer of every element action (observer document, "ActionReceipt"). */
export const Receipt = z
  .object({
    action: z.string(),
    dry_run: z.boolean(),
    target: z.object({
      window_uid: z.string(),
      element_id: z.string(),
      selector: z.string(),
      bounds: Bounds,
    }),
    before: State,
    after: State,
    changed: z.boolean().describe('Whether anything of the window or the list of windows is different now'),
    new_dialogs: z.array(z.object({ window_uid: z.string(), title: z.string() })),
    duration_ms: z.number(),
    via: z.string().describe('How it was done: reaction, behaviour, accessibility, pointer, keyboard or nothing'),
    stale_observation: z.boolean().optional().describe('The window had changed since it was last observed'),
    warning: z.string().optional(),
    ambiguous_matches: z.int().optional().describe('More elements than the first match the selector'),
  })
  .meta({ id: 'ActionReceipt' })

export interface ElementAction {
  /** The name in the receipt, and what a confirmation token is proposed for. */
  readonly name: string
  readonly window: WindowChoice
  readonly element: ElementChoice
  readonly dryRun: boolean
  readonly confirmToken: string | undefined
  /** Fails for a reason of this action alone, such as an element that cannot do it. */
  readonly check?: (element: Element) => void
  readonly perform: (target: { window: string; element: string }, at: Point, element: Element) => readonly Action[]
  /** How long the action itself lasts, in milliseconds. */
  readonly lastsMs?: number
}

/** Does something to one element: finds it, checks that it can be reached, asks the gates, acts, and tells what changed. */
export async function actOnElement(call: ToolCall<unknown>, act: ElementAction): Promise<Answer> {
  const { session } = call
  const startedMs = session.clock.now()
  const { window, warning } = await chooseWindow(session, act.window)
  const tree = await treeOf(session, window)
  const found = findElement(tree, act.element, window.uid)
  const at = await reach(session, window, tree, found)
  act.check?.(found.element)
  const target = { window: window.uid, element: found.element.id }
  if (!act.dryRun) await confirm(session, act.name, { ...target, selector: found.selector }, act.confirmToken)

  const before = await stateOf(session, window.uid, tree)
  const known = await listWindows(session)
  const stale = isStale(session, window.uid, tree)
  let via: Performed['via'] = 'nothing'
  if (!act.dryRun) {
    for (const action of act.perform(target, at, found.element)) via = (await session.computer.perform(action)).via
    await pass(session, act.lastsMs ?? 0)
  }
  const now = act.dryRun ? known : await listWindows(session)
  const after = act.dryRun ? before : await stateOf(session, window.uid)
  return {
    action: act.name,
    dry_run: act.dryRun,
    target: {
      window_uid: window.uid,
      element_id: target.element,
      selector: found.selector,
      bounds: found.element.bounds,
    },
    before: wireState(before),
    after: wireState(after),
    changed: before.tree !== after.tree || !sameWindows(known, now),
    new_dialogs: newWindows(known, now),
    duration_ms: session.clock.now() - startedMs,
    via,
    ...(stale && { stale_observation: true }),
    ...warnings(warning, found),
  }
}

/** Lets the time of an action pass where time is virtual; a real desktop took its own time. */
export async function pass(session: Session, lastsMs: number): Promise<void> {
  if (session.clock.virtual) await session.clock.sleep(ACTION_MS + lastsMs)
}

/** Throws unless the action on this element is free or confirmed. The rules look at the unredacted element. */
export async function confirm(
  session: Session,
  action: string,
  { window, element, selector }: { window: string; element: string; selector: string },
  token: string | undefined,
): Promise<void> {
  if (!session.confirmation.configured) return
  const bare = await session.bare.tree(window)
  const node = bare && nodeById(bare, element)
  if (!node) return
  const hit: Hit = { target: { window, element }, element: node, selector }
  session.confirmation.admit(action, hit, token, session.clock.now())
}

export function isStale(session: Session, windowUid: string, tree: Element): boolean {
  const seen = session.trees.latest(windowUid)
  return seen !== undefined && seen !== tree
}

interface WindowState {
  readonly tree: Element | undefined
  readonly hash: string | null
  readonly focused: string
}

async function stateOf(session: Session, windowUid: string, known?: Element): Promise<WindowState> {
  const tree = known ?? (await session.computer.tree(windowUid))
  return { tree, hash: tree ? treeHash(tree) : null, focused: tree ? focusedSelector(tree) : '' }
}

const wireState = ({ hash, focused }: WindowState) => ({ tree_hash: hash, focused_selector: focused })

const focusedSelectors = new WeakMap<Element, string>()

/** The derived selector of the focused element, `""` without one. */
export function focusedSelector(tree: Element): string {
  const known = focusedSelectors.get(tree)
  if (known !== undefined) return known
  const focused = focusedElement(tree)
  const path = focused && pathOf(tree, focused.id)
  const selector = path ? selectorOf(tree, path) : ''
  focusedSelectors.set(tree, selector)
  return selector
}

export function focusedElement(tree: Element): Element | undefined {
  for (const node of walk(tree)) if (node.focused) return node
  return undefined
}

const sameWindows = (before: readonly WindowInfo[], after: readonly WindowInfo[]): boolean =>
  before.length === after.length &&
  before.every((window, index) => {
    const other = after[index]!
    return window.uid === other.uid && window.title === other.title && window.focused === other.focused
  })

/** Windows that were not there before. */
export const newWindows = (before: readonly WindowInfo[], after: readonly WindowInfo[]) =>
  after
    .filter((window) => !before.some((each) => each.uid === window.uid))
    .map((window) => ({ window_uid: window.uid, title: window.title }))

function warnings(warning: string | undefined, found: Found): Answer {
  const several = found.matches.length > 1
  const ambiguous = several ? `${found.matches.length} elements match; the first was used` : undefined
  const said = [warning, ambiguous].filter((each) => each !== undefined).join('; ')
  return { ...(said !== '' && { warning: said }), ...(several && { ambiguous_matches: found.matches.length }) }
}
