import { formLabelPlace } from '../../desktop/caption.ts'
import { directionOf } from '../../desktop/model/bidi.ts'
import {
  axisLines,
  type ChartGeometry,
  type ChartPoint,
  chartGeometry,
  isDataPoint,
  sectorPath,
  shareInPercent,
} from '../../desktop/model/chart.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { flowRichText, HEADING_SCALE, type RichFragment } from '../../desktop/model/rich-flow.ts'
import type { TextColour } from '../../desktop/model/rich-text.ts'
import { textWidth } from '../../desktop/model/text-width.ts'
import { box, type DrawOp, path, picture, solid, text } from '../frame/draw-op.ts'
import { baselineIn, label } from '../frame/label.ts'
import { knownIcon } from '../icons.ts'
import { type Font, widthOf } from '../text/fonts.ts'
import { elide, wrap } from '../text/text.ts'
import type { Theme } from '../theme/theme.ts'
import { cornerBadge, drawAvatar, VEIL } from './item-content.ts'
import {
  fontFor,
  iconIn,
  inkOf,
  inset,
  type PaintContext,
  pictureInkOf,
  softInkOf,
  squareIn,
  trimStart,
  type WidgetPainter,
  withColon,
} from './widget.ts'

/** Text on its own, in as many lines as fit. */
export const words: WidgetPainter = (element, setting) => {
  const { bounds } = element
  if (element.traits?.formLabel?.isEnd) return { ops: groupName(element, setting) }
  const formatted = richOps(element, setting)
  if (formatted) return { ops: formatted }
  const content = contentOf(element, setting)
  const isHeading = element.role.toLowerCase() === 'heading'
  const isSmall = setting.tone === 'bar'
  const font = fontFor(setting.theme, bounds.height, isHeading ? 'heading' : isSmall ? 'small' : 'text')
  const isSoft = isSmall || element.role.toLowerCase() === 'caption'
  const colour = isSoft ? softInkOf(element, setting) : inkOf(element, setting)
  const align = setting.parent === 'calendar' ? 'center' : 'left'
  const lineHeight = Math.round(font.size * 1.4)
  const room = Math.floor(bounds.height / lineHeight)
  if (room < 2) return { ops: label(isSmall ? inset(bounds, 8, 0) : bounds, content, { font, colour, align }) }
  const lines = wrap(content, bounds.width, font, room + 1)
  if (lines.length === 1) return { ops: label(bounds, content, { font, colour }) }
  const direction = directionOf(content)
  const ops: DrawOp[] = []
  lines.slice(0, room).forEach((line, row) => {
    const place = { ...bounds, y: bounds.y + row * lineHeight, height: lineHeight }
    const isCut = row === room - 1 && lines.length > room
    const rest = content.slice(line.from)
    if (isCut) ops.push(...label(place, rest, { font, colour, direction }))
    else if (line.text.trim() !== '')
      ops.push(text(place.x, baselineIn(place, font), line.text.trimEnd(), font, colour, direction))
  })
  return { ops }
}

/** The name of a group of choices in a form, which ends like the names of the other controls. */
function groupName(element: Element, setting: PaintContext): readonly DrawOp[] {
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
    return { ops: [...drawAvatar(element, setting, disc), ...cornerBadge(element, setting, disc)] }
  }
  const shown = element.traits?.chart ? chartOps(element, setting) : pictureOps(element, setting)
  if (shown) return { ops: shown }
  // The chart draws its values.
  if (setting.parent === 'image' && isDataPoint(element.role)) return { ops: [] }
  const known = knownIcon(element.traits?.icon)
  const smaller = Math.min(bounds.width, bounds.height)
  if (known) {
    const op = iconIn(bounds, known, Math.min(smaller, 48), pictureInkOf(element, setting))
    return { ops: [op, ...cornerBadge(element, setting, op.bounds)] }
  }
  if (smaller < 12) return { ops: [] }
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
    ops: [frame, iconIn(picture, 'image', size, theme.muted), ...(hasWords ? label(caption, element.name, style) : [])],
  }
}

const TITLE_PX = 24
const LINE_PX = 2
const SWATCH_PX = 12

