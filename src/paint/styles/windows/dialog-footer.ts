import { type Element, walk } from '../../../desktop/model/element.ts'
import { kindOf } from '../../../desktop/model/role.ts'
import { raisedTabsEnd } from '../../../desktop/windows/frame.ts'
import type { PaintContext } from '../../context.ts'
import { box, type Mark, solid } from '../../frame/mark.ts'
import type { Theme } from '../tokens.ts'
import { windowsColours } from './tokens.ts'

/** The space above and below the buttons of a dialog. */
const AROUND = 16
/** Buttons further from the bottom are content. */
const MAX_BELOW = 40

/** The band behind the row of buttons at the bottom of a dialog. */
export function dialogFooter(dialog: Element, { theme }: PaintContext): readonly Mark[] {
  const { x, y, width, height } = dialog.bounds
  const buttons = [...walk(dialog)].filter((each) => kindOf(each.role) === 'button' && !each.traits?.hidden)
  const lowest = Math.max(...buttons.map(({ bounds }) => bounds.y + bounds.height))
  const row = buttons.filter(({ bounds }) => bounds.y + bounds.height === lowest)
  const top = Math.min(...row.map(({ bounds }) => bounds.y)) - AROUND
  if (buttons.length === 0 || y + height - lowest > MAX_BELOW || top <= y + AROUND) return []
  if (kindOf(dialog.role) !== 'dialog') return windowBody(dialog, top, theme)
  const { card } = theme.metrics.radius
  const band = { x: x + 1, y: top, width: Math.max(0, width - 2), height: y + height - 1 - top }
  return [
    box(band, { fill: theme.window.surface, radius: [0, 0, card - 1, card - 1] }),
    solid({ ...band, height: 1 }, theme.line),
  ]
}

/** The content of a window that is a dialog, between its title or tabs and its buttons. */
function windowBody(window: Element, bottom: number, theme: Theme): readonly Mark[] {
  const { bounds } = window
  const top = Math.max(bounds.y + theme.metrics.title.height, raisedTabsEnd(window) ?? 0)
  const body = { x: bounds.x, y: top, width: bounds.width, height: Math.max(0, bottom - top) }
  return [solid(body, windowsColours(theme).content), solid({ ...body, y: bottom, height: 1 }, theme.line)]
}
