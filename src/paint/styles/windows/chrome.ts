import type { PointerEffect } from '../../../desktop/apply/pointer-effect.ts'
import type { Window } from '../../../desktop/model/desktop.ts'
import { type Element, walk } from '../../../desktop/model/element.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { roleKind } from '../../../desktop/model/role.ts'
import { windowKind } from '../../../desktop/shell/bars.ts'
import type { WindowButton } from '../../../desktop/style/metrics.ts'
import { frameOf, isDialogWindow, raisedTabsEnd } from '../../../desktop/windows/frame.ts'
import { type BackdropStyle, backdrop, box, type DrawOp, type Ribbon, shadow, solid } from '../../frame/draw-op.ts'
import { label } from '../../frame/label.ts'
import { type InteractionState, pointerFeedback, stateOf } from '../../pointed.ts'
import type { PaintContext, StyleChrome, Theme } from '../../theme/theme.ts'
import type { ThemeName } from '../../theme/tokens.ts'
import { fontFor, iconIn, inkOf, inset, isFilled, softInkOf, squareIn } from '../../widgets/widget.ts'
import { BACKLOT_CHROME } from '../backlot/chrome.ts'
import { slimThumb } from '../shared-faces.ts'
import { flatPicture } from './app-pictures.ts'
import { windowsColours } from './tokens.ts'

/** The box of a check box or the circle of a radio button, darker below the pointer. */
const windowsSign: StyleChrome['sign'] = ({ enabled, selected, value }, theme, square, feedback) => {
  const { shape, isHovered, isPressed } = feedback
  const own = windowsColours(theme)
  const isMixed = shape === 'box' && (value === 'mixed' || value === 'indeterminate')
  const isOn = isMixed || selected === true
  const radius = shape === 'box' ? theme.metrics.radius.sign : square.width / 2
  const state = stateOf(enabled, feedback)
  if (!isOn) {
    const edge = !enabled ? theme.disabled : isPressed ? theme.line : theme.strong
    const face = box(square, { fill: own.off[state], border: edge, radius })
    if (shape === 'box' || !isPressed) return [face]
    const dot = inset(square, 5)
    return [face, box(dot, { fill: theme.muted, radius: dot.width / 2 })]
  }
  const face = box(square, { fill: own.accents[state], radius })
  if (shape === 'circle') {
    // The dot grows below the pointer.
    const dot = inset(square, Math.round(square.width / 4) + (isPressed ? 0 : isHovered ? -1 : 0))
    return [face, box(dot, { fill: own.onAccents[state], radius: dot.width / 2 })]
  }
  return [face, iconIn(square, isMixed ? 'thin-dash' : 'thin-check', 16, own.onAccents[state])]
}

/** A pill whose knob grows below the pointer and widens while it is pressed. */
const windowsToggle: StyleChrome['toggle'] = ({ enabled, selected }, theme, track, feedback) => {
  const own = windowsColours(theme)
  const isOn = selected === true
  const state = stateOf(enabled, feedback)
  const size = track.height - (state === 'hovered' || state === 'pressed' ? 6 : 8)
  const width = state === 'pressed' ? size + 3 : size
  const side = (track.height - size) >> 1
  const x = isOn ? track.x + track.width - width - side : track.x + side
  const place = { x, y: track.y + side, width, height: size }
  const radius = track.height / 2
  if (isOn)
    return [
      box(track, { fill: own.accents[state], radius }),
      box(place, { fill: own.onAccents[state], radius: size / 2 }),
    ]
  const edge = enabled ? theme.strong : theme.disabled
  return [
    box(track, { fill: own.off[state], border: edge, radius }),
    box(place, { fill: enabled ? theme.muted : theme.disabled, radius: size / 2 }),
  ]
}

/** A thin track, and a knob whose accent dot grows below the pointer. */
const windowsSlider: StyleChrome['slider'] = ({ enabled }, theme, feedback) => {
  const { bounds, x, y, upright, knob } = feedback
  const own = windowsColours(theme)
  const state = stateOf(enabled, feedback)
  const track = upright
    ? { x: x - 2, y: bounds.y, width: 4, height: bounds.height }
    : { x: bounds.x, y: y - 2, width: bounds.width, height: 4 }
  const filled = upright ? { ...track, y, height: bounds.y + bounds.height - y } : { ...track, width: x - bounds.x }
  const accent = own.accents[state]
  const dot = inset(knob, { normal: 4, hovered: 3, pressed: 5, disabled: 4 }[state])
  return [
    box(track, { fill: enabled ? theme.track : own.accents.disabled, radius: 2 }),
    ...(filled.width > 2 && filled.height > 2 ? [box(filled, { fill: accent, radius: 2 })] : []),
    box(knob, { fill: own.knob, border: theme.lip ?? theme.border, radius: knob.width / 2 }),
    box(dot, { fill: accent, radius: dot.width / 2 }),
  ]
}

