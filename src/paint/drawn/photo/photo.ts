import type { DrawnPhoto, PhotoScene, PhotoTime } from '../../../desktop/model/drawn-picture.ts'
import { developed, drawsOf, mixed, pictureSeed, rasterOf } from '../raster.ts'
import { beach } from './beach.ts'
import { food } from './food.ts'
import { landscape } from './landscape.ts'
import { portrait } from './portrait.ts'
import type { Light, PhotoSetting } from './scene.ts'
import { street } from './street.ts'

/** A photograph by the grammar of its scene. All that is drawn depends on the seed, so that another size shows the same scene. */
export function photoPixels({ rotate = 0, ...photo }: DrawnPhoto, width: number, height: number): Uint32Array {
  if (rotate === 0) return uprightPixels(photo, width, height)
  const [across, down] = rotate === 180 ? [width, height] : [height, width]
  const upright = uprightPixels(photo, across, down)
  const pixels = new Uint32Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from =
        rotate === 90
          ? (down - 1 - x) * across + y
          : rotate === 180
            ? (down - 1 - y) * across + (across - 1 - x)
            : x * across + (across - 1 - y)
      pixels[y * width + x] = upright[from]!
    }
  return pixels
}

function uprightPixels({ seed, scene, time }: Omit<DrawnPhoto, 'rotate'>, width: number, height: number): Uint32Array {
  const number = pictureSeed(seed)
  const draws = drawsOf(number)
  const raster = rasterOf(width, height)
  const kind = scene ?? draws.one(SCENES)
  const setting: PhotoSetting = { raster, draws, seed: number, light: LIGHTS[time ?? draws.one(TIMES)] }
  PAINTERS[kind](setting)
  return developed(raster, {
    seed: number,
    vignette: draws(0.12, 0.3),
    grain: draws(5, 11),
    tint: mixed([1, 1, 1], setting.light.tint, kind === 'food' || kind === 'portrait' ? 0.35 : 1),
  })
}

const SCENES: readonly PhotoScene[] = ['landscape', 'landscape', 'beach', 'street', 'street', 'food', 'portrait']
const TIMES: readonly PhotoTime[] = ['day', 'day', 'day', 'evening', 'overcast']

const LIGHTS: Readonly<Record<PhotoTime, Light>> = {
  day: {
    zenith: [58, 118, 196],
    horizon: [190, 216, 236],
    cloud: [255, 255, 255],
    under: [176, 190, 208],
    bright: 1,
    tint: [1.02, 1, 0.97],
  },
  evening: {
    zenith: [64, 78, 132],
    horizon: [250, 178, 112],
    cloud: [255, 196, 148],
    under: [146, 96, 116],
    bright: 0.72,
    tint: [1.08, 0.98, 0.88],
  },
  overcast: {
    zenith: [148, 158, 168],
    horizon: [210, 214, 216],
    cloud: [224, 227, 230],
    under: [134, 142, 152],
    bright: 0.8,
    tint: [0.98, 1, 1.03],
  },
  night: {
    zenith: [10, 14, 34],
    horizon: [44, 48, 84],
    cloud: [52, 56, 84],
    under: [22, 26, 48],
    bright: 0.26,
    tint: [0.96, 0.98, 1.1],
    isDark: true,
  },
}

const PAINTERS: Readonly<Record<PhotoScene, (setting: PhotoSetting) => void>> = {
  landscape,
  beach,
  street,
  food,
  portrait,
}
