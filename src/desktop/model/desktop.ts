import type { DesktopStyle } from '../style/style.ts'
import { type Element, type Fields, hasFields } from './element.ts'
import type { Files } from './files.ts'
import type { Point, Rect } from './geometry.ts'
import type { PictureFiles } from './pictures.ts'
import type { DialogCommand } from './traits.ts'

/** A whole desktop as a plain immutable value. */
export interface Desktop {
  readonly monitors: readonly Monitor[]
  /** Front to back. */
  readonly windows: readonly Window[]
  /** The uid of the active window. */
  readonly active: string | undefined
  readonly pointer: Point
  readonly clipboard: string
  /** The cells of a sheet whose texts were copied last. They are on the clipboard as long as it has the same text. */
  readonly copiedCells?: CopiedCells
  /** The buttons and keys that are held down. Absent when none is. */
  readonly held?: HeldInput
  /** The latest press of a button, which a second one nearby makes a double click. Absent after other clicks. */
  readonly lastPress?: ButtonPress
  /** The files that dialogs and file managers show. None by default. */
  readonly files?: Files
  /** The picture files of its scenario. None by default. */
  readonly pictures?: PictureFiles
  /** Whether the bar with the windows' buttons is shown; see `panel.ts`. */
  readonly panel?: boolean
  /** The system that it looks like; `backlot` by default. */
  readonly style?: DesktopStyle
  /** The colours that it was switched to. Without, those with which it is painted. */
  readonly theme?: 'light' | 'dark' | 'high-contrast'
  /** The time on the panel's clock, in milliseconds since the epoch. The scenario's run updates it. */
  readonly nowMs?: number
  /** The elements pressed so far by the current action. Absent between actions. */
  readonly pressed?: readonly Press[]
  /** Set if the current action pressed a button that invalid fields block. Absent between actions. */
  readonly refused?: true
  /** How calendars and the clock name months and weekdays; in English by default. */
  readonly dateNames?: DateNames
  /** The language of the texts that the desktop itself makes, such as `de`; English by default. See `shell-texts.ts`. */
  readonly language?: string
  /** Set if its pictures and trees are mirrored, as for languages from right to left. */
  readonly isMirrored?: true
  /** The edits of cells of virtual tables by the current action. Absent between actions. */
  readonly cellEdits?: readonly CellEdit[]
  /** The applications that the shell offers, in order. Those of its windows by default; only with a style. */
  readonly apps?: readonly DesktopApp[]
  /** The bars, the launcher and the icons of a desktop with a style; see `shell/`. Derived from the other fields. */
  readonly shell?: Shell
}

/** Cells of a sheet on the clipboard. */
export interface CopiedCells {
  /** What they showed, as the clipboard has it. */
  readonly text: string
  /** What was typed into them, by rows. */
  readonly contents: readonly (readonly string[])[]
  /** Where the first one was. */
  readonly row: number
  readonly column: number
  /** Whether they were cut, so that references stay as they are. */
  readonly isCut: boolean
}

/** An application that can be opened from the bars and the launcher. */
export interface DesktopApp {
  /** Unique among the applications of a desktop. */
  readonly id: string
  readonly name: string
  readonly icon: string
  /** The uids of its windows; opening it opens the first if none is open. Without any, it cannot be opened. */
  readonly windows: readonly string[]
  /** The uids that the file gives to windows of it that it has for each item of a list. */
  readonly itemWindows?: readonly string[]
}

/** Whether a window belongs to an application. */
export const isWindowOf = ({ windows, itemWindows }: DesktopApp, { uid, uidInFile }: Window): boolean =>
  windows.includes(uid) || (uidInFile !== undefined && itemWindows?.includes(uidInFile) === true)

/** The windows of the shell. They are not among `Desktop.windows`, so that nothing takes them for an application's. */
export interface Shell {
  /** Front to back. */
  readonly windows: readonly Window[]
  /** The desktop that they were derived from. */
  readonly basis: ShellBasis
}

export type ShellBasis = Pick<
  Desktop,
  'windows' | 'active' | 'monitors' | 'panel' | 'style' | 'nowMs' | 'dateNames' | 'language' | 'files' | 'apps'
> & {
  readonly open: Element | undefined
  readonly icons: Element | undefined
  /** What the menu bar shows of the content of the active window. */
  readonly menus: string | undefined
}

/** A screen of a desktop. */
export interface Monitor {
  readonly index: number
  readonly primary: boolean
  /** Physical pixels, in the coordinates that elements and clicks use. */
  readonly bounds: Rect
  readonly scaleFactor: number
}

