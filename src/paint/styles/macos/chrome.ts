import type { PointerEffect } from '../../../desktop/apply/pointer-effect.ts'
import { subtitleLines } from '../../../desktop/model/control-metrics.ts'
import type { Window } from '../../../desktop/model/desktop.ts'
import type { Element } from '../../../desktop/model/element.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { roleKind } from '../../../desktop/model/role.ts'
import { THUMB_RADIUS } from '../../../desktop/roles/range.ts'
import type { WindowButton } from '../../../desktop/style/metrics.ts'
import { rowsViewOf } from '../../../desktop/widgets/scrolling.ts'
import { frameOf, raisedTabsEnd, sidePartOf } from '../../../desktop/windows/frame.ts'
import { backdrop, box, type DrawOp, roundedGradient, shadow, solid } from '../../frame/draw-op.ts'
import { label } from '../../frame/label.ts'
import { iconFor } from '../../icons.ts'
import { pointerFeedback, stateOf } from '../../pointed.ts'
import { type Font, widthOf } from '../../text/fonts.ts'
import type { PaintContext, PicturedApp, StyleChrome, Theme } from '../../theme/theme.ts'
import { fontFor, iconIn, inkOf, inset, isFilled, softInkOf } from '../../widgets/widget.ts'
import { appColoursOf, glyph } from '../app-picture.ts'
import { BACKLOT_CHROME } from '../backlot/chrome.ts'
import { paneFace, slimThumb } from '../shared-faces.ts'
import { macosExtras } from './extras.ts'

/** The box of a check box or the circle of a radio button. A disabled one keeps its sign, in grey. */
const macosSign: StyleChrome['sign'] = ({ enabled, selected, value }, theme, square, { shape, isPressed }) => {
  const extras = macosExtras(theme)
  const isMixed = shape === 'box' && (value === 'mixed' || value === 'indeterminate')
  const isOn = isMixed || selected === true
  const place = shape === 'box' && square.width > 12 ? inset(square, 1) : square
  const radius = shape === 'box' ? theme.metrics.radius.sign : place.width / 2
  const dim = dimmed(place, theme, radius, isPressed && enabled)
  if (!isOn) {
    const fill = enabled ? extras.field : theme.fieldDisabled
    return [box(place, { fill, border: enabled ? theme.strong : theme.border, radius }), ...dim]
  }
  const face = enabled
    ? accentFace(place, theme, radius)
    : [box(place, { fill: theme.buttonDisabled, border: theme.border, radius })]
  const ink = enabled ? theme.onAccent : theme.disabled
  if (shape === 'box') return [...face, ...dim, iconIn(place, isMixed ? 'dash' : 'check', 12, ink)]
  const dot = inset(place, Math.round(place.width * 0.31))
  return [...face, ...dim, box(dot, { fill: ink, radius: dot.width / 2 })]
}

/** A pill with a white knob, which has a soft edge. */
const macosToggle: StyleChrome['toggle'] = ({ enabled, selected }, theme, track, { isPressed }) => {
  const isOn = selected === true
  const extras = macosExtras(theme)
  const knob = track.height - 2
  const x = isOn ? track.x + track.width - knob - 1 : track.x + 1
  const fill = isOn ? (enabled ? theme.accent : extras.accentDisabled) : theme.track
  const edge = isOn && enabled ? fill : theme.border
  const place = { x, y: track.y + 1, width: knob, height: knob }
  return [
    box(track, { fill, border: edge, radius: track.height / 2 }),
    ...dimmed(track, theme, track.height / 2, isPressed && enabled),
    box(place, { fill: enabled ? extras.knob : extras.knobDisabled, border: theme.border, radius: knob / 2 }),
  ]
}

const TRACK = 4
const TICKS = 6