/** The space above and below the buttons of a dialog. */
const AROUND = 16
/** Buttons further from the bottom are content. */
const MAX_BELOW = 40

/** The band behind the row of buttons at the bottom of a dialog. */
function dialogFooter(dialog: Element, { theme }: PaintContext): readonly DrawOp[] {
  const { x, y, width, height } = dialog.bounds
  const buttons = [...walk(dialog)].filter((each) => roleKind(each.role) === 'button' && !each.traits?.hidden)
  const lowest = Math.max(...buttons.map(({ bounds }) => bounds.y + bounds.height))
  const row = buttons.filter(({ bounds }) => bounds.y + bounds.height === lowest)
  const top = Math.min(...row.map(({ bounds }) => bounds.y)) - AROUND
  if (buttons.length === 0 || y + height - lowest > MAX_BELOW || top <= y + AROUND) return []
  if (roleKind(dialog.role) !== 'dialog') return windowBody(dialog, top, theme)
  const { card } = theme.metrics.radius
  const band = { x: x + 1, y: top, width: Math.max(0, width - 2), height: y + height - 1 - top }
  return [
    box(band, { fill: theme.window.surface, radius: [0, 0, card - 1, card - 1] }),
    solid({ ...band, height: 1 }, theme.line),
  ]
}

/** The content of a window that is a dialog, between its title or tabs and its buttons. */
function windowBody(window: Element, bottom: number, theme: Theme): readonly DrawOp[] {
  const { bounds } = window
  const top = Math.max(bounds.y + theme.metrics.title.height, raisedTabsEnd(window) ?? 0)
  const body = { x: bounds.x, y: top, width: bounds.width, height: Math.max(0, bottom - top) }
  return [solid(body, windowsColours(theme).content), solid({ ...body, y: bottom, height: 1 }, theme.line)]
}

/** The face of a button: raised, in the accent colour, or flat, which shows only what the pointer does. */
const windowsButtonFace: StyleChrome['buttonFace'] = (element, setting, feedback) => {
  const { isDefault, isFlat, radius } = feedback
  const { theme } = setting
  const { bounds, enabled, selected } = element
  const own = windowsColours(theme)
  const state = stateOf(enabled, feedback)
  if (isDefault || (selected === true && !isFlat && !isFilled(setting))) return accentFace(bounds, theme, radius, state)
  if (isFlat || isFilled(setting)) {
    const fill = own.flat[selected === true && state === 'normal' ? 'hovered' : state]
    const edge = selected === true ? theme.border : own.flatEdge
    return (state === 'normal' || state === 'disabled') && selected !== true
      ? []
      : [box(bounds, { fill, ...(edge && { border: edge }), radius })]
  }
  return raisedFace(bounds, theme, radius, state)
}

/** The ink on a button: paler while it is pressed. */
const windowsButtonInk: StyleChrome['buttonInk'] = (element, setting, feedback) => {
  const { theme } = setting
  if (setting.tone === 'destructive') return inkOf(element, setting)
  const own = windowsColours(theme)
  const state = stateOf(element.enabled, feedback)
  const isRaised = !feedback.isFlat && !isFilled({ ...setting, tone: feedback.isDefault ? 'plain' : setting.tone })
  if (feedback.isDefault || (element.selected === true && isRaised)) return own.onAccents[state]
  if (isFilled(setting) || state === 'disabled') return inkOf(element, setting)
  return feedback.isFlat ? own.flatInks[state] : own.inks[state]
}

