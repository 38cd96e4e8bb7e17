import type { PointerEffect } from '../../../desktop/apply/pointer-effect.ts'
import type { Window } from '../../../desktop/model/desktop.ts'
import type { Element } from '../../../desktop/model/element.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { roleKind, rolesWith } from '../../../desktop/model/role.ts'
import { frameOf, paneStarts, sidePartOf } from '../../../desktop/windows/frame.ts'
import {
  type BackdropStyle,
  backdrop,
  box,
  type DrawOp,
  type Facet,
  roundedGradient,
  shadow,
  solid,
} from '../../frame/draw-op.ts'
import { label } from '../../frame/label.ts'
import { type Pointed, pointerFeedback, stateOf } from '../../pointed.ts'
import { replaceUnprintable, widthOf } from '../../text/fonts.ts'
import { elide } from '../../text/text.ts'
import type { PicturedApp, StyleChrome, Theme } from '../../theme/theme.ts'
import type { ThemeName } from '../../theme/tokens.ts'
import { fontFor, iconIn, inkOf, inset, isFilled, softInkOf } from '../../widgets/widget.ts'
import { appColoursOf, glyph } from '../app-picture.ts'
import { BACKLOT_CHROME } from '../backlot/chrome.ts'
import { paneFace, slimThumb } from '../shared-faces.ts'
import { gnomeColours } from './tokens.ts'

/** The box of a check box or the circle of a radio button. A disabled one is half transparent. */
const gnomeSign: StyleChrome['sign'] = ({ enabled, selected, value }, theme, square, feedback) => {
  const own = gnomeColours(theme)
  const isMixed = feedback.shape === 'box' && (value === 'mixed' || value === 'indeterminate')
  const isOn = isMixed || selected === true
  const radius = feedback.shape === 'box' ? theme.metrics.radius.sign : square.width / 2
  const state = stateOf(enabled, feedback)
  if (!isOn) {
    const edge = box(square, { border: own.signEdges[state], thickness: 2, radius })
    const isLit = state === 'pressed' || (state === 'hovered' && own.outline !== undefined)
    return isLit ? [box(square, { fill: own.flat[state], radius }), edge] : [edge]
  }
  const face = box(square, { fill: own.accents[state], radius })
  if (feedback.shape === 'box') return [face, iconIn(square, isMixed ? 'dash' : 'check', 16, theme.onAccent)]
  const dot = inset(square, Math.round(square.width * 0.3))
  return [face, box(dot, { fill: theme.onAccent, radius: dot.width / 2 })]
}

/** A wide pill, whose knob has a soft shadow. */
const gnomeToggle: StyleChrome['toggle'] = ({ enabled, selected }, theme, track, feedback) => {
  const isOn = selected === true
  const size = track.height - 6
  const knob = { x: isOn ? track.x + track.width - size - 3 : track.x + 3, y: track.y + 3, width: size, height: size }
  const own = gnomeColours(theme)
  const state = stateOf(enabled, feedback)
  const edge = own.outline === undefined ? {} : { border: own.outline }
  return [
    box(track, { fill: isOn ? own.accents[state] : own.troughs[state], ...edge, radius: track.height / 2 }),
    ...(enabled ? [box({ ...knob, y: knob.y + 1 }, { fill: own.knobShadow, radius: size / 2 })] : []),
    box(knob, { fill: enabled ? own.knob : own.knobDisabled, ...edge, radius: size / 2 }),
  ]
}

const TROUGH = 10

