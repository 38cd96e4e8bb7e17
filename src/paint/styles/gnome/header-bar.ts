import type { PointerEffect } from '../../../desktop/input/pointer-effect.ts'
import type { Window } from '../../../desktop/model/desktop.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { frameOf, paneStarts, sidePartOf } from '../../../desktop/windows/frame.ts'
import { box, type Mark, solid } from '../../frame/mark.ts'
import { replaceUnprintable, widthOf } from '../../text/fonts.ts'
import { elide, label } from '../../text/text.ts'
import { fontFor, iconIn, inset } from '../../widgets/widget.ts'
import type { Theme } from '../tokens.ts'
import { gnomeColours } from './tokens.ts'

/** Kept free at both ends, so that the title is in the middle of the window. */
const END_PX = 44
const START_PX = 14

/** Between the title and the end of its pane. */
const GAP_PX = 12

/** A bold title in the middle, and a cross in a circle at the end. */
export function headerBar(
  window: Window,
  theme: Theme,
  active: boolean,
  pointed?: PointerEffect['button'],
): readonly Mark[] {
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
