import { type ChartGeometry, type ChartPoint, chartGeometry } from '../../desktop/model/chart.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { box, type Mark, path, solid } from '../frame/mark.ts'
import { chartColours } from '../styles/chart-colours.ts'
import type { Theme } from '../styles/tokens.ts'
import { label } from '../text/text.ts'
import { after, fontFor, inkOf, inset, type PaintContext, softInkOf, squareIn } from './widget.ts'

const TITLE_PX = 24
const LINE_PX = 2
const SWATCH_PX = 12

/** A chart of the values of its children: their names, an axis with round numbers, and bars, a line or sectors. */
export function chartMarks(chart: Element, setting: PaintContext): readonly Mark[] {
  const { theme } = setting
  const geometry = chartGeometry(chart)
  const title = { ...inset(chart.bounds, 8, 0), height: TITLE_PX }
  const style = { font: fontFor(theme, TITLE_PX), colour: inkOf(chart, setting) }
  const content = chart.traits?.chart === 'pie' ? pieMarks : axisMarks
  return [
    box(chart.bounds, { fill: theme.field, border: theme.line }),
    ...label(title, chart.name, style),
    ...(geometry.plot.width > 0 && geometry.plot.height > 0 ? content(chart, geometry, setting) : []),
  ]
}

function axisMarks(chart: Element, geometry: ChartGeometry, setting: PaintContext): readonly Mark[] {
  const { theme } = setting
  const { plot, least, most, step, points } = geometry
  const font = fontFor(theme, 18, 'small')
  const colour = softInkOf(chart, setting)
  const marks: Mark[] = []
  for (let line = 0; least + line * step <= most + step / 2; line++) {
    const value = least + line * step
    const y = Math.round(plot.y + plot.height * (1 - (value - least) / (most - least)))
    marks.push(solid({ x: plot.x, y, width: plot.width, height: 1 }, isZero(value, step) ? theme.strong : theme.line))
    const place = { x: chart.bounds.x + 4, y: y - 9, width: Math.max(0, plot.x - chart.bounds.x - 10), height: 18 }
    marks.push(...label(place, numberText(value, step), { font, colour, align: 'right' }))
  }
  const series = chart.enabled ? theme.accent : theme.disabled
  if (chart.traits?.chart === 'line') marks.push(...lineMarks(geometry, series, theme))
  else for (const { bounds } of points) marks.push(solid(bounds, series))
  points.forEach(({ label: place }, index) => {
    marks.push(...label(inset(place, 2, 0), chart.children[index]!.name, { font, colour, align: 'center' }))
  })
  return marks
}

const isZero = (value: number, step: number): boolean => Math.abs(value) < step / 2

/** A number with as many decimals as the step of its axis has. */
const numberText = (value: number, step: number): string =>
  (isZero(value, step) ? 0 : value).toFixed(Math.max(0, Math.min(6, -Math.floor(Math.log10(step) - 0.4 + 1e-9))))

function lineMarks({ plot, points }: ChartGeometry, colour: string, theme: Theme): readonly Mark[] {
  const way = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x - plot.x} ${y - plot.y + LINE_PX}`)
  const ink = { ...plot, y: plot.y - LINE_PX, height: plot.height + 2 * LINE_PX }
  const line = points.length > 1 ? [path(ink, { path: way.join(' '), size: sizeOf(ink), colour, stroke: LINE_PX })] : []
  const markers = points.map(({ bounds }) =>
    box(bounds, { fill: theme.field, border: colour, thickness: LINE_PX, radius: bounds.width / 2 }),
  )
  return [...line, ...markers]
}

const sizeOf = ({ width, height }: Rect) => ({ width, height })

function pieMarks(chart: Element, { plot, points, most }: ChartGeometry, setting: PaintContext): readonly Mark[] {
  const { theme } = setting
  const style = { font: fontFor(theme, 18, 'small'), colour: inkOf(chart, setting) }
  return points.flatMap((point, index) => {
    const colour = sectorColour(theme, index, chart.enabled)
    const share = most > 0 ? Math.round((100 * Math.max(0, point.value)) / most) : 0
    const swatch = box(squareIn(point.label, SWATCH_PX), { fill: colour, border: theme.strong, radius: 2 })
    const words = label(after(point.label, SWATCH_PX + 6), `${chart.children[index]!.name} (${share} %)`, style)
    return [...sectorMarks(plot, point, colour, theme), swatch, ...words]
  })
}

/** A sector and a line around it, so that sectors of equal colours differ. */
function sectorMarks(plot: Rect, { turn: [from, to] }: ChartPoint, colour: string, theme: Theme): readonly Mark[] {
  if (to - from <= 0) return []
  const middle = plot.width / 2
  const radius = middle - LINE_PX
  const at = (turn: number) => {
    const angle = turn * 2 * Math.PI
    return `${round(middle + radius * Math.sin(angle))} ${round(middle - radius * Math.cos(angle))}`
  }
  const arc = (end: number, isLarge: boolean) => `A${round(radius)} ${round(radius)} 0 ${isLarge ? 1 : 0} 1 ${at(end)}`
  const whole = `M${at(0)} ${arc(0.5, false)} ${arc(1, false)} Z`
  const sector = `M${round(middle)} ${round(middle)} L${at(from)} ${arc(to, to - from > 0.5)} Z`
  const style = { path: to - from > 0.999 ? whole : sector, size: sizeOf(plot) }
  return [path(plot, { ...style, colour }), path(plot, { ...style, colour: theme.field, stroke: 1 })]
}

/** Coordinates with few digits, so that small differences of a machine's sine do not show. */
const round = (length: number): number => Math.round(length * 100) / 100

function sectorColour(theme: Theme, index: number, isOn: boolean): string {
  const colours = chartColours(theme)
  return isOn ? colours[index % colours.length]! : theme.disabled
}
