/** Red, green, blue and alpha of a colour, 0 to 255, not premultiplied. */
export function channelsOf(colour: string): readonly [number, number, number, number] {
  const digits = Number.parseInt(colour.slice(1).padEnd(8, 'f'), 16)
  return [(digits >>> 24) & 255, (digits >>> 16) & 255, (digits >>> 8) & 255, digits & 255]
}

const pixels = new Map<string, number>()

/** A colour as one premultiplied pixel, red in the lowest byte. */
export function pixelOf(colour: string): number {
  const known = pixels.get(colour)
  if (known !== undefined) return known
  const [red, green, blue, alpha] = channelsOf(colour)
  const scaled = (channel: number) => Math.round((channel * alpha) / 255)
  const pixel = ((alpha << 24) | (scaled(blue) << 16) | (scaled(green) << 8) | scaled(red)) >>> 0
  pixels.set(colour, pixel)
  return pixel
}

/** Opaque black, and the alpha of an opaque pixel. */
export const OPAQUE_BLACK = 0xff000000

/** Blends a premultiplied pixel over an opaque one, in integers, so that every processor has the same result. */
export function blendPixel(over: number, under: number): number {
  const rest = 255 - (over >>> 24)
  let even = Math.imul(under & 0xff00ff, rest) + 0x800080
  even = ((even + ((even >>> 8) & 0xff00ff)) >>> 8) & 0xff00ff
  let odd = Math.imul((under >>> 8) & 0xff, rest) + 0x80
  odd = ((odd + (odd >>> 8)) >>> 8) & 0xff
  const sum = (over & 0xffffff) + (even | (odd << 8))
  return (sum | OPAQUE_BLACK) >>> 0
}

/** Mixes two opaque pixels: `share` of `whole` parts of the first. */
export function mixPixels(a: number, b: number, share: number, whole: number): number {
  const rest = whole - share
  const half = whole >> 1
  const red = Math.floor(((a & 255) * share + (b & 255) * rest + half) / whole)
  const green = Math.floor((((a >>> 8) & 255) * share + ((b >>> 8) & 255) * rest + half) / whole)
  const blue = Math.floor((((a >>> 16) & 255) * share + ((b >>> 16) & 255) * rest + half) / whole)
  return (OPAQUE_BLACK | (blue << 16) | (green << 8) | red) >>> 0
}

/** Steps between neighbouring colour shares, so that a high gradient has no visible bands. */
const SHARE_STEPS = 64

/** The colour of a row of a gradient from `top` at row 0 to `bottom` at row `last`. */
export function gradientPixel(top: number, bottom: number, row: number, last: number): number {
  const share = Math.round((row * 255 * SHARE_STEPS) / Math.max(1, last))
  return mixPixels(bottom, top, share, 255 * SHARE_STEPS)
}
