import { directionOf } from '../../desktop/model/bidi.ts'
import { isDataPoint } from '../../desktop/model/chart.ts'
import type { Element } from '../../desktop/model/element.ts'
import { formLabelPlace } from '../../desktop/tree/caption.ts'
import { box, type Mark, text } from '../frame/mark.ts'
import { knownIcon } from '../icons.ts'
import { baselineIn, label, wrap } from '../text/text.ts'
import { avatarMarks } from './avatars.ts'
import { cornerBadge } from './badges.ts'
import { chartMarks } from './charts.ts'
import { pictureMarks } from './pictures.ts'
import { richMarks } from './rich-words.ts'
import {
  fontFor,
  iconIn,
  inkOf,
  inset,
  type PaintContext,
  pictureInkOf,
  softInkOf,
  squareIn,
  type WidgetPainter,
  withColon,
} from './widget.ts'

/** Text on its own, in as many lines as fit. */
export const words: WidgetPainter = (element, setting) => {
  const { bounds } = element
  if (element.traits?.formLabel?.isEnd) return { marks: groupName(element, setting) }
  const formatted = richMarks(element, setting)
  if (formatted) return { marks: formatted }
  const content = contentOf(element, setting)
  const isHeading = element.role.toLowerCase() === 'heading'
  const isSmall = setting.tone === 'bar'
  const font = fontFor(setting.theme, bounds.height, isHeading ? 'heading' : isSmall ? 'small' : 'text')
  const isSoft = isSmall || element.role.toLowerCase() === 'caption'
  const colour = isSoft ? softInkOf(element, setting) : inkOf(element, setting)
  const align = setting.parent === 'calendar' ? 'center' : 'left'
  const lineHeight = Math.round(font.size * 1.4)
  const room = Math.floor(bounds.height / lineHeight)
  if (room < 2) return { marks: label(isSmall ? inset(bounds, 8, 0) : bounds, content, { font, colour, align }) }
  const lines = wrap(content, bounds.width, font, room + 1)
  if (lines.length === 1) return { marks: label(bounds, content, { font, colour }) }
  const direction = directionOf(content)
  const marks: Mark[] = []
  lines.slice(0, room).forEach((line, row) => {
    const place = { ...bounds, y: bounds.y + row * lineHeight, height: lineHeight }
    const isCut = row === room - 1 && lines.length > room
    const rest = content.slice(line.from)
    if (isCut) marks.push(...label(place, rest, { font, colour, direction }))
    else if (line.text.trim() !== '')
      marks.push(text(place.x, baselineIn(place, font), line.text.trimEnd(), font, colour, direction))
  })
  return { marks }
}

/** The name of a group of choices in a form, which ends like the names of the other controls. */
function groupName(element: Element, setting: PaintContext): readonly Mark[] {
  const font = fontFor(setting.theme, element.bounds.height)
  return label(formLabelPlace(element), withColon(element.name), {
    font,
    colour: inkOf(element, setting),
    align: 'right',
  })
}

/** The content of a text: in a bar its value; elsewhere its name, and its value if different. */
function contentOf({ name, value }: Element, { tone }: PaintContext): string {
  if (value === null || value === '' || value === name) return name
  return name === '' || tone === 'bar' ? value : `${name}: ${value}`
}

/** An icon of the theme, or a frame with the picture's name. */
export const image: WidgetPainter = (element, setting) => {
  const { theme } = setting
  const { bounds } = element
  if (element.traits?.avatar !== undefined) {
    const side = Math.min(bounds.width, bounds.height)
    const disc = squareIn(bounds, side, (bounds.width - side) >> 1)
    return { marks: [...avatarMarks(element, setting, disc), ...cornerBadge(element, setting, disc)] }
  }
  const shown = element.traits?.chart ? chartMarks(element, setting) : pictureMarks(element, setting)
  if (shown) return { marks: shown }
  // The chart draws its values.
  if (setting.parent === 'image' && isDataPoint(element.role)) return { marks: [] }
  const known = knownIcon(element.traits?.icon)
  const smaller = Math.min(bounds.width, bounds.height)
  if (known) {
    const mark = iconIn(bounds, known, Math.min(smaller, 48), pictureInkOf(element, setting))
    return { marks: [mark, ...cornerBadge(element, setting, mark.ink)] }
  }
  if (smaller < 12) return { marks: [] }
  const frame = box(bounds, { fill: theme.selected, border: theme.line, radius: Math.min(6, Math.floor(smaller / 4)) })
  const size = Math.min(32, Math.max(12, Math.floor(smaller / 2)))
  const hasWords = element.name !== '' && bounds.height >= size + 40 && bounds.width >= 60
  const picture = hasWords ? { ...bounds, height: bounds.height - 24 } : bounds
  const caption = {
    ...inset(bounds, 6, 0),
    y: bounds.y + Math.floor(bounds.height / 2) + Math.floor(size / 2) - 4,
    height: 20,
  }
  const style = { font: fontFor(theme, 18, 'small'), colour: softInkOf(element, setting), align: 'center' } as const
  return {
    marks: [
      frame,
      iconIn(picture, 'image', size, theme.muted),
      ...(hasWords ? label(caption, element.name, style) : []),
    ],
  }
}
