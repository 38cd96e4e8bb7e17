import { Fault } from '../base/fault.ts'
import { rasterize, toPath2D } from './canvas/skia.ts'

/** An SVG file that can be painted in any size. */
export interface SvgPicture {
  /** Its own size in pixels. */
  readonly width: number
  readonly height: number
  /** The part of its plane that it shows. */
  readonly view: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  readonly shapes: readonly SvgShape[]
}

const MAX_LENGTH = 500_000

/** Reads an SVG file. Throws `BadRequest` for one that is broken, too large, or has what is not supported. */
export function readSvg(file: Uint8Array): SvgPicture {
  if (file.length > MAX_LENGTH) throw badSvg(`has ${file.length} bytes; at most ${MAX_LENGTH} are allowed`)
  const root = parseSvg(Buffer.from(file).toString('utf8'))
  const box = root.attributes.get('viewBox')
  const [x = 0, y = 0, across = 0, down = 0] = (box ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  if (box !== undefined && !(across > 0 && down > 0 && Number.isFinite(x + y + across + down)))
    throw badSvg(`has the viewBox ${JSON.stringify(box)}; expected four numbers`)
  const [width, height] = [sizeOf('width', across), sizeOf('height', down)]
  if (!(width > 0 && height > 0)) throw badSvg('has neither a viewBox nor a width and a height')
  const view = box === undefined ? { x: 0, y: 0, width, height } : { x, y, width: across, height: down }
  return { width: Math.round(width) || 1, height: Math.round(height) || 1, view, shapes: shapesOf(root) }

  function sizeOf(key: string, usual: number): number {
    return root.attributes.get(key)?.endsWith('%') ? usual : lengthOf(root, key, usual)
  }
}

/** The premultiplied pixels of an SVG file in a size, in the middle with its proportions. */
export function svgPixels({ view, shapes }: SvgPicture, width: number, height: number): Uint32Array {
  return rasterize(width, height, (context) => {
    const scale = Math.min(width / view.width, height / view.height)
    context.translate((width - view.width * scale) / 2, (height - view.height * scale) / 2)
    context.scale(scale, scale)
    context.translate(-view.x, -view.y)
    for (const { path, transforms, style } of shapes) {
      context.save()
      for (const matrix of transforms) context.transform(...matrix)
      const outline = toPath2D(path)
      if (style.fill !== 'none') {
        context.globalAlpha = style.opacity * style.fillOpacity
        context.fillStyle = style.fill
        context.fill(outline, style.rule)
      }
      if (style.stroke !== 'none' && style.strokeWidth > 0) {
        context.globalAlpha = style.opacity * style.strokeOpacity
        context.strokeStyle = style.stroke
        context.lineWidth = style.strokeWidth
        context.lineCap = style.cap
        context.lineJoin = style.join
        context.miterLimit = 4
        context.stroke(outline)
      }
      context.restore()
    }
  })
}

/** A transform as the six numbers of a matrix. */
export type Matrix = readonly [number, number, number, number, number, number]

/** A shape of an SVG file with the look that it has or inherits. */
interface SvgShape {
  readonly path: string
  /** From the outermost element inward. */
  readonly transforms: readonly Matrix[]
  readonly style: SvgStyle
}

export interface SvgStyle {
  readonly fill: string
  readonly stroke: string
  readonly strokeWidth: number
  readonly cap: 'butt' | 'round' | 'square'
  readonly join: 'miter' | 'round' | 'bevel'
  readonly rule: 'nonzero' | 'evenodd'
  readonly opacity: number
  readonly fillOpacity: number
  readonly strokeOpacity: number
}

const FIRST: SvgStyle = {
  fill: '#000000',
  stroke: 'none',
  strokeWidth: 1,
  cap: 'butt',
  join: 'miter',
  rule: 'nonzero',
  opacity: 1,
  fillOpacity: 1,
  strokeOpacity: 1,
}

/** Attributes that draw something that is not supported, so that leaving them out would show another picture. */
const REFUSED = [
  'clip-path',
  'mask',
  'filter',
  'marker-start',
  'marker-mid',
  'marker-end',
  'href',
  'xlink:href',
] as const

const MAX_PATH_LENGTH = 200_000

/** The shapes of an SVG file in the order in which they are painted. Throws `BadRequest` for what is not supported. */
function shapesOf(root: SvgElement): readonly SvgShape[] {
  const shapes: SvgShape[] = []
  for (const child of root.children) collect(child, styleOf(root, FIRST), [], shapes)
  return shapes
}

function collect(element: SvgElement, around: SvgStyle, outer: readonly Matrix[], shapes: SvgShape[]): void {
  const { name, attributes } = element
  const isGroup = name === 'g'
  if (!isGroup && !Object.hasOwn(PATHS, name))
    throw badSvg(`has a <${name}>; only g, ${Object.keys(PATHS).join(', ')} are drawn. Convert it to paths`)
  const style = styleOf(element, around)
  const transform = attributes.get('transform')
  const transforms = transform === undefined ? outer : [...outer, ...matricesOf(transform)]
  if (isGroup) {
    for (const child of element.children) collect(child, style, transforms, shapes)
    return
  }
  const path = PATHS[name as keyof typeof PATHS](element)
  if (path.length > MAX_PATH_LENGTH || !/^[MLHVCSQTAZmlhvcsqtaz0-9eE+\-.,\s]*$/.test(path))
    throw badSvg(`has a <${name}> whose data is too long or has characters that no path has`)
  if (path !== '') shapes.push({ path, transforms, style })
}

/** The number of an attribute, in pixels. */
function lengthOf({ name, attributes }: SvgElement, key: string, usual = 0): number {
  const written = attributes.get(key)
  if (written === undefined) return usual
  const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(?:px)?\s*$/i.exec(written)
  if (!match) throw badSvg(`has ${key}=${JSON.stringify(written)} on <${name}>; expected a number of pixels`)
  return Number(match[1])
}

const PATHS = {
  path: ({ attributes }: SvgElement): string => attributes.get('d') ?? '',
  rect: (element: SvgElement): string => {
    const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((key) => lengthOf(element, key)) as [
      number,
      number,
      number,
      number,
    ]
    if (width <= 0 || height <= 0) return ''
    const one = lengthOf(element, 'rx', lengthOf(element, 'ry'))
    const rx = Math.min(one, width / 2)
    const ry = Math.min(lengthOf(element, 'ry', one), height / 2)
    if (rx <= 0 || ry <= 0) return `M${x} ${y}h${width}v${height}h${-width}Z`
    const corner = (dx: number, dy: number) => `a${rx} ${ry} 0 0 1 ${dx} ${dy}`
    const [across, down] = [width - 2 * rx, height - 2 * ry]
    const upper = `M${x + rx} ${y}h${across}${corner(rx, ry)}v${down}${corner(-rx, ry)}`
    return `${upper}h${-across}${corner(-rx, -ry)}v${-down}${corner(rx, -ry)}Z`
  },
  circle: (element: SvgElement): string => ellipse(element, lengthOf(element, 'r'), lengthOf(element, 'r')),
  ellipse: (element: SvgElement): string => ellipse(element, lengthOf(element, 'rx'), lengthOf(element, 'ry')),
  line: (element: SvgElement): string =>
    `M${lengthOf(element, 'x1')} ${lengthOf(element, 'y1')}L${lengthOf(element, 'x2')} ${lengthOf(element, 'y2')}`,
  polyline: (element: SvgElement): string => polyline(element),
  polygon: (element: SvgElement): string => (polyline(element) === '' ? '' : `${polyline(element)}Z`),
} as const

function ellipse(element: SvgElement, rx: number, ry: number): string {
  if (rx <= 0 || ry <= 0) return ''
  const [x, y] = [lengthOf(element, 'cx'), lengthOf(element, 'cy')]
  return `M${x - rx} ${y}a${rx} ${ry} 0 1 1 ${2 * rx} 0a${rx} ${ry} 0 1 1 ${-2 * rx} 0Z`
}

function polyline({ name, attributes }: SvgElement): string {
  const numbers = (attributes.get('points') ?? '').split(/[\s,]+/).filter((each) => each !== '')
  if (numbers.length % 2 !== 0) throw badSvg(`has a <${name}> with an odd number of coordinates`)
  return numbers.length < 4 ? '' : `M${numbers.join(' ')}`
}

const STYLE_KEYS = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
  'fill-rule',
  'opacity',
  'fill-opacity',
  'stroke-opacity',
] as const

