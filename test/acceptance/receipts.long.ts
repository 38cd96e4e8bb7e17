import { afterAll, describe, expect, it } from 'vitest'
import { type DrawnReceipt, drawnSize } from '../../src/desktop/model/drawn-picture.ts'
import { drawnPixels } from '../../src/paint/drawn/drawn-picture.ts'
import { bytesOf, fromPixels } from '../../src/paint/picture.ts'
import { tesseractOcr } from '../../src/perception/tesseract.ts'

// Rules such as [PNT34] are stated in src/paint/SPEC.md.

const receipt = (shop: string, address: string, number: string, lines: DrawnReceipt['lines']): DrawnReceipt => ({
  kind: 'receipt',
  ...{ shop, address, number, date: '2026-03-14', currency: 'EUR', paid: 'Cash', footer: 'Thank you for your visit' },
  lines,
})

const RECEIPTS: readonly DrawnReceipt[] = [
  receipt('Corner Market', '12 Harbour Street', '48213', [
    { name: 'Sourdough bread', price: 4.2 },
    { name: 'Oat milk', price: 5.67 },
    { name: 'Coffee beans', price: 17.5 },
    { name: 'Tomatoes', price: 3.25 },
    { name: 'Batteries', price: 10.98 },
  ]),
  receipt('Harbour Books', '4 Quay Road', '90376', [
    { name: 'Atlas of rivers', price: 38.4 },
    { name: 'Map of the city', price: 3.2 },
    { name: 'Pencil', price: 1.15 },
  ]),
  receipt('Green Garden', '7 Birch Lane', '15728', [
    { name: 'Watering can', price: 12.9 },
    { name: 'Potting soil', price: 8.75 },
    { name: 'Seeds basil', price: 2.49 },
    { name: 'Gloves', price: 6.3 },
  ]),
]

/** The words that a receipt prints. */
function wordsOf({ shop, address, number, date, currency, paid, footer, lines }: DrawnReceipt): readonly string[] {
  const total = lines.reduce((sum, { price }) => sum + Math.round(price * 100), 0) / 100
  const printed = [
    shop,
    address,
    date,
    `No. ${number}`,
    ...lines.map(({ name, price }) => `${name} ${price.toFixed(2)}`),
  ]
  const rest = ['TOTAL', currency, total.toFixed(2), 'Paid', paid, footer]
  return [...printed, ...rest].join(' ').split(' ')
}

const ocr = tesseractOcr()
afterAll(() => ocr.close())

describe('receipts', () => {
  it.each([
    ['as they were printed', {}],
    ['that lay a little askew', { turn: 1.2, noise: 0.3 }],
  ])(
    '[PNT34] %s are read by Tesseract',
    async (_, scan) => {
      const wanted: string[] = []
      const missed: string[] = []
      for (const each of RECEIPTS) {
        const picture = { ...each, ...scan }
        const { width, height } = drawnSize(picture)
        const read = await ocr.read(fromPixels(width, height, bytesOf(drawnPixels(picture, width, height))))
        const found = read.map(({ text }) => text)
        for (const word of wordsOf(each)) {
          wanted.push(word)
          const at = found.indexOf(word)
          if (at < 0) missed.push(word)
          else found.splice(at, 1)
        }
      }
      expect({ missed, share: 1 - missed.length / wanted.length }).toEqual({
        missed: expect.anything(),
        share: expect.toSatisfy((share: number) => share >= 0.97),
      })
    },
    120_000,
  )
})
