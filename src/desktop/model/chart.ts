import type { Element } from './element.ts'
import type { Rect } from './geometry.ts'

const TITLE_PX = 24
const LABELS_PX = 20
/** The space left of the bars, for the numbers of the axis. */
const AXIS_PX = 44
const EDGE_PX = 8
const MARKER_PX = 10
const MAX_BAR_PX = 64
const LEGEND_LINE_PX = 22
/** The share of a chart's width that the legend of a pie takes. */
const LEGEND_SHARE = 0.4

/** The values of a chart and where it draws them, in pixels of the screen. */
export interface ChartGeometry {
  /** Where bars, lines or the pie are drawn. */
  readonly plot: Rect
  /** The least and the greatest number of the axis. */
  readonly least: number
  readonly most: number
  readonly step: number
  /** The middle of each point; its bar from the zero line; the place of its label. */
  readonly points: readonly ChartPoint[]
}

/** A value of a chart. */
export interface ChartPoint {
  readonly value: number
  readonly x: number
  readonly y: number
  /** What is clicked: a bar, a marker, a square inside a sector. */
  readonly bounds: Rect
  readonly label: Rect
  /** The start and the end of the sector of a pie, as shares of a turn from the top clockwise. */
  readonly sector: readonly [from: number, to: number]
}

/** Whether a role is that of a value of a chart. */
export const isDataPoint = (role: string): boolean => role.toLowerCase().replace(/[ _-]/g, '') === 'datapoint'

/** The value of a point of a chart; 0 without one. */
export const pointValue = ({ valueNow }: Element): number =>
  valueNow !== undefined && Number.isFinite(valueNow) ? valueNow : 0

/** Where a chart draws the values of its children. Layout, hit tests and paint use the same places. */
export function chartGeometry(chart: Element): ChartGeometry {
  const values = chart.children.map(pointValue)
  return chart.traits?.chart === 'pie' ? pieGeometry(chart, values) : axisGeometry(chart, values)
}

function axisGeometry({ bounds, name, traits }: Element, values: readonly number[]): ChartGeometry {
  const top = name === '' ? EDGE_PX : TITLE_PX + EDGE_PX
  const plot = {
    x: bounds.x + AXIS_PX,
    y: bounds.y + top,
    width: Math.max(0, bounds.width - AXIS_PX - EDGE_PX),
    height: Math.max(0, bounds.height - top - LABELS_PX - EDGE_PX),
  }
  const { least, most, step } = axisOf(Math.min(0, ...values), Math.max(0, ...values))
  const heightOf = (value: number) => Math.round(plot.y + plot.height * (1 - (value - least) / (most - least)))
  const zero = heightOf(0)
  const band = values.length === 0 ? 0 : plot.width / values.length
  const points = values.map((value, index) => {
    const x = Math.round(plot.x + band * (index + 0.5))
    const y = heightOf(value)
    const label = {
      x: Math.round(plot.x + band * index),
      y: plot.y + plot.height + 2,
      width: Math.floor(band),
      height: LABELS_PX,
    }
    const width = Math.max(1, Math.min(MAX_BAR_PX, Math.round(band * 0.64)))
    const bar = { x: x - (width >> 1), y: Math.min(y, zero), width, height: Math.max(1, Math.abs(y - zero)) }
    const marker = { x: x - MARKER_PX / 2, y: y - MARKER_PX / 2, width: MARKER_PX, height: MARKER_PX }
    return { value, x, y, bounds: traits?.chart === 'line' ? marker : bar, label, sector: NO_SECTOR }
  })
  return { plot, least, most, step, points }
}

const NO_SECTOR = [0, 0] as const
const MAX_LINES = 5

/** The ends of an axis around two numbers, and a round step between its lines. */
function axisOf(from: number, to: number): { readonly least: number; readonly most: number; readonly step: number } {
  const span = to - from || 1
  const power = 10 ** Math.floor(Math.log10(span / MAX_LINES))
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => span / each <= MAX_LINES) ?? 10 * power
  const least = Math.floor(from / step) * step
  return { least, most: Math.max(least + step, Math.ceil(to / step) * step), step }
}