/** The style of an element: its `style`, its attributes, and what it inherits. The opacity of a group multiplies. */
function styleOf(element: SvgElement, around: SvgStyle): SvgStyle {
  const { name, attributes } = element
  for (const key of attributes.keys())
    if (REFUSED.some((each) => each === key) || /^on/i.test(key))
      throw badSvg(`has ${key} on <${name}>, which is not drawn; remove it`)
  const declared = new Map<string, string>()
  for (const key of STYLE_KEYS) {
    const written = attributes.get(key)
    if (written !== undefined) declared.set(key, written)
  }
  for (const part of (attributes.get('style') ?? '').split(';')) {
    const colon = part.indexOf(':')
    if (colon > 0) declared.set(part.slice(0, colon).trim(), part.slice(colon + 1).trim())
  }
  for (const key of declared.keys())
    if (REFUSED.some((each) => each === key)) throw badSvg(`has ${key} on <${name}>, which is not drawn; remove it`)
  const number = (key: string, usual: number): number => {
    const value = Number(declared.get(key)?.replace(/px$/, '') ?? usual)
    if (!Number.isFinite(value)) throw badSvg(`has ${key}=${JSON.stringify(declared.get(key))} on <${name}>`)
    return Math.max(0, value)
  }
  const choice = <Choice extends string>(key: string, choices: readonly Choice[], usual: Choice): Choice =>
    choices.find((each) => each === declared.get(key)) ?? usual
  return {
    fill: colourOf(name, declared.get('fill'), around.fill),
    stroke: colourOf(name, declared.get('stroke'), around.stroke),
    strokeWidth: number('stroke-width', around.strokeWidth),
    cap: choice('stroke-linecap', ['butt', 'round', 'square'], around.cap),
    join: choice('stroke-linejoin', ['miter', 'round', 'bevel'], around.join),
    rule: choice('fill-rule', ['nonzero', 'evenodd'], around.rule),
    opacity: around.opacity * Math.min(1, number('opacity', 1)),
    fillOpacity: Math.min(1, number('fill-opacity', around.fillOpacity)),
    strokeOpacity: Math.min(1, number('stroke-opacity', around.strokeOpacity)),
  }
}

