import type { Element } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { kindOf } from '../model/role.ts'
import type { Metrics } from './metrics.ts'

/** A card of a form, and the tops of the lines between its rows. */
export interface FormCard {
  readonly bounds: Rect
  readonly lines: readonly number[]
  /** Whether its rows are check boxes or radio buttons. */
  readonly holdsChoices: boolean
}

/** Whether an element is a check box or radio button, or a pane of a form that contains some. */
export const holdsChoices = ({ role, children }: Element): boolean =>
  kindOf(role) === 'pane' ? children.some(holdsChoices) : kindOf(role) === 'checkbox' || kindOf(role) === 'radio'

const isShown = ({ place, traits }: Element): boolean => place !== undefined && !traits?.hidden

/** The cards of a form that is laid out. None in styles without them. */
export function formCardsOf(form: Element, { form: metrics }: Metrics): readonly FormCard[] {
  if (metrics?.look !== 'cards') return []
  const { x, width } = form.bounds
  const cards: FormCard[] = []
  let rows: Element[] = []
  for (const child of form.children.filter(isShown)) {
    const isPane = kindOf(child.role) === 'pane'
    if (!holdsChoices(child)) rows.push(...(isPane ? child.children.filter(isShown) : [child]))
    else {
      endRows()
      cards.push({ bounds: { ...child.bounds, x, width }, lines: isPane ? linesIn(child) : [], holdsChoices: true })
    }
  }
  endRows()
  return cards

  /** A card around the rows so far, which are equally high. */
  function endRows(): void {
    if (rows.length === 0) return
    const middles = rows.map(({ bounds }) => bounds.y + bounds.height / 2)
    const steps = middles.slice(1).map((middle, index) => middle - middles[index]!)
    const half = Math.min(metrics!.row, ...steps) / 2
    const [top, bottom] = [Math.round(middles[0]! - half), Math.round(middles.at(-1)! + half)]
    const lines = middles.slice(1).map((middle, index) => Math.round((middle + middles[index]!) / 2))
    cards.push({ bounds: { x, y: top, width, height: bottom - top }, lines, holdsChoices: false })
    rows = []
  }
}

/** Between the rows of a pane of check boxes and radio buttons, or of its first column. */
function linesIn(pane: Element): readonly number[] {
  const shown = pane.children.filter(isShown)
  const [first] = shown
  if (first && kindOf(first.role) === 'pane') return linesIn(first)
  return shown.slice(1).map(({ bounds }) => bounds.y)
}
