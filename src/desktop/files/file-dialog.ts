import { Fault } from '../../base/fault.ts'
import { focusElement } from '../input/focus.ts'
import type { DialogCommand, ReplaceCommand, TextCommand } from '../model/command.ts'
import { changeWindow, type Desktop, filesOf, type Window } from '../model/desktop.ts'
import { changeAt, nodeById, pathOf } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { part } from '../model/part.ts'
import { changeRef, type ElementRef, refOf, windowOf, withTraits } from '../tree/element-ref.ts'
import { itemsOf } from '../widgets/items/item-selection.ts'
import { confirmationPlan, type DialogPlan, withDialog } from '../windows/dialog.ts'
import { closeWindow } from '../windows/windowing.ts'
import { baseName, folderOf, isFile, isFolder, readFile, resolvePath, writeFile } from './files.ts'
import { showFolder } from './folder.ts'

const WIDTH = 520
const HEIGHT = 420
const HOME = '/'

/** Opens or saves the text of a field. Opens a dialog if a name must be chosen. */
export function runOnText(desktop: Desktop, window: Window, command: TextCommand): Desktop {
  const text = refOf(desktop, { window: window.uid, element: command.element })
  const path = text.element.traits?.path
  if (command.does === 'save' && path !== undefined) return save(desktop, text, path)
  const does = command.does === 'open' ? 'open' : 'save-as'
  const shown = withDialog(desktop, window, { ...command, does }, planFor(does, path))
  return focusElement(shown.desktop, { window: shown.uid, element: 'name' })
}

/** Presses a button of an open or save dialog. Returns undefined for any other button. */
export function pressInTextDialog(desktop: Desktop, button: ElementRef, command: TextCommand): Desktop | undefined {
  const { window, element } = button
  if (element.id === 'cancel') return closeWindow(desktop, window.uid)
  const list = refOf(desktop, { window: window.uid, element: 'files' })
  if (element.id === 'up') return showFolder(desktop, list, folderOf(list.element.traits?.folder ?? HOME))
  return element.id === 'accept'
    ? accept(desktop, window, command, nodeById(window.tree, 'name')?.value ?? '')
    : undefined
}

/** Copies the name of the file selected in a file dialog to its name field. */
export function withChosenNames(before: Desktop, after: Desktop): Desktop {
  let next = after
  for (const window of after.windows) {
    const list = window.fileDialog && nodeById(window.tree, 'files')
    if (!list) continue
    const earlier = before.windows.find(({ uid }) => uid === window.uid)
    const name = chosenName(window)
    if (earlier && name === chosenName(earlier) && folderShown(earlier) === folderShown(window)) continue
    next = changeWindow(next, window.uid, (each) => withValues(each, { name, folder: folderShown(each) }))
  }
  return next
}

function chosenName(window: Window): string | undefined {
  const path = pathOf(window.tree, 'files')
  const list = path && nodeById(window.tree, 'files')
  const item = list && itemsOf({ window, path, element: list }).find(({ element }) => element.selected === true)
  return item?.element.description === 'File' ? item.element.name : undefined
}

const folderShown = (window: Window): string => nodeById(window.tree, 'files')?.traits?.folder ?? HOME

/**
 * Presses a button of the dialog that asks for confirmation to replace a file. Any answer but yes returns to the file
 * dialog.
 */
export function pressInReplaceDialog(
  desktop: Desktop,
  button: ElementRef,
  command: ReplaceCommand,
): Desktop | undefined {
  const { window, element } = button
  if (element.id !== 'cancel' && element.id !== 'accept') return undefined
  const back = closeWindow(desktop, window.uid)
  if (element.id === 'cancel') return back
  return accept(back, windowOf(back, window.modalTo!), command, command.path)
}

/**
 * Opens or saves the file with a name, or enters the folder with it. Errors show in the dialog. Asks before another
 * file is replaced.
 */
