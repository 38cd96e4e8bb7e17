import { Fault } from '../base/fault.ts'
import { DEFAULT_SCREEN, type Desktop, windowByUid } from '../desktop/desktop.ts'
import type { Rect } from '../desktop/geometry.ts'
import { primaryMonitor } from '../desktop/panel.ts'
import { composite, emptyFrame } from './frame.ts'
import { type Layer, textIn } from './layer.ts'
import type { Picture } from './picture.ts'
import { encodePng } from './png.ts'
import { layersOf, wallpaper, windowLayer } from './scenery.ts'
import { THEMES, type ThemeName } from './theme.ts'

/** Paints desktops. The pictures it gives are made when somebody asks for their pixels or their file. */
export interface Painter {
  /** The whole primary monitor. */
  screen(desktop: Desktop): Picture
  /** A window alone, whole and not covered by others. Throws `WindowGone`. */
  window(desktop: Desktop, uid: string): Picture
  /** A part of the desktop as it is seen; black where no monitor is. */
  area(desktop: Desktop, rect: Rect): Picture
}

export interface PainterOptions {
  readonly theme?: ThemeName
}

/** A painter in a theme; `light` unless told otherwise. */
export function createPainter({ theme: name = 'light' }: PainterOptions = {}): Painter {
  const theme = THEMES[name]
  return {
    screen: (desktop) => show(layersOf(desktop, theme), primaryMonitor(desktop)?.bounds ?? DEFAULT_SCREEN),
    area: (desktop, rect) => show(layersOf(desktop, theme), rect),
    window: (desktop, uid) => {
      const window = windowByUid(desktop, uid)
      if (!window) throw new Fault('WindowGone', `no window has the uid ${JSON.stringify(uid)}`, { window_uid: uid })
      const ground = wallpaper(desktop.monitors, theme)
      return show([ground, windowLayer(window, theme, uid === desktop.active)], window.bounds)
    },
  }
}

function show(layers: readonly Layer[], view: Rect): Picture {
  const { width, height } = view
  const frame = () => {
    const made = emptyFrame(view)
    composite(made, layers, view)
    return made.pixels
  }
  return {
    width,
    height,
    pixels: () => new Uint8Array(frame().buffer),
    png: () => encodePng(width, height, frame()),
    get text() {
      return textIn(layers, view)
    },
  }
}
