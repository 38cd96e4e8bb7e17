import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import { rect } from '../desktop/model/builders.ts'
import { cover, crop, fromPixels, fromPng, type Picture, resize, scaleTo } from './picture.ts'
import { imageDiff } from './picture-similarity.ts'
import { withPointer } from './pointer.ts'

/** One letter per pixel: r, g, b, w or k, in rows. */
function drawing(...rows: readonly string[]): Picture {
  const colours: Record<string, readonly number[]> = {
    r: [255, 0, 0],
    g: [0, 255, 0],
    b: [0, 0, 255],
    w: [255, 255, 255],
    k: [0, 0, 0],
  }
  const pixels = rows.flatMap((row) => row.split('').flatMap((letter) => [...colours[letter]!, 255]))
  return fromPixels(rows[0]!.length, rows.length, Uint8Array.from(pixels))
}

const pixelsOf = (picture: Picture) => Array.from(picture.pixels())

describe('a picture', () => {
  const sample = drawing('rgb', 'wkr', 'bbg')

  it('comes back from its file', async () => {
    const again = fromPng(await sample.png())
    expect([again.width, again.height, pixelsOf(again)]).toEqual([3, 3, pixelsOf(sample)])
  })

  it('is laid on white where a file is not opaque', () => {
    const file = new PNG({ width: 1, height: 1 })
    file.data.set([0, 0, 0, 51])
    expect(pixelsOf(fromPng(PNG.sync.write(file)))).toEqual([204, 204, 204, 255])
  })

  it('cannot be read from something else', () => {
    for (const bytes of [
      Buffer.from('GIF89a'),
      Buffer.alloc(100, 7),
      Buffer.concat([Buffer.alloc(16), Buffer.alloc(100, 255)]),
    ])
      expect(() => fromPng(bytes)).toThrow(expect.objectContaining({ code: 'BadRequest' }))
  })

  it('can be cropped, with its text', () => {
    const withText: Picture = {
      ...sample,
      text: [
        { text: 'in', bounds: rect(1, 1, 2, 1) },
        { text: 'out', bounds: rect(0, 0, 1, 1) },
      ],
    }
    const part = crop(withText, rect(1, 1, 9, 9))
    expect(pixelsOf(part)).toEqual(pixelsOf(drawing('kr', 'bg')))
    expect(part.text).toEqual([{ text: 'in', bounds: rect(0, 0, 2, 1) }])
    expect(() => crop(sample, rect(3, 0, 2, 2))).toThrow(expect.objectContaining({ code: 'BadRequest' }))
  })

  it('[PNT15] keeps only the words of a run whose middle is in the part', () => {
    const wide: Picture = {
      ...sample,
      width: 60,
      height: 2,
      text: [{ text: 'one two six', bounds: rect(0, 0, 55, 2) }],
    }
    const text = (part: ReturnType<typeof rect>) => crop({ ...wide, pixels: () => new Uint8Array(480) }, part).text
    expect(text(rect(20, 0, 15, 2))).toEqual([{ text: 'two', bounds: rect(0, 0, 15, 2) }])
    expect(text(rect(5, 0, 30, 2))).toEqual([{ text: 'one two', bounds: rect(0, 0, 30, 2) }])
    expect(text(rect(16, 0, 3, 2))).toEqual([])
  })

  it('can be covered in places, which removes the text there', () => {
    const withText: Picture = {
      ...sample,
      text: [
        { text: 'gone', bounds: rect(0, 0, 1, 1) },
        { text: 'stays', bounds: rect(2, 2, 1, 1) },
      ],
    }
    const covered = cover(withText, [rect(0, 0, 2, 2), rect(50, 50, 2, 2)])
    expect(pixelsOf(covered)).toEqual(pixelsOf(drawing('kkb', 'kkr', 'bbg')))
    expect(covered.text).toEqual([{ text: 'stays', bounds: rect(2, 2, 1, 1) }])
    expect(cover(sample, [])).toBe(sample)
  })

  it('shrinks to the mean of the pixels, and never grows', () => {
    const half = scaleTo(drawing('wwkk', 'wwkk', 'wkwk', 'kwkw'), 2)
    expect(pixelsOf(half)).toEqual([255, 255, 255, 255, 0, 0, 0, 255, 128, 128, 128, 255, 128, 128, 128, 255])
    expect(scaleTo(sample, 3)).toBe(sample)
  })

  it('[PNT79] takes another size, each pixel the mean of those below it', () => {
    const wide = resize(drawing('wk'), 4, 2)
    expect([wide.width, wide.height, pixelsOf(wide)]).toEqual([4, 2, pixelsOf(drawing('wwkk', 'wwkk'))])
    expect(pixelsOf(resize(drawing('wkk'), 2, 1))).toEqual([170, 170, 170, 255, 0, 0, 0, 255])
    expect(resize(sample, 3, 3)).toBe(sample)
  })

  it('[PNT76] shows the pointer, its tip at a point, larger with a scale', () => {
    const blank = fromPixels(6, 4, new Uint8Array(6 * 4 * 4).fill(128))
    const letters = (picture: Picture) =>
      Array.from({ length: picture.height }, (_, y) =>
        Array.from({ length: picture.width }, (_, x) => {
          const value = picture.pixels()[(y * picture.width + x) * 4]
          return value === 0 ? 'k' : value === 255 ? 'w' : '.'
        }).join(''),
      )
    expect(letters(withPointer(blank, { x: 2, y: 0 }))).toEqual(['..k...', '..kk..', '..kwk.', '..kwwk'])
    expect(letters(withPointer(blank, { x: 3, y: 1 }, { scale: 2 }))).toEqual(['......', '...kk.', '...kk.', '...kkk'])
    const black = withPointer(blank, { x: 2, y: 0 }, { colour: 'black' })
    expect(letters(black)[2]).toBe('..wkw.')
    expect(letters(withPointer(blank, { x: -1, y: -3 }))).toEqual(['wwk...', 'wwwk..', 'wwwwk.', 'wwwwwk'])
  })

  it('shows beside another where they differ', () => {
    const diff = imageDiff(drawing('wk'), drawing('wr'))
    expect([diff.width, diff.height]).toEqual([22, 1])
    expect(pixelsOf(crop(diff, rect(10, 0, 2, 1)))).toEqual(pixelsOf(drawing('wr')))
    expect(pixelsOf(crop(diff, rect(20, 0, 2, 1)))).toEqual([233, 233, 233, 255, 255, 45, 85, 255])
  })
})
