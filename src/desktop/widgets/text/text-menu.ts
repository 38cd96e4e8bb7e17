import type { Desktop } from '../../model/desktop.ts'
import { type Element, withFields } from '../../model/element.ts'
import { EMPTY_RECT, type Point } from '../../model/geometry.ts'
import { part } from '../../model/part.ts'
import { kindOf } from '../../model/role.ts'
import type { EditCommand } from '../../model/traits.ts'
import { changeRef, closest, type ElementRef, focusedRef, parentOf, refOf, refresh } from '../../tree/element-ref.ts'
import { visibilityOf } from '../../tree/visibility.ts'
import { openPopup } from '../popups/popup-placement.ts'
import { canRunTextCommand, isField, runTextCommand } from './edit.ts'

/** The context menu of a text field: in the tree while it is open. */

const ROWS: readonly (readonly [command: EditCommand, name: string, shortcut: string])[] = [
  ['cut', 'Cut', 'Ctrl+X'],
  ['copy', 'Copy', 'Ctrl+C'],
  ['paste', 'Paste', 'Ctrl+V'],
  ['select-all', 'Select all', 'Ctrl+A'],
]

/** Opens the context menu of a text field. Returns undefined for other elements. */
export function openTextMenu(desktop: Desktop, ref: ElementRef, at: Point): Desktop | undefined {
  const { element } = ref
  if (!isField(element) || element.children.some((child) => visibilityOf(element, child) === 'inline')) return undefined
  const id = `${element.id}.menu`
  const rows = ROWS.map(([command, name, shortcut]) =>
    part(`${id}.${command}`, 'MenuItem', name, EMPTY_RECT, {
      enabled: canRunTextCommand(element, command, desktop.clipboard),
      keyboardShortcut: shortcut,
      traits: { textCommand: command },
    }),
  )
  const menu = part(id, 'Menu', 'Edit', EMPTY_RECT, { traits: { transient: true }, children: rows })
  const added = changeRef(desktop, ref, (field) => withFields(field, { children: [...field.children, menu] }))
  return openPopup(added, refOf(added, { window: ref.window.uid, element: id }), { at })
}

/** Runs the command of a menu item on its field, after the menu has closed. An item of the menu bar has the focused field. */
export function pressInTextMenu(desktop: Desktop, item: ElementRef): Desktop {
  const { textCommand } = item.element.traits ?? {}
  const menu = closest(item, isTextMenu)
  const field = menu ? parentOf(menu) : focusedRef(desktop)
  const here = field && refresh(desktop, field)
  return here && textCommand && isField(here.element) ? runTextCommand(desktop, here, textCommand) : desktop
}

const isTextMenu = (element: Element): boolean => kindOf(element.role) === 'menu' && element.traits?.transient === true
