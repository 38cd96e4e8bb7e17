import { Fault } from '../../base/fault.ts'
import { fieldTextOf } from '../model/control-metrics.ts'
import { changeWindow, type Desktop, filesOf, type Window } from '../model/desktop.ts'
import { changeAt, controlPart, type Element, nodeById, pathOf } from '../model/element.ts'
import {
  baseName,
  type Files,
  folderOf,
  isFile,
  isFolder,
  movePath,
  readFile,
  removePath,
  resolvePath,
  writeFile,
} from '../model/files.ts'
import type { Rect } from '../model/geometry.ts'
import type { DialogCommand, FileCommand, ListCommand, ReplaceCommand, TextCommand } from '../model/traits.ts'
import type { Metrics } from '../style/metrics.ts'
import { styleMetrics } from '../style/style.ts'
import { changeRef, type ElementRef, refOf, windowOf, withTraits } from '../tree/element-ref.ts'
import { itemsOf } from '../widgets/item-selection.ts'
import { focusElement } from '../windows/focus.ts'
import { workArea } from '../windows/panel.ts'
import { closeWindow, monitorOf } from '../windows/windowing.ts'
import { copyFiles, pasteFiles, selectedPaths, showFolder } from './folder.ts'

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

const FILE_DIALOG_WIDTH = 520
const HEIGHT = 420
const HOME = '/'

/** Opens or saves the text of a field. Opens a dialog if a name must be chosen. */
function runOnText(desktop: Desktop, window: Window, command: TextCommand): Desktop {
  const text = refOf(desktop, { window: window.uid, element: command.element })
  const path = text.element.traits?.path
  if (command.does === 'save' && path !== undefined) return save(desktop, text, path)
  const does = command.does === 'open' ? 'open' : 'save-as'
  const shown = withDialog(desktop, window, { ...command, does }, planFor(does, path))
  return focusElement(shown.desktop, { window: shown.uid, element: 'name' })
}

/** Presses a button of an open or save dialog. Returns undefined for any other button. */
function pressInTextDialog(desktop: Desktop, button: ElementRef, command: TextCommand): Desktop | undefined {
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
function pressInReplaceDialog(desktop: Desktop, button: ElementRef, command: ReplaceCommand): Desktop | undefined {
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
    width: FILE_DIALOG_WIDTH,
    height: HEIGHT,
    parts: [
      controlPart('folder', 'Edit', 'Folder', at(16, 16, FILE_DIALOG_WIDTH - 112, 32), {
        value: folder,
        traits: { readOnly: true },
      }),
      controlPart('up', 'Button', 'Up', at(FILE_DIALOG_WIDTH - 88, 16, 72, 32)),
      controlPart('files', 'List', 'Files', at(16, 56, FILE_DIALOG_WIDTH - 32, 204), { traits: { folder } }),
      controlPart('name', 'Edit', 'File name', at(16, 272, FILE_DIALOG_WIDTH - 32, 32), { value: name }),
      controlPart('status', 'Text', '', at(16, 308, FILE_DIALOG_WIDTH - 32, 20)),
      controlPart('cancel', 'Button', 'Cancel', at(FILE_DIALOG_WIDTH - 208, 336, 92, 32), {
        traits: { presses: 'escape' },
      }),
      controlPart('accept', 'Button', does === 'open' ? 'Open' : 'Save', at(FILE_DIALOG_WIDTH - 108, 336, 92, 32), {
        traits: { presses: 'enter' },
      }),
    ],
  }
}

const NAME_DIALOG_WIDTH = 420
const BUTTON = { width: 92, height: 32 }

