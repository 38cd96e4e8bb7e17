import { Fault } from '../../base/fault.ts'
import { withChosenNames } from '../files/file-commands.ts'
import { withFolders } from '../files/folder.ts'
import { hitTest } from '../hit.ts'
import { type Action, UnreceivedInput } from '../input/action.ts'
import { parseChord, parseKey } from '../input/keys.ts'
import { type Desktop, desktopWith, filesOf, type Target, type Window, windowByUid } from '../model/desktop.ts'
import { MAX_TEXT_CHARACTERS } from '../model/element.ts'
import { putFile } from '../model/files.ts'
import { centerOf, type Point } from '../model/geometry.ts'
import { pointInMenu } from '../roles/menu.ts'
import { withNumberEntered } from '../roles/range.ts'
import { withEditsDone } from '../roles/table.ts'
import { widgetAt, widgetOf } from '../roles/widgets.ts'
import { closeOpenPart, withShell } from '../shell/shell.ts'
import { isOpenPart } from '../shell/shell-elements.ts'
import {
  changeRef,
  closestWhole,
  type ElementRef,
  focusedRef,
  isEnabled,
  isShown,
  refOf,
  refresh,
  targetOf,
  windowOf,
} from '../tree/element-ref.ts'
import { isBehindDialog } from '../tree/modal.ts'
import { withControlsRead } from '../widgets/grid-control-edits.ts'
import { closePopups } from '../widgets/popup.ts'
import { revealRow } from '../widgets/rows-out-of-view.ts'
import { reveal } from '../widgets/scrolling.ts'
import { findOption } from '../widgets/selection.ts'
import { editStateOf, insert, selectAll, withEditState } from '../widgets/text.ts'
import { withFieldsChecked } from '../widgets/validation.ts'
import {
  type ActionEffect,
  finishAction,
  type OptionQuery,
  type WheelAxis,
  type WidgetBehaviour,
} from '../widgets/widget.ts'
import { activateWindow, focusableAt, focusElement, repairFocus } from '../windows/focus.ts'
import { assertTakesInput, closeWindow, maximize, minimize, restore } from '../windows/windowing.ts'
import {
  dragThrough,
  heldButton,
  heldModifiers,
  holdButton,
  holdKey,
  holdKeys,
  meaningOf,
  moveWhileHeld,
  pressKey,
  pressMouseButton,
  releaseKey,
  releaseMouseButton,
  takeHold,
  typeWhileHeld,
  withHeldModifiers,
  withoutButton,
} from './held.ts'
import { assertTakesText, dispatchKey, dispatchText, untypableIn } from './keyboard.ts'
import {
  assertOnScreen,
  clickAt,
  clickElement,
  DWELL_MS,
  focusFor,
  hoverAt,
  isNavigation,
  movePointer,
  scrollAt,
  scrollElement,
} from './pointer.ts'
import { springOpen } from './spring.ts'

export interface ApplyOptions {
  /** With false, controls have no behaviour: only focus, the pointer and plain text change. */
  readonly isInteractive: boolean
  /** The time, which tells a double click from two clicks. 0 by default. */
  readonly nowMs?: number
}

/**
 * Returns the desktop after an action, or the same desktop if nothing changed. Throws a `Fault` if the action is
 * rejected.
 */
export const apply = (desktop: Desktop, action: Action, options: ApplyOptions): Desktop =>
  performAction(desktop, action, options).desktop

/** Like `apply`, and also returns the pressed elements: the default button by Enter, a menu item by its shortcut. */
export function performAction(
  desktop: Desktop,
  given: Action,
  { isInteractive: live, nowMs = 0 }: ApplyOptions,
): ActionEffect {
  const action = withHeldModifiers(desktop, given)
  return finishAction(
    desktop,
    live
      ? restoreInvariants(desktop, applyInteractive(desktop, action, nowMs), action)
      : applyPassive(desktop, action, nowMs),
  )
}

