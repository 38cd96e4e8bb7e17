import type { Window } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { box, type Mark, solid } from '../frame/mark.ts'
import type { Font } from '../text/fonts.ts'
import { label, wrap } from '../text/text.ts'
import { iconIn } from '../widgets/widget.ts'
import type { ShellLook } from './bar-marks.ts'

const ICON_PX = 44
const WORDS: Font = { family: 'ui', size: 12, weight: 500 }
const LINE_PX = 15
const MAX_LINES = 2

/** The marks of the icons of the desktop: a picture and, on the wallpaper, white words with a shadow. */
export const iconMarks = ({ tree }: Window, look: ShellLook): readonly Mark[] =>
  tree.children.flatMap(({ children }) => children.flatMap((item) => itemMarks(item, look)))

function itemMarks({ bounds, name, selected, description, focused }: Element, look: ShellLook): readonly Mark[] {
  const { colours, style } = look
  const { x, y, width } = bounds
  const border = focused ? colours.ring : colours.selectedEdge
  const picture = { x: x + Math.floor((width - ICON_PX) / 2), y: y + 4, width: ICON_PX, height: ICON_PX }
  const lines = wrap(name, width - 6, WORDS, MAX_LINES)
  return [
    ...(selected ? [box(bounds, { fill: colours.selected, radius: 4, ...(border && { border }) })] : []),
    ...(description === 'Folder'
      ? folderMarks(picture, style === 'macos' ? '#4aa3ea' : '#f2bd3c')
      : fileMarks(picture)),
    ...lines.flatMap((line, index) => {
      const area = { x: x + 2, y: y + ICON_PX + 6 + index * LINE_PX, width: width - 4, height: LINE_PX }
      const isCut = index === MAX_LINES - 1 && line.to < name.length
      return shadedWords(area, isCut ? name.slice(line.from) : line.text)
    }),
  ]
}

/** The words, and the same words below them as a shadow. */
const shadedWords = (area: Rect, content: string): readonly Mark[] => [
  ...label({ ...area, y: area.y + 1 }, content, { font: WORDS, colour: '#000000b0', align: 'center' }).map(
    ({ run: _, ...mark }) => mark,
  ),
  ...label(area, content, { font: WORDS, colour: '#ffffff', align: 'center' }),
]

const folderMarks = (area: Rect, colour: string): readonly Mark[] => [iconIn(area, 'folder', ICON_PX, colour)]

function fileMarks({ x, y, width, height }: Rect): readonly Mark[] {
  const page = { x: x + 6, y: y + 1, width: width - 12, height: height - 2 }
  const line = (at: number, short: number) =>
    solid({ x: page.x + 6, y: page.y + at, width: page.width - 12 - short, height: 2 }, '#8fa3bd')
  return [
    box(page, { fill: '#ffffff', border: '#c9d2de', radius: 3 }),
    line(10, 0),
    line(16, 4),
    line(22, 0),
    line(28, 8),
  ]
}
