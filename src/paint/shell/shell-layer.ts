import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, nodeAt, type Path, withFields } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { SEARCH_ID } from '../../desktop/shell/launcher.ts'
import { APP_LIST_ID } from '../../desktop/shell/launcher-apps.ts'
import { MENUS_ID } from '../../desktop/shell/menus.ts'
import { VOLUME_ID, WIFI_ID } from '../../desktop/shell/tray.ts'
import { box, type DrawOp, shadow, solid } from '../frame/draw-op.ts'
import { label } from '../frame/label.ts'
import { type Layer, layer } from '../frame/layer.ts'
import type { DrawnIcon } from '../icons.ts'
import { type Font, widthOf } from '../text/fonts.ts'
import { elide, wrap } from '../text/text.ts'
import type { PaintContext, ShellTheme, Theme } from '../theme/theme.ts'
import { iconIn, inset } from '../widgets/widget.ts'
import { contentLayer } from '../window-content.ts'
import { barLayer, glass, type ShellContext } from './bars.ts'
import { devicePicture, filePicture, folderPicture, recyclePicture } from './desk-pictures.ts'
import { appListLayer, drawLauncher, LARGE_FIELD_PX, LAUNCHER_RADIUS } from './launcher.ts'

/** A window of the shell. Bars and icons let the wallpaper through. */
export function shellLayer(window: Window, theme: Theme, shell: ShellTheme, setting: PaintContext): Layer {
  const context: ShellContext = {
    theme,
    shell,
    colours: shell.colours,
    hovered: idAt(window, setting.pointed?.hovered),
    pressed: idAt(window, setting.pointed?.pressed),
  }
  if (window.shell === 'desktop') return layer({ ops: iconOps(window, context), clip: window.bounds })
  const popups: Layer[] = []
  if (window.shell === 'bar') {
    const menus = withElements(window, ({ id }) => id === MENUS_ID, 0)
    if (menus.tree.children.length > 0) contentLayer(menus, { ...setting, pointed: undefined }, popups)
    const bar = barLayer(window, context)
    return popups.length > 0 ? layer({ children: [bar, ...popups] }) : bar
  }
  // Paths of the pointer are those of the whole window.
  const own = { ...setting, theme: shell.inside ?? theme, pointed: undefined }
  if (window.shell === 'flyout') {
    const rest = withElements(window, (element) => !isFlyoutPart(element), 0)
    const content = contentLayer(rest, own, popups)
    return panelLayer(window, context, flyoutOps(window, { ...context, theme: own.theme }), [content, ...popups])
  }
  const field = contentLayer(
    withElements(window, ({ id }) => id === SEARCH_ID, RING_PX),
    fieldSetting(own),
    popups,
  )
  const list = window.tree.children.find(({ id }) => id === APP_LIST_ID)
  const lists = list ? [appListLayer(list, context, own)] : []
  return panelLayer(window, context, drawLauncher(window, context), [field, ...lists, ...popups])
}

/** The id of the element at a path. */
const idAt = ({ tree }: Window, path: Path | undefined): string | undefined => path && nodeAt(tree, path)?.id

