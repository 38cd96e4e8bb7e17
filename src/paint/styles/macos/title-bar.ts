import type { PointerEffect } from '../../../desktop/input/pointer-effect.ts'
import type { Window } from '../../../desktop/model/desktop.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { subtitleLines } from '../../../desktop/style/control-metrics.ts'
import type { WindowButton } from '../../../desktop/style/metrics.ts'
import { frameOf, raisedTabsEnd, sidePartOf } from '../../../desktop/windows/frame.ts'
import { box, type Mark, solid } from '../../frame/mark.ts'
import { type Font, widthOf } from '../../text/fonts.ts'
import { label } from '../../text/text.ts'
import { iconIn } from '../../widgets/widget.ts'
import type { Theme } from '../tokens.ts'
import { macosExtras } from './extras.ts'

/** From the last window button to the title. */
const GAP_PX = 12

/** A title bar with three dots at the left and a centred title, down to the end of tabs in its band. */
export function macosTitleBar(
  window: Window,
  theme: Theme,
  active: boolean,
  pointed?: PointerEffect['button'],
): readonly Mark[] {
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

function idleDot(name: WindowButton, close: Rect | undefined, theme: Theme): readonly Mark[] {
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
function unifiedWords(room: Rect, { title, tree }: Window, theme: Theme, active: boolean): readonly Mark[] {
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
