import type { Point } from '../../../../desktop/model/geometry.ts'

export type PointerButton = 'left' | 'middle' | 'right'

/** The desktop as programs use it. Points are screen pixels; without one, the pointer stays where it is. */
export interface ProgramMachine {
  position(): Promise<Point>
  size(): Promise<{ readonly width: number; readonly height: number }>
  move(to: Point): Promise<void>
  mouseDown(button: PointerButton, at?: Point): Promise<void>
  mouseUp(button: PointerButton, at?: Point): Promise<void>
  click(button: PointerButton, count: number, at?: Point): Promise<void>
  /** Drags from the pointer. */
  drag(to: Point, button: PointerButton, durationMs: number): Promise<void>
  /** Wheel clicks, positive down and right. */
  scroll(deltaX: number, deltaY: number, at?: Point): Promise<void>
  /** Keys have pyautogui's names. */
  keyDown(key: string): Promise<void>
  keyUp(key: string): Promise<void>
  press(key: string, times: number): Promise<void>
  /** Holds all keys in their order, then releases them. */
  hotkey(keys: readonly string[]): Promise<void>
  /** Types text without line ends or tabs. */
  type(text: string): Promise<void>
  wait(durationMs: number): Promise<void>
  readClipboard(): Promise<string>
  writeClipboard(text: string): Promise<void>
  /** Milliseconds since the epoch on the clock of the desktop. */
  now(): Promise<number>
  /** The name that `platform.system()` returns: `Linux`, `Windows` or `Darwin`. */
  readonly platform: string
}
