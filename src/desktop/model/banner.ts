import type { BannerMetrics } from '../style/metrics.ts'
import type { Rect } from './geometry.ts'
import type { AppKind } from './pictures.ts'

/** How a notification looks in a style that has a row for its application. Rectangles are relative to its corner. */
export interface Banner {
  /** The application that it is from. */
  readonly app?: { readonly name: string; readonly kind?: AppKind }
  /** The row of the application. Absent where the style shows only its picture. */
  readonly row?: Rect
  /** The picture of a person or, without one, of the application. */
  readonly picture?: Rect
  readonly words: Rect
  /** Three dots, which are only painted. */
  readonly more?: Rect
  /** At the end of the line of its name. */
  readonly time?: string
}

/** What the size of a notification depends on. */
interface BannerContent {
  readonly hasTitle: boolean
  readonly hasPicture: boolean
  /** The width of its longest text in one line. */
  readonly wordsWidth: number
  /** The number of lines of its text in a width. */
  readonly linesIn: (width: number) => number
  /** The least widths of its buttons. */
  readonly buttons: readonly number[]
}

/** The places of the parts of a notification, relative to its corner. */
export interface BannerPlan extends Pick<Banner, 'row' | 'picture' | 'words' | 'more'> {
  readonly width: number
  readonly height: number
  readonly buttons: readonly Rect[]
  readonly close?: Rect
}

/** Places the parts of a notification: in a card with buttons of equal width below its text, or in one row. */
export const bannerPlan = (content: BannerContent, metrics: BannerMetrics): BannerPlan =>
  metrics.look === 'pill' ? pillPlan(content, metrics) : cardPlan(content, metrics)

const BUTTON_GAP = 8
const MAX_LINES = 2
/** Above and below the text of a pill: one line, or several, which come closer to its corners. */
const PILL_MARGIN = { line: 12, lines: 18 }

function cardPlan({ hasTitle, hasPicture, linesIn, buttons }: BannerContent, metrics: BannerMetrics): BannerPlan {
  const { width, padding, appRow, picture: side, close: cross, line } = metrics
  const top = appRow > 0 ? appRow : padding
  const left = padding + (hasPicture ? side + padding : 0)
  const room = width - left - padding - (appRow === 0 ? cross : 0)
  const lines = Math.min(MAX_LINES, linesIn(room)) + (hasTitle ? 1 : 0)
  const words = { x: left, y: top, width: room, height: lines * line }
  const content = Math.max(hasPicture ? side : 0, words.height)
  const under = top + content + padding
  const rows = buttons.length > 0 ? metrics.button + padding : 0
  const signs = metrics.hasMore ? 2 * cross : cross
  const each = Math.floor((width - 2 * padding - BUTTON_GAP * (buttons.length - 1)) / Math.max(1, buttons.length))
  return {
    width,
    height: under + rows,
    words,
    ...(appRow > 0 && { row: { x: padding, y: 0, width: width - 2 * padding - signs, height: appRow } }),
    ...(hasPicture && { picture: { x: padding, y: top, width: side, height: side } }),
    buttons: buttons.map((_, index) => ({
      x: padding + index * (each + BUTTON_GAP),
      y: under,
      width: each,
      height: metrics.button,
    })),
    ...(metrics.hasMore && { more: { x: width - signs - 4, y: 4, width: cross, height: cross } }),
    ...(cross > 0 && { close: { x: width - cross - 4, y: 4, width: cross, height: cross } }),
  }
}

function pillPlan(content: BannerContent, metrics: BannerMetrics): BannerPlan {
  const { width: most, padding, picture: side, close: cross, line } = metrics
  const { hasTitle, hasPicture, wordsWidth, linesIn, buttons } = content
  const left = padding + (hasPicture ? side + 12 : 0)
  const after = buttons.reduce((sum, width) => sum + width + BUTTON_GAP, 0) + cross + 20
  const room = Math.max(80, Math.min(wordsWidth, most - left - after))
  const lines = Math.min(MAX_LINES, linesIn(room)) + (hasTitle ? 1 : 0)
  const height = Math.max(
    metrics.button + 12,
    lines * line + 2 * (lines > 1 ? PILL_MARGIN.lines : PILL_MARGIN.line),
    hasPicture ? side + 16 : 0,
  )
  const inMiddle = (size: number) => Math.floor((height - size) / 2)
  let x = left + room + 12
  const places = buttons.map((width) => {
    const place = { x, y: inMiddle(metrics.button), width, height: metrics.button }
    x += width + BUTTON_GAP
    return place
  })
  return {
    width: x + cross + 8,
    height,
    words: { x: left, y: inMiddle(lines * line), width: room, height: lines * line },
    ...(hasPicture && { picture: { x: padding, y: inMiddle(side), width: side, height: side } }),
    buttons: places,
    close: { x, y: inMiddle(cross), width: cross, height: cross },
  }
}
