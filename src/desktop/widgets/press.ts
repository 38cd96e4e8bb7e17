import { pressInFileDialog, runFileCommand } from '../files/file-command.ts'
import type { Desktop, Window } from '../model/desktop.ts'
import { kindOf } from '../model/role.ts'
import { runShellCommand } from '../shell/shell-command.ts'
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
import { closeWindow } from '../windows/windowing.ts'
import { recordPress } from './action-effect.ts'
import { turnPage } from './grid/grid-table.ts'
import { closeMore, toggleMore } from './more.ts'
import { toggleOpen } from './popups/combo.ts'
import { changeMonth } from './popups/date.ts'
import { refuseSubmit } from './validation.ts'
import type { WidgetBehaviour } from './widget.ts'

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
  return closed === desktop ? press(desktop, ref) : press(closed, refresh(closed, ref)!)
}

function press(desktop: Desktop, ref: ElementRef): Desktop {
  const parent = parentOf(ref)
  if (parent && kindOf(parent.element.role) === 'combo') return toggleOpen(desktop, parent)
  if (parent && kindOf(parent.element.role) === 'calendar') return changeMonth(desktop, ref) ?? desktop
  const refused = refuseSubmit(desktop, ref)
  if (refused) return refused
  const pressed = recordPress(desktop, targetOf(ref))
  if (parent && kindOf(parent.element.role) === 'toolbar') {
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