/** The background of a field, box or list. Fields of text have a line below. */
const windowsFieldFace: StyleChrome['fieldFace'] = (element, { theme, pointed }, radius) => {
  const { bounds, enabled, focused, traits } = element
  const kind = roleKind(element.role)
  const own = windowsColours(theme)
  const state = stateOf(enabled, pointerFeedback(pointed))
  if (kind === 'combo' && !traits?.invalid && !holdsField(element)) return raisedFace(bounds, theme, radius, state)
  // A tree lies on the surface of its window.
  if (kind === 'tree' && own.treeEdge === undefined) return []
  const isLined = LINED.has(kind)
  const isWritable = enabled && traits?.readOnly !== true
  const fill = isWritable
    ? isLined && state !== 'normal' && !focused
      ? own.fieldHovered
      : theme.field
    : theme.fieldDisabled
  const face = box(bounds, { fill, border: isLined ? theme.border : theme.line, radius })
  if (!isLined) return traits?.invalid ? [face, box(bounds, { border: theme.danger, radius })] : [face]
  if (!enabled) return [face]
  const thick = focused || traits?.invalid !== undefined
  const colour = traits?.invalid ? theme.danger : focused ? theme.accent : theme.strong
  return [face, underline(bounds, radius, thick ? 2 : 1, colour)]
}

const holdsField = ({ children }: Element): boolean => children.some((child) => roleKind(child.role) === 'edit')

/** The kinds of fields with a line below their text. */
const LINED: ReadonlySet<string> = new Set(['edit', 'spinner', 'date', 'combo'])

/** Whether a focused element shows it by its line, not by a ring. */
const hasLine = (element: Element): boolean => {
  const kind = roleKind(element.role)
  return LINED.has(kind) && (kind !== 'combo' || holdsField(element))
}

function accentFace(bounds: Rect, theme: Theme, radius: number, state: InteractionState): readonly DrawOp[] {
  const { accents, accentLip } = windowsColours(theme)
  const face = box(bounds, { fill: accents[state], radius })
  return state === 'normal' || state === 'hovered' ? [face, lowEdge(bounds, radius, accentLip)] : [face]
}

/** The face of a button or a combo box, with a darker lower or a lighter upper edge. */
function raisedFace(bounds: Rect, theme: Theme, radius: number, state: InteractionState): readonly DrawOp[] {
  const own = windowsColours(theme)
  const face = box(bounds, { fill: own.faces[state], border: theme.border, radius })
  if (state === 'disabled' || state === 'pressed' || theme.lip === undefined || bounds.height < 16) return [face]
  return [
    face,
    own.isLipLow ? lowEdge(bounds, radius, theme.lip) : lowEdge({ ...bounds, height: 1 }, radius, theme.lip),
  ]
}

/** The lowest row of a rectangle without its round corners. */
const lowEdge = ({ x, y, width, height }: Rect, radius: number, colour: string): DrawOp =>
  solid({ x: x + radius, y: y + height - 1, width: Math.max(0, width - 2 * radius), height: 1 }, colour)

/** The line at the bottom of a field, inside its round corners. */
const underline = ({ x, y, width, height }: Rect, radius: number, thickness: number, colour: string): DrawOp => {
  const side = thickness === 1 ? Math.min(2, radius) : 1
  const line = { x: x + side, y: y + height - thickness, width: Math.max(0, width - 2 * side), height: thickness }
  return box(line, { fill: colour, radius: thickness === 1 ? 0 : [0, 0, 2, 2] })
}

const ICON = 16
const ICON_LEFT = 12
const TITLE_LEFT = 38

/** The icon and the title at the left, thin glyphs for the buttons at the right. Dialogs have no icon. */
function titleBar(window: Window, theme: Theme, active: boolean, pointed?: PointedButton): readonly DrawOp[] {
  const frame = frameOf(window, theme.metrics)
  if (!frame) return []
  const { title, buttons } = frame
  const { title: back, titleInactive, titleText, titleTextInactive, titleLine } = theme.window
  const colour = active ? titleText : titleTextInactive
  const isDialog = isDialogWindow(window)
  const left = isDialog ? ICON_LEFT : TITLE_LEFT
  const end = Math.min(title.x + title.width, ...Object.values(buttons).map(({ x }) => x))
  const words = { ...title, x: title.x + left, width: Math.max(0, end - title.x - left - 8) }
  const icon = { ...title, x: title.x + ICON_LEFT, width: ICON }
  const line = { ...title, y: title.y + title.height - 1, height: 1 }
  return [
    solid(title, active ? back : titleInactive),
    ...(titleLine ? [solid(line, titleLine)] : []),
    ...(isDialog || title.width < TITLE_LEFT ? [] : appIconOps(squareIn(icon, ICON), window)),
    ...label(words, window.title, { font: fontFor(theme, title.height, 'title'), colour }),
    ...(Object.entries(buttons) as [WindowButton, Rect][]).flatMap(([name, area]) => {
      const isPointed = pointed?.name === name
      const ink = isPointed && name === 'close' ? ON_CLOSE : colour
      return [...(isPointed ? [hint(name, area, theme, pointed.isPressed)] : []), ...glyph(name, area, window, ink)]
    }),
  ]
}

