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