/** A chart of the values of its children: their names, an axis with round numbers, and bars, a line or sectors. */
function chartOps(chart: Element, setting: PaintContext): readonly DrawOp[] {
  const { theme } = setting
  const geometry = chartGeometry(chart)
  const title = { ...inset(chart.bounds, 8, 0), height: TITLE_PX }
  const style = { font: fontFor(theme, TITLE_PX), colour: inkOf(chart, setting) }
  const content = chart.traits?.chart === 'pie' ? pieOps : axisOps
  return [
    box(chart.bounds, { fill: theme.field, border: theme.line }),
    ...label(title, chart.name, style),
    ...(geometry.plot.width > 0 && geometry.plot.height > 0 ? content(chart, geometry, setting) : []),
  ]
}

function axisOps(chart: Element, geometry: ChartGeometry, setting: PaintContext): readonly DrawOp[] {
  const { theme } = setting
  const { plot, points } = geometry
  const font = fontFor(theme, 18, 'small')
  const colour = softInkOf(chart, setting)
  const ops: DrawOp[] = []
  for (const { y, text: number, isZero } of axisLines(geometry)) {
    ops.push(solid({ x: plot.x, y, width: plot.width, height: 1 }, isZero ? theme.strong : theme.line))
    const place = { x: chart.bounds.x + 4, y: y - 9, width: Math.max(0, plot.x - chart.bounds.x - 10), height: 18 }
    ops.push(...label(place, number, { font, colour, align: 'right' }))
  }
  const series = chart.enabled ? theme.accent : theme.disabled
  if (chart.traits?.chart === 'line') ops.push(...lineOps(geometry, series, theme))
  else for (const { bounds } of points) ops.push(solid(bounds, series))
  points.forEach(({ label: place }, index) => {
    ops.push(...label(inset(place, 2, 0), chart.children[index]!.name, { font, colour, align: 'center' }))
  })
  return ops
}

