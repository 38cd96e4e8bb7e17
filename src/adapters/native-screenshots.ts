import { loadOptional } from '../base/optional.ts'
import { fromPixels, type Picture } from '../paint/picture.ts'

/** The part of the package `node-screenshots` that adapters use. It is installed only where it is needed. */
export interface NativeScreenshots {
  readonly Monitor: { all(): readonly CapturableMonitor[] }
  readonly Window: { all(): readonly CapturableWindow[] }
}

/** A picture in device pixels. */
export interface NativeImage {
  readonly width: number
  readonly height: number
  /** Rows of red, green, blue, alpha bytes. */
  toRaw(): Promise<Buffer>
}

export interface CapturableMonitor {
  /** The number that the system gives the monitor. */
  id(): number
  x(): number
  y(): number
  width(): number
  height(): number
  scaleFactor(): number
  isPrimary(): boolean
  captureImage(): Promise<NativeImage>
}

export interface CapturableWindow {
  /** The number that the system gives the window. */
  id(): number
  captureImage(): Promise<NativeImage>
}

/** Loads `node-screenshots`. Throws `PlatformUnsupported` with the install command when it is not installed. */
export function loadNativeScreenshots(): Promise<NativeScreenshots> {
  // The name is a variable, because neither compiler nor bundler may look for a package that is absent on other platforms.
  const name = 'node-screenshots'
  return loadOptional('screenshots', async () => {
    const loaded = (await import(name)) as NativeScreenshots & { readonly default?: NativeScreenshots }
    return loaded.default ?? loaded
  })
}

/** The pixels of a captured image, all opaque. */
export async function pictureOfImage(image: NativeImage): Promise<Picture> {
  const pixels = new Uint8Array(await image.toRaw())
  for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 255
  return fromPixels(image.width, image.height, pixels)
}
