import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../../base/fault.ts'
import type { Rect } from '../../../../desktop/model/geometry.ts'
import type { Picture } from '../../../../paint/picture.ts'
import { assertCapturable, captureArea } from '../../../screen-capture.ts'
import { pictureFromBgrx } from '../../capture.ts'
import { type Bus, BusError, type BusMethod, type ObjectRef, openPassingBus } from '../../dbus.ts'
import { openSharedFile } from '../connection.ts'
import { packedRows } from '../screencopy.ts'
import type { KWinWindow } from './kwin-windows.ts'

/** Pictures through the interface ScreenShot2 of KWin, which writes them into a file that is passed to it. */
export interface KWinPictures {
  area(area: Rect): Promise<Picture>
  /** A whole window, even where it is covered. */
  window(window: KWinWindow): Promise<Picture>
  close(): void
}

/** What KWin tells of a picture. */
export interface RawPicture {
  readonly width: number
  readonly height: number
  /** Bytes from one row to the next. */
  readonly stride: number
  /** A format of QImage. */
  readonly format: number
}

const SCREENSHOTS: ObjectRef = { bus: 'org.kde.KWin.ScreenShot2', path: '/org/kde/KWin/ScreenShot2' }
const MAX_PICTURE_MS = 5000
const METHODS = {
  area: { member: 'CaptureArea', signature: 'iiuua{sv}h' },
  window: { member: 'CaptureWindow', signature: 'sa{sv}h' },
} as const
const OPTIONS = [
  ['include-cursor', ['b', false]],
  ['include-decoration', ['b', true]],
  ['include-shadow', ['b', false]],
  ['hide-caller-windows', ['b', false]],
  // Pictures have logical pixels.
  ['native-resolution', ['b', false]],
]
/** The index of the descriptor among those of a call. */
const FIRST_FD = 0

/** Whether KWin takes pictures for this program. It looks at the permission before the window, which does not exist. */
export async function mayTakePictures(address: string, folder: string): Promise<boolean> {
  const bus = await openPassingBus(address)
  const file = openSharedFile(folder, 0)
  try {
    await capture(bus, METHODS.window, file.fd, '')
    return true
  } catch (error) {
    if (error instanceof BusError) return !/NoAuthorized|ServiceUnknown/.test(error.kind)
    throw error
  } finally {
    file.close()
    bus.close()
  }
}

/** Opens pictures on the session bus at `address`, when the first one is taken. `folder` is for their files. */
export function openKWinPictures(address: string, folder: string): KWinPictures {
  let bus: Promise<Bus> | undefined
  const connected = async (): Promise<Bus> => {
    const open = await bus?.catch(() => undefined)
    if (open && !open.ended) return open
    bus = openPassingBus(address)
    return bus
  }
  const take = async (method: (typeof METHODS)[keyof typeof METHODS], ...values: readonly unknown[]) => {
    const file = openSharedFile(folder, 0)
    try {
      const raw = await capture(await connected(), method, file.fd, ...values)
      const size = raw.stride * raw.height
      // KWin answers before it has written the picture.
      for (const deadline = Date.now() + MAX_PICTURE_MS; file.size() < size; await sleep(2))
        if (Date.now() > deadline) throw new Fault('Timeout', `KWin wrote no picture within ${MAX_PICTURE_MS} ms`)
      return pictureOfQImage(raw, file.read(size))
    } catch (error) {
      if (!(error instanceof BusError)) throw error
      if (error.kind.endsWith('InvalidWindow')) throw new Fault('WindowGone', 'the window closed before its picture')
      throw new Fault('PlatformUnsupported', `KWin took no picture: ${error.message}; run backlot doctor`)
    } finally {
      file.close()
    }
  }
  return {
    async area(area) {
      assertCapturable(area)
      const picture = await take(METHODS.area, area.x, area.y, area.width, area.height)
      return sized(picture, area)
    },
    window: async ({ uuid, bounds }) => sized(await take(METHODS.window, uuid), bounds),
    close() {
      bus?.then((open) => open.close()).catch(() => {})
    },
  }
}

const capture = (
  bus: Bus,
  { member, signature }: Pick<BusMethod, 'member' | 'signature'>,
  fd: number,
  ...values: readonly unknown[]
): Promise<RawPicture> => {
  const method = { interface: SCREENSHOTS.bus, member, signature, fd, timeoutMs: MAX_PICTURE_MS } as BusMethod
  return bus.call<RawPicture>(SCREENSHOTS, method, ...values, OPTIONS, FIRST_FD)
}

/** A picture with the size of what it shows. KWin rounds up on scaled screens. */
const sized = async (picture: Picture, bounds: Rect): Promise<Picture> =>
  picture.width === bounds.width && picture.height === bounds.height
    ? picture
    : captureArea(bounds, [{ bounds, capture: async () => picture }])

/** Formats of QImage whose bytes are blue, green, red and alpha, and those that begin with red. */
const BLUE_FIRST: ReadonlySet<number> = new Set([4, 5, 6])
const RED_FIRST: ReadonlySet<number> = new Set([16, 17, 18])

/** A picture of the bytes that KWin writes. Throws `PlatformUnsupported` for an unknown format. */
export function pictureOfQImage({ width, height, stride, format }: RawPicture, bytes: Buffer): Picture {
  const rows = packedRows(bytes, { width, height, stride, isFlipped: false })
  if (BLUE_FIRST.has(format)) return pictureFromBgrx(width, height, rows)
  if (!RED_FIRST.has(format))
    throw new Fault('PlatformUnsupported', `KWin took a picture in the format ${format} of QImage, which is not known`)
  const swapped = Buffer.from(rows)
  for (let at = 0; at < swapped.length; at += 4) {
    swapped[at] = rows[at + 2]!
    swapped[at + 2] = rows[at]!
  }
  return pictureFromBgrx(width, height, swapped)
}
