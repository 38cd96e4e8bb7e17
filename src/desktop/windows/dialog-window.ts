import type { Window } from '../model/desktop.ts'

/** Whether a window is a dialog: it blocks another one, or ends with buttons that accept and cancel. */
export const isDialogWindow = ({ modalTo, tree }: Pick<Window, 'modalTo' | 'tree'>): boolean =>
  modalTo !== undefined || tree.children.some(({ traits }) => traits?.footer === true)
