import {
  blur,
  boxAround,
  clamp,
  fill,
  fillEllipse,
  fillLine,
  fillPolygon,
  layeredNoise,
  mixed,
  noise,
  type Rgb,
} from '../raster.ts'
import { HAIRS, lit, type PhotoSetting, SKINS, WHOLE_PICTURE } from './scene.ts'

/** A head and shoulders before a background that is out of focus. */
export function portrait(setting: PhotoSetting): void {
  const { raster, draws, seed, light } = setting
  const { aspect } = raster
  const back = draws.one<Rgb>([
    [92, 120, 86],
    [120, 132, 150],
    [172, 152, 128],
    [64, 72, 84],
    [146, 108, 88],
  ])
  fill(raster, { left: 0, right: aspect, top: 0, bottom: 1 }, () => WHOLE_PICTURE, {
    top: lit(mixed(back, light.horizon, 0.4), Math.max(0.5, light.bright)),
    bottom: lit(back, 0.66),
    shade: (x, y) => 0.72 + 0.56 * layeredNoise(x * 3.2, y * 3.2, seed, 3),
  })
  for (let disc = draws.whole(5, 16); disc > 0; disc--) {
    const radius = draws(0.03, 0.09)
    fillEllipse(raster, draws() * aspect, draws(0, 0.8), radius, radius, {
      top: mixed(light.horizon, [255, 236, 190], draws()),
      opacity: draws(0.12, 0.4),
      soft: 0.02,
    })
  }
  blur(raster, 0.02)
  const [x, y, size] = [aspect / 2 + draws(-0.08, 0.08), draws(0.4, 0.46), draws(0.19, 0.23)]
  const skin = draws.one(SKINS)
  const hair = draws.one(HAIRS)
  const side = draws.one([-1, 1])
  const cloth = draws.one<Rgb>([
    [46, 58, 84],
    [172, 58, 54],
    [228, 222, 210],
    [70, 98, 82],
    [38, 38, 42],
    [206, 164, 92],
    [112, 92, 140],
  ])
  const long = draws.chance(0.5)
  const strands = (px: number, py: number) => 0.72 + 0.56 * layeredNoise(px * 70, py * 9, seed ^ 3, 3)
  if (long) {
    fillEllipse(raster, x, y + size * 0.32, size * 1.06, size * 1.6, {
      top: lit(hair, 1.1),
      bottom: lit(hair, 0.8),
      soft: 0.02,
      shade: strands,
    })
  }
  const round = (px: number) => 1 + clamp(((px - x) * side) / size, -1, 1) * 0.24
  fillEllipse(raster, x, 1.16, size * 2.1, 0.42, {
    top: lit(cloth, 1.1),
    bottom: lit(cloth, 0.7),
    soft: 0.008,
    shade: (px, py) => round(px) * (0.84 + 0.3 * layeredNoise(px * 9 + py * 4, py * 5, seed ^ 9, 3)),
  })
  fillLine(raster, [x, y + size * 0.9], [x, y + size * 1.75], size * 0.82, {
    top: lit(skin, 0.66),
    bottom: lit(skin, 0.9),
    shade: round,
  })
  fillPolygon(
    raster,
    [
      [x - size * 0.5, y + size * 1.6],
      [x + size * 0.5, y + size * 1.6],
      [x, y + size * 2.3],
    ],
    { top: lit(skin, 0.92), bottom: lit(skin, 0.8) },
  )
  const ear = (at: number) =>
    fillEllipse(raster, x + at * size * 0.84, y + size * 0.12, size * 0.12, size * 0.22, {
      top: lit(skin, 0.86),
      bottom: lit(skin, 0.7),
    })
  if (!long) for (const at of [-1, 1]) ear(at)
  fill(
    raster,
    boxAround(x, y + size * 0.12, size, size * 1.3),
    (px, py) => {
      const v = (py - y - size * 0.12) / (size * 1.2)
      const u = (px - x) / (size * (0.86 - 0.16 * Math.max(0, v) * Math.max(0, v)))
      return (Math.sqrt(u * u + v * v) - 1) * size
    },
    {
      top: lit(skin, 1.06),
      bottom: lit(skin, 0.86),
      soft: 0.006,
      shade: (px, py) => round(px) * (0.97 + 0.06 * noise(px * 30, py * 30, seed)),
    },
  )
  const features = lit(skin, 0.5)
  for (const at of [-0.36, 0.36]) {
    const eye = x + at * size
    fillEllipse(raster, eye, y + size * 0.1, size * 0.24, size * 0.15, {
      top: lit(skin, 0.8),
      opacity: 0.5,
      soft: size * 0.12,
    })
    fillEllipse(raster, eye, y + size * 0.12, size * 0.15, size * 0.075, { top: [236, 232, 228] })
    fillEllipse(raster, eye + size * 0.01 * side, y + size * 0.12, size * 0.068, size * 0.072, {
      top: draws.one<Rgb>([
        [74, 52, 36],
        [72, 98, 120],
        [70, 88, 60],
      ]),
    })
    fillEllipse(raster, eye + size * 0.01 * side, y + size * 0.12, size * 0.032, size * 0.034, { top: [14, 12, 12] })
    fillEllipse(raster, eye - size * 0.015, y + size * 0.098, size * 0.014, size * 0.014, { top: [250, 250, 250] })
    fillLine(raster, [eye - size * 0.15, y + size * 0.07], [eye + size * 0.15, y + size * 0.07], size * 0.035, {
      top: features,
      opacity: 0.8,
      soft: 0.004,
    })
    fillLine(raster, [eye - size * 0.18, y - size * 0.12], [eye + size * 0.18, y - size * 0.15], size * 0.065, {
      top: mixed(hair, features, 0.4),
      opacity: 0.8,
      soft: 0.006,
    })
  }
  fillLine(raster, [x - side * size * 0.05, y + size * 0.15], [x - side * size * 0.09, y + size * 0.5], size * 0.07, {
    top: lit(skin, 0.8),
    opacity: 0.5,
    soft: size * 0.06,
  })
  fillEllipse(raster, x, y + size * 0.54, size * 0.15, size * 0.05, { top: features, opacity: 0.45, soft: size * 0.06 })
  const lips: Rgb = mixed(skin, [168, 62, 66], 0.6)
  fillEllipse(raster, x, y + size * 0.82, size * 0.27, size * 0.065, {
    top: lit(lips, 0.86),
    bottom: lit(lips, 1.05),
    soft: 0.005,
  })
  fillLine(raster, [x - size * 0.25, y + size * 0.815], [x + size * 0.25, y + size * 0.815], size * 0.022, {
    top: lit(lips, 0.5),
    opacity: 0.9,
  })
  fillEllipse(raster, x - side * size * 0.5, y + size * 0.5, size * 0.2, size * 0.16, {
    top: [226, 120, 104],
    opacity: 0.16,
    soft: size * 0.2,
  })
  const parting = draws(-0.3, 0.3)
  fill(
    raster,
    boxAround(x, y - size * 0.5, size * 1.1, size * 1.1),
    (px, py) => {
      const [u, v] = [(px - x) / (size * 1.0), (py - y - size * 0.08) / (size * 1.22)]
      const outside = (Math.sqrt(u * u + v * v) - 1) * size
      const fringe =
        y - size * (0.42 - 0.3 * (u - parting) * (u - parting) * 1.6) + size * 0.12 * (noise(px * 40, 2, seed) - 0.5)
      return Math.max(outside, py - fringe - (long ? size * 0.1 : 0))
    },
    { top: lit(hair, 1.3), bottom: lit(hair, 0.8), soft: 0.008, shade: (px, py) => round(px) * strands(px, py) },
  )
}