/** A thick trough and a round knob. */
const gnomeSlider: StyleChrome['slider'] = ({ enabled }, theme, feedback) => {
  const { bounds, x, y, upright, knob } = feedback
  const own = gnomeColours(theme)
  const state = stateOf(enabled, feedback)
  const track = upright
    ? { x: x - TROUGH / 2, y: bounds.y, width: TROUGH, height: bounds.height }
    : { x: bounds.x, y: y - TROUGH / 2, width: bounds.width, height: TROUGH }
  const filled = upright ? { ...track, y, height: bounds.y + bounds.height - y } : { ...track, width: x - bounds.x }
  const radius = TROUGH / 2
  return [
    box(track, { fill: own.troughs[state], ...(own.outline && { border: own.outline }), radius }),
    ...(filled.width > 2 && filled.height > 2 ? [box(filled, { fill: own.accents[state], radius })] : []),
    box({ ...knob, y: knob.y + 1 }, { fill: own.knobShadow, radius: knob.width / 2 }),
    box(knob, { fill: enabled ? own.knob : own.knobDisabled, border: own.knobEdge, radius: knob.width / 2 }),
  ]
}

/** The face of a button: a tint that gets stronger below the pointer. Flat buttons have none while nothing happens. */
const gnomeButtonFace: StyleChrome['buttonFace'] = (element, setting, feedback) => {
  const { isDefault, isFlat, radius } = feedback
  const { theme } = setting
  const { bounds, enabled, selected } = element
  const own = gnomeColours(theme)
  const edge = own.outline === undefined ? {} : { border: own.outline }
  const state = stateOf(enabled, feedback)
  // On a dark notification.
  if (setting.tone === 'dark')
    return isFlat && state === 'normal'
      ? []
      : [box(bounds, { fill: ON_DARK[state], ...edge, radius: bounds.height / 2 })]
  if (isDefault) return [box(bounds, { fill: own.accents[state], ...edge, radius })]
  if (selected === true) {
    const fill = state === 'disabled' ? own.faces.disabled : own.faces.pressed
    const isLit = state === 'hovered' || state === 'pressed'
    return [box(bounds, { fill, ...edge, radius }), ...(isLit ? [box(bounds, { fill: own.flat[state], radius })] : [])]
  }
  if (isFlat || isFilled(setting)) {
    if (state === 'normal' || state === 'disabled') return []
    return [box(bounds, { fill: own.flat[state], ...edge, radius })]
  }
  return [box(bounds, { fill: own.faces[state], ...edge, radius })]
}

const ON_DARK = { normal: '#ffffff26', hovered: '#ffffff38', pressed: '#ffffff50', disabled: '#ffffff14' } as const

/** The ink on a button. */
const gnomeButtonInk: StyleChrome['buttonInk'] = (element, setting) => inkOf(element, setting)

/** The background of a field, box or list. Fields of one value are filled and have no edge. */
const gnomeFieldFace: StyleChrome['fieldFace'] = (element, { theme, pointed, isWide }, radius) => {
  const { bounds, enabled, focused, role, traits } = element
  const kind = roleKind(role)
  const own = gnomeColours(theme)
  if (kind === 'tree') return [box(bounds, { fill: own.sidebar, border: own.outline ?? theme.line, radius: 0 })]
  if (isWide && own.outline === undefined) return paneFace(bounds, theme.field, theme.line)
  if (!ENTRIES.has(kind)) {
    const border = traits?.invalid ? theme.danger : theme.border
    return [box(bounds, { fill: enabled ? theme.field : theme.fieldDisabled, border, radius })]
  }
  const isBox = kind === 'combo' || kind === 'date'
  if (kind === 'combo' && traits?.formLabel && own.outline === undefined)
    return rowEndFace(element, own, pointed, radius)
  const state = stateOf(enabled && (isBox || traits?.readOnly !== true), isBox ? pointerFeedback(pointed) : {})
  const face = box(bounds, { fill: own.faces[state], ...(own.outline && { border: own.outline }), radius })
  if (traits?.invalid) return [face, box(bounds, { border: theme.danger, thickness: 2, radius })]
  return focused ? [face, box(bounds, { border: theme.ring, thickness: 2, radius })] : [face]
}

/** A box at the end of a row in a card is flat until the pointer is on it. */
function rowEndFace(
  { bounds, enabled }: Element,
  { flat }: ReturnType<typeof gnomeColours>,
  pointed: Pointed | undefined,
  radius: number,
): readonly DrawOp[] {
  const state = stateOf(enabled, pointerFeedback(pointed))
  return state === 'normal' || state === 'disabled' ? [] : [box(bounds, { fill: flat[state], radius })]
}

