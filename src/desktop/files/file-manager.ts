import { Fault } from '../../base/fault.ts'
import { focusElement } from '../input/focus.ts'
import type { ListCommand } from '../model/command.ts'
import { changeWindow, type Desktop, filesOf, type Window } from '../model/desktop.ts'
import { changeAt, nodeById, pathOf } from '../model/element.ts'
import { part } from '../model/part.ts'
import { type ElementRef, refOf } from '../tree/element-ref.ts'
import { confirmationPlan, type DialogPlan, withDialog } from '../windows/dialog.ts'
import { closeWindow } from '../windows/windowing.ts'
import { baseName, type Files, folderOf, movePath, removePath, resolvePath } from './files.ts'
import { copyFiles, pasteFiles, selectedPaths } from './folder.ts'

const WIDTH = 420
const BUTTON = { width: 92, height: 32 }

/** Runs a command on the selected files of a list: at once, or after a dialog. Does nothing without a selection. */
export function runOnList(desktop: Desktop, window: Window, command: ListCommand): Desktop {
  const list = refOf(desktop, { window: window.uid, element: command.element })
  const paths = selectedPaths(list)
  switch (command.does) {
    case 'copy':
      return copyFiles(desktop, list)
    case 'paste':
      return pasteFiles(desktop, list)
    case 'delete':
      return paths.length === 0 ? desktop : ask(desktop, window, command, deletePlan(paths), 'cancel')
    case 'rename':
      return paths.length === 1 ? ask(desktop, window, command, renamePlan(baseName(paths[0]!)), 'name') : desktop
  }
}

/** Presses a button of a rename or delete dialog. Errors show in the dialog, which stays open. */
export function pressInListDialog(desktop: Desktop, button: ElementRef, command: ListCommand): Desktop | undefined {
  const { window, element } = button
  if (element.id === 'cancel') return closeWindow(desktop, window.uid)
  if (element.id !== 'accept') return undefined
  const list = refOf(desktop, { window: window.modalTo!, element: command.element })
  try {
    const name = nodeById(window.tree, 'name')?.value ?? ''
    const files = changed(filesOf(desktop), command, selectedPaths(list), name)
    return closeWindow({ ...desktop, files }, window.uid)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return changeWindow(desktop, window.uid, (each) => ({ ...each, tree: saying(each.tree, error.message) }))
  }
}

function changed(files: Files, { does }: ListCommand, paths: readonly string[], name: string): Files {
  if (does === 'delete') return paths.reduce(removePath, files)
  const [path] = paths
  if (path === undefined) throw new Fault('BadRequest', 'the file is gone')
  if (name.includes('/')) throw new Fault('BadRequest', 'a name has no slash in it')
  return movePath(files, path, resolvePath(folderOf(path), name))
}

function saying(tree: Window['tree'], message: string): Window['tree'] {
  const path = pathOf(tree, 'status')
  return path ? changeAt(tree, path, (element) => ({ ...element, name: message })) : tree
}

function ask(desktop: Desktop, owner: Window, command: ListCommand, plan: DialogPlan, first: string): Desktop {
  const shown = withDialog(desktop, owner, command, plan)
  return focusElement(shown.desktop, { window: shown.uid, element: first })
}

function deletePlan(paths: readonly string[]): DialogPlan {
  const what = paths.length === 1 ? baseName(paths[0]!) : `${paths.length} files`
  return confirmationPlan('Delete', `Delete ${what}? It cannot be undone.`)
}

/** Selects the name up to its extension, so that typing replaces it. */
function renamePlan(name: string): DialogPlan {
  const dot = name.lastIndexOf('.')
  const caret = { at: dot > 0 ? dot : name.length, from: 0 }
  return {
    title: 'Rename',
    width: WIDTH,
    height: 180,
    parts: [
      part(
        'name',
        'Edit',
        'New name',
        { x: 16, y: 16, width: WIDTH - 32, height: 32 },
        { value: name, traits: { caret } },
      ),
      part('status', 'Text', '', { x: 16, y: 56, width: WIDTH - 32, height: 20 }),
      part('cancel', 'Button', 'Cancel', { x: WIDTH - 208, y: 100, ...BUTTON }, { traits: { presses: 'escape' } }),
      part('accept', 'Button', 'Rename', { x: WIDTH - 108, y: 100, ...BUTTON }, { traits: { presses: 'enter' } }),
    ],
  }
}