/** A window of a desktop, with its element tree. */
export interface Window {
  readonly uid: string
  readonly handle: string
  readonly title: string
  readonly process: string
  readonly pid: number
  readonly bounds: Rect
  readonly tree: Element
  readonly state: 'normal' | 'minimized' | 'maximized'
  /** Where the title bar is painted: in the top strip of the bounds, above them, or not at all. */
  readonly frame: 'inside' | 'outside' | 'none'
  /** Its bounds after it is restored from maximised. */
  readonly restoreTo?: Rect
  /** Of a window for an item of a list: the uid that the file gives to those of all items. */
  readonly uidInFile?: string
  /** The id of the element that has the focus while this window is active. */
  readonly focus: string | undefined
  /** The element that had the focus before a dialog of the tree opened. */
  readonly focusBehind?: string
  /** The uid of the window that takes no input while this one is open. */
  readonly modalTo?: string
  /** Set for a dialog that chooses a file for its owner, or asks about one. */
  readonly fileDialog?: DialogCommand
  /** A busy window takes no input. */
  readonly busy?: boolean
  /** A notification: above all other windows, never active, and without a button on the panel. */
  readonly notification?: true
  /**
   * The part of the shell that it is: a bar is above all windows and never active, the desktop is below all. The launcher and
   * a flyout are open as long as they are active.
   */
  readonly shell?: 'bar' | 'launcher' | 'flyout' | 'desktop'
  /** The bounds of the monitor that a part of the shell is on. */
  readonly screen?: Rect
}

/** Whether the author hides a window, by its root: it waits until a reaction shows it. */
export const isHiddenWindow = ({ tree }: Window): boolean => tree.traits?.hidden === true

/** Whether a window is on the screen: neither minimised nor hidden. */
export const isOnScreen = (window: Window): boolean => window.state !== 'minimized' && !isHiddenWindow(window)

/** Whether clicks in a window leave the focus where it is. */
export const neverActive = ({ notification, shell }: Window): boolean => notification === true || shell === 'bar'

/** An element of a window. */
export interface Target {
  readonly window: string
  readonly element: string
}

/** A new text that the user gave a cell of a virtual table, which is the element. */
export interface CellEdit extends Target {
  readonly key: string
  readonly field: string
  readonly text: string
}

/** An element that was pressed, or only chosen, as keys do that move through a list. */
export interface Press extends Target {
  readonly chosen?: true
}

export const DEFAULT_SCREEN: Rect = { x: 0, y: 0, width: 1280, height: 800 }

const NO_FILES: Files = {}

/** The files of a desktop. Empty by default. */
export const filesOf = ({ files = NO_FILES }: Desktop): Files => files

/** The window with a uid: of an application or of the shell. */
export const windowByUid = (desktop: Desktop, uid: string): Window | undefined =>
  desktop.windows.find((window) => window.uid === uid) ?? desktop.shell?.windows.find((window) => window.uid === uid)

/** Returns the desktop with one window changed, or the same desktop if nothing changed. */
export function changeWindow(desktop: Desktop, uid: string, change: (window: Window) => Window): Desktop {
  const windows = changedIn(desktop.windows, uid, change)
  if (windows) return windows === desktop.windows ? desktop : desktopWith(desktop, { windows })
  const { shell } = desktop
  const parts = shell && changedIn(shell.windows, uid, change)
  return parts && parts !== shell.windows ? desktopWith(desktop, { shell: { ...shell, windows: parts } }) : desktop
}

/** The windows with one changed; the same if nothing changed, undefined if it is not among them. */
function changedIn(
  windows: readonly Window[],
  uid: string,
  change: (window: Window) => Window,
): readonly Window[] | undefined {
  const at = windows.findIndex((window) => window.uid === uid)
  const window = windows[at]
  if (!window) return undefined
  const changed = change(window)
  return changed === window ? windows : windows.with(at, changed)
}

const stacks = new WeakMap<readonly Window[], { readonly shell: readonly Window[]; readonly all: readonly Window[] }>()

/** All windows, front to back: bars and the launcher, the windows of applications, the desktop with its icons. */
export function stackedWindows({ windows, shell }: Desktop): readonly Window[] {
  if (!shell) return windows
  const known = stacks.get(windows)
  if (known?.shell === shell.windows) return known.all
  const above = shell.windows.filter((part) => part.shell !== 'desktop')
  const below = shell.windows.filter((part) => part.shell === 'desktop')
  const all = [...above, ...windows, ...below]
  stacks.set(windows, { shell: shell.windows, all })
  return all
}

/**
 * Returns the desktop with other fields, or the same desktop if they are equal. Copies field by field, like nodes, for
 * speed.
 */
export const desktopWith = (desktop: Desktop, fields: Fields<Desktop>): Desktop =>
  hasFields(desktop, fields) ? desktop : Object.assign(copyOfDesktop(desktop), fields as Partial<Desktop>)

