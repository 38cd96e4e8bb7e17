import {
  fill,
  fillBelow,
  fillEllipse,
  fillLine,
  fillPolygon,
  grain,
  layeredNoise,
  mix,
  mixed,
  noise,
  type Rgb,
} from '../raster.ts'
import { lit, type PhotoSetting, person, sky, WHOLE_PICTURE } from './scene.ts'

export function beach(setting: PhotoSetting): void {
  const { raster, draws, seed, light } = setting
  const { aspect } = raster
  const horizon = draws(0.34, 0.5)
  sky(setting, horizon)
  const sea = draws.one<Rgb>([
    [36, 112, 146],
    [44, 96, 120],
    [60, 140, 150],
  ])
  const shore = draws(0.66, 0.82)
  fill(raster, { left: 0, right: aspect, top: horizon, bottom: 1 }, () => WHOLE_PICTURE, {
    top: lit(mixed(sea, light.horizon, 0.35), mix(1, light.bright, 0.6)),
    bottom: lit(mixed(sea, [150, 190, 180], 0.45), light.bright),
    shade: (x, y) => {
      const depth = 1 / (0.03 + y - horizon)
      const waves = layeredNoise(x * depth * 0.9, (y - horizon) * 0 + depth * 6, seed ^ 0x31, 3)
      return 0.8 + waves * 0.4 + (waves > 0.66 ? 0.5 : 0)
    },
  })
  const sand: Rgb = [214, 190, 150]
  const tilt = draws(-0.12, 0.12)
  const edge = (x: number) => shore + tilt * (x - aspect / 2) + 0.04 * (noise(x * 2.2, 1, seed) - 0.5)
  fillBelow(raster, (x) => edge(x) - 0.02, 1, {
    top: lit([240, 244, 244], mix(1, light.bright, 0.7)),
    opacity: 0.85,
    soft: 0.02,
    shade: (x, y) => 0.84 + 0.3 * noise(x * 40, y * 60, seed),
  })
  fillBelow(raster, edge, 1, {
    top: lit(sand, light.bright * 0.72),
    bottom: lit(sand, light.bright * 1.02),
    soft: 0.012,
    shade: (x, y) =>
      0.9 + 0.14 * layeredNoise(x * 30, y * 60, seed, 3) + 0.06 * grain(Math.floor(x * 420), Math.floor(y * 420), seed),
  })
  if (draws.chance(0.6)) boat(setting, draws(0.2, 0.8) * aspect, horizon + draws(0.01, 0.05))
  for (let number = draws.whole(1, 5); number > 0; number--)
    person(setting, draws(0.08, 0.92) * aspect, draws(shore + 0.05, 0.96), draws(0.12, 0.22))
  if (draws.chance(0.6)) parasol(setting, draws(0.15, 0.85) * aspect, draws(0.88, 0.98))
}

function boat({ raster, draws, light }: PhotoSetting, x: number, y: number): void {
  const size = draws(0.04, 0.09)
  const hull = lit(
    draws.one<Rgb>([
      [240, 240, 236],
      [150, 54, 46],
      [40, 60, 92],
    ]),
    light.bright,
  )
  fillPolygon(
    raster,
    [
      [x - size, y - size * 0.22],
      [x + size, y - size * 0.22],
      [x + size * 0.7, y + size * 0.1],
      [x - size * 0.7, y + size * 0.1],
    ],
    { top: hull, bottom: lit(hull, 0.6) },
  )
  fillPolygon(
    raster,
    [
      [x, y - size * 1.9],
      [x + size * 0.8, y - size * 0.34],
      [x, y - size * 0.34],
    ],
    { top: lit([250, 248, 240], light.bright), bottom: lit([206, 204, 200], light.bright) },
  )
}

function parasol({ raster, draws, light }: PhotoSetting, x: number, foot: number): void {
  const size = draws(0.2, 0.3)
  const colour = draws.one<Rgb>([
    [206, 64, 56],
    [232, 178, 62],
    [62, 120, 150],
    [238, 236, 226],
  ])
  fillEllipse(raster, x + size * 0.4, foot, size * 0.6, size * 0.1, { top: [30, 26, 24], opacity: 0.4, soft: 0.05 })
  fillLine(raster, [x, foot], [x, foot - size], 0.008, { top: lit([230, 226, 220], light.bright) })
  fill(
    raster,
    { left: x - size * 0.66, right: x + size * 0.66, top: foot - size * 1.24, bottom: foot - size * 0.8 },
    (px, py) => {
      const [u, v] = [(px - x) / (size * 0.64), (py - (foot - size * 0.84)) / (size * 0.38)]
      return Math.max((Math.sqrt(u * u + v * v) - 1) * size * 0.38, py - (foot - size * 0.84))
    },
    {
      top: lit(colour, light.bright * 1.1),
      bottom: lit(colour, light.bright * 0.72),
      shade: (px) => (Math.abs(((px - x) / size) * 6 + 60) % 2 < 1 ? 1 : 1.25),
    },
  )
}
