import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type * as Canvas from '@napi-rs/canvas'
import { yieldingWork } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import { SerialQueue } from '../../base/serial-queue.ts'
import { fromPixels, type Picture } from '../picture.ts'
import { checkSize, sizeOf } from '../png/read-png.ts'
import { type Face, FIRST_FACES } from './faces.ts'

export type CanvasContext = Canvas.SKRSContext2D

const require = createRequire(import.meta.url)
let loaded: typeof Canvas | undefined

/**
 * The canvas library, loaded for the first picture and only with the bundled fonts, so that pixels are the same on
 * every machine. The only function of this folder that accesses the process and the disk.
 */
function skia(): typeof Canvas {
  if (loaded) return loaded
  // Stem darkening settings of the environment would change pixels, and loading installed fonts costs 60 ms. The library still reads
  // the names in the files below /usr/share/fonts, 0.3 ms each, which no setting prevents.
  delete process.env.FREETYPE_PROPERTIES
  process.env.DISABLE_SYSTEM_FONTS_LOAD = '1'
  const library = require('@napi-rs/canvas') as typeof Canvas
  for (const face of FIRST_FACES) register(library, face)
  loaded = library
  return library
}

/** The fonts of a built package. In a checkout they are in its development dependencies. */
const SHIPPED = new URL('../../../fonts/', import.meta.url)

/** The path of a file that a module specifier names. Undefined if its package is not installed. */
function located(specifier: string): string | undefined {
  const shipped = fileURLToPath(new URL(specifier.slice(specifier.lastIndexOf('/') + 1), SHIPPED))
  if (existsSync(shipped)) return shipped
  try {
    return require.resolve(specifier)
  } catch {
    return undefined
  }
}

/** The content of a font file or of data beside it. Undefined if its package is not installed. */
export function fontFile(specifier: string): Uint8Array | undefined {
  const path = located(specifier)
  return path === undefined ? undefined : readFileSync(path)
}

const registered = new Set<string>()

function register(library: typeof Canvas, face: Face): void {
  if (registered.has(face.name)) return
  registered.add(face.name)
  for (const file of face.files) {
    const path = located(file)
    if (path !== undefined) library.GlobalFonts.registerFromPath(path, face.name)
  }
}

/** Selects a face for the text that a context measures or draws next. */
export function selectFace(context: CanvasContext, face: Face, weight: number, size: number): void {
  register(skia(), face)
  context.font = `${weight} ${size}px "${face.name}"`
  context.fontVariationSettings = face.stretch === undefined ? 'normal' : `'wdth' ${face.stretch}, 'wght' ${weight}`
}

let ruler: CanvasContext | undefined

/** An off-screen context for measuring text. */
export function measuringContext(): CanvasContext {
  ruler ??= prepared(1, 1)
  return ruler
}

/**
 * Draws on an empty canvas and returns premultiplied pixels, each red, green, blue and alpha from the lowest byte. They
 * are copied, because the library frees its own only between turns of the event loop.
 */
export function rasterize(width: number, height: number, draw: (context: CanvasContext) => void): Uint32Array {
  const context = emptyContext(width, height)
  context.save()
  draw(context)
  context.restore()
  const bytes = context.canvas.data()
  const pixels = new Uint32Array(width * height)
  const rows = new Uint8Array(pixels.buffer)
  const { width: across } = context.canvas
  for (let row = 0; row < height; row++)
    rows.set(bytes.subarray(row * across * 4, (row * across + width) * 4), row * width * 4)
  return pixels
}

/** Small canvases for reuse, by size. Creating one takes longer than most drawing. */
const canvases = new Map<string, CanvasContext>()
/** Sizes are rounded up to these steps, so that there are at most 64. */
const STEP = { across: 64, down: 8 }
const SMALL = { width: 512, height: 64 }

/** An empty context of this size or slightly more. */
function emptyContext(width: number, height: number): CanvasContext {
  if (width > SMALL.width || height > SMALL.height) return prepared(width, height)
  const across = Math.ceil(width / STEP.across) * STEP.across
  const down = Math.ceil(height / STEP.down) * STEP.down
  const known = canvases.get(`${across} ${down}`)
  if (known) {
    known.clearRect(0, 0, across, down)
    return known
  }
  const made = prepared(across, down)
  canvases.set(`${across} ${down}`, made)
  return made
}

/** Parses an SVG path. */
export const toPath2D = (data: string): Canvas.Path2D => new (skia().Path2D)(data)

function prepared(width: number, height: number): CanvasContext {
  const context = skia().createCanvas(width, height).getContext('2d')
  context.lang = 'en'
  context.textBaseline = 'alphabetic'
  // `start` would move with the direction of a text.
  context.textAlign = 'left'
  return context
}

/** A JPEG or WebP file of opaque pixels, rows of red, green, blue, alpha bytes. The quality is from 1 to 100. */
export function encodeLossy(
  { width, height }: { readonly width: number; readonly height: number },
  pixels: Uint8Array,
  format: 'jpeg' | 'webp',
  quality: number,
): Promise<Buffer> {
  const { createCanvas, ImageData } = skia()
  const canvas = createCanvas(width, height)
  const bytes = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.byteLength)
  canvas.getContext('2d').putImageData(new ImageData(bytes, width, height), 0, 0)
  return format === 'jpeg' ? canvas.encode('jpeg', quality) : canvas.encode('webp', quality)
}

/** The number of pixels copied at a time. */
const BAND_PIXELS = 500_000

/**
 * The pixels of an image file on white. Undefined if the library cannot read it. A thread of the library decodes the
 * file; `pause` lets other work run between the bands in which its pixels are copied.
 */
async function decoded(
  file: Buffer,
  pause: () => Promise<void> | undefined,
): Promise<{ readonly width: number; readonly height: number; readonly pixels: Uint8Array } | undefined> {
  const { createCanvas, loadImage } = skia()
  const image = await loadImage(file).catch(() => undefined)
  if (!image || image.width * image.height === 0) return undefined
  const { width, height } = image
  const rows = Math.min(height, Math.max(1, Math.floor(BAND_PIXELS / width)))
  const context = createCanvas(width, rows).getContext('2d')
  context.fillStyle = '#ffffff'
  const pixels = new Uint8Array(width * height * 4)
  for (let top = 0; top < height; top += rows) {
    context.fillRect(0, 0, width, rows)
    context.drawImage(image, 0, -top)
    pixels.set(context.canvas.data().subarray(0, Math.min(rows, height - top) * width * 4), top * width * 4)
    await pause()
  }
  return { width, height, pixels }
}

/** Files are decoded one at a time, because each may need hundreds of megabytes. */
const decoding = new SerialQueue()

/**
 * Reads a PNG, JPEG, GIF or WebP file, on white where it is transparent. Throws `BadRequest` for any other file, and
 * for a picture that is too large before it is decoded.
 */
export const fromImage = (file: Buffer): Promise<Picture> => decoding.run(() => read(file))

async function read(file: Buffer): Promise<Picture> {
  const size = sizeOf(file)
  if (size) checkSize(size)
  const image = size && (await decoded(file, yieldingWork().pause))
  if (!image) throw new Fault('BadRequest', 'the file cannot be read as a PNG, JPEG, GIF or WebP picture')
  return fromPixels(image.width, image.height, image.pixels)
}
