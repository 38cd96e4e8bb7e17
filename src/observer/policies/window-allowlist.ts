import type { Computer, WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import { compilePattern, type Pattern, UNLIMITED_MATCHING } from '../../base/pattern.ts'
import type { Action } from '../../desktop/input/action.ts'
import { contains, type Point } from '../../desktop/model/geometry.ts'
import type { Settings } from '../settings.ts'

/** Restricts actions to windows that the operator names by program and title. */
export class WindowAllowlist {
  readonly #computer: Pick<Computer, 'windows' | 'hiddenWindows' | 'simulation'>
  readonly #process: readonly Pattern[]
  readonly #title: readonly Pattern[]

  /** `computer` returns unredacted titles. Throws `BadRequest` for a pattern that cannot be used. */
  constructor(
    computer: Pick<Computer, 'windows' | 'hiddenWindows' | 'simulation'>,
    { process, title }: Settings['allow'],
  ) {
    this.#computer = computer
    this.#process = process.map(compilePattern)
    this.#title = title.map(compilePattern)
  }

  get configured(): boolean {
    return this.#process.length > 0 || this.#title.length > 0
  }

  /** Throws `PermissionDenied` when an action applies to another window, or to none. */
  admit(action: Action): Awaitable<void> {
    if (!this.configured) return
    return andThen(this.#computer.windows(), (shown) =>
      // Only these actions apply to windows that are not on the screen.
      andThen(action.type === 'activate' || action.type === 'window' ? this.#away() : [], (away) => {
        const windows = [...shown, ...away]
        for (const window of this.#concerned(windows, action)) this.#demand(windows, window, action)
      }),
    )
  }

  #away(): Awaitable<readonly WindowInfo[]> {
    return this.#computer.simulation ? [] : (this.#computer.hiddenWindows?.() ?? [])
  }

  /** The windows that an action applies to; undefined for none. */
  #concerned(windows: readonly WindowInfo[], action: Action): readonly (WindowInfo | undefined)[] {
    const at = (point: Point) => windows.find(({ bounds }) => contains(bounds, point))
    const named = (uid: string) => windows.find((window) => window.uid === uid)
    switch (action.type) {
      case 'activate':
      case 'window':
        return [named(action.window)]
      case 'type': {
        // A key in a text may move the keyboard to another window.
        const affected = this.#computer.simulation?.preview([action]) ?? []
        const later = [...new Set(affected.map(({ window }) => window))].map(named)
        return [windows.find(({ focused }) => focused), ...later]
      }
      case 'key':
      case 'key_down':
      case 'key_up':
      case 'hold':
        return [windows.find(({ focused }) => focused)]
      case 'drag':
        return [at(action.from), at(action.to)]
      case 'scroll': {
        const point = action.at ?? this.#computer.simulation?.desktop.pointer
        if (point) return [at(point)]
        throw new Fault(
          'PermissionDenied',
          'the allow setting restricts actions to some windows: give x and y to scroll at',
        )
      }
      case 'click':
        return action.target ? [named(action.target.window)] : [at(action.at)]
      case 'hover':
      case 'press':
      case 'release':
        return [at(action.at)]
      case 'set_clipboard':
        // All windows paste it.
        return [undefined]
      case 'write_file':
        // The disk of a scenario is prepared by the harness.
        return this.#computer.simulation ? [] : [undefined]
      case 'webmcp_call':
        return [named(action.window)]
      case 'focus':
      case 'invoke':
      case 'set_value':
      case 'select':
      case 'clear_text':
        return [named(action.target.window)]
    }
  }

  #demand(windows: readonly WindowInfo[], window: WindowInfo | undefined, { type }: Action): void {
    if (!window)
      throw new Fault(
        'PermissionDenied',
        `${type} applies to no window, and the allow setting restricts actions to some windows`,
      )
    // Menus and lists have no title.
    const owner = windows.find(({ uid }) => uid === window.popupOf) ?? window
    const wrong = this.#wrongWith(owner)
    if (!wrong) return
    throw new Fault(
      'PermissionDenied',
      `${type} applies to the window ${window.uid}, whose ${wrong} does not match the allow setting`,
      {
        window_uid: window.uid,
      },
    )
  }

  #wrongWith({ process, title }: WindowInfo): string | undefined {
    if (!matchesAny(this.#process, process)) return 'process'
    return matchesAny(this.#title, title) ? undefined : 'title'
  }
}

const matchesAny = (patterns: readonly Pattern[], text: string): boolean =>
  patterns.length === 0 || patterns.some((pattern) => pattern.search(text, UNLIMITED_MATCHING))
