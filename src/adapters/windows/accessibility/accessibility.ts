import type { Element } from '../../../desktop/model/element.ts'
import type { NativeWindow, WindowHandle } from '../window-list/native-window.ts'

/** An element of the last tree of a window, which actions refer to. */
export interface WindowsElement {
  readonly element: Element
  /** The root of the tree that has it. */
  readonly tree: Element
  readonly window: WindowHandle
}

/**
 * Windows and their elements. Every call has a time limit: a program that does not answer is a `Timeout`. A closed window is
 * `WindowGone`, and an element that its window no longer has is `ElementNotFound`.
 */
export interface WindowsAccessibility {
  /** The visible windows front to back, without minimised ones. */
  windows(): Promise<readonly NativeWindow[]>
  /** Any top-level window, also a minimised or hidden one. Undefined when it is closed or the uid is of something else. */
  windowOf(uid: string): Promise<NativeWindow | undefined>
  /** Reads the tree of a window. Undefined when it is closed. */
  tree(uid: string): Promise<Element | undefined>
  /** Finds an element in a tree that is read now, or was read during the last `maxAgeMs` milliseconds. Does not check whether it is enabled. */
  find(uid: string, elementId: string, options?: { readonly maxAgeMs?: number }): Promise<WindowsElement>

  // Each of these returns false when the element does not offer it, and nothing was done.

  /** Presses a button or link, or opens a menu item: what a plain click does. */
  invoke(found: WindowsElement): Promise<boolean>
  /** Toggles a check box. */
  toggle(found: WindowsElement): Promise<boolean>
  /** Replaces the text or number of an element. Returns after it was read back. */
  setValue(found: WindowsElement, value: string): Promise<boolean>
  /** Selects a list item, tab, tree item, radio button, or an option of a combo box by its own element. */
  select(found: WindowsElement): Promise<boolean>
  /** Selects an option of a combo box or a row of a list by its index, also when it has no element. */
  selectIndex(found: WindowsElement, index: number): Promise<boolean>
  /** Opens or closes a combo box, tree item or menu. */
  expand(found: WindowsElement, expanded: boolean): Promise<boolean>
  scrollIntoView(found: WindowsElement): Promise<boolean>
  /** Gives an element of the foreground window the keyboard. */
  focus(found: WindowsElement): Promise<boolean>
  /** Asks the window to close, without waiting for it. */
  closeWindow(hwnd: WindowHandle): Promise<boolean>
  close(): Promise<void>
}