/** The picture of the application that a window belongs to. */
const appIconOps = (area: Rect, window: Window): readonly DrawOp[] =>
  flatPicture(area, { kind: windowKind(window), name: window.process })

type PointedButton = PointerEffect['button']

const ON_CLOSE = '#ffffff'

/** Behind the button below the pointer: red for the one that closes. */
function hint(name: WindowButton, area: Rect, theme: Theme, isPressed: boolean): DrawOp {
  const { flat, closeHovered, closePressed } = windowsColours(theme)
  if (name === 'close') return solid(area, isPressed ? closePressed : closeHovered)
  return solid(area, isPressed ? flat.pressed : flat.hovered)
}

function glyph(name: WindowButton, area: Rect, { state }: Window, colour: string): readonly DrawOp[] {
  const x = area.x + Math.floor((area.width - 10) / 2)
  const y = area.y + Math.floor((area.height - 10) / 2)
  switch (name) {
    case 'minimize':
      return [solid({ x, y: y + 5, width: 10, height: 1 }, colour)]
    case 'maximize':
      if (state !== 'maximized') return [box({ x, y, width: 10, height: 10 }, { border: colour, radius: 2 })]
      return [iconIn({ x: x - 3, y: y - 3, width: 16, height: 16 }, 'restore', 16, colour)]
    case 'close':
      return [iconIn({ x: x - 3, y: y - 3, width: 16, height: 16 }, 'thin-cross', 16, colour)]
  }
}

/** The drawing functions of the Windows style. */
export const WINDOWS_CHROME: StyleChrome = {
  ...BACKLOT_CHROME,
  wallpaper: ({ bounds }, { name }) => [backdrop(bounds, WINDOWS_WALLPAPERS[name])],
  titleBar,
  dialogFooter,
  focusRing: (area, radius, theme, element) =>
    element && hasLine(element)
      ? []
      : [
          box(inset(area, -1), { border: windowsColours(theme).innerRing, radius: radius + 1 }),
          box(inset(area, -3), { border: theme.ring, thickness: 2, radius: radius + 3 }),
        ],
  buttonFace: windowsButtonFace,
  buttonInk: windowsButtonInk,
  fieldFace: windowsFieldFace,
  sign: windowsSign,
  toggle: windowsToggle,
  slider: windowsSlider,
  comboArrow: (element, setting, area, icon) => [
    iconIn(area, icon, icon.startsWith('chevron') ? 12 : 16, softInkOf(element, setting)),
  ],
  tab: (element, { theme, pointed }, strip, words) => {
    const isOn = element.selected === true
    const { isHovered, isPressed } = pointerFeedback(pointed, true)
    const isLit = element.enabled && (isOn || (isHovered && !isPressed))
    const colour = !element.enabled ? theme.disabled : isLit ? theme.text : theme.muted
    const { x, y, width, height } = strip
    const pill = { x: x + Math.floor((width - 16) / 2), y: y + height - 4, width: 16, height: 3 }
    const font = fontFor(theme, height, isOn ? 'selectedTab' : 'tab')
    if (element.traits?.raised) {
      const { content } = windowsColours(theme)
      return [
        ...(isOn ? [box(strip, { fill: content, radius: [8, 8, 0, 0] })] : []),
        ...label(inset(words, 4, 0), element.name, { font, colour, align: 'center' }),
      ]
    }
    return [
      ...label(inset(words, 4, 0), element.name, { font, colour, align: 'center' }),
      ...(isOn && width >= 16 ? [box(pill, { fill: theme.accent, radius: 1.5 })] : []),
    ]
  },
  rowBack: (area, theme, { isSelected, isCurrent, isInPopup, isCell, isHovered, isPressed, isDropTarget }) => {
    const { row: radius } = theme.metrics.radius
    const { rowHovered, rowPressed, rowSelectedHovered } = windowsColours(theme)
    const place = isInPopup || isCell ? area : inset(area, 4, 2)
    const isLit = isSelected || (isInPopup && isCurrent)
    const pointed = isPressed ? rowPressed : isHovered ? rowHovered : undefined
    const fill = isLit ? (isHovered && !isPressed ? rowSelectedHovered : theme.selected) : pointed
    return [
      ...(fill && !(isCell && !isLit) ? [box(place, { fill, radius })] : []),
      ...(isSelected && !isCell ? [pill(place, theme, isPressed === true)] : []),
      ...(isSelected && isCell ? [box(place, { border: theme.accent, radius })] : []),
      ...(isCurrent && !isInPopup ? [box(place, { border: theme.ring, thickness: 2, radius })] : []),
      ...(isDropTarget ? [box(place, { border: theme.accent, thickness: 2, radius })] : []),
    ]
  },
  scrollThumb: slimThumb(2, 'end', 6),
  card: (bounds, theme, kind) => {
    const { radius } = theme.metrics
    const isTip = kind === 'tooltip'
    const fill = isTip ? theme.tooltip : kind === 'dialog' ? windowsColours(theme).content : theme.raised
    const shadows = isTip ? theme.shadows.tooltip : kind === 'dialog' ? theme.shadows.window : theme.shadows.card
    const corner = isTip ? radius.tooltip : radius.card
    return [
      ...shadows.map((each) => shadow(bounds, { ...each, radius: corner })),
      box(bounds, { fill, border: theme.cardEdge, radius: corner }),
    ]
  },
  appPicture: flatPicture,
}

