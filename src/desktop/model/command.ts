/** A file operation that a button or menu item runs. */
export type FileCommand = TextCommand | ListCommand

export interface TextCommand {
  /** `save` writes to the file that the text came from. It asks for a name if there is none. */
  readonly does: 'open' | 'save' | 'save-as'
  /** The id of the text field. */
  readonly element: string
}

export interface ListCommand {
  readonly does: 'copy' | 'paste' | 'rename' | 'delete'
  /** The id of a list that shows a folder. */
  readonly element: string
}

/** What the menu bar does with a window. Zoom maximises it, or restores a maximised one. */
export type WindowAction = 'activate' | 'close' | 'minimize' | 'zoom'

/** What a button of the shell does. */
export type ShellCommand =
  | { readonly does: 'launcher' }
  /** Shows a page of the applications in the launcher. 0 is the first. */
  | { readonly does: 'page'; readonly page: number }
  /** Activates a window, or minimises it if it is active. */
  | { readonly does: 'task'; readonly window: string }
  | { readonly does: 'window'; readonly window: string; readonly to: WindowAction }
  | { readonly does: 'app'; readonly app: string }
  | { readonly does: 'flyout'; readonly flyout: Flyout }
  /** Chooses a layout of the keyboard. */
  | { readonly does: 'input'; readonly code: string }

/** A small window of the shell that opens from its bar. */
export type Flyout = 'quick-settings' | 'calendar' | 'input' | 'tray'

/** The purpose of a dialog: a file command, or confirmation to replace a file. */
export type DialogCommand = FileCommand | ReplaceCommand

export interface ReplaceCommand {
  readonly does: 'replace'
  /** The id of the text field. */
  readonly element: string
  readonly path: string
}