/** Runs a command on the selected files of a list: at once, or after a dialog. Does nothing without a selection. */
function runOnList(desktop: Desktop, window: Window, command: ListCommand): Desktop {
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
function pressInListDialog(desktop: Desktop, button: ElementRef, command: ListCommand): Desktop | undefined {
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
    width: NAME_DIALOG_WIDTH,
    height: 180,
    parts: [
      controlPart(
        'name',
        'Edit',
        'New name',
        { x: 16, y: 16, width: NAME_DIALOG_WIDTH - 32, height: 32 },
        { value: name, traits: { caret } },
      ),
      controlPart('status', 'Text', '', { x: 16, y: 56, width: NAME_DIALOG_WIDTH - 32, height: 20 }),
      controlPart(
        'cancel',
        'Button',
        'Cancel',
        { x: NAME_DIALOG_WIDTH - 208, y: 100, ...BUTTON },
        { traits: { presses: 'escape' } },
      ),
      controlPart(
        'accept',
        'Button',
        'Rename',
        { x: NAME_DIALOG_WIDTH - 108, y: 100, ...BUTTON },
        { traits: { presses: 'enter' } },
      ),
    ],
  }
}

/** A built-in dialog of the desktop. Bounds of its parts are relative to the area below its title bar. */
interface DialogPlan {
  readonly title: string
  readonly width: number
  readonly height: number
  readonly parts: readonly Element[]
}

/** Opens a dialog for a file command, centred in front of its owner on one monitor. Nothing in it has the focus yet. */
function withDialog(
  desktop: Desktop,
  owner: Window,
  command: DialogCommand,
  plan: DialogPlan,
): { readonly desktop: Desktop; readonly uid: string } {
  const { title } = plan
  const bounds = inMiddle(desktop, owner, plan)
  const metrics = styleMetrics(desktop.style)
  const top = metrics.title.height
  const uids = new Set(desktop.windows.map(({ uid }) => uid))
  const wanted = `${owner.uid}/${command.does}`
  const uid = [wanted, ...uids].find((each) => !uids.has(each)) ?? `${wanted}/${uids.size}`
  const children = plan.parts.map((each) =>
    standing(inStyle(each, metrics, desktop.isMirrored), bounds.x, bounds.y + top),
  )
  const dialog: Window = {
    uid,
    handle: String(1 + Math.max(1000, ...desktop.windows.map(({ handle }) => Number(handle) || 0))),
    title,
    process: owner.process,
    pid: owner.pid,
    bounds,
    state: 'normal',
    frame: 'inside',
    focus: undefined,
    modalTo: owner.uid,
    fileDialog: command,
    tree: { ...controlPart('root', 'Dialog', title, bounds), children },
  }
  return { desktop: { ...desktop, windows: [dialog, ...desktop.windows] }, uid }
}

const CONFIRM_WIDTH = 420
const CONFIRM_BUTTON = { width: 92, height: 32 }

/** A confirmation dialog. Only Escape has a default button. */
const confirmationPlan = (verb: string, question: string): DialogPlan => ({
  title: verb,
  width: CONFIRM_WIDTH,
  height: 160,
  parts: [
    controlPart('status', 'Text', question, { x: 16, y: 16, width: CONFIRM_WIDTH - 32, height: 20 }),
    controlPart(
      'cancel',
      'Button',
      'Cancel',
      { x: CONFIRM_WIDTH - 208, y: 80, ...CONFIRM_BUTTON },
      { traits: { presses: 'escape' } },
    ),
    controlPart('accept', 'Button', verb, { x: CONFIRM_WIDTH - 108, y: 80, ...CONFIRM_BUTTON }),
  ],
})

/** A field with the text of its style, which clicks between its letters measure. */
function inStyle(element: Element, metrics: Metrics, isMirrored: boolean | undefined): Element {
  const fieldText = fieldTextOf(element.role, metrics, isMirrored)
  return fieldText ? withTraits(element, { fieldText }) : element
}

const standing = (element: Element, x: number, y: number): Element => {
  const { bounds } = element
  return { ...element, bounds: { ...bounds, x: bounds.x + x, y: bounds.y + y } }
}

function inMiddle(desktop: Desktop, { bounds: around }: Window, { width, height }: DialogPlan): Rect {
  const monitor = monitorOf(desktop, around)
  const area = monitor ? workArea(desktop, monitor) : around
  const within = (at: number, size: number, from: number, room: number) =>
    Math.max(from, Math.min(at, from + room - size))
  return {
    x: within(around.x + Math.floor((around.width - width) / 2), width, area.x, area.width),
    y: within(around.y + Math.floor((around.height - height) / 2), height, area.y, area.height),
    width,
    height,
  }
}