function pieGeometry({ bounds, name }: Element, values: readonly number[]): ChartGeometry {
  const top = name === '' ? EDGE_PX : TITLE_PX + EDGE_PX
  const room = {
    width: Math.round(bounds.width * (1 - LEGEND_SHARE)) - 2 * EDGE_PX,
    height: bounds.height - top - EDGE_PX,
  }
  const size = Math.max(0, Math.min(room.width, room.height))
  const plot = { x: bounds.x + EDGE_PX, y: bounds.y + top, width: size, height: size }
  const legend = plot.x + size + 2 * EDGE_PX
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0)
  let turned = 0
  const points = values.map((value, index) => {
    const share = total > 0 ? Math.max(0, value) / total : 0
    const sector = [turned, turned + share] as const
    turned += share
    const radius = share > 0.99 ? 0 : size * 0.32
    const x = Math.round(plot.x + size / 2 + radius * Math.sin((sector[0] + sector[1]) * Math.PI))
    const y = Math.round(plot.y + size / 2 - radius * Math.cos((sector[0] + sector[1]) * Math.PI))
    const side = Math.max(1, Math.min(Math.round(size / 5), Math.round(size * 2 * share)))
    const square = { x: x - (side >> 1), y: y - (side >> 1), width: side, height: side }
    const width = Math.max(0, bounds.x + bounds.width - EDGE_PX - legend)
    const label = { x: legend, y: plot.y + index * LEGEND_LINE_PX, width, height: LEGEND_LINE_PX }
    return { value, x, y, bounds: square, label, sector }
  })
  return { plot, least: 0, most: total, step: total, points }
}

const isZero = (value: number, step: number): boolean => Math.abs(value) < step / 2

/** The lines of an axis: their values, places, and numbers with as many decimals as the step has. */
export function axisLines({ plot, least, most, step }: ChartGeometry): readonly AxisLine[] {
  const lines: AxisLine[] = []
  const decimals = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) - 0.4 + 1e-9)))
  for (let line = 0; least + line * step <= most + step / 2; line++) {
    const value = least + line * step
    const y = Math.round(plot.y + plot.height * (1 - (value - least) / (most - least)))
    const zero = isZero(value, step)
    lines.push({ y, text: (zero ? 0 : value).toFixed(decimals), isZero: zero })
  }
  return lines
}

interface AxisLine {
  readonly y: number
  readonly text: string
  readonly isZero: boolean
}

/** The share of a value of a pie, in whole per cent. */
export const shareInPercent = ({ value }: ChartPoint, { most }: ChartGeometry): number =>
  most > 0 ? Math.round((100 * Math.max(0, value)) / most) : 0

/** An SVG path of a sector of a pie that is `size` pixels wide and `radius` large. Undefined for an empty one. */
export function sectorPath(size: number, radius: number, [from, to]: ChartPoint['sector']): string | undefined {
  if (to - from <= 0) return undefined
  const middle = size / 2
  const at = (share: number) => {
    const angle = share * 2 * Math.PI
    return `${round(middle + radius * Math.sin(angle))} ${round(middle - radius * Math.cos(angle))}`
  }
  const arc = (end: number, isLarge: boolean) => `A${round(radius)} ${round(radius)} 0 ${isLarge ? 1 : 0} 1 ${at(end)}`
  if (to - from > 0.999) return `M${at(0)} ${arc(0.5, false)} ${arc(1, false)} Z`
  return `M${round(middle)} ${round(middle)} L${at(from)} ${arc(to, to - from > 0.5)} Z`
}

/** Coordinates with few digits, so that small differences of a machine's sine do not show. */
const round = (length: number): number => Math.round(length * 100) / 100
