import type { Desktop } from '../../model/desktop.ts'
import { type Element, withFields } from '../../model/element.ts'
import { EMPTY_RECT, type Point } from '../../model/geometry.ts'
import { part } from '../../model/part.ts'
import { kindOf } from '../../model/role.ts'
import type { ClipboardCommand } from '../../model/traits.ts'
import { changeRef, closest, type ElementRef, parentOf, refOf, refresh } from '../../tree/element-ref.ts'
import { visibilityOf } from '../../tree/visibility.ts'
import { openPopup } from '../popups/popup-placement.ts'
import { isField, runTextCommand } from './edit.ts'
import { editStateOf, selectedText } from './text.ts'

/** The context menu of a text field: in the tree while it is open. */

interface TextMenuRow {
  readonly command: ClipboardCommand
  readonly name: string
  readonly shortcut: string
  readonly applies: (field: Element, clipboard: string) => boolean
}

const hasSelection = (field: Element): boolean => !field.traits?.secret && selectedText(editStateOf(field)) !== ''
const isWritable = (field: Element): boolean => !field.traits?.readOnly

const ROWS: readonly TextMenuRow[] = [
  {
    command: 'cut',
    name: 'Cut',
    shortcut: 'Ctrl+X',
    applies: (field) => isWritable(field) && hasSelection(field),
  },
  { command: 'copy', name: 'Copy', shortcut: 'Ctrl+C', applies: hasSelection },
  {
    command: 'paste',
    name: 'Paste',
    shortcut: 'Ctrl+V',
    applies: (field, clipboard) => isWritable(field) && clipboard !== '',
  },
  {
    command: 'select-all',
    name: 'Select all',
    shortcut: 'Ctrl+A',
    applies: ({ value }) => value !== null && value !== '',
  },
]

/** Opens the context menu of a text field. Returns undefined for other elements. */
export function openTextMenu(desktop: Desktop, ref: ElementRef, at: Point): Desktop | undefined {
  const { element } = ref
  if (!isField(element) || element.children.some((child) => visibilityOf(element, child) === 'inline')) return undefined
  const id = `${element.id}.menu`
  const rows = ROWS.map(({ command, name, shortcut, applies }) =>
    part(`${id}.${command}`, 'MenuItem', name, EMPTY_RECT, {
      enabled: applies(element, desktop.clipboard),
      keyboardShortcut: shortcut,
      traits: { textCommand: command },
    }),
  )
  const menu = part(id, 'Menu', 'Edit', EMPTY_RECT, { traits: { transient: true }, children: rows })
  const added = changeRef(desktop, ref, (field) => withFields(field, { children: [...field.children, menu] }))
  return openPopup(added, refOf(added, { window: ref.window.uid, element: id }), { at })
}

/** Runs the command of a menu item on its field, after the menu has closed. */
export function pressInTextMenu(desktop: Desktop, item: ElementRef): Desktop {
  const { textCommand } = item.element.traits ?? {}
  const menu = closest(item, isTextMenu)
  const field = menu && parentOf(menu)
  const here = field && refresh(desktop, field)
  return here && textCommand ? runTextCommand(desktop, here, textCommand) : desktop
}

const isTextMenu = (element: Element): boolean => kindOf(element.role) === 'menu' && element.traits?.transient === true