/**
 * Restores the invariants after a change: controls in cells are read, lists of files show their files, chosen names are in
 * name fields, the focus is on a shown element, only the focused cell is edited, a field that lost the focus is checked, and
 * the shell is current.
 */
function restoreInvariants(before: Desktop, after: Desktop, action: Action): Desktop {
  if (after === before) return before
  const read = withControlsRead(before, after)
  const repaired = withNumberEntered(before, repairFocus(withChosenNames(before, withFolders(read))))
  const valid = withFieldsChecked(before, repaired)
  return withShell(withEditsDone(BY_KEYS.has(action.type) ? withFocusShown(before, valid) : valid))
}

const BY_KEYS: ReadonlySet<Action['type']> = new Set<Action['type']>(['key', 'type', 'key_down', 'hold'])

/** After keyboard input, scrolls the focused element into view. After a click it is visible already. */
function withFocusShown(before: Desktop, after: Desktop): Desktop {
  const { active } = after
  if (active === undefined || active !== before.active) return after
  if (windowByUid(after, active)?.focus === windowByUid(before, active)?.focus) return after
  const ref = focusedRef(after)
  return ref ? reveal(after, ref) : after
}

function applyInteractive(desktop: Desktop, action: Action, nowMs: number): Desktop {
  switch (action.type) {
    case 'press':
      return pressMouseButton(desktop, action.at, action.button, nowMs)
    case 'release':
      return releaseMouseButton(desktop, action.at, action.button, heldModifiers(desktop))
    case 'key_down':
      return pressKey(desktop, action.key)
    case 'key_up':
      return releaseKey(desktop, action.key)
    case 'hold':
      return holdKeys(desktop, action.keys, action.forMs)
    case 'click':
      return click(desktop, action)
    case 'hover':
      return hover(desktop, action)
    case 'drag':
      return drag(desktop, action)
    case 'scroll':
      return scroll(desktop, action)
    case 'type':
      return heldModifiers(desktop).length > 0
        ? typeWhileHeld(desktop, action.text)
        : dispatchText(desktop, action.text)
    case 'key':
      return dispatchKey(desktop, action.keys)
    case 'focus':
      return focus(desktop, action.target)
    case 'invoke':
      return invoke(desktop, action.target, action.at)
    case 'set_value':
      return setValue(desktop, action.target, action.value, action.clearFirst)
    case 'select':
      return selectOption(desktop, action.target, action.option)
    case 'clear_text':
      return setValue(desktop, action.target, '', true)
    case 'activate':
      return activateWindow(closePopups(desktop), action.window)
    case 'window':
      return changeState(closePopups(desktop), action.window, action.to)
    case 'set_clipboard':
      return withClipboard(desktop, action.text)
    case 'write_file':
      return withFile(desktop, action.path, action.text)
    case 'webmcp_call':
      return desktop
  }
}

type Of<T extends Action['type']> = Extract<Action, { readonly type: T }>

function click(desktop: Desktop, { at, button, count, modifiers = [], target }: Of<'click'>): Desktop {
  const gesture = { at, button, count, modifiers }
  const fresh = withoutPress(desktop)
  if (!target) {
    assertOnScreen(fresh, at)
    // The button cannot go down again, so that a click only releases it.
    if (heldButton(fresh, button)) return releaseMouseButton(fresh, at, button, modifiers)
    return clickAt(movePointer(fresh, at), gesture)
  }
  const ref = actionableRef(fresh, target)
  return clickElement(movePointer(fresh, at), ref, gesture)
}

/** A press after another click or drag begins no double click. */
const withoutPress = (desktop: Desktop): Desktop => desktopWith(desktop, { lastPress: undefined })