const ENTRIES = rolesWith('entry')

/** Kept free at both ends, so that the title is in the middle of the window. */
const END_PX = 44
const START_PX = 14

/** Between the title and the end of its pane. */
const GAP_PX = 12

/** A bold title in the middle, and a cross in a circle at the end. */
function headerBar(
  window: Window,
  theme: Theme,
  active: boolean,
  pointed?: PointerEffect['button'],
): readonly DrawOp[] {
  const frame = frameOf(window, theme.metrics)
  if (!frame) return []
  const { title, buttons, room } = frame
  const { title: back, titleInactive, titleText, titleTextInactive, titleLine, close, idle } = theme.window
  const colour = active ? titleText : titleTextInactive
  const font = fontFor(theme, title.height, 'title')
  const [side, pane] = [sidePartOf(window), paneStarts(window)]
  const free = inset(title, END_PX, 0)
  const wordsIn = (area: Rect, align: 'center' | 'left') => label(area, window.title, { font, colour, align })
  const isFree = !room && elide(window.title, free.width, font) === replaceUnprintable(window.title)
  const words = isFree
    ? wordsIn(free, 'center')
    : room
      ? wordsIn(inMiddle(...inPane(room, title, pane, Math.ceil(widthOf(window.title, font)))), 'center')
      : wordsIn({ ...title, x: title.x + START_PX, width: Math.max(0, title.width - END_PX - START_PX) }, 'left')
  const line = { ...title, y: title.y + title.height - 1, height: 1 }
  return [
    solid(title, active ? back : titleInactive),
    ...(titleLine ? [solid(line, titleLine)] : []),
    ...(side ? [solid(side, gnomeColours(theme).sidebar)] : []),
    ...pane.map((x) => solid({ ...title, x: x - 1, width: 1 }, theme.line)),
    ...words,
    ...Object.values(buttons).flatMap((area) => [
      box(area, { fill: active ? close : idle, radius: area.width / 2 }),
      // A second layer of the same tint is darker in light and lighter in dark shades.
      ...Array.from({ length: pointed ? (pointed.isPressed ? 2 : 1) : 0 }, () =>
        box(area, { fill: close, radius: area.width / 2 }),
      ),
      iconIn(area, 'close', 14, colour),
    ]),
  ]
}

/** A room and its band, cut to the first pane after the sidebar if the title fits in there. */
function inPane(room: Rect, band: Rect, panes: readonly number[], words: number): readonly [Rect, Rect, number] {
  const [start = band.x, end = band.x + band.width] = panes
  const cut = (area: Rect): Rect => {
    const [from, to] = [Math.max(area.x, start), Math.min(area.x + area.width, end)]
    return { ...area, x: from, width: Math.max(0, to - from) }
  }
  const short = cut(room)
  return short.width < words + GAP_PX ? [room, band, words] : [short, cut(band), words]
}

/** The part of a room that has the middle of the band in its own middle, if the title fits in there; else the room. */
function inMiddle(room: Rect, band: Rect, words: number): Rect {
  const middle = band.x + (band.width >> 1)
  const half = Math.min(middle - room.x, room.x + room.width - middle)
  return 2 * half < words ? room : { ...room, x: middle - half, width: 2 * half }
}

/** Whether a control has a face in the accent colour. */
function hasAccentFace({ role, selected, value, traits }: Element): boolean {
  const kind = roleKind(role)
  if (kind === 'button') return (traits?.presses === 'enter' || traits?.look === 'primary') && !traits.compact
  const isSwitch = kind === 'toggle' && !role.toLowerCase().includes('button')
  return (
    (kind === 'checkbox' || kind === 'radio' || isSwitch) &&
    (selected === true || value === 'mixed' || value === 'indeterminate')
  )
}

