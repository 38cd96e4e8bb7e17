import { Fault } from '../../base/fault.ts'
import { pressInFileDialog, runFileCommand } from '../files/file-commands.ts'
import type { Desktop, Window } from '../model/desktop.ts'
import { type Element, withFields } from '../model/element.ts'
import { roleKind } from '../model/role.ts'
import { runShellCommand } from '../shell/shell.ts'
import {
  changeRef,
  closest,
  type ElementRef,
  findShown,
  isEnabled,
  parentOf,
  refresh,
  targetOf,
  withTraits,
} from '../tree/element-ref.ts'
import { isDialog } from '../tree/modal.ts'
import { toggleOpen } from '../widgets/combo.ts'
import { changeMonth } from '../widgets/date.ts'
import { turnPage } from '../widgets/grid-table.ts'
import { closeMore, toggleMore } from '../widgets/tabs.ts'
import { refuseSubmit } from '../widgets/validation.ts'
import { recordPress, type WidgetBehaviour } from '../widgets/widget.ts'
import { focusElement, takesKeys } from '../windows/focus.ts'
import { closeWindow } from '../windows/windowing.ts'

/** Buttons and links: a click, Enter and Space press them. */
export const pressable: WidgetBehaviour = {
  click: pressButton,
  invoke: pressButton,
  key: (desktop, ref, { modifiers, key }) =>
    modifiers.length === 0 && (key === 'enter' || key === 'space') ? pressButton(desktop, ref) : undefined,
}

/** Presses a button, unless invalid fields block it. A button that cancels a dialog or has `closes` also closes its window. */
export function pressButton(desktop: Desktop, ref: ElementRef): Desktop {
  if (ref.element.traits?.opensMore) return toggleMore(recordPress(desktop, targetOf(ref)), ref)
  const closed = closeMore(desktop, ref)
  return closed === desktop ? runPress(desktop, ref) : runPress(closed, refresh(closed, ref)!)
}

function runPress(desktop: Desktop, ref: ElementRef): Desktop {
  const parent = parentOf(ref)
  if (parent && roleKind(parent.element.role) === 'combo') return toggleOpen(desktop, parent)
  if (parent && roleKind(parent.element.role) === 'calendar') return changeMonth(desktop, ref) ?? desktop
  const refused = refuseSubmit(desktop, ref)
  if (refused) return refused
  const pressed = recordPress(desktop, targetOf(ref))
  if (parent && roleKind(parent.element.role) === 'toolbar') {
    const turned = turnPage(pressed, ref)
    if (turned) return turned
  }
  const { fileCommand } = ref.element.traits ?? {}
  if (fileCommand) return runFileCommand(pressed, ref.window, fileCommand)
  const { shellCommand } = ref.element.traits ?? {}
  if (shellCommand) return runShellCommand(pressed, shellCommand)
  const inDialog = pressInFileDialog(pressed, ref)
  if (inDialog) return inDialog
  const dialog = closest(ref, isDialog)
  const isPart = dialog !== undefined && dialog.path.length > 0
  const cancels = (isPart || ref.window.modalTo !== undefined) && ref.element.traits?.presses === 'escape'
  if (!cancels && !ref.element.traits?.closes) return pressed
  if (isPart) return changeRef(pressed, dialog, (element) => withTraits(element, { hidden: true }))
  return closeWindow(pressed, ref.window.uid)
}

/** Presses the button of a window for Enter or Escape. Returns undefined if no enabled button is. */
export function pressDefaultButton(desktop: Desktop, window: Window, key: 'enter' | 'escape'): Desktop | undefined {
  const button = findShown(window, (element) => element.traits?.presses === key)
  return button && isEnabled(button) ? pressButton(desktop, button) : undefined
}

/** The value of a check box in the mixed state. */
const MIXED = 'mixed'

