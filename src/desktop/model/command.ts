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
