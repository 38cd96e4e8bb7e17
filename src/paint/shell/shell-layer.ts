import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, nodeAt, type Path, withFields } from '../../desktop/model/element.ts'
import { SEARCH_ID } from '../../desktop/shell/launcher.ts'
import { APP_LIST_ID } from '../../desktop/shell/launcher-apps.ts'
import { MENUS_ID } from '../../desktop/shell/menus.ts'
import type { ShellStyle } from '../../desktop/shell/shell-elements.ts'
import { contentLayer } from '../desktop/window-content.ts'
import { type Layer, layer } from '../frame/layer.ts'
import { box, shadow } from '../frame/mark.ts'
import { type Theme, themeOf } from '../theme.ts'
import { inset, type PaintContext } from '../widgets/widget.ts'
import { barLayer, type ShellLook } from './bar-marks.ts'
import { flyoutMarks, isFlyoutPart } from './flyout-marks.ts'
import { glass } from './glass.ts'
import { iconMarks } from './icon-marks.ts'
import { appListLayer, LARGE_FIELD_PX, LAUNCHER_RADIUS, launcherMarks } from './launcher-marks.ts'
import { SHELL_COLOURS } from './shell-colours.ts'

/** A window of the shell. Bars and icons let the wallpaper through. */
export function shellLayer(window: Window, style: ShellStyle, theme: Theme, setting: PaintContext): Layer {
  const look: ShellLook = {
    style,
    colours: SHELL_COLOURS[style][theme.name],
    theme,
    hovered: idAt(window, setting.pointed?.hovered),
    pressed: idAt(window, setting.pointed?.pressed),
  }
  if (window.shell === 'desktop') return layer({ marks: iconMarks(window, look), clip: window.bounds })
  const popups: Layer[] = []
  if (window.shell === 'bar') {
    const menus = withElements(window, ({ id }) => id === MENUS_ID, 0)
    if (menus.tree.children.length > 0) contentLayer(menus, { ...setting, pointed: undefined }, popups)
    const bar = barLayer(window, look)
    return popups.length > 0 ? layer({ children: [bar, ...popups] }) : bar
  }
  const isDark = style === 'gnome' && theme.name === 'light'
  // Paths of the pointer are those of the whole window.
  const own = { ...setting, theme: isDark ? themeOf(style, 'dark') : theme, pointed: undefined }
  if (window.shell === 'flyout') {
    const rest = withElements(window, (element) => !isFlyoutPart(element), 0)
    const content = contentLayer(rest, own, popups)
    return panelLayer(window, look, flyoutMarks(window, { ...look, theme: own.theme }), [content, ...popups])
  }
  const field = contentLayer(
    withElements(window, ({ id }) => id === SEARCH_ID, RING_PX),
    fieldSetting(own),
    popups,
  )
  const list = window.tree.children.find(({ id }) => id === APP_LIST_ID)
  const lists = list ? [appListLayer(list, look, own)] : []
  return panelLayer(window, look, launcherMarks(window, look), [field, ...lists, ...popups])
}

/** The id of the element at a path. */
const idAt = ({ tree }: Window, path: Path | undefined): string | undefined => path && nodeAt(tree, path)?.id

/** The radius of the corners of flyouts. */
const FLYOUT_RADIUS: Readonly<Record<ShellStyle, number>> = { windows: 8, macos: 12, gnome: 20 }

/** A surface of glass with a shadow, and what is on it. */
function panelLayer(window: Window, look: ShellLook, marks: Layer['marks'], children: readonly Layer[]): Layer {
  const { bounds, screen } = window
  const { colours, style, theme } = look
  const radius = window.shell === 'flyout' ? FLYOUT_RADIUS[style] : LAUNCHER_RADIUS[style]
  const isFull = radius === 0
  const isDark = window.shell === 'flyout' && style === 'gnome' && theme.name !== 'high-contrast'
  const tint = isDark ? colours.dock : colours.launcher
  const back = layer({
    marks: glass(bounds, tint, screen, theme),
    ...(!isFull && { rounded: { rect: bounds, radius } }),
    covers: bounds,
  })
  const edge = colours.launcherEdge && !isFull ? [box(bounds, { border: colours.launcherEdge, radius })] : []
  const content = layer({ marks: [...edge, ...marks], children })
  return layer({
    marks:
      isFull || theme.name === 'high-contrast' ? [] : [shadow(bounds, { reach: 26, drop: 8, opacity: 0.34, radius })],
    children: [back, content],
  })
}

/** The pixels of the ring around a focused field. */
const RING_PX = 4

/** The window with only some of its elements, and `around` pixels beside the only one. */
function withElements(window: Window, isShown: (element: Element) => boolean, around: number): Window {
  const children = window.tree.children.filter(isShown)
  const bounds = around > 0 ? inset(children[0]?.bounds ?? window.bounds, -around) : window.bounds
  return { ...window, bounds, tree: withFields(window.tree, { bounds, children }) }
}

const fieldSettings = new WeakMap<Theme, PaintContext>()

/** The field of the launcher has no face of its own, and in the style `macos` larger words. */
function fieldSetting(setting: PaintContext): PaintContext {
  const known = fieldSettings.get(setting.theme)
  if (known) return known
  const { theme, parts } = setting
  const type = theme.style === 'macos' ? { ...theme.type, field: { size: LARGE_FIELD_PX, weight: 400 } } : theme.type
  const made: PaintContext = {
    ...setting,
    theme: { ...theme, type },
    parts: { ...parts, fieldFace: () => [], focusRing: () => [] },
  }
  fieldSettings.set(theme, made)
  return made
}
