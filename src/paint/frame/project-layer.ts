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
import {
  ascentOf,
  type BoxStyle,
  backdrop,
  box,
  type DrawOp,
  icon,
  path,
  picture,
  roundedGradient,
  shadow,
  solid,
  TEXT_MARGIN,
  text,
  verticalGradient,
} from './draw-op.ts'
import { type Layer, layer } from './layer.ts'

/** Operations up to this size are lines, which have the same width wherever they are. */
const MAX_LINE_PX = 3

const FILLED: ReadonlySet<DrawOp['style']['kind']> = new Set<DrawOp['style']['kind']>([
  'flat',
  'box',
  'roundedGradient',
  'verticalGradient',
])

/** Whether the lines among some operations are at the upper or left edge of another one, not at its end. */
interface LineEdges {
  readonly isAtTop: boolean
  readonly isAtLeft: boolean
}

/** Whether an operation is so thin that it is a line. */
const isLine = ({ bounds, style }: DrawOp): boolean =>
  (style.kind === 'flat' || style.kind === 'box') && Math.min(bounds.width, bounds.height) <= MAX_LINE_PX

/** The edges that a line keeps when it is scaled: those of the areas that it is in, otherwise its end. */
function lineEdges({ bounds }: DrawOp, among: readonly DrawOp[]): LineEdges {
  const areas = among.filter(({ style, bounds: area }) => FILLED.has(style.kind) && overlaps(area, bounds))
  return {
    isAtTop: areas.some((area) => area.bounds.y === bounds.y && area.bounds.height > bounds.height),
    isAtLeft: areas.some((area) => area.bounds.x === bounds.x && area.bounds.width > bounds.width),
  }
}

const overlaps = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** The place of a line in pixels of the screen: as thick as its scale says, at the edge that it keeps. */
function lineRect(bounds: Rect, place: Rect, ratio: number, edges: LineEdges, mirrored: boolean): Rect {
  const [width, height] = [sizeOf(bounds.width, place.width, ratio), sizeOf(bounds.height, place.height, ratio)]
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
  const moved = (ops: readonly DrawOp[]) => ops.map((op) => projectOp(projection, op, upright, ops))
  return layer({
    ops: moved(whole.ops),
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

/** An operation in pixels of the screen. Those on `upright` are moved to its mirrored place, but not mirrored. */
function projectOp(
  projection: ScreenProjection,
  op: DrawOp,
  upright: Rect | undefined,
  among: readonly DrawOp[],
): DrawOp {
  const { mirror } = projection
  const edges = isLine(op) ? lineEdges(op, among) : undefined
  if (mirror === undefined || !upright || !liesOn(op, upright)) return scaled(projection, op, edges)
  // Mirroring twice around the same middle moves without turning.
  const { x, width } = op.bounds
  const shift = uprightShift(projection, upright)
  const turned = mirror - x - width
  const by = x + shift - turned
  return scaled(projection, op, edges, by)
}

/** Whether an operation belongs to an element. The letters of a caption may reach into the field below it. */
function liesOn({ bounds, style }: DrawOp, area: Rect): boolean {
  if (style.kind !== 'text') return intersect(bounds, area) !== undefined
  return intersect({ ...bounds, y: bounds.y + (bounds.height >> 1), height: 1 }, area) !== undefined
}

function scaled(projection: ScreenProjection, { style, bounds, run }: DrawOp, edges?: LineEdges, by = 0): DrawOp {
  const { ratio, mirror } = projection
  // A mirrored rectangle moves the other way.
  const place = (rect: Rect) => projectRect(projection, by === 0 ? rect : translate(rect, -by, 0))
  const length = (pixels: number) => Math.max(1, Math.round(pixels * ratio))
  const mirrored = mirror !== undefined && by === 0
  const whole = () => (edges ? lineRect(bounds, place(bounds), ratio, edges, mirrored) : atLeastOne(place(bounds)))
  switch (style.kind) {
    case 'flat':
      return solid(whole(), style.colour)
    case 'verticalGradient': {
      const gradient = verticalGradient(place(style.span), style.top, style.bottom)
      return { ...gradient, bounds: place(bounds) }
    }
    case 'backdrop': {
      const { kind: _, span, soft, ...wallpaper } = style
      // A mirrored desktop has the same wallpaper.
      return backdrop(place(span), wallpaper, place(bounds), soft === 1 ? 1 : length(soft))
    }
    case 'box': {
      const area = whole()
      return box(area, boxStyle(style, bounds, area, ratio, mirrored))
    }
    case 'roundedGradient': {
      const area = atLeastOne(place(bounds))
      const radius = radiusOf(style.radius, bounds, area, ratio, false) as number
      return roundedGradient(area, { top: style.top, bottom: style.bottom, radius })
    }
    case 'shadow': {
      const { reach, drop, opacity, radius } = style
      const around = {
        x: bounds.x + reach,
        y: bounds.y + reach,
        width: bounds.width - 2 * reach,
        height: bounds.height - 2 * reach - drop,
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
      const { x, y, width } = place(bounds)
      const name = mirrored ? (TURNED[style.icon] ?? style.icon) : style.icon
      return icon({ x, y }, name, Math.max(1, width), style.colour, mirrored && WITHOUT_COUNTERPART.has(name))
    }
    case 'path':
      return path(atLeastOne(place(bounds)), { ...style, mirrored: mirrored && style.isFixed !== true })
    case 'picture':
      return picture(atLeastOne(place(bounds)), style.file, style.cut)
    case 'text': {
      const font: Font = { ...style.font, size: style.font.size * ratio }
      const width = Math.ceil(widthOf(style.text, style.font))
      const { x, width: room } = place({ ...bounds, x: bounds.x + TEXT_MARGIN, width })
      const baseline = Math.round((bounds.y + ascentOf(style.font, style.text)) * ratio)
      const left = mirrored ? x + room - Math.ceil(widthOf(style.text, font)) : x
      const { run: own, ...made } = text(left, baseline, style.text, font, style.colour, style.direction)
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
