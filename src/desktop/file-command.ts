import type { Desktop, Window } from './desktop.ts'
import { pressInReplaceDialog, pressInTextDialog, runOnText } from './file-dialog.ts'
import { pressInListDialog, runOnList } from './file-manager.ts'
import type { Spot } from './spot.ts'

/** What a button or menu item does with the desktop's files. */
export type FileCommand = TextCommand | ListCommand

export interface TextCommand {
  /** `save` writes to the file that the text came from, and asks only when there is none. */
  readonly does: 'open' | 'save' | 'save-as'
  /** The id of the text field. */
  readonly element: string
}

export interface ListCommand {
  readonly does: 'copy' | 'paste' | 'rename' | 'delete'
  /** The id of a list that shows a folder. */
  readonly element: string
}

/** What a dialog was opened for: a file command, or to ask whether a text may take the place of a file. */
export type DialogCommand = FileCommand | ReplaceCommand

export interface ReplaceCommand {
  readonly does: 'replace'
  /** The id of the text field. */
  readonly element: string
  readonly path: string
}

/** Does a file command, by a dialog where something must be chosen or confirmed. */
export function runFileCommand(desktop: Desktop, window: Window, command: FileCommand): Desktop {
  return isTextCommand(command) ? runOnText(desktop, window, command) : runOnList(desktop, window, command)
}

/** Presses a button of a dialog that a file command opened; undefined in any other window. */
export function pressInFileDialog(desktop: Desktop, button: Spot): Desktop | undefined {
  const command = button.window.fileDialog
  if (!command) return undefined
  if (command.does === 'replace') return pressInReplaceDialog(desktop, button, command)
  return isTextCommand(command)
    ? pressInTextDialog(desktop, button, command)
    : pressInListDialog(desktop, button, command)
}

const isTextCommand = (command: FileCommand): command is TextCommand =>
  command.does === 'open' || command.does === 'save' || command.does === 'save-as'
