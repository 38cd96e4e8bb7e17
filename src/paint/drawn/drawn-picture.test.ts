import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { desktop, element, listItem, monitor, rect, window } from '../../desktop/model/builders.ts'
import { type DrawnPicture, drawnPictureFile, drawnSize, PHOTO_SCENES } from '../../desktop/model/drawn-picture.ts'
import { createPainter } from '../painter.ts'
import { bytesOf, resample } from '../picture.ts'
import { drawnPixels } from './drawn-picture.ts'

// Rules such as [PNT32] are stated in src/paint/SPEC.md.

const PICTURES: readonly DrawnPicture[] = [
  {
    kind: 'receipt',
    shop: 'Corner Market',
    date: '2026-03-14',
    lines: [
      { name: 'Oat milk', quantity: 3, price: 1.89 },
      { name: 'Coffee', price: 17.5 },
    ],
    tax: 0.19,
    turn: 1.5,
    noise: 0.3,
  },
  {
    kind: 'letter',
    from: 'Harbour Energy',
    to: 'Ada Moreno',
    date: '14 March',
    subject: 'Your bill',
    text: 'Dear Ms Moreno,',
    signed: 'J. Petersen',
  },
  {
    kind: 'form',
    title: 'Travel request',
    fields: [
      { name: 'To', value: 'Kiel' },
      { name: 'Train', value: true },
    ],
    stamp: 'received',
  },
  { kind: 'business-card', name: 'Grace Okafor', company: 'Halden' },
  { kind: 'id-card', title: 'Staff card', name: 'Ada Moreno', number: 'L4X' },
  { kind: 'photo', seed: '7', scene: 'landscape', time: 'day' },
  {
    kind: 'chart',
    chart: 'pie',
    title: 'Costs',
    points: [
      { name: 'Rent', value: 3 },
      { name: 'Food', value: 1 },
    ],
  },
]
it('[PNT33a] turns the pixels of a photograph by quarters', () => {
  const photo = { kind: 'photo', seed: '7', scene: 'street', time: 'day' } as const
  const upright = drawnPixels(photo, 48, 32)
  const quarter = drawnPixels({ ...photo, rotate: 90 }, 32, 48)
  const half = drawnPixels({ ...photo, rotate: 180 }, 48, 32)
  const threeQuarters = drawnPixels({ ...photo, rotate: 270 }, 32, 48)
  const at = (pixels: Uint32Array, width: number, x: number, y: number) => pixels[y * width + x]
  for (const [x, y] of [
    [0, 0],
    [47, 0],
    [10, 31],
  ] as const) {
    const pixel = at(upright, 48, x, y)
    expect([at(quarter, 32, 31 - y, x), at(half, 48, 47 - x, 31 - y), at(threeQuarters, 32, y, 47 - x)]).toEqual([
      pixel,
      pixel,
      pixel,
    ])
  }
  expect([drawnSize({ ...photo, rotate: 270 }), drawnSize({ ...photo, rotate: 180 })]).toEqual([
    { width: 320, height: 480 },
    { width: 480, height: 320 },
  ])
})

const hashOf = (picture: DrawnPicture, width: number, height: number): string =>
  createHash('sha256')
    .update(bytesOf(drawnPixels(picture, width, height)))
    .digest('hex')
    .slice(0, 16)

