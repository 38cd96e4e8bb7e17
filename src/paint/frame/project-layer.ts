import { intersect, type Rect, translate } from '../../desktop/model/geometry.ts'
import {
  memoizeProjected,
  type Project,
  projectRect,
  type ScreenProjection,
  uprightShift,
} from '../../desktop/projection.ts'
import type { DrawnIcon } from '../icons.ts'
import { type Font, widthOf } from '../text/fonts.ts'
import { type Layer, layer } from './layer.ts'
import {
  ascentOf,
  type BoxStyle,
  backdrop,
  box,
  face,
  gradient,
  icon,
  type Mark,
  path,
  picture,
  shadow,
  solid,
  TEXT_MARGIN,
  text,
} from './mark.ts'

/** The marks up to this size are lines, which have the same width wherever they are. */
const MAX_LINE_PX = 3

const FILLED: ReadonlySet<Mark['look']['kind']> = new Set<Mark['look']['kind']>(['flat', 'box', 'face', 'wash'])

/** Whether the lines among some marks are at the upper or left edge of another mark, not at its end. */
interface LineEdges {
  readonly isAtTop: boolean
  readonly isAtLeft: boolean
}

/** Whether a mark is so thin that it is a line. */
const isLine = ({ ink, look }: Mark): boolean =>
  (look.kind === 'flat' || look.kind === 'box') && Math.min(ink.width, ink.height) <= MAX_LINE_PX

/** The edges that a line keeps when it is scaled: those of the areas that it is in, otherwise its end. */
function lineEdges({ ink }: Mark, among: readonly Mark[]): LineEdges {
  const areas = among.filter(({ look, ink: area }) => FILLED.has(look.kind) && overlaps(area, ink))
  return {
    isAtTop: areas.some((area) => area.ink.y === ink.y && area.ink.height > ink.height),
    isAtLeft: areas.some((area) => area.ink.x === ink.x && area.ink.width > ink.width),
  }
}

const overlaps = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** The place of a line in pixels of the screen: as thick as its scale says, at the edge that it keeps. */
function lineRect(ink: Rect, place: Rect, ratio: number, edges: LineEdges, mirrored: boolean): Rect {
  const [width, height] = [sizeOf(ink.width, place.width, ratio), sizeOf(ink.height, place.height, ratio)]
  const isAtStart = edges.isAtLeft !== mirrored
  return {
    x: isAtStart ? place.x : place.x + place.width - width,
    y: edges.isAtTop ? place.y : place.y + place.height - height,
    width,
    height,
  }
}

const sizeOf = (size: number, scaled: number, ratio: number): number =>
  size > 0 && size <= MAX_LINE_PX ? Math.max(1, Math.round(size * ratio)) : scaled

/** A layer in pixels of the screen. Equal layers give the same value, so that only changes are painted again. */
export const projectLayer: Project<Layer> = memoizeProjected((projection, whole) => {
  const { rounded, clip, covers, upright } = whole
  const moved = (marks: readonly Mark[]) => marks.map((mark) => projectMark(projection, mark, upright, marks))
  return layer({
    marks: moved(whole.marks),
    children: whole.children.map((child) => projectLayer(projection, child)),
    over: moved(whole.over),
    clip: clip && projectRect(projection, clip),
    covers: covers && projectRect(projection, covers),
    rounded: rounded && {
      rect: projectRect(projection, rounded.rect),
      radius: Math.max(1, Math.round(rounded.radius * projection.ratio)),
    },
  })
})

/** A mark in pixels of the screen. Those on `upright` are moved to its mirrored place, but not mirrored. */
function projectMark(
  projection: ScreenProjection,
  mark: Mark,
  upright: Rect | undefined,
  among: readonly Mark[],
): Mark {
  const { mirror } = projection
  const edges = isLine(mark) ? lineEdges(mark, among) : undefined
  if (mirror === undefined || !upright || !liesOn(mark, upright)) return scaled(projection, mark, edges)
  // Mirroring twice around the same middle moves without turning.
  const { x, width } = mark.ink
  const shift = uprightShift(projection, upright)
  const turned = mirror - x - width
  const by = x + shift - turned
  return scaled(projection, mark, edges, by)
}

/** Whether a mark belongs to an element. The letters of a caption may reach into the field below it. */
function liesOn({ ink, look }: Mark, area: Rect): boolean {
  if (look.kind !== 'text') return intersect(ink, area) !== undefined
  return intersect({ ...ink, y: ink.y + (ink.height >> 1), height: 1 }, area) !== undefined
}