/** Short lines below the track of a slider in a form. */
function ticks({ x, y, width, height }: Rect, { strong }: Theme): readonly DrawOp[] {
  const first = x + THUMB_RADIUS
  const step = (width - 2 * THUMB_RADIUS) / (TICKS - 1)
  return Array.from({ length: TICKS }, (_, index) =>
    solid({ x: Math.round(first + index * step), y: y + height - 4, width: 1, height: 4 }, strong),
  )
}

/** A thin track and a round knob with a soft edge. */
const macosSlider: StyleChrome['slider'] = (element, theme, { bounds, x, y, upright, knob, isPressed }) => {
  const { enabled, traits } = element
  const extras = macosExtras(theme)
  const track = upright
    ? { x: x - TRACK / 2, y: bounds.y, width: TRACK, height: bounds.height }
    : { x: bounds.x, y: y - TRACK / 2, width: bounds.width, height: TRACK }
  const filled = upright ? { ...track, y, height: bounds.y + bounds.height - y } : { ...track, width: x - bounds.x }
  const accent = enabled ? theme.accent : extras.accentDisabled
  const under = { ...knob, y: knob.y + 1 }
  const fill = enabled ? (isPressed ? extras.faces.pressed : extras.knob) : extras.knobDisabled
  return [
    box(track, { fill: theme.track, radius: 2 }),
    ...(filled.width > 2 && filled.height > 2 ? [box(filled, { fill: accent, radius: 2 })] : []),
    ...(traits?.formLabel && !upright ? ticks(bounds, theme) : []),
    ...(enabled ? [box(under, { fill: theme.border, radius: knob.width / 2 })] : []),
    box(knob, { fill, border: enabled ? extras.knobEdge : theme.border, radius: knob.width / 2 }),
  ]
}

/** Between the sides of a list or table and the back of its rows. */
const ROW_INSET_PX = 5

/** The stripes of a table below its last row, down to its end or its totals. */
function emptyRows(table: Element, theme: Theme): readonly DrawOp[] {
  // A hidden row keeps its place, so that stripes do not move with it.
  const shown = table.children.filter(({ bounds }) => bounds.width > 0)
  const isRow = ({ role, traits }: Element) => roleKind(role) === 'row' && !traits?.summary
  const [head, ...others] = shown
  if (!head || roleKind(head.role) !== 'header' || others.some(({ bounds }) => bounds.width !== head.bounds.width))
    return []
  const rows = others.filter(isRow)
  const last = rows.at(-1) ?? head
  const height = rows.at(-1)?.bounds.height ?? theme.metrics.row.table
  const from = last.bounds.y + last.bounds.height
  const foot = others.filter((child) => !isRow(child)).map(({ bounds }) => bounds.y)
  const end = Math.min(table.bounds.y + table.bounds.height - 1, ...foot)
  const { grid, scrolled } = table.traits ?? {}
  const before = grid
    ? Math.round((from - rowsViewOf(table)!.y + (scrolled?.y ?? 0)) / grid.rowHeight)
    : table.children.indexOf(last)
  const stripes: DrawOp[] = []
  for (let y = from, index = before; y < end; y += height, index++) {
    const area = inset({ ...table.bounds, y, height: Math.min(height - 1, end - y) }, ROW_INSET_PX, 1)
    if (index % 2 === 0 && area.height > 0)
      stripes.push(box(area, { fill: theme.stripe, radius: theme.metrics.radius.row }))
  }
  return stripes
}

