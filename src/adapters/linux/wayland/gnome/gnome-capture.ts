import { intersect, type Rect, sameRect } from '../../../../desktop/model/geometry.ts'
import { fromPng, type Picture } from '../../../../paint/picture.ts'
import { readPng, sizeOf } from '../../../../paint/png/read-png.ts'
import { assertCapturable, captureArea } from '../../../screen-capture.ts'
import type { DesktopWindow } from '../../desktop-backend.ts'
import type { GnomeShell } from './gnome-shell.ts'

/** Pictures of a GNOME desktop in logical pixels. */
export function openGnomeCapture({ describe, pictureOfArea, pictureOfWindow }: GnomeShell) {
  const capture = async (area: Rect) => pictureOfFile(await pictureOfArea(area))
  return {
    /** Captures an area that may span monitors. Pixels on no monitor are black. */
    async area(wanted: Rect): Promise<Picture> {
      assertCapturable(wanted)
      const parts = (await describe()).monitors.flatMap((monitor) => intersect(wanted, monitor) ?? [])
      // GNOME takes a picture across monitors in the pixels of the finest one, so each is taken by itself.
      const [only] = parts
      if (only && sameRect(only, wanted)) return scaledTo(wanted, await capture(only))
      return captureArea(
        wanted,
        parts.map((bounds) => ({ bounds, capture: () => capture(bounds) })),
      )
    },
    /** Captures a whole window, even where it is covered. */
    async window({ id, bounds }: DesktopWindow): Promise<Picture> {
      // Its corners may be round.
      return scaledTo(bounds, fromPng(await pictureOfWindow(id)))
    },
  }
}

/** A picture with as many pixels as its area has: that of a scaled monitor has more. */
const scaledTo = async (area: Rect, picture: Picture): Promise<Picture> =>
  picture.width === area.width && picture.height === area.height
    ? picture
    : captureArea(area, [{ bounds: area, capture: async () => picture }])

/** The picture of an opaque PNG file. Its pixels are decoded when they are needed. */
function pictureOfFile(file: Buffer): Picture {
  const { width, height } = sizeOf(file)!
  let pixels: Uint8Array | undefined
  return {
    width,
    height,
    pixels() {
      pixels ??= readPng(file).data
      return pixels
    },
    png: () => file,
  }
}