function scaled(projection: ScreenProjection, { look, ink, run }: Mark, edges?: LineEdges, by = 0): Mark {
  const { ratio, mirror } = projection
  // A mirrored rectangle moves the other way.
  const place = (rect: Rect) => projectRect(projection, by === 0 ? rect : translate(rect, -by, 0))
  const length = (pixels: number) => Math.max(1, Math.round(pixels * ratio))
  const mirrored = mirror !== undefined && by === 0
  const whole = () => (edges ? lineRect(ink, place(ink), ratio, edges, mirrored) : atLeastOne(place(ink)))
  switch (look.kind) {
    case 'flat':
      return solid(whole(), look.colour)
    case 'wash': {
      const wash = gradient(place(look.span), look.top, look.bottom)
      return { ...wash, ink: place(ink) }
    }
    case 'backdrop': {
      const { kind: _, span, soft, ...style } = look
      // A mirrored desktop has the same wallpaper.
      return backdrop(place(span), style, place(ink), soft === 1 ? 1 : length(soft))
    }
    case 'box': {
      const area = whole()
      return box(area, boxStyle(look, ink, area, ratio, mirrored))
    }
    case 'face': {
      const area = atLeastOne(place(ink))
      const radius = radiusOf(look.radius, ink, area, ratio, false) as number
      return face(area, { top: look.top, bottom: look.bottom, radius })
    }
    case 'shadow': {
      const { reach, drop, opacity, radius } = look
      const around = {
        x: ink.x + reach,
        y: ink.y + reach,
        width: ink.width - 2 * reach,
        height: ink.height - 2 * reach - drop,
      }
      const area = place(around)
      return shadow(area, {
        reach: length(reach),
        drop: Math.round(drop * ratio),
        opacity,
        ...(radius !== undefined && { radius: radiusOf(radius, around, area, ratio, false) as number }),
      })
    }
    case 'icon': {
      const { x, y, width } = place(ink)
      const name = mirrored ? (TURNED[look.icon] ?? look.icon) : look.icon
      return icon({ x, y }, name, Math.max(1, width), look.colour, mirrored && WITHOUT_COUNTERPART.has(name))
    }
    case 'path':
      return path(atLeastOne(place(ink)), { ...look, mirrored: mirrored && look.isFixed !== true })
    case 'picture':
      return picture(atLeastOne(place(ink)), look.file, look.isDisc)
    case 'text': {
      const font: Font = { ...look.font, size: look.font.size * ratio }
      const width = Math.ceil(widthOf(look.text, look.font))
      const { x, width: room } = place({ ...ink, x: ink.x + TEXT_MARGIN, width })
      const baseline = Math.round((ink.y + ascentOf(look.font, look.text)) * ratio)
      const left = mirrored ? x + room - Math.ceil(widthOf(look.text, font)) : x
      const { run: own, ...made } = text(left, baseline, look.text, font, look.colour, look.direction)
      return run && own ? { ...made, run: { text: run.text, bounds: roundedRun(own.bounds) } } : made
    }
  }
}

const roundedRun = ({ x, y, width, height }: Rect): Rect => ({ x, y: Math.round(y), width, height })

/** A line stays visible when it becomes thinner than a pixel. */
const atLeastOne = (rect: Rect): Rect => ({ ...rect, width: Math.max(1, rect.width), height: Math.max(1, rect.height) })

function boxStyle(style: BoxStyle, before: Rect, after: Rect, ratio: number, mirrored: boolean): BoxStyle {
  const { fill, border, thickness = 1, radius = 0 } = style
  return {
    ...(fill !== undefined && { fill }),
    ...(border !== undefined && { border }),
    thickness: Math.max(1, Math.round(thickness * ratio)),
    radius: radiusOf(radius, before, after, ratio, mirrored),
  }
}

type Radius = NonNullable<BoxStyle['radius']>

function radiusOf(radius: Radius, before: Rect, after: Rect, ratio: number, mirrored: boolean): Radius {
  if (typeof radius === 'object') {
    const [a, b, c, d] = radius.map((corner) => Math.round(corner * ratio)) as [number, number, number, number]
    return mirrored ? [b, a, d, c] : [a, b, c, d]
  }
  // A pill stays one.
  if (radius > 0 && radius * 2 >= Math.min(before.width, before.height)) return Math.min(after.width, after.height) / 2
  return Math.round(radius * ratio)
}

/** Icons that point the other way on a mirrored desktop. */
const TURNED: Partial<Record<DrawnIcon, DrawnIcon>> = {
  'chevron-left': 'chevron-right',
  'chevron-right': 'chevron-left',
  reply: 'forward',
  forward: 'reply',
  undo: 'redo',
  redo: 'undo',
}

/** Icons that are mirrored there, since none points the other way. */
const WITHOUT_COUNTERPART: ReadonlySet<DrawnIcon> = new Set<DrawnIcon>(['reply-all', 'send'])
