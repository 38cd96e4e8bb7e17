import type { Button, Modifier } from '../../desktop/input/action.ts'
import type { Chord } from '../../desktop/input/keys.ts'
import type { Monitor } from '../../desktop/model/desktop.ts'
import type { Point, Rect } from '../../desktop/model/geometry.ts'
import type { Picture } from '../../paint/picture.ts'
import type { PointerState } from '../computer.ts'

/** A window as a session of X11 or Wayland reports it. */
export interface DesktopWindow {
  readonly id: number
  readonly title: string
  /** 0 when unknown. */
  readonly pid: number
  readonly process: string
  /** Its bounds with decoration, without shadows. */
  readonly bounds: Rect
  /** The bounds of what the program itself draws: in X11 with its shadows, in Wayland without. */
  readonly inner: Rect
  /** The shadows that the program paints around itself, where the session knows them. */
  readonly shadow: Edges
  readonly focused: boolean
  /** Whether it is a menu, list or tooltip that the window manager does not manage. */
  readonly popup: boolean
  /** The window that a popup belongs to. */
  readonly owner: number | undefined
  /** Why a managed window is not on the screen. Undefined when it is. */
  readonly away: Away | undefined
  /** A program of Wayland: it knows positions in its window only, and its menus are no windows of the session. */
  readonly isWayland?: true
}

export interface Edges {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

export const NO_EDGES: Edges = { left: 0, right: 0, top: 0, bottom: 0 }

/** A window that is not on the screen: minimised, or on another workspace, with the name of its workspace. */
export interface Away {
  readonly isMinimized: boolean
  readonly workspace: string | undefined
}

/** The windows of a session. */
export interface WindowSystem<W extends DesktopWindow = DesktopWindow> {
  uidOf(id: number): string
  /** The id of a uid. Undefined for a uid of another session. */
  idOf(uid: string): number | undefined
  /** The visible windows front to back, with popups, without the window of the desktop background. */
  list(): Promise<readonly W[]>
  /** As `list`, with the windows that are minimised or on another workspace. */
  listAll(): Promise<readonly W[]>
  /** The focused window. 0 when there is none. */
  active(): Promise<number>
  /** Raises a window and gives it the keyboard. Throws `Timeout` when that does not happen. */
  activate(id: number): Promise<void>
  /** Asks the program to close the window. The program may ask the user first. */
  close(id: number): Promise<void>
  minimize(id: number): Promise<void>
  /** Maximises or restores a window. A minimised window is restored as well. */
  maximize(id: number, to: boolean): Promise<void>
}

export interface TypingOptions {
  /** The pause after each character, in milliseconds. */
  readonly intervalMs?: number | undefined
  /** Whether a program of Wayland reads keys in 16 bits, and those of the usual keyboard only: Chromium. */
  readonly inHalves?: boolean
  /**
   * Watches the program of the keyboard while text is entered without keys. The result tells whether the program has reported a change
   * since. Undefined where it reports none.
   */
  readonly watchEntry?: (() => () => Promise<boolean>) | undefined
}

/** A press of the right button. */
export interface RightPress {
  readonly at: Point
  /** The monitor there. */
  readonly screen: Rect
  readonly atMs: number
  /** Whether no button or key was pressed since. */
  readonly isLatest: boolean
}

/** Pointer and keyboard of a session. */
export interface DesktopInput {
  /** The session refuses pointer and keys, so elements are used through their own actions. */
  readonly refusesPointer?: true
  move(to: Point): Promise<void>
  /** Waits for `ms` milliseconds. */
  pause(ms: number): Promise<void>
  click(at: Point, button: Button, count: number, modifiers?: readonly Modifier[]): Promise<void>
  /** Drags through all points of a path. */
  drag(path: readonly Point[], button: Button, durationMs: number, modifiers: readonly Modifier[]): Promise<void>
  /** Turns the wheel by whole clicks. Positive ones scroll up, and `across` to the right. */
  scroll(clicks: number, across?: number, modifiers?: readonly Modifier[]): Promise<void>
  /** The position of the pointer, and the buttons and keys that this computer holds. */
  state(): Promise<PointerState>
  /** The last press of the right button. Absent where menus are windows of the session, which knows their place. */
  rightPress?(): RightPress | undefined
  /** Presses a button and holds it. Returns false if it is down already. */
  pressButton(at: Point, button: Button): Promise<boolean>
  /** Moves there and releases a button. Returns false if it is not down. */
  releaseButton(at: Point, button: Button): Promise<boolean>
  /** Presses a key and holds it. */
  pressKey(key: string, into?: number): Promise<void>
  /** Returns false if the key is not down. */
  releaseKey(key: string): Promise<boolean>
  /** Holds a chord for a time. The X server repeats it. */
  hold(chord: Chord, forMs: number, into?: number): Promise<void>
  /** Releases all buttons and keys. */
  releaseAll(): Promise<void>
  /**
   * Types a text into the focused window, which must be `into` if given. Stops when another window gets the keyboard.
   */
  type(text: string, into?: number, options?: TypingOptions): Promise<void>
  press(chord: Chord, into?: number): Promise<void>
  /** Waits until no person has used mouse or keyboard for the configured time. */
  yieldToPerson(): Promise<void>
  /** Waits until the program of the focused window has processed all input so far. */
  waitUntilProcessed(): Promise<void>
}

/** The clipboard of a session, as text. */
export interface SessionClipboard {
  read(): Promise<string>
  write(text: string): Promise<void>
}

/** What a session of X11 or Wayland offers: windows, pictures, input. Elements come from the accessibility bus in both. */
export interface DesktopBackend<W extends DesktopWindow = DesktopWindow> {
  readonly windows: WindowSystem<W>
  readonly input: DesktopInput
  readonly clipboard?: SessionClipboard
  /** Whether the connection has ended. */
  readonly ended: boolean
  /** The monitors, the primary one first. */
  monitors(): Promise<readonly Monitor[]>
  /** Captures the visible content of an area. Pixels outside the screen are black. */
  captureArea(area: Rect): Promise<Picture>
  /** Captures a whole window, even where it is covered. */
  captureWindow(window: W, isUncovered: boolean): Promise<Picture>
  close(): Promise<void>
}