/** A face on a darker one that shows below it, and heavy white lines. */
function block(area: Rect, app: PicturedApp): readonly DrawOp[] {
  const { top, bottom } = appColoursOf(app)
  const step = Math.max(1, Math.round(area.height / 13))
  const upper = { ...area, height: area.height - step }
  const radius = Math.max(2, Math.round(area.width * 0.2))
  const dark = darker(bottom)
  const square = { ...area, x: area.x + (step >> 1), width: area.width - step, height: area.height - step }
  return [
    roundedGradient(area, { top: dark, bottom: dark, radius }),
    roundedGradient(upper, { top, bottom, radius }),
    glyph(square, app.kind, 0.56, 2.4),
  ]
}

/** The colour with three quarters of its light. */
function darker(colour: string): string {
  const part = (at: number) => ((Number.parseInt(colour.slice(at, at + 2), 16) * 3) >> 2).toString(16).padStart(2, '0')
  return `#${part(1)}${part(3)}${part(5)}`
}

/** The drawing functions of the GNOME style. */
export const GNOME_CHROME: StyleChrome = {
  ...BACKLOT_CHROME,
  wallpaper: ({ bounds }, { name }) => [backdrop(bounds, GNOME_WALLPAPERS[name])],
  titleBar: headerBar,
  // Inside the edge, and for fields too. Around what has the colour of the ring, where it would not be seen inside.
  focusRing: (area, radius, { ring }, element) =>
    element && hasAccentFace(element)
      ? [box(inset(area, -3), { border: ring, thickness: 2, radius: radius + 3 })]
      : [box(area, { border: ring, thickness: 2, radius })],
  buttonFace: gnomeButtonFace,
  buttonInk: gnomeButtonInk,
  fieldFace: gnomeFieldFace,
  sign: gnomeSign,
  toggle: gnomeToggle,
  slider: gnomeSlider,
  comboArrow: (element, setting, area, icon) => [iconIn(area, icon, 16, softInkOf(element, setting))],
  // A group of tabs is one grey box, in which the chosen one is raised.
  tabStrip: (_, bottom, theme, { x, y, width }) => {
    const { outline } = gnomeColours(theme)
    return [
      box(
        { x, y: y + 1, width, height: Math.max(0, bottom - y - 2) },
        { fill: theme.button, ...(outline !== undefined && { border: outline }), radius: 10 },
      ),
    ]
  },
  tab: (element, { theme, pointed }, strip, words) => {
    const { isHovered, isPressed } = pointerFeedback(pointed, true)
    const isOn = element.selected === true
    const colour = element.enabled ? theme.text : theme.disabled
    const font = fontFor(theme, strip.height, isOn ? 'selectedTab' : 'tab')
    const { chosen, flat, outline } = gnomeColours(theme)
    const hint = isPressed ? flat.pressed : isHovered ? flat.hovered : undefined
    const place = inset(strip, 3, 4)
    const edge = outline === undefined ? {} : { border: outline }
    return [
      ...(isOn
        ? [
            box({ ...place, y: place.y + 1 }, { fill: '#00000014', radius: 8 }),
            box(place, { fill: chosen, ...edge, radius: 8 }),
          ]
        : element.enabled && hint
          ? [box(place, { fill: hint, radius: 8 })]
          : []),
      ...label(inset(words, 8, 0), element.name, { font, colour, align: 'center' }),
    ]
  },
  rowBack: (area, theme, feedback) => {
    const { isSelected, isCurrent, isInPopup, isCell, isTableRow, stripe, isHovered, isPressed, isDropTarget } =
      feedback
    const { item, rows } = gnomeColours(theme)
    // The rows of tables reach from side to side, those of lists and trees are round.
    const place = isInPopup || isCell ? area : isTableRow ? inset(area, 1, 0) : inset(area, 5, 1)
    const radius = isTableRow || isCell ? 0 : theme.metrics.radius.row
    const ring: readonly DrawOp[] = [box(place, { border: theme.ring, thickness: 2, radius })]
    const hint = isPressed ? rows.pressed : isHovered ? rows.hovered : undefined
    const pointed = hint && !isCell ? [box(place, { fill: hint, radius })] : []
    if (isInPopup) {
      if (isCurrent) return [box(place, { fill: item, radius })]
      return isSelected ? [box(place, { fill: theme.selected, radius }), ...pointed] : pointed
    }
    const fill = isTableRow || isCell ? theme.selected : rows.selected
    return [
      ...(stripe && !isSelected ? [solid(inset(area, 1, 0), stripe)] : []),
      ...(isSelected ? [box(place, { fill, radius })] : []),
      ...pointed,
      ...(isCurrent ? ring : []),
      ...(isDropTarget ? [box(place, { fill: theme.selected, radius }), ...ring] : []),
    ]
  },
  scrollThumb: slimThumb(3, 'end', 8),
  card: (bounds, theme, kind) => {
    const { radius } = theme.metrics
    if (kind === 'tooltip') return [box(bounds, { fill: theme.tooltip, radius: radius.tooltip })]
    const shadows = kind === 'dialog' ? theme.shadows.window : theme.shadows.card
    const fill = kind === 'dialog' ? theme.window.surface : theme.raised
    const corner = kind === 'dialog' ? radius.dialog : radius.card
    return [
      ...shadows.map((each) => shadow(bounds, { ...each, radius: corner })),
      box(bounds, { fill, border: theme.cardEdge, radius: corner }),
    ]
  },
  appPicture: block,
}

