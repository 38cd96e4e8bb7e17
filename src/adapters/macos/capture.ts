import { Fault } from '../../base/fault.ts'
import { type Picture, resize } from '../../paint/picture.ts'
import { captureArea } from '../capture-area.ts'
import { type ScreenshotTarget, screenArea } from '../computer.ts'
import { loadNativeScreenshots, type NativeScreenshots, pictureOfImage } from '../native-screenshots.ts'
import type { MacFunctions } from './native.ts'
import { type MacDisplay, type MacWindow, macScale, toMacMonitors, toPixels } from './windows.ts'

/** How the operator allows screenshots. */
export const ALLOW_CAPTURE =
  'allow it in System Settings, Privacy & Security, Screen & System Audio Recording, and start this program again'

/** Screenshots of a Mac in pixels. */
export interface MacCapture {
  window(window: MacWindow, displays: readonly MacDisplay[]): Promise<Picture>
  screen(of: Exclude<ScreenshotTarget, { window: string }>, displays: readonly MacDisplay[]): Promise<Picture>
}

/** Creates the screenshots of a desktop. The package that takes them is loaded for the first one. */
export function macCapture(
  c: MacFunctions,
  load: () => Promise<NativeScreenshots> = loadNativeScreenshots,
): MacCapture {
  const open = async (): Promise<NativeScreenshots> => {
    if (!c.canCapture())
      throw new Fault('PlatformUnsupported', `this program may not record the screen; ${ALLOW_CAPTURE}`)
    return load()
  }
  return {
    async window({ number, bounds }, displays) {
      const native = (await open()).Window.all().find((window) => window.id() === number)
      if (!native) throw new Fault('WindowGone', 'the window has been closed', { window_uid: `mac:${number}` })
      const { width, height } = toPixels(bounds, macScale(displays))
      return resize(await pictureOfImage(await native.captureImage()), width, height)
    },
    async screen(of, displays) {
      const native = (await open()).Monitor.all()
      const monitors = toMacMonitors(displays)
      const captured = displays.flatMap(({ id }, index) => {
        const monitor = native.find((each) => each.id() === id)
        const { bounds } = monitors[index]!
        return monitor ? [{ bounds, capture: async () => pictureOfImage(await monitor.captureImage()) }] : []
      })
      return captureArea('area' in of ? of.area : screenArea(false, monitors), captured)
    },
  }
}
