import type { Face } from '../../../src/paint/canvas/faces.ts'
import type { Picture } from '../../../src/paint/picture.ts'

/** The canvas of the browser, with the functions of `src/paint/canvas/skia.ts`. */

export type CanvasContext = OffscreenCanvasRenderingContext2D & {
  lang: string
  fontVariationSettings: string
}

/** What `fonts.json` says of a font file: its address, and its table of characters, as a font file with nothing else. */
interface FontFile {
  readonly url: string
  readonly weight: string
  readonly characters: string
}

const { fonts: workerFonts } = self as unknown as { readonly fonts: FontFaceSet }
let fonts: Readonly<Record<string, FontFile>> = {}
const faces = new Map<string, Promise<unknown>>()

/** Loads the fonts that every desktop has; the others when a text needs them. */
export async function loadFonts(): Promise<void> {
  fonts = await (await fetch('fonts.json')).json()
  await Promise.all(Object.values(fonts).map(({ url }) => loadFont(url)))
}

function loadFont(url: string): Promise<unknown> {
  const known = faces.get(url)
  if (known) return known
  const files = Object.values(fonts).filter((font) => font.url === url)
  const loading = Promise.all(
    files.map(async ({ weight }) => {
      const face = new FontFace(nameOf(url), `url(${url})`, { weight, stretch: '62.5% 100%' })
      workerFonts.add(await face.load())
    }),
  )
  faces.set(url, loading)
  return loading
}

/** Each file has a family of its own, so that no face stands in for another. */
const nameOf = (url: string): string => `backlot ${url.replace(/^.*\/|\.\w+$/g, '')}`

export function fontFile(specifier: string): Uint8Array | undefined {
  const font = fonts[specifier]
  return font && Uint8Array.from(atob(font.characters), (character) => character.charCodeAt(0))
}

/** A face may have a file for each weight. */
export function selectFace(context: CanvasContext, face: Face, weight: number, size: number): void {
  const files = face.files.flatMap((specifier) => fonts[specifier] ?? [])
  const near = (font: FontFile) => Math.abs(Number(font.weight.split(' ')[0]) - weight)
  const [file] = files.length > 1 ? files.toSorted((one, other) => near(one) - near(other)) : files
  context.font = `${weight} ${size}px "${file ? nameOf(file.url) : 'sans-serif'}"`
  if (face.stretch !== undefined) context.fontStretch = 'semi-condensed'
}

let ruler: CanvasContext | undefined

export function measuringContext(): CanvasContext {
  ruler ??= prepared(1, 1)
  return ruler
}

/** Draws on an empty canvas and returns premultiplied pixels, each red, green, blue and alpha from the lowest byte. */
export function rasterize(width: number, height: number, draw: (context: CanvasContext) => void): Uint32Array {
  const context = prepared(width, height)
  draw(context)
  const { data } = context.getImageData(0, 0, width, height)
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]!
    if (alpha === 255) continue
    for (let channel = at; channel < at + 3; channel++) data[channel] = Math.round((data[channel]! * alpha) / 255)
  }
  return new Uint32Array(data.buffer)
}

export const toPath2D = (data: string): Path2D => new Path2D(data)

function prepared(width: number, height: number): CanvasContext {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { willReadFrequently: true }) as CanvasContext
  context.textBaseline = 'alphabetic'
  context.textAlign = 'left'
  return context
}

const notHere = (what: string): never => {
  throw new Error(`${what} is not in the playground`)
}
export const encodeLossy = (): Promise<never> =>
  Promise.reject(new Error('JPEG and WebP files are not in the playground'))
export const fromImage = (): Promise<Picture> => notHere('a picture from a file')