describe('a picture from data', () => {
  it('[PNT33] has the same pixels on every machine', () => {
    const made = PICTURES.map((picture) => {
      const { width, height } = drawnSize(picture)
      return [picture.kind, width, height, hashOf(picture, width, height)]
    })
    expect(made).toMatchInlineSnapshot(`
      [
        [
          "receipt",
          360,
          358,
          "ef27613b6d4adfdd",
        ],
        [
          "letter",
          640,
          860,
          "bb3d124af6dcddb9",
        ],
        [
          "form",
          640,
          860,
          "5e37dec371e20f28",
        ],
        [
          "business-card",
          420,
          240,
          "f670c48f5b7ce7a8",
        ],
        [
          "id-card",
          480,
          300,
          "1e3e5d71a3f2bd4e",
        ],
        [
          "photo",
          480,
          320,
          "ed7b97ca988df57e",
        ],
        [
          "chart",
          480,
          300,
          "ccb025b812502a1a",
        ],
      ]
    `)
  })

  it('[PNT33] of a photograph has the same pixels on every machine, in each scene and light', () => {
    const made = PHOTO_SCENES.map((scene, index) => {
      const time = (['day', 'evening', 'overcast', 'night', 'day'] as const)[index]!
      return [scene, time, hashOf({ kind: 'photo', seed: 'a', scene, time }, 90, 60)]
    })
    expect(made).toMatchInlineSnapshot(`
      [
        [
          "landscape",
          "day",
          "1e8b3545c2dd154e",
        ],
        [
          "beach",
          "evening",
          "f4b0d364198aef60",
        ],
        [
          "street",
          "overcast",
          "f51aba78e4e71cc6",
        ],
        [
          "food",
          "night",
          "d6796eeb566c59fb",
        ],
        [
          "portrait",
          "day",
          "116f17d05652ab78",
        ],
      ]
    `)
  })

  it('[PNT33] of other data has other pixels', () => {
    const seeds = Array.from({ length: 40 }, (_, seed) => hashOf({ kind: 'photo', seed: String(seed) }, 48, 32))
    expect(new Set(seeds).size).toBe(40)
    const [receipt] = PICTURES
    const other = { ...receipt, shop: 'Corner Store' } as DrawnPicture
    expect(hashOf(other, 360, 400)).not.toBe(hashOf(receipt!, 360, 400))
    expect(drawnPictureFile(other).hash).not.toBe(drawnPictureFile(receipt!).hash)
  })

  it.each(PHOTO_SCENES)('[PNT33] shows the same %s in each size', (scene) => {
    const photo: DrawnPicture = { kind: 'photo', seed: 'size', scene, time: 'day' }
    const large = drawnPixels(photo, 240, 160)
    const small = bytesOf(drawnPixels(photo, 60, 40))
    const shrunk = resample(bytesOf(large), { width: 240, height: 160 }, { width: 60, height: 40 }, 3)
    const differences = [...small].map((value, at) => Math.abs(value - shrunk[at]!))
    const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length
    expect(mean).toBeLessThan(14)
  })

  it('[PNT32] of a letter and of numbers cuts what has no place', () => {
    const text = 'word '.repeat(1200)
    const letter: DrawnPicture = { kind: 'letter', from: 'A', to: 'B', date: 'C', subject: 'D', text }
    const { width, height } = drawnSize(letter)
    const foot = drawnPixels(letter, width, height).subarray((height - 20) * width)
    expect(new Set(foot).size).toBe(1)
  })

  it('[PNT32] has no text of the picture', () => {
    const bounds = rect(0, 0, 400, 420)
    const [receipt] = PICTURES
    const image = element(
      'Image',
      'Scan',
      { bounds: rect(10, 10, 360, 400) },
      { traits: { picture: drawnPictureFile(receipt!) } },
    )
    const on = desktop({ monitors: [monitor(bounds)] }, window('W', { bounds, frame: 'none' }, image))
    const painted = createPainter().area(on, bounds)
    expect(painted.text).toEqual([])
    expect(new Set(painted.pixels()).size).toBeGreaterThan(50)
  })

  it('[PNT35] of a list item is its middle in a square before its name', () => {
    const bounds = rect(0, 0, 300, 80)
    const photo: DrawnPicture = { kind: 'photo', seed: 'item', scene: 'food' }
    const item = listItem('IMG_1', { bounds: rect(0, 0, 300, 48), traits: { picture: drawnPictureFile(photo) } })
    const on = desktop({ monitors: [monitor(bounds)] }, window('W', { bounds, frame: 'none' }, item))
    const painted = createPainter().area(on, bounds)
    const square = createPainter()
      .area(on, rect(10, 4, 40, 40))
      .pixels()
    const whole = drawnPixels(photo, 60, 40)
    const middle = Array.from({ length: 40 }, (_, row) => [...whole.subarray(row * 60 + 10, row * 60 + 50)]).flat()
    expect(square).toEqual(bytesOf(Uint32Array.from(middle)))
    expect(painted.text).toEqual([expect.objectContaining({ text: 'IMG_1' })])
    expect(painted.text![0]!.bounds.x).toBe(60)
  })

  it('[PNT36] in a grid of 60 is painted in bounded time, and again from the cache', () => {
    const bounds = rect(0, 0, 1000, 720)
    const images = Array.from({ length: 60 }, (_, index) =>
      element(
        'Image',
        `IMG_${index}`,
        { bounds: rect((index % 10) * 100, Math.floor(index / 10) * 120, 96, 64) },
        { traits: { picture: drawnPictureFile({ kind: 'photo', seed: `grid ${index}` }) } },
      ),
    )
    const on = desktop({ monitors: [monitor(bounds)] }, window('W', { bounds, frame: 'none' }, ...images))
    const timeOf = () => {
      const before = process.cpuUsage()
      createPainter().area(on, bounds).pixels()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }
    const [first, second] = [timeOf(), timeOf()]
    expect(first).toBeLessThan(10_000)
    expect(second).toBeLessThan(first / 2)
  })
})
