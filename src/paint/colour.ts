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
