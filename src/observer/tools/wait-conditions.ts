import * as z from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import { compilePattern } from '../../base/pattern.ts'
import type { Element } from '../../desktop/model/element.ts'
import { querySelectorAll } from '../../desktop/tree/select.ts'
import { parseSelector } from '../../desktop/tree/selector.ts'
import { findText } from '../../scenario/oracles/predicate.ts'
import type { ToolResult } from '../result.ts'
import { readWindowTree } from '../screen/read-trees.ts'
import { isSameView, isSameWindowList } from '../screen/screen-state.ts'
import type { TreeParts } from '../session/parts.ts'
import { containsElement, ElementChoice } from '../targets/elements.ts'
import { focusedElement } from '../targets/focused-element.ts'
import { sortedWindows } from '../targets/windows.ts'

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

export type WaitCondition = z.infer<typeof WaitCondition>

/** The windows, trees and focus at one moment. */
export interface WaitState {
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
export type ConditionCheck = (state: WaitState) => Promise<ToolResult | undefined> | ToolResult | undefined

/** Compiles a condition, so that an invalid selector or pattern is reported before waiting. */
export function compileCondition(condition: WaitCondition, context: TreeParts, focusAtStart: Focus): ConditionCheck {
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
export async function readWaitState(
  context: TreeParts,
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
export const isSameWaitState = (before: WaitState | undefined, now: WaitState): boolean =>
  before !== undefined &&
  before.tree === now.tree &&
  focusText(before.focus) === focusText(now.focus) &&
  isSameWindowList(before.windows, now.windows)
