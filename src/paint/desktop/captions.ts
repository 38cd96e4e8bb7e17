import { type Element, valueText } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { kindOf } from '../../desktop/model/role.ts'
import { captionPlace, problemPlace } from '../../desktop/tree/caption.ts'
import type { Mark } from '../frame/mark.ts'
import { label, labels } from '../text/text.ts'
import { fontFor, inkOf, type PaintContext, softInkOf, withColon } from '../widgets/widget.ts'

/** The caption of a control, above or beside it, with the value of a slider. */
export function captionOf(element: Element, setting: PaintContext): readonly Mark[] {
  const { naming } = setting
  if (naming === 'shown' || naming === 'inside') return []
  const place = captionPlace(element, naming)
  if (naming === 'form') return formLabel(element, setting, place)
  const name = {
    content: element.name,
    font: fontFor(setting.theme, 18, 'caption'),
    colour: softInkOf(element, setting),
  }
  if (kindOf(element.role) !== 'slider') return label(place, name.content, name)
  const number = { content: valueText(element) ?? '', font: name.font, colour: inkOf(element, setting) }
  if (naming === 'value') return label(place, number.content, number)
  return labels(place, name, number)
}

/** The name of a control in a form, and the number of a slider: after the name, or after a slider whose name ends with a colon. */
function formLabel(element: Element, setting: PaintContext, place: Rect): readonly Mark[] {
  const isEnd = element.traits?.formLabel?.isEnd === true
  const font = fontFor(setting.theme, place.height)
  const content = isEnd ? withColon(element.name) : element.name
  const name = { content, font, colour: inkOf(element, setting) }
  const number =
    kindOf(element.role) === 'slider'
      ? {
          content: valueText(element) ?? '',
          font: fontFor(setting.theme, 18, 'caption'),
          colour: softInkOf(element, setting),
        }
      : undefined
  if (!isEnd) return number ? labels(place, name, number) : label(place, content, name)
  return [
    ...label(place, content, { ...name, align: 'right' }),
    ...(number ? label(captionPlace(element, 'value'), number.content, number) : []),
  ]
}

/** The message below a field with invalid content. */
export function problemMarks(element: Element, { theme }: PaintContext): readonly Mark[] {
  const { invalid } = element.traits ?? {}
  return invalid
    ? label(problemPlace(element), invalid.message, { font: fontFor(theme, 18, 'caption'), colour: theme.danger })
    : []
}