function hover(desktop: Desktop, { at, forMs, target }: Of<'hover'>): Desktop {
  if (target) refOf(desktop, target)
  else assertOnScreen(desktop, at)
  if (desktop.held?.buttons.length) {
    const moved = moveWhileHeld(desktop, at, heldModifiers(desktop))
    return forMs < DWELL_MS ? moved : springOpen(moved)
  }
  return hoverAt(movePointer(desktop, at), at, forMs)
}

function drag(desktop: Desktop, action: Of<'drag'>): Desktop {
  const { from, to, modifiers, fromTarget, toTarget, through = [], button = 'left' } = action
  if (fromTarget) actionableRef(desktop, fromTarget)
  if (toTarget) refOf(desktop, toTarget)
  assertOnScreen(desktop, from)
  assertOnScreen(desktop, to)
  for (const at of through) assertOnScreen(desktop, at)
  const fresh = withoutPress(desktop)
  if (heldButton(fresh, button)) {
    const moved = [from, ...through].reduce((next, at) => moveWhileHeld(next, at, modifiers), fresh)
    return releaseMouseButton(moved, to, button, modifiers)
  }
  if (button !== 'left') return movePointer(isNavigation(button) ? fresh : takeHold(fresh, from, true).desktop, to)
  return dragThrough(movePointer(fresh, to), from, through, to, modifiers)
}

/** With shift the wheel scrolls sideways. With another modifier it means something else, such as zoom, and does nothing. */
function scroll(desktop: Desktop, action: Of<'scroll'>): Desktop {
  const { at = desktop.pointer, target, modifiers = [], reveals } = action
  if (reveals && target) {
    assertTakesInput(desktop, windowOf(desktop, target.window))
    return revealRow(desktop, target)
  }
  const [clicks, across] = modifiers.includes('shift')
    ? [0, (action.across ?? 0) - action.clicks]
    : [action.clicks, action.across ?? 0]
  if (!Number.isFinite(clicks) || !Number.isFinite(across))
    throw new Fault('BadRequest', 'clicks is a whole number, positive to scroll up')
  const ref = target && actionableRef(desktop, target)
  if (!ref) assertOnScreen(desktop, at)
  const here = movePointer(desktop, at)
  if (modifiers.some((modifier) => modifier !== 'shift')) return here
  const turned = (on: Desktop, by: number, axis: WheelAxis): Desktop => {
    if (by === 0) return on
    if (!ref) return scrollAt(on, at, by, axis)
    const now = refresh(on, ref)
    return now ? scrollElement(on, now, by, axis) : on
  }
  return turned(turned(here, clicks, 'y'), -across, 'x')
}

/**
 * Focuses the element, the control that it is part of, or the list, tree or table that it is an item of. A window is
 * activated and keeps its focus. An item of an open menu is highlighted.
 */
function focus(desktop: Desktop, target: Target): Desktop {
  const ref = actionableRef(desktop, target)
  const kept = closePopups(desktop, ref)
  const focusable = focusableAt(ref)
  if (focusable) return focusElement(kept, targetOf(focusable))
  const raised = activateWindow(kept, target.window)
  if (ref.path.length === 0 && focusedRef(raised)) return raised
  return pointInMenu(raised, ref) ?? focusElement(raised, target)
}

/** Runs the control's accessibility action. A control without one is clicked in its middle. */
function invoke(desktop: Desktop, target: Target, at: Point): Desktop {
  const ref = actionableRef(desktop, target)
  const actor = closestWhole(ref, (element) => widgetOf(element)?.invoke !== undefined)
  if (!actor) return clickElement(desktop, ref, { at, button: 'left', count: 1, modifiers: [] })
  const focused = focusFor(activateWindow(desktop, target.window), ref)
  const now = refresh(focused, actor)
  return now ? widgetAt(now)!.invoke!(focused, now) : focused
}

function setValue(desktop: Desktop, target: Target, value: string, clearFirst: boolean): Desktop {
  assertTakesText(value)
  const ref = actionableRef(desktop, target)
  const holder = holderOf(ref, 'setValue', 'has no value that can be set')
  const focused = focusFor(desktop, ref)
  const now = refresh(focused, holder)
  return now ? widgetOf(now.element)!.setValue!(focused, now, value, clearFirst) : focused
}