/** A surface of glass with a shadow, and what is on it. */
function panelLayer(window: Window, context: ShellContext, ops: Layer['ops'], children: readonly Layer[]): Layer {
  const { bounds, screen } = window
  const { colours, shell, theme } = context
  const isFlyout = window.shell === 'flyout'
  const radius = isFlyout ? shell.flyoutRadius : LAUNCHER_RADIUS[shell.launcher]
  const isFull = radius === 0
  const back = layer({
    ops: glass(bounds, isFlyout ? colours.flyout : colours.launcher, screen, theme),
    ...(!isFull && { rounded: { rect: bounds, radius } }),
    covers: bounds,
  })
  const edge = colours.launcherEdge && !isFull ? [box(bounds, { border: colours.launcherEdge, radius })] : []
  const content = layer({ ops: [...edge, ...ops], children })
  return layer({
    ops:
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

/** The field of the launcher has no face of its own, and in a search panel larger words. */
function fieldSetting(setting: PaintContext): PaintContext {
  const known = fieldSettings.get(setting.theme)
  if (known) return known
  const { theme, chrome } = setting
  const isLarge = theme.shell?.launcher === 'search panel'
  const type = isLarge ? { ...theme.type, field: { size: LARGE_FIELD_PX, weight: 400 } } : theme.type
  const made: PaintContext = {
    ...setting,
    theme: { ...theme, type },
    chrome: { ...chrome, fieldFace: () => [], focusRing: () => [] },
  }
  fieldSettings.set(theme, made)
  return made
}

const LINE_PX = 15
const MAX_LINES = 2
const TOP_PX = 4

/** The icons of the desktop: a picture and, on the wallpaper, white words with a shadow. */
const iconOps = ({ tree }: Window, context: ShellContext): readonly DrawOp[] =>
  tree.children.flatMap(({ children }) => children.flatMap((item) => itemOps(item, context)))

function itemOps(item: Element, context: ShellContext): readonly DrawOp[] {
  const { bounds, name, selected, id, focused } = item
  const { colours, shell, theme, hovered } = context
  const { x, y, width } = bounds
  const { size, weight } = shell.icon
  const words: Font = { family: theme.type.family, size: 12, weight }
  const picture = { x: x + Math.floor((width - size) / 2), y: y + TOP_PX, width: size, height: size }
  const top = y + TOP_PX + size + 2
  const lines = shownLines(name, width - 4, words).map((content, index) => ({
    content,
    area: { x: x + 2, y: top + index * LINE_PX, width: width - 4, height: LINE_PX },
  }))
  const border = focused ? colours.ring : colours.selectedEdge
  const isLit = selected === true || id === hovered
  const back = box(bounds, {
    fill: selected ? colours.selected : colours.hoveredIcon,
    radius: 4,
    ...(border && selected && { border }),
  })
  const { labelFill } = colours
  if (labelFill === undefined)
    return [
      ...(isLit ? [back] : []),
      ...pictureOf(item, picture, context),
      ...lines.flatMap(({ area, content }) => shadedWords(area, content, words)),
    ]
  return [
    ...(selected
      ? [
          box(
            { ...picture, x: picture.x - 4, width: size + 8, y: y + 1, height: size + 6 },
            { fill: colours.selected, radius: 4 },
          ),
        ]
      : []),
    ...pictureOf(item, picture, context),
    ...lines.flatMap(({ area, content }) =>
      selected ? markedWords(area, content, words, labelFill) : shadedWords(area, content, words),
    ),
  ]
}

function pictureOf({ id, name, description }: Element, area: Rect, { shell }: ShellContext): readonly DrawOp[] {
  if (id === 'shell.device') return devicePicture(area)
  if (id === 'shell.recycle-bin') return recyclePicture(area)
  return description === 'Folder' ? folderPicture(area, shell.folder) : filePicture(area, name)
}

/** At most two lines. A word that is too long for a line ends with an ellipsis. */
function shownLines(name: string, width: number, font: Font): readonly string[] {
  const lines = wrap(name, width, font, MAX_LINES)
  const [first] = lines
  const cutsWord = first !== undefined && first.to < name.length && !/[\s\-_.]/.test(name[first.to - 1] ?? ' ')
  if (cutsWord) return [elide(name, width, font)]
  return lines.map(({ text, from, to }, index) =>
    index === MAX_LINES - 1 && to < name.length ? elide(name.slice(from), width, font) : text.trimEnd(),
  )
}

/** The words, and the same words around them as a shadow. */
function shadedWords(area: Rect, content: string, font: Font): readonly DrawOp[] {
  const shade = (x: number, y: number, colour: string) =>
    label({ ...area, x: area.x + x, y: area.y + y }, content, { font, colour, align: 'center' }).map(
      ({ run: _, ...op }) => op,
    )
  return [
    ...shade(0, 2, '#00000038'),
    ...shade(1, 1, '#00000060'),
    ...shade(-1, 1, '#00000038'),
    ...shade(0, 1, '#000000a0'),
    ...label(area, content, { font, colour: '#ffffff', align: 'center' }),
  ]
}

/** White words on a coloured label. */
function markedWords(area: Rect, content: string, font: Font, fill: string): readonly DrawOp[] {
  const width = Math.min(area.width, Math.ceil(widthOf(content, font)) + 8)
  const back = { ...area, x: area.x + Math.floor((area.width - width) / 2), width, y: area.y - 1, height: LINE_PX + 2 }
  return [box(back, { fill, radius: 4 }), ...label(area, content, { font, colour: '#ffffff', align: 'center' })]
}

/** Whether the shell paints an element of a flyout itself. All others are painted as in any window. */
const isFlyoutPart = ({ role, id }: Element): boolean =>
  roleKind(role) === 'toggle' || (roleKind(role) === 'button' && id.startsWith('shell.')) || id.startsWith('shell.note')

const ICONS: Readonly<Record<string, DrawnIcon>> = {
  [WIFI_ID]: 'network',
  'shell.quick.bluetooth': 'bluetooth',
  'shell.quick.night': 'night',
  'shell.quick.settings': 'gear',
  'shell.hidden.0': 'refresh',
  'shell.hidden.1': 'cloud',
  'shell.hidden.2': 'microphone',
}

/** The content of a flyout, above its glass and below its other elements. */
const flyoutOps = ({ tree }: Window, context: ShellContext): readonly DrawOp[] =>
  tree.children.flatMap((child) => partOps(child, context))

function partOps(element: Element, context: ShellContext): readonly DrawOp[] {
  const { id, bounds } = element
  const { colours } = context
  if (roleKind(element.role) === 'toggle') return tileOps(element, context)
  if (roleKind(element.role) === 'slider') return [sliderIcon(element, context)]
  if (id === 'shell.quick.battery')
    return [iconIn({ ...bounds, x: bounds.x - 28, width: 24 }, 'battery', 18, colours.launcherText)]
  if (id.startsWith('shell.note.')) return noteOps(element, context)
  if (id.startsWith('shell.notes.')) return wordsOps(element, context)
  if (id.startsWith('shell.input.')) return [...backOps(element, context), ...layoutOps(element, context)]
  const icon = ICONS[id]
  return icon ? [...backOps(element, context), iconIn(bounds, icon, 18, colours.launcherText)] : []
}

function backOps({ id, bounds, focused, selected }: Element, { colours, hovered }: ShellContext): readonly DrawOp[] {
  const isLit = id === hovered || selected === true
  if (!focused && !isLit) return []
  return [
    box(bounds, {
      ...(isLit && { fill: colours.launcherHover }),
      ...(focused && { border: colours.ring, thickness: 2 }),
      radius: 4,
    }),
  ]
}

const TILE_PX = 48

/** A switch of the machine: a tile with an icon, filled while it is on, and its name below. */
function tileOps({ id, bounds, name, selected, focused }: Element, context: ShellContext): readonly DrawOp[] {
  const { colours, shell, theme, hovered } = context
  const isOn = selected === true
  const tile = { ...bounds, height: TILE_PX }
  const radius = shell.tileRadius
  const words = { ...bounds, y: bounds.y + TILE_PX + 4, height: bounds.height - TILE_PX - 6 }
  const icon = ICONS[id] ?? 'info'
  return [
    box(tile, {
      fill: isOn ? colours.accent : colours.launcherField,
      radius,
      ...(!isOn && { border: colours.launcherFieldEdge }),
    }),
    ...(id === hovered ? [box(tile, { fill: colours.launcherHover, radius })] : []),
    ...(focused ? [box(inset(tile, -3), { border: colours.ring, thickness: 2, radius: radius + 3 })] : []),
    iconIn(tile, icon, 18, isOn ? colours.onAccent : colours.launcherText),
    ...label(words, name, {
      font: { family: theme.type.family, size: 12, weight: 400 },
      colour: colours.launcherText,
      align: 'center',
    }),
  ]
}

const sliderIcon = ({ id, bounds, valueNow }: Element, { colours }: ShellContext): DrawOp => {
  const sound = valueNow === 0 ? 'sound-off' : 'sound'
  return iconIn(
    { ...bounds, x: bounds.x - 40, width: 32 },
    id === VOLUME_ID ? sound : 'brightness',
    18,
    colours.launcherText,
  )
}

/** A notification that is open. */
function noteOps({ bounds, name, value }: Element, { colours, theme }: ShellContext): readonly DrawOp[] {
  const { family } = theme.type
  const words = { ...inset(bounds, 12, 0), height: 20 }
  const top = bounds.y + Math.floor((bounds.height - (value ? 40 : 20)) / 2)
  return [
    box(bounds, { fill: colours.launcherField, border: colours.launcherFieldEdge, radius: 6 }),
    ...label({ ...words, y: top }, name, { font: { family, size: 13, weight: 600 }, colour: colours.launcherText }),
    ...label({ ...words, y: top + 20 }, value ?? '', {
      font: { family, size: 12, weight: 400 },
      colour: colours.launcherMuted,
    }),
  ]
}

function wordsOps({ id, bounds, name }: Element, { colours, theme }: ShellContext): readonly DrawOp[] {
  const isHeading = id === 'shell.notes.heading'
  const { x, y, width, height } = bounds
  return [
    ...label(bounds, name, {
      font: { family: theme.type.family, size: isHeading ? 14 : 13, weight: isHeading ? 600 : 400 },
      colour: isHeading ? colours.launcherText : colours.launcherMuted,
      ...(!isHeading && { align: 'center' as const }),
    }),
    ...(isHeading ? [solid({ x, y: y + height, width, height: 1 }, colours.launcherLine)] : []),
  ]
}

/** A layout of the keyboard: its code and its name. */
function layoutOps({ bounds, name, value, selected }: Element, { colours, theme }: ShellContext): readonly DrawOp[] {
  const { family } = theme.type
  const mark = { x: bounds.x, y: bounds.y + ((bounds.height - 16) >> 1), width: 3, height: 16 }
  return [
    ...(selected ? [box(mark, { fill: colours.accent, radius: 1.5 })] : []),
    ...label({ ...bounds, x: bounds.x + 12, width: 40 }, value ?? '', {
      font: { family, size: 12, weight: 600 },
      colour: colours.launcherText,
    }),
    ...label({ ...bounds, x: bounds.x + 56, width: bounds.width - 64 }, name, {
      font: { family, size: 13, weight: 400 },
      colour: colours.launcherText,
    }),
  ]
}