/** The face of a button: white, in the accent colour, or flat, which shows only what the pointer does. */
const macosButtonFace: StyleChrome['buttonFace'] = (element, setting, feedback) => {
  const { isDefault, isFlat, radius } = feedback
  const { theme } = setting
  const { bounds, enabled, selected } = element
  const extras = macosExtras(theme)
  const state = stateOf(enabled, feedback)
  if (isDefault) return [...accentFace(bounds, theme, radius), ...dimmed(bounds, theme, radius, state === 'pressed')]
  if (isFlat || isFilled(setting)) {
    const fill = selected === true && state === 'normal' ? extras.flat.hovered : extras.flat[state]
    const isShown = selected === true || state === 'hovered' || state === 'pressed'
    return isShown ? [box(bounds, { fill, ...(extras.flatEdge && { border: extras.flatEdge }), radius })] : []
  }
  if (selected === true && enabled)
    return [...accentFace(bounds, theme, radius), ...dimmed(bounds, theme, radius, state === 'pressed')]
  const face = box(bounds, { fill: extras.faces[state], border: theme.border, radius })
  if (!enabled || bounds.height < 16) return [face]
  const across = { x: bounds.x + radius, width: Math.max(0, bounds.width - 2 * radius), height: 1 }
  return [
    face,
    ...(theme.lip ? [solid({ ...across, y: bounds.y + bounds.height - 1 }, theme.lip)] : []),
    ...(extras.shine ? [solid({ ...across, y: bounds.y }, extras.shine)] : []),
  ]
}

/** The ink on a button. */
const macosButtonInk: StyleChrome['buttonInk'] = (element, setting, feedback) =>
  element.selected === true &&
  element.enabled &&
  !feedback.isFlat &&
  !isFilled(setting) &&
  setting.tone !== 'destructive'
    ? setting.theme.onAccent
    : inkOf(element, setting)

/** The background of a field, box or list. */
const macosFieldFace: StyleChrome['fieldFace'] = (element, { theme, pointed, isWide, sidebar }, radius) => {
  const kind = roleKind(element.role)
  const { bounds, enabled, traits } = element
  const extras = macosExtras(theme)
  if (kind === 'tree') {
    // The window has painted what is behind its sidebar, which ends with a line.
    if (sidebar === element.id) return [solid({ ...bounds, x: bounds.x + bounds.width - 1, width: 1 }, theme.line)]
    return [box(bounds, { fill: theme.sidebar?.fill ?? theme.field, border: theme.line, radius: 0 })]
  }
  if (isWide && extras.flatEdge === undefined) {
    const stripes = kind === 'table' ? emptyRows(element, theme) : []
    return [...paneFace(bounds, theme.field, theme.line), ...stripes]
  }
  if (kind === 'list' || kind === 'table') return [box(bounds, { fill: theme.field, border: theme.line, radius: 0 })]
  if (kind === 'combo' && !holdsField(element)) {
    const fill = extras.faces[stateOf(enabled, { isPressed: pointerFeedback(pointed).isPressed })]
    const face = box(bounds, { fill, border: traits?.invalid ? theme.danger : theme.border, radius })
    const across = { x: bounds.x + radius, width: Math.max(0, bounds.width - 2 * radius), height: 1 }
    if (!enabled) return [face]
    return [
      face,
      ...(theme.lip ? [solid({ ...across, y: bounds.y + bounds.height - 1 }, theme.lip)] : []),
      ...(extras.shine ? [solid({ ...across, y: bounds.y }, extras.shine)] : []),
    ]
  }
  const edge = traits?.invalid ? theme.danger : element.focused ? theme.accent : extras.fieldEdge
  const isOpen = enabled && traits?.readOnly !== true
  return [box(bounds, { fill: isOpen ? extras.field : theme.fieldDisabled, border: edge, radius })]
}

const holdsField = ({ children }: Element): boolean => children.some((child) => roleKind(child.role) === 'edit')

/** Two arrows on a square in the accent colour; boxes that open something else have their own sign. */
const macosComboArrow: StyleChrome['comboArrow'] = (element, setting, area, icon) => {
  const { theme } = setting
  if (roleKind(element.role) !== 'combo') return [iconIn(area, icon, 14, softInkOf(element, setting))]
  const size = Math.min(16, area.height - 4)
  const square = {
    x: area.x + area.width - size - 3,
    y: area.y + ((area.height - size) >> 1),
    width: size,
    height: size,
  }
  const { track } = theme
  if (holdsField(element))
    return [
      ...(element.enabled ? accentFace(square, theme, 4) : [box(square, { fill: track, radius: 4 })]),
      iconIn(square, 'chevron-down', 12, element.enabled ? theme.onAccent : theme.disabled),
    ]
  const ink = element.enabled ? theme.onAccent : theme.disabled
  const half = { ...square, height: size >> 1 }
  return [
    ...(element.enabled ? accentFace(square, theme, 4) : []),
    iconIn({ ...half, y: half.y + 1 }, 'chevron-up', 11, ink),
    iconIn({ ...half, y: half.y + size - half.height - 1 }, 'chevron-down', 11, ink),
  ]
}