const NAMED =
  /^(?:aqua|black|blue|brown|cyan|fuchsia|gold|gray|green|grey|lime|magenta|maroon|navy|none|olive|orange|pink|purple|red|silver|teal|transparent|violet|white|yellow)$/

function colourOf(name: string, written: string | undefined, inherited: string): string {
  const colour = written?.trim()
  if (colour === undefined || colour === 'inherit') return inherited
  if (colour === 'currentColor') return FIRST.fill
  if (/^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(colour) || NAMED.test(colour)) return colour
  if (/^rgb\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*\)$/.test(colour)) return colour
  throw badSvg(`has the colour ${JSON.stringify(colour)} on <${name}>; expected #rrggbb, a common name or none`)
}

const CALL = /\s*(\w+)\s*\(([^()]*)\)[\s,]*/y

function matricesOf(source: string): readonly Matrix[] {
  const matrices: Matrix[] = []
  CALL.lastIndex = 0
  while (CALL.lastIndex < source.trimEnd().length) {
    const call = CALL.exec(source)
    const numbers = (call?.[2] ?? '')
      .trim()
      .split(/[\s,]+/)
      .map(Number)
    const matrix = call && numbers.every(Number.isFinite) ? matrixOf(call[1]!, numbers) : undefined
    if (!matrix) throw badSvg(`has the transform ${JSON.stringify(source.slice(0, 80))}, which cannot be read`)
    matrices.push(...matrix)
  }
  return matrices
}

