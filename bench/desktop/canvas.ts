import type { Picture } from '../../src/paint/picture.ts'

/** A canvas that shows a picture. */
export async function canvasOf({ width, height, pixels }: Picture) {
  const { createCanvas, ImageData } = await import('@napi-rs/canvas')
  const canvas = createCanvas(width, height)
  canvas.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(pixels()), width, height), 0, 0)
  return canvas
}