const LIGHT_STEPS = 4

/** A face in the accent colour, lighter at the top. */
function accentFace(area: Rect, theme: Theme, radius: number): readonly DrawOp[] {
  const { accentTop } = macosExtras(theme)
  const face = box(area, { fill: theme.accent, border: theme.accent, radius })
  if (accentTop === undefined || area.height < 12) return [face]
  // Layers of a little light, each shorter than the one below it, look like a gradient.
  return [
    face,
    ...Array.from({ length: LIGHT_STEPS }, (_, step) => {
      const height = Math.floor(((area.height - 2) * (LIGHT_STEPS - step)) / (LIGHT_STEPS + 1))
      const corner = Math.max(0, Math.min(radius - 1, height))
      return box(
        { x: area.x + 1, y: area.y + 1, width: Math.max(0, area.width - 2), height },
        { fill: accentTop, radius: [corner, corner, 0, 0] },
      )
    }),
  ]
}

/** The shade over a face in the accent colour while it is pressed. */
const dimmed = (area: Rect, theme: Theme, radius: number, isPressed: boolean): readonly DrawOp[] =>
  isPressed ? [box(area, { fill: macosExtras(theme).pressShade, radius })] : []

/** From the last window button to the title. */
const GAP_PX = 12

/** A title bar with three dots at the left and a centred title, down to the end of tabs in its band. */
function macosTitleBar(
  window: Window,
  theme: Theme,
  active: boolean,
  pointed?: PointerEffect['button'],
): readonly DrawOp[] {
  const frame = frameOf(window, theme.metrics)
  if (!frame) return []
  const { title, buttons, room } = frame
  const colours = theme.window
  const extras = macosExtras(theme)
  const edges = { close: extras.closeEdge, minimize: extras.minimizeEdge, maximize: extras.maximizeEdge }
  const dots = (['close', 'minimize', 'maximize'] as const).flatMap((name) => {
    const area = buttons[name]
    // A dialog can neither be minimised nor maximised. It has those buttons, but they do nothing.
    if (!area) return idleDot(name, buttons.close, theme)
    const look =
      active || pointed ? { fill: colours[name], border: edges[name] } : { fill: colours.idle, border: extras.idleEdge }
    const isPressed = pointed?.name === name && pointed.isPressed
    const radius = area.width / 2
    return [
      box(area, { ...look, radius }),
      ...(isPressed ? [box(area, { fill: '#00000040', radius })] : []),
      ...(pointed ? [iconIn(area, SIGNS[name], 10, '#00000099')] : []),
    ]
  })
  const side = sidePartOf(window)
  const tabsEnd = raisedTabsEnd(window.tree)
  const band = tabsEnd === undefined ? title : { ...title, height: tabsEnd - title.y }
  const rest = side ? { ...band, x: band.x + side.width, width: band.width - side.width } : band
  const line = colours.titleLine ?? (tabsEnd === undefined ? undefined : theme.line)
  return [
    solid(rest, active ? colours.title : colours.titleInactive),
    ...(line ? [solid({ ...rest, y: band.y + band.height - 1, height: 1 }, line)] : []),
    ...(side ? [solid({ ...side, x: rest.x - 1, width: 1 }, theme.line)] : []),
    ...(room
      ? unifiedWords(room, window, theme, active)
      : titleWords(title, Object.values(buttons), window.title, theme, active)),
    ...dots,
  ]
}

