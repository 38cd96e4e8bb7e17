import type { Window } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { DOCK_UID, MENU_BAR_UID } from '../../desktop/shell/parts.ts'
import type { ShellStyle } from '../../desktop/shell/shell-places.ts'
import { box, type Mark, solid } from '../frame/mark.ts'
import type { DrawnIcon } from '../icons.ts'
import type { Font } from '../text/fonts.ts'
import { label } from '../text/text.ts'
import { iconIn, inset, squareIn } from '../widgets/widget.ts'
import { appFace } from './app-face.ts'
import type { ShellColours } from './shell-colours.ts'

/** A style and its colours. */
export interface ShellLook {
  readonly style: ShellStyle
  readonly colours: ShellColours
}

const font = (size: number, weight = 400): Font => ({ family: 'ui', size, weight })

/** The marks of a bar or the dock. */
export function barMarks({ uid, bounds, tree }: Window, look: ShellLook): readonly Mark[] {
  const { colours, style } = look
  const isDock = uid === DOCK_UID
  const edge = { ...bounds, y: style === 'windows' ? bounds.y : bounds.y + bounds.height - 1, height: 1 }
  const face = isDock
    ? [box(bounds, { fill: colours.dock, border: colours.dockEdge, radius: 19 })]
    : [solid(bounds, colours.bar), ...(colours.edge ? [solid(edge, colours.edge)] : [])]
  return [...face, ...ringMarks(uid, bounds, look), ...tree.children.flatMap((child) => partMarks(child, look, isDock))]
}

/** A ring at the start of the menu bar. */
function ringMarks(uid: string, { x, y }: Rect, { colours }: ShellLook): readonly Mark[] {
  if (uid !== MENU_BAR_UID) return []
  const ring = { x: x + 20, y: y + 6, width: 12, height: 12 }
  const dot = inset(ring, 4)
  return [box(ring, { border: colours.text, thickness: 2, radius: 6 }), box(dot, { fill: colours.text, radius: 2 })]
}

const STATE_ICONS: Readonly<Record<string, DrawnIcon>> = {
  'shell.network': 'network',
  'shell.sound': 'sound',
  'shell.battery': 'battery',
}

function partMarks(element: Element, look: ShellLook, isDock: boolean): readonly Mark[] {
  const { id, bounds, name } = element
  const { colours, style } = look
  const state = STATE_ICONS[id]
  if (state) return [iconIn(bounds, state, 16, colours.text)]
  switch (id) {
    case 'shell.clock':
      return clockMarks(element, look)
    case 'shell.app-name':
      return label(inset(bounds, 10, 0), name, { font: font(13, 700), colour: colours.text })
    case 'shell.activities':
      return activitiesMarks(bounds, colours.text)
    case 'shell.start':
      return isDock
        ? launcherFace({ ...bounds, height: bounds.width })
        : [iconIn(bounds, 'launcher', 24, colours.accent)]
    case 'shell.search':
      return style === 'macos' ? [iconIn(bounds, 'search', 15, colours.text)] : searchMarks(element, colours)
    default:
      return taskMarks(element, look, isDock)
  }
}

/** In the style `windows` the time is above the date. */
function clockMarks({ bounds, name }: Element, { colours, style }: ShellLook): readonly Mark[] {
  const { text: colour } = colours
  if (style !== 'windows') {
    const weight = style === 'gnome' ? 700 : 500
    return label(bounds, name, { font: font(13, weight), colour, align: 'center' })
  }
  const [time = '', date = ''] = name.split('  ')
  const line = (content: string, y: number) =>
    label({ ...bounds, y: bounds.y + y, height: 16 }, content, { font: font(12), colour, align: 'right' })
  return [...line(time, 8), ...line(date, 24)]
}

/** A long mark and two dots: the workspaces. */
function activitiesMarks({ x, y, height }: Rect, colour: string): readonly Mark[] {
  const top = y + Math.floor(height / 2) - 3
  const dot = (at: number) => box({ x: x + at, y: top, width: 6, height: 6 }, { fill: `${colour}80`, radius: 3 })
  return [box({ x: x + 10, y: top, width: 32, height: 6 }, { fill: colour, radius: 3 }), dot(49), dot(61)]
}

const launcherFace = (area: Rect): readonly Mark[] => [
  box(area, { fill: '#d9dde6', radius: Math.round(area.width * 0.235) }),
  iconIn(area, 'launcher', 30, '#4a5160'),
]

function searchMarks({ bounds, name }: Element, { field, text: colour, edge }: ShellColours): readonly Mark[] {
  const pill = squareInHeight(bounds, 32)
  return [
    box(pill, { fill: field, radius: 16, ...(edge && { border: edge }) }),
    iconIn({ ...pill, width: 38 }, 'search', 16, colour),
    ...label({ ...pill, x: pill.x + 38, width: pill.width - 48 }, name, { font: font(14), colour }),
  ]
}

const squareInHeight = (area: Rect, height: number): Rect => ({
  ...area,
  y: area.y + Math.floor((area.height - height) / 2),
  height,
})

/** The button of a window or application, with a mark below it while a window is open. */
export function taskMarks(element: Element, { style, colours }: ShellLook, isDock: boolean): readonly Mark[] {
  const { bounds, selected, value } = element
  const isRunning = value !== null && value !== ''
  const middle = bounds.x + Math.floor(bounds.width / 2)
  if (style === 'windows') {
    const size = Math.min(24, Math.max(4, bounds.width - 4))
    const long = selected ? 16 : 6
    const pill = { x: middle - long / 2, y: bounds.y + bounds.height - 4, width: long, height: 3 }
    const border = colours.launcherEdge ?? colours.active
    return [
      ...(selected ? [box(bounds, { fill: colours.active, border, radius: 5 })] : []),
      ...appFace(squareIn(bounds, size, Math.floor((bounds.width - size) / 2)), element, style),
      ...(isRunning ? [box(pill, { fill: selected ? colours.accent : colours.running, radius: 1 })] : []),
    ]
  }
  const size = isDock ? bounds.width : Math.min(48, bounds.width - 8)
  const face = { x: middle - Math.floor(size / 2), y: bounds.y + (isDock ? 0 : 14), width: size, height: size }
  const dot = { x: middle - 2, y: isDock ? face.y + size + 2 : face.y + size + 7, width: 4, height: 4 }
  return [...appFace(face, element, style), ...(isRunning ? [box(dot, { fill: colours.running, radius: 2 })] : [])]
}
