import type { Element } from '../model/element.ts'
import { DOT_BADGE, hasBadge, subtitleLines } from '../model/item-text.ts'
import { textWidth } from '../model/width.ts'
import type { Metrics, TextMetrics } from './metrics.ts'

/** The height of a badge with a count, and the diameter of one that is a dot. */
export const BADGE_PX = 16
export const DOT_PX = 8
/** The font size of a count. */
export const BADGE_FONT_PX = 11
/** Above the content of a card, for its name. */
export const TITLED_CARD_PX = 26
/** The discs of rows with lines below their name, and of others. */
const HIGH_AVATAR_PX = 36
const LOW_AVATAR_PX = 22
/** Above and below the content of a row, both together. */
const ROW_MARGIN_PX = 12
/** Counts are written bold, which is a little wider than the measured one. */
const BOLD = 1.1
const BADGE_PADDING_PX = 10
const BADGE_GAP_PX = 8

/** The height of a line below the name of an item. */
export const subtitleHeight = ({ small }: TextMetrics): number => Math.round(small * 1.5)

/** The diameter of the disc of an item. */
export const avatarSizeOf = (element: Element): number =>
  subtitleLines(element).length > 0 ? HIGH_AVATAR_PX : LOW_AVATAR_PX

/** The height of the item of a list: of its name, its lines and its disc. */
export function itemHeight(element: Element, { row, text }: Metrics): number {
  const lines = subtitleLines(element).length
  const words = lines === 0 ? 0 : text.line + lines * subtitleHeight(text) + ROW_MARGIN_PX
  const disc = element.traits?.avatar === undefined ? 0 : avatarSizeOf(element) + ROW_MARGIN_PX / 2
  return Math.max(row.list, words, disc)
}

/** The size of a badge. */
export function badgeSize(badge: string, { family }: TextMetrics): { readonly width: number; readonly height: number } {
  if (badge === DOT_BADGE) return { width: DOT_PX, height: DOT_PX }
  const words = Math.ceil(textWidth(badge, BADGE_FONT_PX, family) * BOLD) + BADGE_PADDING_PX
  return { width: Math.max(BADGE_PX, words), height: BADGE_PX }
}

/** What a badge adds to the width of a control: the badge and the gap before it. 0 without one. */
export const badgeWidth = (element: Element, { text }: Metrics): number =>
  hasBadge(element) ? badgeSize(element.traits!.badge!, text).width + BADGE_GAP_PX : 0