function idleDot(name: WindowButton, close: Rect | undefined, theme: Theme): readonly DrawOp[] {
  if (!close) return []
  const { buttons, step } = theme.metrics.title
  const area = { ...close, x: close.x + buttons.indexOf(name) * step }
  return [box(area, { fill: theme.window.idle, border: macosExtras(theme).idleEdge, radius: area.width / 2 })]
}

/** The signs in the dots while the pointer is on one of them. */
const SIGNS = { close: 'close', minimize: 'minus', maximize: 'plus' } as const

/** The heights of the title and of the line below it. */
const TITLE_LINE_PX = 18
const SECOND_LINE_PX = 16

/** The title before the tools of its band, and the line below it. */
function unifiedWords(room: Rect, { title, tree }: Window, theme: Theme, active: boolean): readonly DrawOp[] {
  const { header } = theme.metrics.title
  const { family, title: bold, small } = theme.type
  const { titleText, titleTextInactive } = theme.window
  const font: Font = { family, ...bold, ...(header && { size: header.titleSize }) }
  const style = { font, colour: active ? titleText : titleTextInactive }
  const [second] = subtitleLines(tree)
  if (second === undefined) return label(room, title, style)
  const first = { ...room, y: room.y + ((room.height - TITLE_LINE_PX - SECOND_LINE_PX) >> 1), height: TITLE_LINE_PX }
  const below = { ...first, y: first.y + TITLE_LINE_PX, height: SECOND_LINE_PX }
  return [
    ...label(first, title, style),
    ...label(below, second, { font: { family, ...small }, colour: active ? theme.muted : titleTextInactive }),
  ]
}

/** The title in the middle of the bar, or, if it is longer, after the buttons. */
function titleWords(title: Rect, buttons: readonly Rect[], content: string, theme: Theme, active: boolean) {
  const font: Font = { family: theme.type.family, ...theme.type.title }
  const colour = active ? theme.window.titleText : theme.window.titleTextInactive
  const used = Math.max(0, ...buttons.map(({ x, width }) => x + width - title.x)) + GAP_PX
  const free = Math.max(0, title.width - 2 * used)
  if (widthOf(content, font) <= free)
    return label({ ...title, x: title.x + used, width: free }, content, { font, colour, align: 'center' })
  const rest = { ...title, x: title.x + used, width: Math.max(0, title.width - used - GAP_PX) }
  return label(rest, content, { font, colour })
}

/** A face with round corners, lighter at the top, and white lines. */
function squircle(area: Rect, app: PicturedApp): readonly DrawOp[] {
  const { top, bottom } = appColoursOf(app)
  return [
    roundedGradient(area, { top, bottom, radius: Math.max(2, Math.round(area.width * 0.235)) }),
    glyph(area, app.kind, 0.58, 2),
  ]
}

