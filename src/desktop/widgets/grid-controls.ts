import { controlPart, type Element } from '../model/element.ts'
import { EMPTY_RECT, type Rect } from '../model/geometry.ts'
import type { GridColumn, GridControl, GridControlRole } from '../model/grid.ts'
import { ICON_NAMES, type IconName } from '../model/pictures.ts'
import { textWidth } from '../model/text-width.ts'

/** Controls in the cells of virtual tables: what a cell shows instead of its text. */

export const controlIdOf = (cell: string): string => `${cell}.control`

const EDGE_PX = 4
/** Where texts of cells begin, and controls without a face of their own. */
const TEXT_EDGE_PX = 8
const MAX_HEIGHT_PX = 30
const BUTTON_PADDING_PX = 20
/** At least as large as the texts of controls in any style. */
const FONT_PX = 16
const SIGN_PX = 20
const BAR_PX = 8

/** Controls whose face reaches beyond their content. */
const FACED: ReadonlySet<GridControlRole> = new Set(['Button', 'ComboBox'])

/** The control of a cell. Undefined for a cell without one, and where a text is empty that the control would show. */
export function controlIn(
  table: string,
  cell: { readonly id: string; readonly text: string; readonly bounds: Rect },
  { field, title, align = 'start', control }: GridColumn,
): Element | undefined {
  if (!control) return undefined
  const { text } = cell
  const { role, options = [], isFixed } = control
  const made = (name: string, width: number, height: number, more: Partial<Element> = {}): Element =>
    controlPart(
      controlIdOf(cell.id),
      role,
      name,
      within(cell.bounds, { width, height }, align, FACED.has(role) ? EDGE_PX : TEXT_EDGE_PX),
      {
        ...more,
        traits: { ...more.traits, column: `${table}.${field}` },
      },
    )
  const label = title || field
  const wide = cell.bounds.width - 2 * (FACED.has(role) ? EDGE_PX : TEXT_EDGE_PX)
  const tall = cell.bounds.height - 2 * EDGE_PX
  switch (role) {
    case 'CheckBox':
      return made(label, SIGN_PX, SIGN_PX, { selected: text === 'true', enabled: !isFixed })
    case 'ComboBox':
      return made(label, wide, tall, {
        value: text,
        children: options.map((option, index) =>
          controlPart(`${cell.id}.${index}`, 'ListItem', option, EMPTY_RECT, { selected: option === text }),
        ),
      })
    case 'ProgressBar':
      return made(label, wide, BAR_PX, {
        valueNow: Number(text) || 0,
        valueMin: 0,
        valueMax: 100,
      })
    case 'Button':
    case 'Hyperlink':
    case 'Image':
      return text === '' ? undefined : namedControl(control, text, { wide, tall }, made)
  }
}

/** A control that shows the text of its cell, or an icon with that name. */
function namedControl(
  { role, icon }: GridControl,
  text: string,
  { wide, tall }: { readonly wide: number; readonly tall: number },
  made: (name: string, width: number, height: number, more?: Partial<Element>) => Element,
): Element {
  if (role === 'Image') {
    const shown = icon ?? iconNamed(text)
    return made(text, SIGN_PX, SIGN_PX, shown === undefined ? {} : { traits: { icon: shown } })
  }
  if (role === 'Hyperlink') return made(text, Math.min(wide, Math.ceil(textWidth(text, FONT_PX))), tall)
  if (icon !== undefined) return made(text, tall, tall, { traits: { icon, iconOnly: true } })
  return made(text, Math.min(wide, Math.ceil(textWidth(text, FONT_PX)) + BUTTON_PADDING_PX), tall)
}

const iconNamed = (text: string): IconName | undefined => ICON_NAMES.find((name) => name === text)

/** A place of a size in a cell: in the middle of its height, at its start, end or middle. */
function within(
  { x, y, width, height }: Rect,
  size: { readonly width: number; readonly height: number },
  align: NonNullable<GridColumn['align']>,
  least: number,
): Rect {
  const [w, h] = [Math.max(0, Math.min(size.width, width)), Math.max(0, Math.min(size.height, height, MAX_HEIGHT_PX))]
  const room = width - w
  const edge = Math.min(least, Math.floor(room / 2))
  const left = align === 'start' ? edge : align === 'end' ? room - edge : Math.floor(room / 2)
  return { x: x + left, y: y + Math.floor((height - h) / 2), width: w, height: h }
}