function lineOps({ plot, points }: ChartGeometry, colour: string, theme: Theme): readonly DrawOp[] {
  const way = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x - plot.x} ${y - plot.y + LINE_PX}`)
  const ink = { ...plot, y: plot.y - LINE_PX, height: plot.height + 2 * LINE_PX }
  const line = points.length > 1 ? [path(ink, { path: way.join(' '), size: sizeOf(ink), colour, stroke: LINE_PX })] : []
  const markers = points.map(({ bounds }) =>
    box(bounds, { fill: theme.field, border: colour, thickness: LINE_PX, radius: bounds.width / 2 }),
  )
  return [...line, ...markers]
}

const sizeOf = ({ width, height }: Rect) => ({ width, height })

function pieOps(chart: Element, geometry: ChartGeometry, setting: PaintContext): readonly DrawOp[] {
  const { theme } = setting
  const style = { font: fontFor(theme, 18, 'small'), colour: inkOf(chart, setting) }
  return geometry.points.flatMap((point, index) => {
    const colour = sectorColour(theme, index, chart.enabled)
    const swatch = box(squareIn(point.label, SWATCH_PX), { fill: colour, border: theme.strong, radius: 2 })
    const name = `${chart.children[index]!.name} (${shareInPercent(point, geometry)} %)`
    const words = label(trimStart(point.label, SWATCH_PX + 6), name, style)
    return [...sectorOps(geometry.plot, point, colour, theme), swatch, ...words]
  })
}

/** A sector and a line around it, so that sectors of equal colours differ. */
function sectorOps(plot: Rect, { sector: share }: ChartPoint, colour: string, theme: Theme): readonly DrawOp[] {
  const sector = sectorPath(plot.width, plot.width / 2 - LINE_PX, share)
  if (sector === undefined) return []
  const style = { path: sector, size: sizeOf(plot) }
  return [path(plot, { ...style, colour }), path(plot, { ...style, colour: theme.field, stroke: 1 })]
}

function sectorColour(theme: Theme, index: number, isOn: boolean): string {
  const colours = chartColours(theme)
  return isOn ? colours[index % colours.length]! : theme.disabled
}

/** The picture file of an image, as large as fits with its proportions. Undefined without one, and for a secret one. */
function pictureOps({ bounds, traits, enabled }: Element, { theme }: PaintContext): readonly DrawOp[] | undefined {
  const { picture: file, secret } = traits ?? {}
  if (!file || secret) return undefined
  const place = fitted(bounds, file.width, file.height)
  if (place.width === 0 || place.height === 0) return []
  const shown = picture(place, file)
  return enabled ? [shown] : [shown, solid(place, `${theme.window.surface}${VEIL}`)]
}

/** The largest rectangle of these proportions in the middle of an area. */
function fitted({ x, y, width, height }: Rect, across: number, down: number): Rect {
  const ratio = Math.min(width / across, height / down)
  const size = { width: Math.round(across * ratio), height: Math.round(down * ratio) }
  return { x: x + ((width - size.width) >> 1), y: y + ((height - size.height) >> 1), ...size }
}

const COLOURS: Readonly<Record<TextColour, (theme: Theme) => string>> = {
  accent: ({ accent }) => accent,
  danger: ({ danger }) => danger,
  muted: ({ muted }) => muted,
}
const BOLD = 700

/** A text with styles and links. Undefined for plain text, and for one that changed since it was formatted. */
function richOps(element: Element, setting: PaintContext): readonly DrawOp[] | undefined {
  const { bounds, name, traits } = element
  const { rich } = traits ?? {}
  if (!rich || rich.text !== name || traits?.secret || setting.tone === 'bar') return undefined
  const { text: metrics } = setting.theme.metrics
  const { line: height, body } = metrics
  const blanks = (part: string): number => textWidth(part, body, metrics.family)
  const painted = new Map<RichFragment, readonly DrawOp[]>()
  const fragments = flowRichText(rich, bounds.width, metrics)
  // Where the painted parts of the current line end.
  let end = { line: -1, x: 0 }
  for (const fragment of fragments.toSorted((a, b) => a.line - b.line || a.x - b.x)) {
    const y = bounds.y + fragment.line * height
    if (y + height > bounds.y + Math.max(bounds.height, height)) break
    const font = fontOf(fragment, setting)
    const { text: whole, isReversed, span } = fragment
    const shownText = whole.trim()
    const before = whole.slice(0, whole.length - whole.trimStart().length)
    const after = whole.slice(whole.trimEnd().length)
    const isNext = metrics.isJoined && end.line === fragment.line
    const x = Math.round(isNext ? end.x : fragment.x) + (shownText === '' ? 0 : blanks(isReversed ? after : before))
    const words = shownText === '' ? '' : elide(shownText, bounds.width - x + 1, font)
    end = {
      line: fragment.line,
      x: shownText === '' ? x + blanks(whole) : x + widthOf(words, font) + blanks(isReversed ? before : after),
    }
    if (words === '') continue
    const line = { x: bounds.x + x, y, width: fragment.width, height }
    const colour = colourOf(element, fragment, setting)
    const shown = text(line.x, baselineIn(line, font), words, font, colour, directionOf(words))
    const underline = solid({ x: line.x, y: y + height - 3, width: shown.run?.bounds.width ?? 0, height: 1 }, colour)
    painted.set(fragment, span?.link === undefined ? [shown] : [shown, underline])
  }
  return fragments.flatMap((fragment) => painted.get(fragment) ?? [])
}

function fontOf({ span }: RichFragment, { theme }: PaintContext): Font {
  const plain = fontFor(theme, 2 * theme.metrics.text.body)
  return {
    ...plain,
    ...((span?.bold || span?.heading) && { weight: BOLD }),
    ...(span?.heading && { size: plain.size * HEADING_SCALE }),
    ...(span?.italic && { isItalic: true as const }),
  }
}

function colourOf(element: Element, { span }: RichFragment, setting: PaintContext): string {
  const plain = inkOf(element, setting)
  if (!element.enabled || setting.tone !== 'plain' || !span) return plain
  if (span.link !== undefined) return setting.theme.link
  return span.colour ? COLOURS[span.colour](setting.theme) : plain
}

/** The colours of the values of a chart, the first for the first value. Further values begin again. */
export const chartColours = ({ chart, accent, danger, muted, window, strong }: Theme): readonly string[] =>
  chart ?? [accent, window.maximize, window.minimize, danger, muted, strong]
