import type { Window } from '../model/desktop.ts'
import { controlPart, type Element, type Fields } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import type { AppKind } from '../model/pictures.ts'
import type { Flyout, ShellCommand } from '../model/traits.ts'
import type { ShellBar } from '../style/metrics.ts'

/** The windows and elements that the shell consists of. */

export const TASKBAR_UID = 'shell:taskbar'
export const TOP_BAR_UID = 'shell:top-bar'
export const MENU_BAR_UID = 'shell:menu-bar'
export const DOCK_UID = 'shell:dock'
export const LAUNCHER_UID = 'shell:launcher'
export const DESKTOP_UID = 'shell:desktop'

const BARS: Readonly<Record<string, ShellBar['kind']>> = {
  [TASKBAR_UID]: 'taskbar',
  [TOP_BAR_UID]: 'top bar',
  [MENU_BAR_UID]: 'menu bar',
  [DOCK_UID]: 'dock',
}

/** The kind of a bar with a uid. Undefined for another window. */
export const barKindOf = (uid: string): ShellBar['kind'] | undefined => BARS[uid]

/** The uid of a flyout. */
export const flyoutUid = (flyout: Flyout): string => `shell:${flyout}`

const FLYOUTS: readonly Flyout[] = ['quick-settings', 'calendar', 'input', 'tray']

/** The flyout with a uid. Undefined if it is that of another window. */
export const flyoutWithUid = (uid: string | undefined): Flyout | undefined =>
  FLYOUTS.find((flyout) => flyoutUid(flyout) === uid)

/** Whether a uid is that of a window of the shell that is open as long as it is active. */
export const isOpenPart = (uid: string | undefined): boolean => uid === LAUNCHER_UID || flyoutWithUid(uid) !== undefined

const SHELL_UIDS: ReadonlySet<string> = new Set([
  TASKBAR_UID,
  TOP_BAR_UID,
  MENU_BAR_UID,
  DOCK_UID,
  LAUNCHER_UID,
  DESKTOP_UID,
  ...FLYOUTS.map(flyoutUid),
])

/** Whether a uid is that of a window of the shell. */
export const isShellWindow = (uid: string | undefined): boolean => uid !== undefined && SHELL_UIDS.has(uid)

/** Whether an id is that of an element of the shell. */
export const isShellId = (id: string): boolean => id.startsWith('shell.')

const PID = 2

/** The handles of shell windows, far from those of applications, dialogs and notifications. */
const HANDLES: Readonly<Record<string, string>> = {
  [DESKTOP_UID]: '10',
  [TASKBAR_UID]: '11',
  [TOP_BAR_UID]: '12',
  [MENU_BAR_UID]: '13',
  [DOCK_UID]: '14',
  [LAUNCHER_UID]: '15',
  ...Object.fromEntries(FLYOUTS.map((flyout, index) => [flyoutUid(flyout), String(16 + index)])),
}

interface ShellPart {
  readonly uid: string
  readonly title: string
  readonly bounds: Rect
  readonly shell: NonNullable<Window['shell']>
  readonly screen: Rect
  readonly children: readonly Element[]
}

/** A window of the shell, without a frame. Its root has the title as name. */
export const shellWindow = ({ uid, title, bounds, shell, screen, children }: ShellPart): Window => ({
  uid,
  handle: HANDLES[uid] ?? '10',
  title,
  process: 'shell',
  pid: PID,
  bounds,
  tree: controlPart('shell', 'Pane', title, bounds, { children }),
  state: 'normal',
  frame: 'none',
  focus: undefined,
  shell,
  screen,
})

/** What a button of the shell shows and does. */
export interface ShellButton {
  readonly icon?: string
  readonly appKind?: AppKind | undefined
  readonly command?: ShellCommand
}

/** A button of the shell. */
export const shellButton = (
  id: string,
  name: string,
  bounds: Rect,
  { icon, appKind, command }: ShellButton = {},
  more: Fields<Element> = {},
): Element =>
  controlPart(id, 'Button', name, bounds, {
    ...more,
    traits: {
      ...(icon !== undefined && { icon }),
      ...(appKind && { appKind }),
      ...(command && { shellCommand: command }),
      ...more.traits,
    },
  })

/**
 * The new element, with the old one and its descendants where nothing changed. Elements keep whether they are focused.
 */
export function reconcile(old: Element | undefined, made: Element): Element {
  if (!old || old.role !== made.role) return made
  const before = new Map(old.children.map((child) => [child.id, child]))
  const children = made.children.map((child) => reconcile(before.get(child.id), child))
  const isSame = children.length === old.children.length && children.every((child, at) => child === old.children[at])
  const next = { ...made, focused: old.focused, children: isSame ? old.children : children }
  return isAlike(old, next) ? old : controlPart(next.id, next.role, next.name, next.bounds, next)
}

const plain = (value: unknown): string => JSON.stringify(value) ?? ''

function isAlike(old: Element, made: Element): boolean {
  if (old.children !== made.children) return false
  const { children: _, ...a } = old
  const { children: __, ...b } = made
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof typeof a>)
    if (a[key] !== b[key] && plain(a[key]) !== plain(b[key])) return false
  return true
}