function selectOption(desktop: Desktop, target: Target, option: OptionQuery): Desktop {
  const ref = actionableRef(desktop, target)
  if (!widgetOf(ref.element)?.select && ref.element.children.length > 0) return clickOption(desktop, ref, option)
  const holder = holderOf(ref, 'select', 'has no options to select from')
  const focused = focusFor(desktop, ref)
  const now = refresh(focused, holder)
  return now ? widgetOf(now.element)!.select!(focused, now, option) : focused
}

/** The options of an element without options, such as a group of radio buttons, are its children. */
function clickOption(desktop: Desktop, ref: ElementRef, option: OptionQuery): Desktop {
  const child = findOption(ref.element.children, option)
  return invoke(desktop, { window: ref.window.uid, element: child.id }, centerOf(child.bounds))
}

function changeState(desktop: Desktop, uid: string, to: Of<'window'>['to']): Desktop {
  const window = windowOf(desktop, uid)
  if (window.shell) return changeShellState(desktop, window, to)
  // A busy window can be minimised and restored from minimised, because the program takes no part in it.
  const needsProgram = to === 'maximize' || (to === 'restore' && window.state === 'maximized')
  if (to === 'close' || (window.busy && needsProgram)) assertTakesInput(desktop, window)
  if (to === 'close') return closeWindow(desktop, uid)
  if (to === 'minimize') return minimize(desktop, uid)
  return to === 'maximize' ? maximize(desktop, uid) : restore(desktop, uid)
}

/** The launcher and flyouts can be closed. Throws `PatternUnsupported` for anything else. */
function changeShellState(desktop: Desktop, window: Window, to: Of<'window'>['to']): Desktop {
  if (isOpenPart(window.uid) && to === 'close') return closeOpenPart(desktop)
  throw new Fault('PatternUnsupported', `"${window.title}" is a part of the desktop: ${to} has no effect on it`, {
    window_uid: window.uid,
  })
}

/** The element, if its control supports the action. Throws `PatternUnsupported` otherwise. */
function holderOf(ref: ElementRef, ability: keyof WidgetBehaviour, lack: string): ElementRef {
  if (widgetOf(ref.element)?.[ability]) return ref
  throw new Fault('PatternUnsupported', `${describe(ref)} ${lack}`, { element_id: ref.element.id })
}

/** The element of a target. Throws if it is gone, folded away, disabled, or its window takes no input. */
function actionableRef(desktop: Desktop, target: Target): ElementRef {
  const ref = refOf(desktop, target)
  assertTakesInput(desktop, ref.window)
  if (!isEnabled(ref))
    throw new Fault('ElementDisabled', `${describe(ref)} is disabled`, { element_id: target.element })
  if (isBehindDialog(ref.window.tree, ref.path))
    throw new Fault('ElementDisabled', `${describe(ref)} takes no input while a dialog of its window is open`, {
      element_id: target.element,
    })
  if (!isShown(ref.window.tree, ref.path))
    throw new Fault('ElementOccluded', `${describe(ref)} is not shown; open what holds it first`, {
      element_id: target.element,
    })
  return ref
}

const describe = ({ element }: ElementRef): string => `the ${element.role} "${element.name}"`

