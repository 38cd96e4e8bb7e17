import { Fault } from '../../../base/fault.ts'
import type { Monitor } from '../../../desktop/model/desktop.ts'
import { encloses, intersect, type Rect } from '../../../desktop/model/geometry.ts'
import { crop, type Picture } from '../../../paint/picture.ts'
import { captureArea } from '../../capture-area.ts'
import { type NativeScreenshots, pictureOfImage } from '../../native-screenshots.ts'
import { MAX_RESPONSE_MS, type Responds } from '../responses.ts'
import type { NativeWindow } from '../window-list/native-window.ts'
import type { GraphicsFunctions } from './gdi.ts'

/** Screenshots in pixels of the screen. */
export interface WindowsCapture {
  monitors(): readonly Monitor[]
  /** What an area of the screen shows. */
  area(area: Rect): Promise<Picture>
  /** A window completely. `above` are the windows in front of it, `frame` its bounds with invisible borders. */
  window(window: NativeWindow, above: readonly NativeWindow[], frame: Rect): Promise<Picture>
}

/** Creates the screenshots of a desktop. */
export function windowsCapture(
  screenshots: NativeScreenshots,
  graphics: GraphicsFunctions,
  responds: Responds,
): WindowsCapture {
  const native = () =>
    [...screenshots.Monitor.all()]
      .sort((a, b) => Number(b.isPrimary()) - Number(a.isPrimary()))
      .map((monitor) => ({
        monitor,
        bounds: { x: monitor.x(), y: monitor.y(), width: monitor.width(), height: monitor.height() },
      }))
  const area = (wanted: Rect): Promise<Picture> =>
    captureArea(
      wanted,
      native().map(({ monitor, bounds }) => ({
        bounds,
        capture: async () => pictureOfImage(await monitor.captureImage()),
      })),
    )
  return {
    area,
    monitors: () =>
      native().map(({ monitor, bounds }, index) => ({
        index,
        primary: monitor.isPrimary(),
        bounds,
        scaleFactor: monitor.scaleFactor(),
      })),
    async window(window, above, frame) {
      const { bounds, hwnd, uid } = window
      const isCovered = above.some((each) => intersect(each.bounds, bounds))
      if (!isCovered && native().some((each) => encloses(each.bounds, bounds))) return area(bounds)
      const responding = await responds(hwnd, MAX_RESPONSE_MS)
      const whole = responding ? await graphics.printWindow(hwnd, frame) : undefined
      if (whole) return crop(whole, { ...bounds, x: bounds.x - frame.x, y: bounds.y - frame.y })
      if (!isCovered) return area(bounds)
      throw responding
        ? new Fault('WindowOccluded', 'the window is covered, and its program does not draw it for screenshots', {
            window_uid: uid,
          })
        : new Fault('Timeout', 'the window is covered, and its program does not answer to draw it', {
            window_uid: uid,
          })
    },
  }
}