/** Folded paper: polygons in front of each other, each of which reaches below the next. Their colours are per shade. */
const FOLDS: readonly Facet['corners'][] = [
  [
    [-0.05, 0.3],
    [1.05, 0.3],
    [1.05, 1.05],
    [-0.05, 1.05],
  ],
  [
    [-0.05, -0.05],
    [0.7, -0.05],
    [0.4, 0.45],
    [-0.05, 0.36],
  ],
  [
    [0.52, -0.05],
    [1.05, -0.05],
    [1.05, 0.6],
    [0.67, 0.75],
    [0.3, 0.43],
  ],
  [
    [0.3, 0.43],
    [0.75, 0.661],
    [0.5, 1.05],
    [0.385, 1.05],
  ],
  [
    [1.05, 0.38],
    [1.05, 1.05],
    [0.385, 1.05],
    [0.67, 0.62],
  ],
]

type Colours = readonly [top: string, bottom: string, rightTop: string, rightBottom: string]

const paper = (colours: readonly Colours[]): readonly Facet[] =>
  FOLDS.map((corners, index) => {
    const [top, bottom, rightTop, rightBottom] = colours[index]!
    return { kind: 'facet', corners, top, bottom, right: { top: rightTop, bottom: rightBottom } }
  })

/** The wallpapers of the GNOME style. */
const GNOME_WALLPAPERS: Readonly<Record<ThemeName, BackdropStyle>> = {
  light: {
    top: '#4a83ee',
    bottom: '#7a63dc',
    shapes: paper([
      ['#3163d6', '#2747b2', '#3a5fd2', '#3f55c8'],
      ['#4a80ee', '#3a6ce0', '#2f62da', '#5c96f4'],
      ['#92bdf7', '#6f9ff0', '#a9cbf8', '#6a9aee'],
      ['#4f74dd', '#5a55c8', '#7f8cea', '#8a74e0'],
      ['#6f62d6', '#9a80e8', '#7d86ea', '#5c64d6'],
    ]),
  },
  dark: {
    top: '#241a55',
    bottom: '#1c2f78',
    shapes: paper([
      ['#1c2c74', '#152355', '#24398c', '#1f3478'],
      ['#2a1d66', '#21164f', '#35207c', '#2a1d68'],
      ['#432a98', '#2a1d6c', '#33298a', '#1f1f5c'],
      ['#33237c', '#3f2270', '#4a2f92', '#2f3494'],
      ['#22388f', '#2a48a8', '#2b3d98', '#182866'],
    ]),
  },
  'high-contrast': { top: '#241f31', bottom: '#241f31', shapes: [] },
}