/** Applies an action to a desktop whose controls have no behaviour: it moves the focus and edits values. */
function applyPassive(desktop: Desktop, action: Action, nowMs: number): Desktop {
  switch (action.type) {
    case 'press':
      return holdButton(desktop, action.at, action.button, nowMs)
    case 'release': {
      assertOnScreen(desktop, action.at)
      const gesture = meaningOf(desktop, action)
      const up = withoutButton(movePointer(desktop, action.at), action.button)
      return gesture?.type === 'click' ? clickInert(up, gesture) : up
    }
    case 'key_down':
      return holdKey(desktop, parseKey(action.key))
    case 'key_up':
      return releaseKey(desktop, action.key)
    case 'hold':
      parseChord(action.keys)
      return desktop
    case 'click':
      return clickInert(movePointer(desktop, action.at), action)
    case 'hover':
      if (!action.target) assertOnScreen(desktop, action.at)
      return movePointer(desktop, action.at)
    case 'drag':
      assertOnScreen(desktop, action.from)
      assertOnScreen(desktop, action.to)
      return movePointer(desktop, action.to)
    case 'scroll':
      if (!action.at) return desktop
      assertOnScreen(desktop, action.at)
      return movePointer(desktop, action.at)
    case 'type':
      return typeInert(desktop, action.text)
    case 'key':
      parseChord(action.keys)
      return desktop
    case 'focus':
    case 'invoke':
    case 'select':
      return focusElement(desktop, targetOf(enabledSpot(desktop, action.target)))
    case 'set_value':
      return setInert(desktop, action.target, action.value, action.clearFirst)
    case 'clear_text':
      return setInert(desktop, action.target, '', true)
    case 'activate':
      return activateWindow(desktop, action.window)
    case 'window':
      windowOf(desktop, action.window)
      return desktop
    case 'set_clipboard':
      return withClipboard(desktop, action.text)
    case 'write_file':
      return withFile(desktop, action.path, action.text)
    case 'webmcp_call':
      return desktop
  }
}

function clickInert(desktop: Desktop, { at, target }: Extract<Action, { type: 'click' }>): Desktop {
  if (target) return focusElement(desktop, targetOf(enabledSpot(desktop, target)))
  assertOnScreen(desktop, at)
  const hit = hitTest(desktop, at)
  if (!hit) return desktop
  return 'element' in hit && isEnabled(hit)
    ? focusElement(desktop, targetOf(hit))
    : activateWindow(desktop, hit.window.uid)
}

function typeInert(desktop: Desktop, text: string): Desktop {
  assertTakesText(text)
  const ref = focusedRef(desktop)
  if (!ref) throw new UnreceivedInput('nothing has the keyboard; click or focus a field first, then type')
  return changeRef(desktop, ref, (element) => withEditState(element, insert(editStateOf(element), text)))
}

function setInert(desktop: Desktop, target: Target, value: string, clearFirst: boolean): Desktop {
  const ref = enabledSpot(desktop, target)
  const focused = focusElement(desktop, target)
  return changeRef(focused, refresh(focused, ref)!, (element) => {
    const start = clearFirst ? selectAll(editStateOf(element)) : editStateOf(element)
    return withEditState(element, insert(start, value))
  })
}

function enabledSpot(desktop: Desktop, target: Target): ElementRef {
  const ref = refOf(desktop, target)
  if (isEnabled(ref)) return ref
  throw new Fault('ElementDisabled', `the ${ref.element.role} "${ref.element.name}" is disabled`, { ...target })
}

/** Replaces the text of the clipboard. Throws `BadRequest` for a text with control characters, `TooLarge` for a long one. */
function withClipboard(desktop: Desktop, text: string): Desktop {
  if (text.length > MAX_TEXT_CHARACTERS)
    throw new Fault('TooLarge', `the clipboard holds at most ${MAX_TEXT_CHARACTERS} characters, not ${text.length}`)
  const odd = untypableIn(text)
  if (odd) throw new Fault('BadRequest', `the clipboard holds text, and U+${odd.code} at ${odd.index} is none`, odd)
  return desktopWith(desktop, { clipboard: text.replace(/\r\n?/g, '\n') })
}

/** Writes a file with the folders that it needs. Throws as `putFile` does. */
const withFile = (desktop: Desktop, path: string, text: string): Desktop =>
  desktopWith(desktop, { files: putFile(filesOf(desktop), path, text) })