const copyOfDesktop = (desktop: Desktop): Desktop =>
  ({
    monitors: desktop.monitors,
    windows: desktop.windows,
    active: desktop.active,
    pointer: desktop.pointer,
    clipboard: desktop.clipboard,
    copiedCells: desktop.copiedCells,
    held: desktop.held,
    lastPress: desktop.lastPress,
    files: desktop.files,
    pictures: desktop.pictures,
    panel: desktop.panel,
    style: desktop.style,
    theme: desktop.theme,
    nowMs: desktop.nowMs,
    dateNames: desktop.dateNames,
    language: desktop.language,
    isMirrored: desktop.isMirrored,
    pressed: desktop.pressed,
    refused: desktop.refused,
    cellEdits: desktop.cellEdits,
    apps: desktop.apps,
    shell: desktop.shell,
  }) satisfies Record<keyof Desktop, unknown> as Desktop

/** Returns the window with other fields, or the same window if they are equal. */
export const windowWith = (window: Window, fields: Fields<Window>): Window =>
  hasFields(window, fields) ? window : Object.assign(copyOfWindow(window), fields as Partial<Window>)

const copyOfWindow = (window: Window): Window =>
  ({
    uid: window.uid,
    handle: window.handle,
    title: window.title,
    process: window.process,
    pid: window.pid,
    bounds: window.bounds,
    tree: window.tree,
    state: window.state,
    frame: window.frame,
    restoreTo: window.restoreTo,
    uidInFile: window.uidInFile,
    focus: window.focus,
    focusBehind: window.focusBehind,
    modalTo: window.modalTo,
    fileDialog: window.fileDialog,
    busy: window.busy,
    notification: window.notification,
    shell: window.shell,
    screen: window.screen,
  }) satisfies Record<keyof Window, unknown> as Window

export type Button = 'left' | 'right' | 'middle' | 'back' | 'forward'

/** The buttons and keys that are held down. */
export interface HeldInput {
  /** In the order in which they were pressed. */
  readonly buttons: readonly HeldButton[]
  /** The names of keys, as `parseKey` returns them, in the order in which they were pressed. */
  readonly keys: readonly string[]
}

/** A press of a button. */
interface ButtonPress {
  readonly button: Button
  readonly at: Point
  /** 2 for the second press of a double click, 3 for the third of a triple click. */
  readonly count: number
  readonly atMs: number
}

/** A button that is held down. */
export interface HeldButton extends ButtonPress {
  /** Set once the pointer has moved so far that the release is no click. */
  readonly dragged?: true
  /** What the left button took hold of. Absent on the empty desktop. */
  readonly grab?: Grab
}

/** What a drag moves: an element, the overlay scrollbar over it, or a window by its title bar or edges. */
export interface Grab {
  readonly window: string
  /** The pressed element. Absent for a window. */
  readonly element?: string
  /** Set for the overlay scrollbar of the element. */
  readonly overlay?: true
  /** The sides of the window that the drag moves. Absent for its title bar. */
  readonly edges?: ResizeEdges
  /**
   * What the drag started from: the bounds of the window, or the position in the control. Absent for elements that do not
   * follow the pointer and are only dropped.
   */
  readonly from?: Rect | number
}

/** The sides of a window that a drag moves. Two of them are a corner. */
export interface ResizeEdges {
  readonly left: boolean
  readonly top: boolean
  readonly right: boolean
  readonly bottom: boolean
}

/** The names of months and weekdays in a language, as calendars and the clock of the panel show them. */
export interface DateNames {
  /** January to December. */
  readonly months: readonly string[]
  readonly shortMonths: readonly string[]
  /** Monday to Sunday, in two letters. */
  readonly weekdays: readonly string[]
  /** The date on the clock: `d`, `M` and `y` stand for the day, the short month and the year. */
  readonly clockDate: string
  /** The weekdays on the clock of a shell; `weekdays` by default. */
  readonly shortWeekdays?: readonly string[]
  /** The date on the clock of a shell in numbers: `d`, `m` and `y`. `m/d/y` by default. */
  readonly numericDate?: string
  /** The day on the clock of a shell: `E` stands for the weekday, `M` for the short month. `E M d` by default. */
  readonly clockDay?: string
}

const words = (text: string): readonly string[] => text.split(' ')

export const ENGLISH_DATE_NAMES: DateNames = {
  months: words('January February March April May June July August September October November December'),
  shortMonths: words('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'),
  weekdays: words('Mo Tu We Th Fr Sa Su'),
  clockDate: 'd M y',
  shortWeekdays: words('Mon Tue Wed Thu Fri Sat Sun'),
}
