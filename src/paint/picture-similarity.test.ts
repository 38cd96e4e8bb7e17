import { describe, expect, it } from 'vitest'
import { drawInteger, type Random, seededRandom } from '../base/random.ts'
import { button, desktop, rect, text, window } from '../desktop/model/builders.ts'
import { createPainter } from './painter.ts'
import { fromPixels, type Picture } from './picture.ts'
import { comparePictures } from './picture-similarity.ts'

// Rules such as [PNT109] are stated in SPEC.md beside this file.

/** A picture of noise around slow waves, the same for the same seed. */
function noise(width: number, height: number, seed: number, strength: number): Picture {
  let random: Random = seededRandom(seed)
  const pixels = new Uint8Array(width * height * 4).fill(255)
  for (let at = 0; at < pixels.length; at++) {
    if (at % 4 === 3) continue
    const [drawn, next] = drawInteger(random, -strength, strength)
    random = next
    pixels[at] = Math.max(0, Math.min(255, 128 + Math.round(90 * Math.sin(at / 97)) + drawn))
  }
  return fromPixels(width, height, pixels)
}

function withPatch(picture: Picture, x: number, y: number, size: number, by: number): Picture {
  const pixels = picture.pixels().slice()
  for (let row = y; row < y + size; row++)
    for (let column = x; column < x + size; column++) pixels[(row * picture.width + column) * 4]! ^= by
  return fromPixels(picture.width, picture.height, pixels)
}

const pattern = (x: number, y: number, channel: number): number => (x * 7 + y * 13 + channel * 50) ^ ((x * y) >> 3)

/** 320 × 200 pixels, each channel the lowest eight bits of a formula. */
function drawing(formula: (x: number, y: number, channel: number) => number): Picture {
  const pixels = new Uint8Array(320 * 200 * 4).fill(255)
  for (let y = 0; y < 200; y++)
    for (let x = 0; x < 320; x++)
      for (let channel = 0; channel < 3; channel++) pixels[(y * 320 + x) * 4 + channel] = formula(x, y, channel)
  return fromPixels(320, 200, pixels)
}

/** The definition written down term by term: every window with its own weighted means, variances and covariance. */
function byDefinition(a: Picture, b: Picture): { global: number; values: number[][] } {
  const { width, height } = a
  const grey = (picture: Picture) => {
    const pixels = picture.pixels()
    return (x: number, y: number) => {
      const at = (y * width + x) * 4
      return 0.299 * pixels[at]! + 0.587 * pixels[at + 1]! + 0.114 * pixels[at + 2]!
    }
  }
  const [p, q] = [grey(a), grey(b)]
  let total = 0
  const kernel = (dx: number, dy: number) => Math.exp(-(dx * dx + dy * dy) / 4.5)
  for (let dy = -5; dy <= 5; dy++) for (let dx = -5; dx <= 5; dx++) total += kernel(dx, dy)
  const values: number[][] = []
  for (let y = 5; y < height - 5; y++) {
    const line: number[] = []
    for (let x = 5; x < width - 5; x++) {
      const mean = (term: (x: number, y: number) => number) => {
        let sum = 0
        for (let dy = -5; dy <= 5; dy++)
          for (let dx = -5; dx <= 5; dx++) sum += (kernel(dx, dy) / total) * term(x + dx, y + dy)
        return sum
      }
      const [mp, mq] = [mean(p), mean(q)]
      const vp = mean((i, j) => (p(i, j) - mp) ** 2)
      const vq = mean((i, j) => (q(i, j) - mq) ** 2)
      const both = mean((i, j) => (p(i, j) - mp) * (q(i, j) - mq))
      line.push(
        ((2 * mp * mq + 2.55 ** 2) * (2 * both + 7.65 ** 2)) /
          ((mp * mp + mq * mq + 2.55 ** 2) * (vp + vq + 7.65 ** 2)),
      )
    }
    values.push(line)
  }
  const flat = values.flat()
  return { global: flat.reduce((sum, value) => sum + value, 0) / flat.length, values }
}

describe('structural similarity', () => {
  const base = noise(90, 80, 1, 30)

  it.each([
    ['other noise', noise(90, 80, 2, 30)],
    ['little noise', noise(90, 80, 3, 25)],
    ['a changed corner', withPatch(base, 0, 0, 12, 255)],
    ['a changed spot', withPatch(base, 40, 33, 5, 90)],
    ['two changed spots', withPatch(withPatch(base, 70, 70, 4, 200), 3, 60, 4, 50)],
  ])('[PNT109] [PNT111] is that of the definition for %s', (_, other) => {
    expect(comparePictures(base, other).global).toBeCloseTo(byDefinition(base, other).global, 10)
  })

  it.each([
    ['noise', (x: number, y: number, c: number) => pattern(x, y, c) + ((x * 31 + y * 17) % 23), 0.6804236655945624],
    [
      'a patch',
      (x: number, y: number, c: number) => (x > 100 && x < 130 && y > 60 && y < 80 ? 200 : pattern(x, y, c)),
      0.9890882000204899,
    ],
    ['a shift', (x: number, y: number, c: number) => pattern(x - 1, y, c), 0.5209211246144212],
  ])('[PNT109] agrees with the value that scikit-image 0.19 gives for %s', (_, change, expected) => {
    expect(Math.abs(comparePictures(drawing(pattern), drawing(change)).global - expected)).toBeLessThan(1e-9)
  })

  it('[PNT110] gives the least mean over patches of 64 × 64, and its place', () => {
    const other = withPatch(base, 70, 68, 6, 255)
    const { values } = byDefinition(base, other)
    const inPatch = values.flatMap((line, y) => line.filter((_, x) => x + 5 >= 64 && y + 5 >= 64))
    const { minimum, worst } = comparePictures(base, other)
    expect(minimum).toBeCloseTo(inPatch.reduce((sum, value) => sum + value, 0) / inPatch.length, 10)
    expect(worst).toEqual(rect(64, 64, 26, 16))
  })

  it('is exactly 1 for equal pictures', () => {
    expect(comparePictures(base, noise(90, 80, 1, 30))).toEqual({ global: 1, minimum: 1, worst: rect(0, 0, 90, 80) })
  })

  it('[PNT110] hardly moves for a missing button, while the least patch falls', () => {
    const screen = (...extra: ReturnType<typeof button>[]) =>
      createPainter().screen(desktop(window('Form', text('Ready?', { bounds: rect(120, 150, 100, 20) }), ...extra)))
    const { global, minimum } = comparePictures(screen(button('OK', { bounds: rect(130, 260, 90, 30) })), screen())
    expect(global).toBeGreaterThan(0.99)
    expect(minimum).toBeLessThan(0.75)
  })

  it('takes a picture smaller than a window as one window', () => {
    const [a, b] = [noise(8, 8, 1, 40), noise(8, 8, 2, 40)]
    expect(comparePictures(a, b).global).toBeLessThan(1)
    expect(comparePictures(a, noise(8, 8, 1, 40)).global).toBe(1)
  })

  it('refuses pictures of different sizes', () => {
    expect(() => comparePictures(base, noise(80, 80, 1, 1))).toThrow(expect.objectContaining({ code: 'BadRequest' }))
  })
})
