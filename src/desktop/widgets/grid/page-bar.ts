import type { Element } from '../../model/element.ts'
import type { Rect } from '../../model/geometry.ts'
import type { VirtualGrid } from '../../model/grid.ts'
import type { IconName } from '../../model/icon.ts'
import { part } from '../../model/part.ts'
import { PAGES_HEIGHT_PX, pageCount, pageRange } from './geometry.ts'

const BUTTON_PX = 28
const GAP_PX = 4
const PADDING_PX = 8

/** A button that changes the page: its name, its icon, and the page that it shows. */
interface PageButton {
  readonly to: string
  readonly name: string
  readonly icon: IconName
  readonly target: (grid: VirtualGrid) => number
}

const BUTTONS: readonly PageButton[] = [
  { to: 'previous', name: 'Previous page', icon: 'chevron-left', target: ({ page }) => page - 1 },
  { to: 'next', name: 'Next page', icon: 'chevron-right', target: ({ page }) => page + 1 },
]

/** The bar below a table with pages: the records that are shown, and buttons. */
export function pageBar(table: Element, grid: VirtualGrid): Element {
  const { x, y, width, height } = table.bounds
  const bounds = { x, y: y + height - PAGES_HEIGHT_PX, width, height: PAGES_HEIGHT_PX }
  const id = `${table.id}.pages`
  const [first, last] = pageRange(grid)
  const count = grid.order.length
  const text = count === 0 ? 'No records' : `${first + 1}–${last} of ${count}`
  const right = x + width - PADDING_PX - BUTTONS.length * (BUTTON_PX + GAP_PX) + GAP_PX
  const place = (index: number): Rect => ({
    x: right + index * (BUTTON_PX + GAP_PX),
    y: bounds.y + (PAGES_HEIGHT_PX - BUTTON_PX) / 2,
    width: BUTTON_PX,
    height: BUTTON_PX,
  })
  const label = part(`${id}.text`, 'Text', text, {
    x: x + PADDING_PX,
    y: bounds.y,
    width: Math.max(0, right - x - 2 * PADDING_PX),
    height: PAGES_HEIGHT_PX,
  })
  const buttons = BUTTONS.map(({ to, name, icon, target }, index) =>
    part(`${id}.${to}`, 'Button', name, place(index), { enabled: isPage(grid, target(grid)), traits: { icon } }),
  )
  return part(id, 'ToolBar', 'Pages', bounds, { children: [label, ...buttons] })
}

/** The page that a button of the bar shows. Undefined for other elements, and without such a page. */
export function pageBehind(table: Element, { id }: Element): number | undefined {
  const { grid } = table.traits ?? {}
  const button = BUTTONS.find(({ to }) => id === `${table.id}.pages.${to}`)
  const page = grid && button?.target(grid)
  return page !== undefined && isPage(grid!, page) ? page : undefined
}

const isPage = (grid: VirtualGrid, page: number): boolean => page >= 0 && page < pageCount(grid)