function matrixOf(name: string, [a = 0, b, c, ...rest]: readonly number[]): readonly Matrix[] | undefined {
  const angle = (a * Math.PI) / 180
  switch (name) {
    case 'translate':
      return [[1, 0, 0, 1, a, b ?? 0]]
    case 'scale':
      return [[a, 0, 0, b ?? a, 0, 0]]
    case 'rotate': {
      const turn: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), 0, 0]
      if (b === undefined || c === undefined) return [turn]
      return [[1, 0, 0, 1, b, c], turn, [1, 0, 0, 1, -b, -c]]
    }
    case 'skewX':
      return [[1, 0, Math.tan(angle), 1, 0, 0]]
    case 'skewY':
      return [[1, Math.tan(angle), 0, 1, 0, 0]]
    case 'matrix':
      return rest.length === 3 ? [[a, b!, c!, rest[0]!, rest[1]!, rest[2]!]] : undefined
    default:
      return undefined
  }
}

/** An element of an SVG file with its attributes. */
interface SvgElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly SvgElement[]
}

const MAX_ELEMENTS = 2000
const MAX_DEPTH = 64

/** Elements without a look, whose content is skipped. */
const SKIPPED: ReadonlySet<string> = new Set(['title', 'desc', 'metadata', 'defs'])
const TAG = /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

const badSvg = (message: string): Fault => new Fault('BadRequest', `the SVG ${message}`)

/** Whether the bytes of a file look like SVG. */
export const isSvg = (file: Uint8Array): boolean =>
  /^\uFEFF?\s*(?:<\?xml[^>]*>|<!--[\s\S]*?-->|\s)*<(?:svg[\s>]|!DOCTYPE)/.test(
    Buffer.from(file.subarray(0, 2000)).toString('utf8'),
  )

/** Reads the elements of an SVG file. Throws `BadRequest` for one that is not well-formed, too large, or has entities. */
function parseSvg(source: string): SvgElement {
  if (/<!(?:DOCTYPE|ENTITY|\[CDATA)/i.test(source))
    throw badSvg('has a document type, an entity or CDATA, which are not read; remove it')
  const roots: SvgElement[] = []
  const open: { readonly name: string; readonly element: SvgElement & { readonly children: SvgElement[] } }[] = []
  let count = 0
  let skipping = 0
  let at = source.indexOf('<')
  while (at >= 0) {
    const skipped = skipMarkup(source, at)
    if (skipped > at) {
      at = source.indexOf('<', skipped)
      continue
    }
    TAG.lastIndex = at
    const tag = TAG.exec(source)
    if (!tag) throw badSvg(`has a tag that cannot be read: ${JSON.stringify(source.slice(at, at + 40))}`)
    const [, closing, name = '', attributes = '', single] = tag
    if (!closing && ++count > MAX_ELEMENTS) throw badSvg(`has more than ${MAX_ELEMENTS} elements`)
    if (closing) {
      if (open.pop()?.name !== name) throw badSvg(`closes <${name}>, which is not open`)
      if (SKIPPED.has(name)) skipping--
    } else {
      const element = { name, attributes: attributesOf(attributes), children: [] }
      const isSkipped = skipping > 0 || SKIPPED.has(name)
      if (!isSkipped) (open.at(-1)?.element.children ?? roots).push(element)
      if (!single) {
        if (open.length >= MAX_DEPTH) throw badSvg(`has more than ${MAX_DEPTH} levels`)
        open.push({ name, element })
        if (SKIPPED.has(name)) skipping++
      }
    }
    at = source.indexOf('<', TAG.lastIndex)
  }
  const [root] = roots
  if (open.length > 0) throw badSvg(`does not close <${open.at(-1)!.name}>`)
  if (roots.length !== 1 || root?.name !== 'svg') throw badSvg('does not have one <svg> around its content')
  return root
}

/** The end of a comment or processing instruction that starts here; otherwise the same place. */
function skipMarkup(source: string, at: number): number {
  const end = source.startsWith('<!--', at) ? '-->' : source.startsWith('<?', at) ? '?>' : undefined
  if (end === undefined) return at
  const found = source.indexOf(end, at)
  if (found < 0) throw badSvg('has a comment that does not end')
  return found + end.length
}

const attributesOf = (source: string): ReadonlyMap<string, string> =>
  new Map([...source.matchAll(ATTRIBUTE)].map(([, name = '', one, other]) => [name, one ?? other ?? '']))
