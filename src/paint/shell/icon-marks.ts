import type { Window } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import { box, type Mark } from '../frame/mark.ts'
import { type Font, widthOf } from '../text/fonts.ts'
import { elide, label, wrap } from '../text/text.ts'
import type { ShellLook } from './bar-marks.ts'
import { devicePicture, filePicture, folderPicture, recyclePicture } from './pictures/desk-pictures.ts'

const ICON_SIZES_PX = { windows: 48, macos: 60, gnome: 48 } as const
const LINE_PX = 15
const MAX_LINES = 2
const TOP_PX = 4

/** The marks of the icons of the desktop: a picture and, on the wallpaper, white words with a shadow. */
export const iconMarks = ({ tree }: Window, look: ShellLook): readonly Mark[] =>
  tree.children.flatMap(({ children }) => children.flatMap((item) => itemMarks(item, look)))

function itemMarks(item: Element, look: ShellLook): readonly Mark[] {
  const { bounds, name, selected, id, focused } = item
  const { colours, style, theme, hovered } = look
  const { x, y, width } = bounds
  const size = ICON_SIZES_PX[style]
  const words: Font = { family: theme.type.family, size: 12, weight: style === 'macos' ? 600 : 400 }
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
  if (style !== 'macos' || labelFill === undefined)
    return [
      ...(isLit ? [back] : []),
      ...pictureOf(item, picture, look),
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
    ...pictureOf(item, picture, look),
    ...lines.flatMap(({ area, content }) =>
      selected ? markedWords(area, content, words, labelFill) : shadedWords(area, content, words),
    ),
  ]
}

function pictureOf({ id, name, description }: Element, area: Rect, { style }: ShellLook): readonly Mark[] {
  if (id === 'shell.device') return devicePicture(area)
  if (id === 'shell.recycle-bin') return recyclePicture(area)
  return description === 'Folder' ? folderPicture(area, style) : filePicture(area, name)
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
function shadedWords(area: Rect, content: string, font: Font): readonly Mark[] {
  const shade = (x: number, y: number, colour: string) =>
    label({ ...area, x: area.x + x, y: area.y + y }, content, { font, colour, align: 'center' }).map(
      ({ run: _, ...mark }) => mark,
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
function markedWords(area: Rect, content: string, font: Font, fill: string): readonly Mark[] {
  const width = Math.min(area.width, Math.ceil(widthOf(content, font)) + 8)
  const back = { ...area, x: area.x + Math.floor((area.width - width) / 2), width, y: area.y - 1, height: LINE_PX + 2 }
  return [box(back, { fill, radius: 4 }), ...label(area, content, { font, colour: '#ffffff', align: 'center' })]
}
