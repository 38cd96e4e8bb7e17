import { type Direction, directionOf, hasRightToLeft } from '../../desktop/model/bidi.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { PictureFile } from '../../desktop/model/pictures.ts'
import type { DrawnIcon } from '../icons.ts'
import type { TextRun } from '../picture.ts'
import { type Font, widthOf } from '../text/fonts.ts'

/**
 * The smallest painted unit: a style at a position. Operations with the same key have the same pixels, so each style is
 * drawn once and changes are found by comparing keys.
 */
export interface DrawOp {
  readonly key: string
  /** The pixels it may touch, and no other. */
  readonly bounds: Rect
  readonly style: DrawStyle
  readonly run?: TextRun
}

export type DrawStyle =
  | { readonly kind: 'flat'; readonly colour: string }
  /** One colour per row, from `top` at the first row of `span` to `bottom` at its last. */
  | { readonly kind: 'verticalGradient'; readonly top: string; readonly bottom: string; readonly span: Rect }
  /** The part of a wallpaper that covers `span`. Its edges fade over `soft` pixels. */
  | ({ readonly kind: 'backdrop'; readonly span: Rect; readonly soft: number } & BackdropStyle)
  | ({ readonly kind: 'box'; readonly width: number; readonly height: number } & BoxStyle)
  | ({ readonly kind: 'roundedGradient'; readonly width: number; readonly height: number } & RoundedGradientStyle)
  | ({ readonly kind: 'shadow'; readonly width: number; readonly height: number } & ShadowStyle)
  | {
      readonly kind: 'text'
      readonly text: string
      readonly font: Font
      readonly colour: string
      readonly direction: Direction
    }
  | {
      readonly kind: 'icon'
      readonly icon: DrawnIcon
      readonly size: number
      readonly colour: string
      /** Whether it is turned from left to right. */
      readonly isMirrored?: boolean
    }
  | ({ readonly kind: 'path'; readonly width: number; readonly height: number } & PathStyle)
  | {
      readonly kind: 'picture'
      readonly file: PictureFile
      readonly width: number
      readonly height: number
      /** All of it, or its middle in a square or a disc. */
      readonly cut: 'none' | 'square' | 'disc'
    }

/** A rectangle with round corners; the border lies inside it. */
export interface BoxStyle {
  readonly fill?: string
  readonly border?: string
  /** In pixels; 1 by default. */
  readonly thickness?: number
  /** One radius for all corners, or top left, top right, bottom right, bottom left. */
  readonly radius?: number | readonly [number, number, number, number]
}

/** A rectangle with round corners and one colour per row. */
export interface RoundedGradientStyle {
  /** Opaque colours of the first and the last row. */
  readonly top: string
  readonly bottom: string
  readonly radius: number
}

/** An SVG path, in pixels from the upper left corner of an area of `size` that is scaled to its bounds. */
export interface PathStyle {
  readonly path: string
  readonly size: { readonly width: number; readonly height: number }
  readonly colour: string
  /** The colour of the last row; then `colour` is that of the first one, and both are opaque. */
  readonly lower?: string
  /** The width of the line in pixels. Left out, the path is filled. */
  readonly stroke?: number
  /** Whether it is turned from left to right. */
  readonly mirrored?: boolean
  /** Whether it looks the same on a mirrored desktop. */
  readonly isFixed?: boolean
}

/** A soft shadow around a box, moved down by `drop` pixels; `reach` is the distance over which it fades out. */
export interface ShadowStyle {
  readonly reach: number
  readonly drop: number
  readonly opacity: number
  /** The radius of the corners of the box. Left out, it has the shadow of a box with square corners. */
  readonly radius?: number
}

export const solid = (bounds: Rect, colour: string): DrawOp => ({
  key: colour,
  bounds,
  style: { kind: 'flat', colour },
})

export const verticalGradient = (span: Rect, top: string, bottom: string): DrawOp => ({
  key: `verticalGradient ${top} ${bottom} ${span.y} ${span.height}`,
  bounds: span,
  style: { kind: 'verticalGradient', top, bottom, span },
})

/** A wallpaper on `span`, of which `bounds` shows a part. The edges of its shapes fade over `soft` pixels. */
export const backdrop = (span: Rect, style: BackdropStyle, bounds: Rect = span, soft = 1): DrawOp => ({
  key: `backdrop ${JSON.stringify([span, style, soft])}`,
  bounds,
  style: { kind: 'backdrop', span, soft, ...style },
})

export function box(bounds: Rect, style: BoxStyle): DrawOp {
  // The key has only what a stretched corner sprite does not cover.
  const least = 2 * cornerOf(style) + 1
  const width = Math.min(bounds.width, least)
  const height = Math.min(bounds.height, least)
  const key = `box ${width} ${height} ${style.fill ?? ''} ${style.border ?? ''} ${style.thickness ?? 1} ${style.radius ?? 0}`
  return { key, bounds, style: { kind: 'box', width, height, ...style } }
}

/** How far the corners of a box reach into it before its edges are straight. */
export function cornerOf(style: BoxStyle): number {
  const radius = typeof style.radius === 'object' ? Math.max(...style.radius) : (style.radius ?? 0)
  return Math.ceil(Math.max(radius, style.border ? (style.thickness ?? 1) : 0)) + 1
}

