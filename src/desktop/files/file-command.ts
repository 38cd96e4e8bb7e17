import type { FileCommand, TextCommand } from '../model/command.ts'
import type { Desktop, Window } from '../model/desktop.ts'
import type { ElementRef } from '../tree/element-ref.ts'
import { pressInReplaceDialog, pressInTextDialog, runOnText } from './file-dialog.ts'
import { pressInListDialog, runOnList } from './file-manager.ts'

/** Runs a file command. Opens a dialog if a name must be chosen or confirmed. */
export function runFileCommand(desktop: Desktop, window: Window, command: FileCommand): Desktop {
  return isTextCommand(command) ? runOnText(desktop, window, command) : runOnList(desktop, window, command)
}

/** Presses a button of a dialog that a file command opened. Returns undefined in any other window. */
export function pressInFileDialog(desktop: Desktop, button: ElementRef): Desktop | undefined {
  const command = button.window.fileDialog
  if (!command) return undefined
  if (command.does === 'replace') return pressInReplaceDialog(desktop, button, command)
  return isTextCommand(command)
    ? pressInTextDialog(desktop, button, command)
    : pressInListDialog(desktop, button, command)
}

const isTextCommand = (command: FileCommand): command is TextCommand =>
  command.does === 'open' || command.does === 'save' || command.does === 'save-as'