export function accept(desktop: Desktop, window: Window, command: DialogCommand, name: string): Desktop {
  try {
    const path = resolvePath(folderShown(window), name)
    const files = filesOf(desktop)
    const list = refOf(desktop, { window: window.uid, element: 'files' })
    if (isFolder(files, path)) return showFolder(desktop, list, path)
    const text = refOf(desktop, { window: window.modalTo!, element: command.element })
    if (command.does === 'save-as' && path !== text.element.traits?.path && isFile(files, path))
      return askToReplace(desktop, window, { does: 'replace', element: command.element, path })
    const done = command.does === 'open' ? load(desktop, text, path) : save(desktop, text, path)
    return closeWindow(done, window.uid)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return changeWindow(desktop, window.uid, (each) => withValues(each, { status: error.message }))
  }
}

/** Cancel has the focus. */
function askToReplace(desktop: Desktop, window: Window, command: ReplaceCommand): Desktop {
  const question = `Replace ${baseName(command.path)}? What is in it will be lost.`
  const shown = withDialog(desktop, window, command, confirmationPlan('Replace', question))
  return focusElement(shown.desktop, { window: shown.uid, element: 'cancel' })
}

function load(desktop: Desktop, text: ElementRef, path: string): Desktop {
  const value = readFile(filesOf(desktop), path)
  const caret = { at: 0, from: 0 }
  const filled = changeRef(desktop, text, (element) =>
    withTraits({ ...element, value }, { path, caret, history: undefined }),
  )
  return named(filled, text, path)
}

function save(desktop: Desktop, text: ElementRef, path: string): Desktop {
  const files = writeFile(filesOf(desktop), path, text.element.value ?? '')
  const written = files === desktop.files ? desktop : { ...desktop, files }
  const kept = changeRef(written, text, (element) =>
    element.traits?.path === path ? element : withTraits(element, { path }),
  )
  return named(kept, text, path)
}

/** Replaces the old file name, or `Untitled`, at the start of the window title with the new name. */
function named(desktop: Desktop, text: ElementRef, path: string): Desktop {
  const old = text.element.traits?.path === undefined ? 'Untitled' : baseName(text.element.traits.path)
  return changeWindow(desktop, text.window.uid, (window) => {
    if (!window.title.startsWith(old)) return window
    const title = baseName(path) + window.title.slice(old.length)
    const tree = window.tree.name === window.title ? { ...window.tree, name: title } : window.tree
    return title === window.title ? window : { ...window, title, tree }
  })
}

/** Returns the window with new values of the named elements and an empty error message. */
function withValues(window: Window, values: Readonly<Record<string, string | undefined>>): Window {
  let { tree } = window
  for (const [id, value] of Object.entries({ status: '', ...values })) {
    const path = pathOf(tree, id)
    if (!path || value === undefined) continue
    const field = id === 'status' ? 'name' : 'value'
    tree = changeAt(tree, path, (element) =>
      element[field] === value
        ? element
        : withTraits({ ...element, [field]: value }, { caret: undefined, history: undefined }),
    )
  }
  return tree === window.tree ? window : { ...window, tree }
}

/** A dialog that shows the folder of the text's file. */
function planFor(does: 'open' | 'save-as', path: string | undefined): DialogPlan {
  const folder = path === undefined ? HOME : folderOf(path)
  const name = path === undefined ? '' : baseName(path)
  const at = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height })
  return {
    title: does === 'open' ? 'Open' : 'Save as',
    width: WIDTH,
    height: HEIGHT,
    parts: [
      part('folder', 'Edit', 'Folder', at(16, 16, WIDTH - 112, 32), { value: folder, traits: { readOnly: true } }),
      part('up', 'Button', 'Up', at(WIDTH - 88, 16, 72, 32)),
      part('files', 'List', 'Files', at(16, 56, WIDTH - 32, 204), { traits: { folder } }),
      part('name', 'Edit', 'File name', at(16, 272, WIDTH - 32, 32), { value: name }),
      part('status', 'Text', '', at(16, 308, WIDTH - 32, 20)),
      part('cancel', 'Button', 'Cancel', at(WIDTH - 208, 336, 92, 32), { traits: { presses: 'escape' } }),
      part('accept', 'Button', does === 'open' ? 'Open' : 'Save', at(WIDTH - 108, 336, 92, 32), {
        traits: { presses: 'enter' },
      }),
    ],
  }
}