/** A face is not stretched down, because its rows differ. */
export function roundedGradient(bounds: Rect, style: RoundedGradientStyle): DrawOp {
  const width = Math.min(bounds.width, 2 * Math.ceil(style.radius) + 3)
  const { height } = bounds
  const { top, bottom, radius } = style
  return {
    key: `roundedGradient ${width} ${height} ${top} ${bottom} ${radius}`,
    bounds,
    style: { kind: 'roundedGradient', width, height, ...style },
  }
}

export function shadow(around: Rect, style: ShadowStyle): DrawOp {
  const { reach, drop, radius = 0 } = style
  const least = 2 * Math.max(reach, Math.ceil(radius)) + 2 * drop + 1
  const width = Math.min(around.width, least)
  const height = Math.min(around.height, least)
  return {
    key: `shadow ${width} ${height} ${reach} ${drop} ${style.opacity} ${radius}`,
    bounds: {
      x: around.x - reach,
      y: around.y - reach,
      width: around.width + 2 * reach,
      height: around.height + 2 * reach + drop,
    },
    style: { kind: 'shadow', width, height, ...style },
  }
}

export const icon = (
  at: { x: number; y: number },
  name: DrawnIcon,
  size: number,
  colour: string,
  isMirrored = false,
): DrawOp => ({
  key: `icon ${name} ${size} ${colour}${isMirrored ? ' mirrored' : ''}`,
  bounds: { x: at.x, y: at.y, width: size, height: size },
  style: { kind: 'icon', icon: name, size, colour, ...(isMirrored && { isMirrored }) },
})

export const path = (bounds: Rect, style: PathStyle): DrawOp => {
  const { size, colour, lower = '', stroke = 0, mirrored = false } = style
  const { width, height } = bounds
  return {
    key: `path ${width} ${height} ${size.width} ${size.height} ${colour} ${lower} ${stroke} ${mirrored} ${style.path}`,
    bounds,
    style: { ...style, kind: 'path', width, height },
  }
}

/** A picture scaled to a rectangle, or its middle in a square or a disc. */
export const picture = (bounds: Rect, file: PictureFile, cut: 'none' | 'square' | 'disc' = 'none'): DrawOp => ({
  key: `picture ${file.hash} ${bounds.width} ${bounds.height} ${cut}`,
  bounds,
  style: { kind: 'picture', file, width: bounds.width, height: bounds.height, cut },
})

/** Glyphs may extend beyond their measured width. */
export const TEXT_MARGIN = 3
/** The baseline of a text sprite and its height, as shares of the font size. */
const ASCENT = 1.15
const DESCENT = 0.4
/** Marks above and below the letters of right-to-left scripts reach further. */
const MARKED_ASCENT = 1.3
const MARKED_DESCENT = 0.5

export const ascentOf = (font: Font, content: string): number =>
  Math.ceil(font.size * (hasRightToLeft(content) ? MARKED_ASCENT : ASCENT))
export const textHeightOf = (font: Font, content: string): number =>
  ascentOf(font, content) + Math.ceil(font.size * (hasRightToLeft(content) ? MARKED_DESCENT : DESCENT))

/** One line of text, starting at `x` on `baseline`, both whole pixels. `direction` is that of its paragraph. */
export function text(
  x: number,
  baseline: number,
  content: string,
  font: Font,
  colour: string,
  direction: Direction = directionOf(content),
): DrawOp {
  const width = Math.ceil(widthOf(content, font))
  const top = baseline - ascentOf(font, content)
  return {
    key: `text ${direction} ${font.family} ${font.weight}${font.isItalic ? ' italic' : ''} ${font.size} ${colour} ${content}`,
    bounds: { x: x - TEXT_MARGIN, y: top, width: width + 2 * TEXT_MARGIN, height: textHeightOf(font, content) },
    style: { kind: 'text', text: content, font, colour, direction },
    run: { text: content, bounds: { x, y: baseline - font.size, width, height: Math.round(font.size * 1.3) } },
  }
}

/** A wallpaper: a gradient from the top of its span to the bottom, and shapes with the lowest first. */
export interface BackdropStyle {
  /** Opaque colours at the first and the last row. */
  readonly top: string
  readonly bottom: string
  readonly glow?: Glow
  readonly shapes: readonly BackdropShape[]
}

/** A light that fades out around a point. Its place is in shares of the span, its radius in shares of the width. */
export interface Glow {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly colour: string
}

export type BackdropShape = Wave | Ribbon | Facet

/** A cubic curve from the left to the right of the span: its four control points are shares of the height. */
export type Curve = readonly [number, number, number, number]

/** Opaque colours at the first and the last row. `right`: those at the right side, if they are different there. */
export interface Shade {
  readonly top: string
  readonly bottom: string
  readonly right?: { readonly top: string; readonly bottom: string }
}

/** The area below a curve. Its colours are those of the rows of the span. */
export interface Wave extends Shade {
  readonly kind: 'wave'
  readonly edge: Curve
}

/** The area between two curves. Its colours are in equal steps from the upper one to the lower one. */
export interface Ribbon {
  readonly kind: 'ribbon'
  readonly upper: Curve
  readonly lower: Curve
  readonly colours: readonly string[]
  /** How much of it shows from left to right, in control points from 0 to 1. Left out, all of it. */
  readonly strength?: Curve
}

/** A convex polygon. Its colours are those of its own rows. */
export interface Facet extends Shade {
  readonly kind: 'facet'
  /** In shares of the width and the height. */
  readonly corners: readonly (readonly [x: number, y: number])[]
}
