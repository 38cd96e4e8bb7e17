import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, walk } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { formCardsOf } from '../../desktop/style/form-cards.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import { placed } from '../../desktop/tree/reposition.ts'
import { isDialogWindow } from '../../desktop/windows/dialog-window.ts'
import { isFormIn } from './form.ts'
import { layOutWindow } from './layout.ts'

/** While a form scrolls, its rows do not get higher with it. The last times make up for what is rounded. */
const MAX_TIMES = 5

/**
 * A dialog that is laid out, made higher for the rows of its form as far as an area reaches, where the style does so. A form
 * that does not grow with its window is left as it is.
 */
export function withRoomForForm(window: Window, area: Rect, metrics: Metrics): Window {
  if (!metrics.form?.growsDialog || window.state !== 'normal' || !isDialogWindow(window)) return window
  const before = missingIn(window, metrics)
  let grown = window
  let missing = before
  for (let time = 0; time < MAX_TIMES && missing > 0; time++) {
    const { bounds, tree } = grown
    const by = Math.min(missing, area.y + area.height - (bounds.y + bounds.height))
    if (by <= 0) break
    const higher = { ...bounds, height: bounds.height + by }
    grown = layOutWindow({ ...grown, bounds: higher, tree: placed(tree, higher) }, metrics)
    missing = missingIn(grown, metrics)
  }
  return missing < before ? grown : window
}

/** How much lower the form of a window is than its rows would be, in pixels. With several, that of which most is missing. */
const missingIn = ({ tree }: Window, metrics: Metrics): number =>
  Math.max(0, ...[...walk(tree)].filter((each) => isFormIn(metrics, each)).map((form) => shortOf(form, metrics)))

function shortOf(form: Element, metrics: Metrics): number {
  const { row, minRow, choice, minChoice } = metrics.form!
  return formCardsOf(form, metrics).reduce((sum, { bounds, lines, holdsChoices }) => {
    const [wanted, least] = holdsChoices ? [choice, minChoice] : [row, minRow]
    const rows = lines.length + 1
    // In a form that scrolls, rows may be lower than the least.
    return sum + Math.max(0, Math.min(rows * wanted - bounds.height, rows * (wanted - least)))
  }, 0)
}
