import { expect, it } from 'vitest'
import { contactSheet } from './contact-sheet.ts'
import { fromPixels, type Picture } from './picture.ts'

// Rules such as [PNT80] are stated in SPEC.md beside this file.

const plain = (width: number, height: number, [red, green, blue]: readonly number[]): Picture =>
  fromPixels(
    width,
    height,
    Uint8Array.from({ length: width * height * 4 }, (_, at) => [red!, green!, blue!, 255][at % 4]!),
  )

const colourAt = ({ width, pixels }: Picture, x: number, y: number) => [
  ...pixels().subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
]

it('[PNT80] a contact sheet has the pictures in rows, scaled to their cells, with captions', () => {
  const cells = [
    { picture: plain(200, 100, [255, 0, 0]), caption: 'wide' },
    { picture: plain(40, 60, [0, 255, 0]), caption: 'narrow' },
    { picture: plain(100, 20, [0, 0, 255]), caption: 'low' },
  ]
  const sheet = contactSheet(cells, { columns: 2, cell: 100 })
  // 100 × 50 and 40 × 60 in the first row, 100 × 20 in the second; gaps of 16, captions of 26.
  expect([sheet.width, sheet.height]).toEqual([16 + 2 * 116, 16 + 60 + 26 + 16 + 20 + 26 + 16])
  expect(colourAt(sheet, 16, 16)).toEqual([255, 0, 0])
  expect(colourAt(sheet, 115, 65)).toEqual([255, 0, 0])
  expect(colourAt(sheet, 16 + 116 + 30, 16)).toEqual([0, 255, 0])
  expect(colourAt(sheet, 16 + 116 + 29, 16)).toEqual([255, 255, 255])
  expect(colourAt(sheet, 16, 118)).toEqual([0, 0, 255])
  const caption = Array.from({ length: 26 * 100 }, (_, at) =>
    colourAt(sheet, 16 + (at % 100), 76 + Math.floor(at / 100)),
  )
  expect(caption.some(([red]) => red! < 128)).toBe(true)
})
