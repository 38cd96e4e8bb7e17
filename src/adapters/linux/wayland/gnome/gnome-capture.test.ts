import { expect, it } from 'vitest'
import type { Rect } from '../../../../desktop/model/geometry.ts'
import { encodePng } from '../../../../paint/png/encode.ts'
import type { DesktopWindow } from '../../desktop-backend.ts'
import { openGnomeCapture } from './gnome-capture.ts'
import type { GnomeShell } from './gnome-shell.ts'

// Rules such as [GN4] are stated in README.md.

const MONITORS = [
  { x: 0, y: 0, width: 8, height: 4, scale: 1, isPrimary: true },
  { x: 8, y: 0, width: 4, height: 4, scale: 2, isPrimary: false },
]
const [RED, BLUE, BLACK] = [0xff0000ff, 0xffff0000, 0xff000000]

/** A shell whose left monitor is red and whose right one is blue and has twice as many pixels. */
function shellWith(taken: Rect[]): GnomeShell {
  return {
    describe: async () => ({ monitors: MONITORS }),
    async pictureOfArea(area: Rect) {
      taken.push(area)
      const scale = area.x >= 8 ? 2 : 1
      const [width, height] = [area.width * scale, area.height * scale]
      return Buffer.from(encodePng(width, height, new Uint32Array(width * height).fill(scale === 2 ? BLUE : RED)))
    },
    pictureOfWindow: async () => Buffer.from(encodePng(6, 4, new Uint32Array(24).fill(BLUE))),
  } as unknown as GnomeShell
}
const wordsOf = (pixels: Uint8Array) => [...new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4)]

it('[GN4] takes each monitor by itself, in logical pixels, and black where there is none', async () => {
  const taken: Rect[] = []
  const picture = await openGnomeCapture(shellWith(taken)).area({ x: 7, y: 3, width: 6, height: 2 })
  expect(taken).toEqual([
    { x: 7, y: 3, width: 1, height: 1 },
    { x: 8, y: 3, width: 4, height: 1 },
  ])
  expect(wordsOf(picture.pixels())).toEqual([RED, BLUE, BLUE, BLUE, BLUE, BLACK, ...Array(6).fill(BLACK)])
})

it('[GN4] passes on the file of an area of one monitor', async () => {
  const picture = await openGnomeCapture(shellWith([])).area({ x: 0, y: 0, width: 2, height: 1 })
  expect([picture.width, picture.height, wordsOf(picture.pixels())]).toEqual([2, 1, [RED, RED]])
})

it('[GN5] reduces the picture of a window on a scaled monitor', async () => {
  const window = { id: 7, bounds: { x: 9, y: 1, width: 3, height: 2 } } as DesktopWindow
  const picture = await openGnomeCapture(shellWith([])).window(window)
  expect([picture.width, picture.height, wordsOf(picture.pixels())]).toEqual([3, 2, Array(6).fill(BLUE)])
})
