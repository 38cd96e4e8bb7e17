import {
  clamp,
  type Draws,
  fill,
  fillEllipse,
  fillLine,
  layeredNoise,
  mix,
  type Raster,
  type Rgb,
  smooth,
} from '../raster.ts'

export interface Light {
  readonly zenith: Rgb
  readonly horizon: Rgb
  readonly cloud: Rgb
  readonly under: Rgb
  /** The brightness of what the sky lights. */
  readonly bright: number
  readonly tint: Rgb
  readonly isDark?: true
}

export interface PhotoSetting {
  readonly raster: Raster
  readonly draws: Draws
  readonly seed: number
  readonly light: Light
}

export const lit = (colour: Rgb, bright: number): Rgb => [colour[0] * bright, colour[1] * bright, colour[2] * bright]
export const WHOLE_PICTURE = -1
/** A whole power, by products only. */
export const power = (base: number, times: number): number => (times <= 0 ? 1 : base * power(base, times - 1))

/** A sky down to a horizon, with a sun or a moon and clouds that are smaller the farther they are. */
export function sky({ raster, draws, seed, light }: PhotoSetting, horizon: number): void {
  const { aspect } = raster
  const whole = { left: 0, top: 0, right: aspect, bottom: horizon + 0.02 }
  fill(raster, whole, () => WHOLE_PICTURE, { top: light.zenith, bottom: light.horizon })
  const [sunX, sunY] = [draws(0.1, 0.9) * aspect, horizon * draws(0.15, 0.9)]
  const disc: Rgb = light.isDark ? [236, 236, 220] : [255, 246, 222]
  fillEllipse(raster, sunX, sunY, 0.42, 0.42, { top: disc, opacity: light.isDark ? 0.12 : 0.34, soft: 0.8 })
  if (draws.chance(0.5)) fillEllipse(raster, sunX, sunY, 0.035, 0.035, { top: disc, soft: 0.012 })
  if (light.isDark)
    for (let star = 0; star < 90; star++) {
      const [x, y] = [draws() * aspect, draws() * horizon * 0.9]
      fillEllipse(raster, x, y, 0.0026, 0.0026, { top: [220, 224, 240], opacity: draws(0.2, 0.9) })
    }
  const [cover, across] = [draws(0.42, 0.66), draws(1.6, 3)]
  const cloudSeed = seed ^ 0x51ed
  const cloudAt = (x: number, y: number): number => {
    const depth = 0.35 + (1.2 * y) / horizon
    return layeredNoise((x - aspect / 2) * across * depth + 7, y * 5.5 * depth, cloudSeed, 4)
  }
  const { width, height, light: pixels } = raster
  for (let row = 0; row < Math.min(height, horizon * height); row++)
    for (let column = 0; column < width; column++) {
      const [x, y] = [(column + 0.5) / height, (row + 0.5) / height]
      const here = cloudAt(x, y)
      const dense = smooth(cover, cover + 0.2, here)
      if (dense <= 0) continue
      const share = clamp((here - cover) * 3.4)
      const at = (row * width + column) * 3
      const opacity = dense * (0.5 + 0.5 * (1 - y / horizon))
      for (let channel = 0; channel < 3; channel++) {
        const colour = mix(light.cloud[channel]!, light.under[channel]!, share)
        pixels[at + channel] = mix(pixels[at + channel]!, colour, opacity)
      }
    }
}

/** Somebody who stands or walks, seen from far away. */
export function person({ raster, draws, light }: PhotoSetting, x: number, foot: number, size: number): void {
  const cloth = draws.one<Rgb>([
    [44, 52, 74],
    [150, 58, 52],
    [222, 206, 178],
    [58, 92, 78],
    [196, 152, 66],
    [34, 34, 38],
    [92, 120, 160],
  ])
  const legs = draws.one<Rgb>([
    [36, 44, 66],
    [52, 48, 46],
    [112, 104, 92],
  ])
  const skin = lit(draws.one(SKINS), light.bright)
  const step = draws(-0.1, 0.1) * size
  fillEllipse(raster, x + size * 0.14, foot, size * 0.26, size * 0.03, {
    top: [12, 12, 14],
    opacity: 0.45,
    soft: size * 0.05,
  })
  fillLine(raster, [x, foot - size * 0.48], [x - step, foot - size * 0.01], size * 0.1, {
    top: lit(legs, light.bright),
  })
  fillLine(raster, [x, foot - size * 0.48], [x + step, foot - size * 0.01], size * 0.1, {
    top: lit(legs, light.bright * 0.8),
  })
  fillLine(raster, [x, foot - size * 0.76], [x, foot - size * 0.5], size * 0.23, {
    top: lit(cloth, light.bright * 1.1),
    bottom: lit(cloth, light.bright * 0.75),
  })
  fillLine(raster, [x - size * 0.1, foot - size * 0.76], [x - size * 0.13 - step, foot - size * 0.48], size * 0.07, {
    top: lit(cloth, light.bright * 0.9),
  })
  fillEllipse(raster, x, foot - size * 0.92, size * 0.065, size * 0.08, { top: skin, bottom: lit(skin, 0.7) })
  fillEllipse(raster, x, foot - size * 0.955, size * 0.068, size * 0.05, { top: draws.one(HAIRS) })
}

export const SKINS: readonly Rgb[] = [
  [236, 196, 168],
  [222, 172, 138],
  [188, 134, 98],
  [138, 92, 64],
  [96, 62, 46],
]
export const HAIRS: readonly Rgb[] = [
  [38, 28, 24],
  [74, 50, 34],
  [124, 84, 46],
  [196, 160, 98],
  [142, 138, 134],
  [22, 20, 22],
]