/** The drawing functions of the macOS style. */
export const MACOS_CHROME: StyleChrome = {
  ...BACKLOT_CHROME,
  wallpaper: ({ bounds }, theme) => [backdrop(bounds, macosExtras(theme).wallpaper)],
  titleBar: macosTitleBar,
  focusRing: (area, radius, { ring }) => [box(inset(area, -3), { border: ring, thickness: 3, radius: radius + 3 })],
  buttonFace: macosButtonFace,
  buttonInk: macosButtonInk,
  fieldFace: macosFieldFace,
  sign: macosSign,
  toggle: macosToggle,
  slider: macosSlider,
  comboArrow: macosComboArrow,
  tabStrip: (_, __, theme, tabs) => [box(segmentIn(tabs), { fill: macosExtras(theme).segment, radius: 6 })],
  tab: (element, setting, strip, words) => {
    if (element.traits?.raised) return bandTab(element, setting, strip, words)
    const { theme, pointed } = setting
    const extras = macosExtras(theme)
    const isOn = element.selected === true
    const { isPressed } = pointerFeedback(pointed, true)
    const area = segmentIn(strip)
    const font = fontFor(theme, area.height, isOn ? 'selectedTab' : 'tab')
    const chosen = inset(area, 1)
    return [
      ...(isOn ? [box(chosen, { fill: extras.chosenSegment, border: theme.border, radius: 5 })] : []),
      ...dimmed(chosen, theme, 5, isPressed && element.enabled),
      ...label(inset(segmentIn(words), 8, 0), element.name, {
        font,
        colour: element.enabled ? theme.text : theme.disabled,
        align: 'center',
      }),
    ]
  },
  rowBack: (
    area,
    theme,
    { isSelected, isCurrent, isInPopup, isCell, stripe, isPressed, isDropTarget, isUnfocused },
  ) => {
    const { row: radius } = theme.metrics.radius
    const extras = macosExtras(theme)
    if (isInPopup) {
      if (isCurrent) return [box(area, { fill: theme.accent, radius: 4 })]
      return isSelected || isPressed ? [box(area, { fill: theme.selected, radius: 4 })] : []
    }
    const place = isCell ? inset(area, 1) : inset(area, ROW_INSET_PX, 1)
    const drop = isDropTarget ? [box(place, { border: theme.accent, thickness: 2, radius })] : []
    if (isSelected) {
      const fill = box(place, { fill: isUnfocused ? (theme.unfocusedRow ?? theme.selected) : extras.row, radius })
      return [fill, ...(isCurrent ? [box(place, { border: extras.currentRow, radius })] : []), ...drop]
    }
    const back = stripe ? [box(place, { fill: stripe, radius })] : []
    return [...back, ...(isCurrent ? [box(place, { border: theme.accent, radius })] : []), ...drop]
  },
  scrollThumb: slimThumb(7, 'middle', 10),
  card: (bounds, theme, kind) => {
    const { radius } = theme.metrics
    const shadows = kind === 'tooltip' ? theme.shadows.tooltip : theme.shadows.card
    const fill = kind === 'tooltip' ? theme.tooltip : kind === 'dialog' ? theme.window.surface : theme.raised
    const corner = kind === 'tooltip' ? radius.tooltip : kind === 'menu' ? radius.card : radius.dialog
    return [
      ...shadows.map((each) => shadow(bounds, { ...each, radius: corner })),
      box(bounds, { fill, border: theme.cardEdge, radius: corner }),
    ]
  },
  appPicture: squircle,
}

/** Between a tab and the end of its band. */
const BELOW_TAB_PX = 3
const TAB_ICON_PX = 20
const TAB_NAME_PX = 18

/** A tab in the band of the title of a dialog: its icon above its name, both in the accent if it is chosen. */
function bandTab(element: Element, { theme, pointed }: PaintContext, strip: Rect, words: Rect): readonly DrawOp[] {
  const { bandTab: fill, bandTabEdge: border } = macosExtras(theme)
  const { name, traits, enabled, selected } = element
  const area = { ...strip, height: strip.height - BELOW_TAB_PX }
  const inside = { ...words, height: area.height }
  const icon = iconFor(traits?.icon, theme)
  const colour = !enabled ? theme.disabled : selected ? theme.accent : theme.muted
  const upper = { ...inside, y: inside.y + 4, height: TAB_ICON_PX + 2 }
  const lower = { ...inside, y: upper.y + upper.height, height: TAB_NAME_PX }
  const { isPressed } = pointerFeedback(pointed, true)
  return [
    ...(selected ? [box(area, { fill, ...(border && { border }), radius: 6 })] : []),
    ...dimmed(area, theme, 6, isPressed && enabled),
    ...(icon ? [iconIn(upper, icon, TAB_ICON_PX, colour)] : []),
    ...label(inset(lower, 2, 0), name, { font: fontFor(theme, lower.height, 'small'), colour, align: 'center' }),
  ]
}

/** Higher rows of tabs have segments of this height in their middle. */
const MAX_SEGMENT_PX = 28

function segmentIn(strip: Rect): Rect {
  return inset(strip, 0, Math.max(0, (strip.height - MAX_SEGMENT_PX) >> 1))
}