/** CheckBox: off and on. With `traits.triState`, on is followed by mixed. */
export const checkbox: WidgetBehaviour = {
  click: toggleCheckbox,
  invoke: toggleCheckbox,
  key: (desktop, ref, { modifiers, key }) =>
    modifiers.length === 0 && key === 'space' ? toggleCheckbox(desktop, ref) : undefined,
  setValue: (desktop, ref, value) => changeRef(desktop, ref, (box) => withCheckedValue(box, value)),
}

/** Toggle and switch: off and on. Enter toggles them too. */
export const toggle: WidgetBehaviour = {
  ...checkbox,
  key: (desktop, ref, { modifiers, key }) =>
    modifiers.length === 0 && (key === 'space' || key === 'enter') ? toggleCheckbox(desktop, ref) : undefined,
}

/** RadioButton: one among siblings is selected. Arrows move selection and focus together. */
export const radio: WidgetBehaviour = {
  click: choose,
  invoke: pressRadio,
  key(desktop, ref, { modifiers, key }) {
    if (modifiers.length > 0) return undefined
    if (key === 'space') return pressRadio(desktop, ref)
    if (key === 'down' || key === 'right') return chooseNext(desktop, ref, 1)
    if (key === 'up' || key === 'left') return chooseNext(desktop, ref, -1)
    return undefined
  },
}

/** Handles a click: toggles a check box, or selects a radio button. */
export const toggleOrChoose = (desktop: Desktop, ref: ElementRef): Desktop =>
  roleKind(ref.element.role) === 'radio' ? choose(desktop, ref) : toggleCheckbox(desktop, ref)

function toggleCheckbox(desktop: Desktop, ref: ElementRef): Desktop {
  return changeRef(desktop, ref, (box) => {
    if (!box.traits?.triState) return withFields(box, { selected: box.selected !== true, ...unmixed(box) })
    if (box.value === MIXED) return withFields(box, { selected: false, value: null })
    return box.selected === true
      ? withFields(box, { selected: false, value: MIXED })
      : withFields(box, { selected: true, value: null })
  })
}

function withCheckedValue(box: Element, value: string): Element {
  const word = value.trim().toLowerCase()
  if (word === MIXED && box.traits?.triState) return withFields(box, { selected: false, value: MIXED })
  const on = ['true', 'on', 'yes', '1', 'checked'].includes(word)
  if (!on && !['false', 'off', 'no', '0', 'unchecked', ''].includes(word)) throw notAState(box, value)
  return withFields(box, { selected: on, ...unmixed(box) })
}

const notAState = (box: Element, value: string): Fault =>
  new Fault('BadRequest', `"${box.name}" is ticked with "true" or "false"; ${JSON.stringify(value)} is neither`, {
    value,
  })

const unmixed = (box: Element): Partial<Element> => (box.value === MIXED ? { value: null } : {})

/** Selects a radio button and deselects the others of its group. */
function choose(desktop: Desktop, ref: ElementRef): Desktop {
  const group = parentOf(ref)
  if (!group) return changeRef(desktop, ref, (button) => withFields(button, { selected: true }))
  return changeRef(desktop, group, (parent) => chosenAmong(parent, ref.element.id))
}

function pressRadio(desktop: Desktop, ref: ElementRef): Desktop {
  return recordPress(choose(desktop, ref), targetOf(ref))
}

function chosenAmong(parent: Element, id: string): Element {
  const children = parent.children.map((child) =>
    roleKind(child.role) === 'radio' ? withFields(child, { selected: child.id === id }) : child,
  )
  return children.every((child, index) => child === parent.children[index]) ? parent : { ...parent, children }
}

/** Selects and focuses the next button of the group that takes keys, and wraps around. */
function chooseNext(desktop: Desktop, ref: ElementRef, direction: 1 | -1): Desktop {
  const buttons =
    parentOf(ref)?.element.children.filter((child) => roleKind(child.role) === 'radio' && takesKeys(child)) ?? []
  const here = buttons.findIndex((button) => button.id === ref.element.id)
  const next = buttons.at((here + direction) % Math.max(1, buttons.length))
  if (!next || next.id === ref.element.id) return desktop
  const to = { ...ref, element: next }
  return focusElement(pressRadio(desktop, to), targetOf(to))
}
