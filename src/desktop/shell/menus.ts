import { type Desktop, isOnScreen, type Window } from '../model/desktop.ts'
import { controlPart, type Element, memoize, nodeAt, pathOf, withFields } from '../model/element.ts'
import { EMPTY_RECT, type Rect, sameRect } from '../model/geometry.ts'
import { roleKind } from '../model/role.ts'
import { type ShellText, shellText } from '../model/shell-texts.ts'
import { textWidth } from '../model/text-width.ts'
import type { EditCommand, WindowAction } from '../model/traits.ts'
import { styleMetrics } from '../style/style.ts'
import { isEnabled } from '../tree/element-ref.ts'
import { canRunTextCommand, isField } from '../widgets/edit.ts'
import { frameOf } from '../windows/frame.ts'
import { activeOwner, taskWindows } from '../windows/panel.ts'
import { blockerOf } from '../windows/stacking.ts'
import { isOpenPart } from './shell-elements.ts'

/** The menus of the menu bar. They act on the active window, and on the field in it that has the focus. */

/** The id of the element with the menus. */
export const MENUS_ID = 'shell.menus'

type Row =
  | {
      readonly id: string
      readonly name: string
      readonly isEnabled: boolean
      readonly shortcut?: string
      readonly isTicked?: boolean
      readonly does: Pick<NonNullable<Element['traits']>, 'shellCommand' | 'textCommand'>
    }
  | 'line'

interface MenuPlan {
  readonly id: string
  readonly name: string
  readonly rows: readonly Row[]
}

/** The window that the menus are for: the active one, or the front one below the launcher or a flyout. */
export function menuWindow(desktop: Desktop): Window | undefined {
  const front = (window: Window) => isOnScreen(window) && !window.notification
  if (isOpenPart(desktop.active)) return desktop.windows.find(front)
  return desktop.windows.find(({ uid }) => uid === desktop.active)
}

/** The menus of the active window: all, or only `Window` if it has a menu bar of its own. None without an active window. */
function menuPlans(desktop: Desktop): readonly MenuPlan[] {
  const window = menuWindow(desktop)
  if (!window) return []
  const windowMenu = menuOfWindows(desktop, window)
  return hasMenuBar(window.tree)
    ? [windowMenu]
    : [fileMenu(desktop, window), editMenu(desktop, window), viewMenu(desktop, window), windowMenu]
}

/**
 * What the menus show of the content of the active window: whether it has menus of its own, and which items work. All else
 * follows from what the other parts of the shell follow.
 */
export function menuStates(desktop: Desktop): string {
  const window = menuWindow(desktop)
  if (!window) return ''
  const field = focusedField(desktop, window)
  const working = EDIT_COMMANDS.filter((command) => field && canRunTextCommand(field, command, desktop.clipboard))
  const buttons = frameOf(window, styleMetrics(desktop.style))?.buttons ?? {}
  return [hasMenuBar(window.tree), window.busy === true, ...Object.keys(buttons), ...working].join()
}

const hasMenuBar = memoize(
  (element): boolean =>
    roleKind(element.role) === 'menubar' ||
    element.children.some((child) => child.children.length > 0 && hasMenuBar(child)),
)

const forWindow = (window: Window, to: WindowAction) =>
  ({ shellCommand: { does: 'window', to, window: window.uid } }) as const

const hasButton = (desktop: Desktop, window: Window, name: 'minimize' | 'maximize'): boolean =>
  frameOf(window, styleMetrics(desktop.style))?.buttons[name] !== undefined

const fileMenu = (desktop: Desktop, window: Window): MenuPlan => ({
  id: 'file',
  name: shellText(desktop, 'File'),
  rows: [
    {
      id: 'close',
      name: shellText(desktop, 'Close Window'),
      isEnabled: !window.busy,
      shortcut: 'Alt+F4',
      does: forWindow(window, 'close'),
    },
  ],
})

const EDIT_ROWS: readonly (readonly [command: EditCommand, name: ShellText, shortcut: string] | 'line')[] = [
  ['undo', 'Undo', 'Ctrl+Z'],
  ['redo', 'Redo', 'Ctrl+Shift+Z'],
  'line',
  ['cut', 'Cut', 'Ctrl+X'],
  ['copy', 'Copy', 'Ctrl+C'],
  ['paste', 'Paste', 'Ctrl+V'],
  ['select-all', 'Select All', 'Ctrl+A'],
]

const EDIT_COMMANDS = EDIT_ROWS.flatMap((row) => (row === 'line' ? [] : [row[0]]))

