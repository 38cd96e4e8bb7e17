import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'
import type { Target } from '../../../desktop/model/desktop.ts'
import { pathOf } from '../../../desktop/model/element.ts'
import type { PerformResult } from '../../computer.ts'
import { describeElement } from '../../find-option.ts'
import type { ElementInTree } from '../../scroll-into-view.ts'
import type { WindowsAccessibility, WindowsElement } from '../accessibility/accessibility.ts'
import type { WindowsClipboard } from '../clipboard/clipboard.ts'
import type { WindowsInput } from '../input/input.ts'
import type { KeyboardTarget } from '../input/keyboard-target.ts'
import type { WindowManagement } from '../manage/manage.ts'
import type { NativeWindow } from '../window-list/native-window.ts'

/** The parts of a desktop that an action needs. */
export interface WindowsContext {
  readonly accessibility: WindowsAccessibility
  readonly input: WindowsInput
  readonly manage: WindowManagement
  readonly clipboard: WindowsClipboard
  /** The window that gets keys. `into` is the uid of the window that should get them. */
  keyboard(into: string | undefined, isText: boolean): KeyboardTarget
  /** Throws `PlatformUnsupported` for a window whose program runs with more rights. */
  assertReachable(window: NativeWindow): void
}

export type WindowsVia = PerformResult['via']
export type ActionOf<T extends Action['type']> = Extract<Action, { type: T }>

/** An element that was found in a current tree. */
export interface FoundInWindow extends ElementInTree {
  readonly uid: string
  readonly ref: WindowsElement
}

/** A tree that was read to find an element is recent enough to act on it. */
const MAX_RECENT_TREE_AGE_MS = 100

/** Finds an element. Throws `ElementNotFound`, `ElementDisabled` or `WindowGone`. */
export async function findInWindow(
  { accessibility }: WindowsContext,
  { window, element: id }: Target,
  maxAgeMs = MAX_RECENT_TREE_AGE_MS,
): Promise<FoundInWindow> {
  const ref = await accessibility.find(window, id, { maxAgeMs })
  const { element, tree } = ref
  if (!element.enabled)
    throw new Fault('ElementDisabled', `${describeElement(element)} is disabled`, { window, element: id })
  return { uid: window, ref, element, tree, path: pathOf(tree, id)! }
}

/** A window by its uid, also a minimised one. Throws `WindowGone`. */
export async function existingWindow({ accessibility }: WindowsContext, uid: string): Promise<NativeWindow> {
  const window = await accessibility.windowOf(uid)
  if (!window) throw noSuchWindowsWindow(uid)
  return window
}

export const noSuchWindowsWindow = (uid: string): Fault =>
  new Fault('WindowGone', `there is no window ${uid}`, { window_uid: uid })