/** The mark at the left of a selected row, shorter while the row is pressed. */
const pill = ({ x, y, height }: Rect, { accent }: Theme, isPressed: boolean): DrawOp => {
  const length = Math.min(isPressed ? 10 : 16, height)
  return box({ x, y: y + Math.floor((height - length) / 2), width: 3, height: length }, { fill: accent, radius: 1.5 })
}

/** Bands of silk that rise to the right, the front one last. Their colours are per shade, from the upper edge down. */
const BANDS: readonly Pick<Ribbon, 'upper' | 'lower' | 'strength'>[] = [
  { upper: [0.92, 1.02, 0.2, 0.3], lower: [1.2, 1.3, 0.62, 0.72], strength: [0.1, 0.6, 1, 1] },
  { upper: [1.0, 0.86, 0.5, 0.08], lower: [1.35, 1.2, 0.86, 0.5], strength: [0.5, 1, 1, 0.85] },
  { upper: [0.84, 1.12, 0.66, 0.42], lower: [1.1, 1.5, 1.02, 0.74], strength: [1, 1, 0.95, 1] },
  { upper: [0.98, 1.14, 0.94, 0.6], lower: [1.3, 1.5, 1.3, 1.0] },
]

const silk = (colours: readonly (readonly string[])[]): readonly Ribbon[] =>
  BANDS.map((band, index) => ({ kind: 'ribbon', ...band, colours: colours[index]! }))

/** The wallpapers of the Windows style. */
const WINDOWS_WALLPAPERS: Readonly<Record<ThemeName, BackdropStyle>> = {
  light: {
    top: '#cfe2f6',
    bottom: '#b3d0f1',
    glow: { x: 0.3, y: 0.2, radius: 0.6, colour: '#ffffffb0' },
    shapes: silk([
      ['#ffffffd0', '#7db4f0b0', '#3f86de90', '#2a6fd000'],
      ['#d8ebffff', '#4f9bf0f0', '#1b63cfe8', '#0f4db8c0'],
      ['#bfe0ffff', '#3d8ef0ff', '#0f58c8ff', '#0a3f9cf0'],
      ['#9fd0ffff', '#1f78e6ff', '#0a4bb4ff', '#083a8cff'],
    ]),
  },
  dark: {
    top: '#061129',
    bottom: '#0a1c40',
    glow: { x: 0.48, y: 0.42, radius: 0.52, colour: '#2a61b8a8' },
    shapes: silk([
      ['#6aa8ff70', '#1f5fd060', '#123f9a50', '#0a255c00'],
      ['#8fc2ffc0', '#1f62e0d0', '#1240a8d8', '#08215cc0'],
      ['#7ab6ffe0', '#175ae0f0', '#0c37a0f8', '#061a4cf0'],
      ['#5fa2ffe8', '#1250d2ff', '#0a2f8cff', '#051540ff'],
    ]),
  },
  'high-contrast': { top: '#000000', bottom: '#000000', shapes: [] },
}