function editMenu(desktop: Desktop, window: Window): MenuPlan {
  const field = focusedField(desktop, window)
  const rows = EDIT_ROWS.map((row): Row => {
    if (row === 'line') return row
    const [command, name, shortcut] = row
    return {
      id: command,
      name: shellText(desktop, name),
      isEnabled: field !== undefined && canRunTextCommand(field, command, desktop.clipboard),
      shortcut,
      does: { textCommand: command },
    }
  })
  return { id: 'edit', name: shellText(desktop, 'Edit'), rows }
}

/** The field of a window that takes the keys. Undefined if none does. */
function focusedField(desktop: Desktop, window: Window): Element | undefined {
  const path = window.focus === undefined ? undefined : pathOf(window.tree, window.focus)
  if (!path || window.busy || blockerOf(desktop, window)) return undefined
  const element = nodeAt(window.tree, path)!
  return isField(element) && isEnabled({ window, path, element }) ? element : undefined
}

function viewMenu(desktop: Desktop, window: Window): MenuPlan {
  const isLarge = window.state === 'maximized'
  const row: Row = {
    id: 'full-screen',
    name: shellText(desktop, isLarge ? 'Exit Full Screen' : 'Enter Full Screen'),
    isEnabled: !window.busy && hasButton(desktop, window, 'maximize'),
    shortcut: isLarge ? 'Meta+Down' : 'Meta+Up',
    does: forWindow(window, 'zoom'),
  }
  return { id: 'view', name: shellText(desktop, 'View'), rows: [row] }
}

function menuOfWindows(desktop: Desktop, window: Window): MenuPlan {
  const owner = isOpenPart(desktop.active) ? window : activeOwner(desktop)
  return {
    id: 'window',
    name: shellText(desktop, 'Window'),
    rows: [
      {
        id: 'minimize',
        name: shellText(desktop, 'Minimize'),
        isEnabled: hasButton(desktop, window, 'minimize'),
        does: forWindow(window, 'minimize'),
      },
      {
        id: 'zoom',
        name: shellText(desktop, 'Zoom'),
        isEnabled: !window.busy && hasButton(desktop, window, 'maximize'),
        does: forWindow(window, 'zoom'),
      },
      'line',
      ...taskWindows(desktop).map(
        (each): Row => ({
          id: `window.${each.uid}`,
          name: each.title,
          isEnabled: true,
          isTicked: each.uid === owner?.uid,
          does: forWindow(each, 'activate'),
        }),
      ),
    ],
  }
}

/** Around the name of a menu, both sides together. */
const TITLE_PADDING_PX = 20
/** Names are written in a medium weight, which is a little wider than the measured one. */
const WEIGHT = 1.04

/** The menus in an area of the bar, as many as fit. An open menu stays open as long as its rows are the same. */
export function menuStrip(desktop: Desktop, area: Rect, before: Element | undefined): Element | undefined {
  const { body, family } = styleMetrics(desktop.style).text
  const menus: Element[] = []
  let { x } = area
  for (const plan of menuPlans(desktop)) {
    const width = Math.ceil(textWidth(plan.name, body, family) * WEIGHT) + TITLE_PADDING_PX
    if (x + width > area.x + area.width) break
    const made = menuElement(plan, { ...area, x, width })
    menus.push(
      asBefore(
        made,
        before?.children.find(({ id }) => id === made.id),
      ),
    )
    x += width
  }
  if (menus.length === 0) return undefined
  return controlPart(MENUS_ID, 'MenuBar', '', { ...area, width: x - area.x }, { children: menus })
}

function menuElement({ id, name, rows }: MenuPlan, bounds: Rect): Element {
  const children = rows.map((row, index) => {
    if (row === 'line') return controlPart(`shell.menu.${id}.line-${index}`, 'Separator', '', EMPTY_RECT)
    return controlPart(`shell.menu.${row.id}`, 'MenuItem', row.name, EMPTY_RECT, {
      enabled: row.isEnabled,
      keyboardShortcut: row.shortcut ?? null,
      ...(row.isTicked !== undefined && { selected: row.isTicked }),
      traits: row.does,
    })
  })
  return controlPart(`shell.menu.${id}`, 'Menu', name, bounds, { expanded: false, children })
}

/** The menu as open as it was, with its rows in the same places. */
function asBefore(made: Element, old: Element | undefined): Element {
  const isSame =
    old !== undefined &&
    sameRect(old.bounds, made.bounds) &&
    old.children.length === made.children.length &&
    old.children.every(({ id }, index) => id === made.children[index]!.id)
  if (!isSame) return made
  const children = made.children.map((row, index) => withFields(row, { bounds: old.children[index]!.bounds }))
  return withFields(made, { expanded: old.expanded, traits: old.traits, children })
}
