import type { Window } from '../../desktop/model/desktop.ts'
import { withFields } from '../../desktop/model/element.ts'
import { SEARCH_ID } from '../../desktop/shell/launcher.ts'
import type { ShellStyle } from '../../desktop/shell/shell-places.ts'
import { contentLayer } from '../desktop/window-content.ts'
import { type Layer, layer } from '../frame/layer.ts'
import { type Theme, themeOf } from '../theme.ts'
import { inset, type PaintContext } from '../widgets/widget.ts'
import { barMarks, type ShellLook } from './bar-marks.ts'
import { iconMarks } from './icon-marks.ts'
import { launcherMarks } from './launcher-marks.ts'
import { SHELL_COLOURS } from './shell-colours.ts'

/** A window of the shell. Bars and icons let the wallpaper through. */
export function shellLayer(window: Window, style: ShellStyle, theme: Theme, setting: PaintContext): Layer {
  const look: ShellLook = { style, colours: SHELL_COLOURS[style][theme.name] }
  if (window.shell === 'desktop') return layer({ marks: iconMarks(window, look), clip: window.bounds })
  if (window.shell === 'bar') return layer({ marks: barMarks(window, look), clip: window.bounds })
  const popups: Layer[] = []
  const own = style === 'gnome' && theme.name === 'light' ? { ...setting, theme: themeOf(style, 'dark') } : setting
  const field = contentLayer(fieldAlone(window), { ...own, pointed: undefined }, popups)
  return layer({ marks: launcherMarks(window, look), children: [field, ...popups] })
}

/** The pixels of the ring around a focused field. */
const RING_PX = 4

/** The launcher with its field only, which is painted like any other, without its name above it. */
function fieldAlone(window: Window): Window {
  const children = window.tree.children.filter(({ id }) => id === SEARCH_ID)
  const bounds = inset(children[0]?.bounds ?? window.bounds, -RING_PX)
  return { ...window, bounds, tree: withFields(window.tree, { bounds, children }) }
}
