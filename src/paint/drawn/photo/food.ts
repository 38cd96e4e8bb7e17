import { blur, boxAround, fill, fillEllipse, fillLine, grain, layeredNoise, noise, type Rgb } from '../raster.ts'
import { lit, type PhotoSetting, WHOLE_PICTURE } from './scene.ts'

/** A plate on a table, seen from above. */
export function food(setting: PhotoSetting): void {
  const { raster, draws, seed } = setting
  const { aspect } = raster
  const wood = draws.one<Rgb>([
    [150, 104, 66],
    [104, 70, 46],
    [196, 164, 126],
    [76, 70, 68],
    [224, 218, 208],
  ])
  const planks = draws(3, 6)
  fill(raster, { left: 0, right: aspect, top: 0, bottom: 1 }, () => WHOLE_PICTURE, {
    top: lit(wood, 1.1),
    bottom: lit(wood, 0.8),
    shade: (x, y) => {
      const board = Math.floor(y * planks)
      const gap = (y * planks) % 1 < 0.025 ? 0.5 : 1
      return (
        gap * (0.78 + 0.22 * grain(board, 3, seed) + 0.3 * layeredNoise(x * 2.4 + board * 9, y * 46, seed ^ board, 4))
      )
    },
  })
  blur(raster, 0.004)
  const [x, y, size] = [aspect * draws(0.4, 0.6), draws(0.48, 0.58), draws(0.34, 0.43)]
  const flat = draws(0.72, 0.98)
  fillEllipse(raster, x + 0.025, y + 0.04, size * 1.02, size * flat * 1.02, {
    top: [14, 10, 8],
    opacity: 0.6,
    soft: 0.07,
  })
  const china: Rgb = draws.one<Rgb>([
    [244, 243, 240],
    [226, 222, 214],
    [92, 106, 120],
    [206, 216, 218],
  ])
  fillEllipse(raster, x, y, size, size * flat, { top: lit(china, 1.03), bottom: lit(china, 0.84) })
  fillEllipse(raster, x, y, size * 0.76, size * flat * 0.76, { top: lit(china, 0.82), bottom: lit(china, 1) })
  fillEllipse(raster, x, y + 0.006, size * 0.73, size * flat * 0.73, {
    top: lit(china, 0.94),
    bottom: lit(china, 0.97),
  })
  const dish = draws.one<readonly Rgb[]>([
    [
      [196, 62, 40],
      [92, 132, 52],
      [238, 220, 170],
      [120, 70, 40],
    ],
    [
      [226, 178, 88],
      [196, 132, 58],
      [104, 140, 62],
      [206, 74, 48],
    ],
    [
      [110, 150, 60],
      [150, 184, 84],
      [208, 62, 52],
      [240, 236, 214],
    ],
    [
      [128, 76, 48],
      [88, 50, 34],
      [226, 196, 146],
      [94, 128, 58],
    ],
    [
      [238, 206, 108],
      [246, 232, 196],
      [196, 48, 62],
      [88, 120, 54],
    ],
  ])
  const bits = draws.whole(16, 38)
  for (let bit = 0; bit < bits; bit++) {
    const [turnX, turnY] = [draws(-1, 1), draws(-1, 1)]
    if (turnX * turnX + turnY * turnY > 1) continue
    const pull = 0.56 * size
    const [bx, by] = [x + turnX * pull, y + turnY * pull * flat]
    const radius = draws(0.035, 0.1) * (bit < 8 ? 1.5 : 1)
    const wide = draws(0.7, 1.5)
    const colour = lit(draws.one(dish), draws(0.75, 1.15))
    const own = seed ^ (bit * 811)
    fillEllipse(raster, bx + 0.008, by + 0.014, radius * wide, radius, { top: [30, 18, 10], opacity: 0.5, soft: 0.03 })
    fill(
      raster,
      boxAround(bx, by, radius * wide * 1.3, radius * 1.3),
      (px, py) => {
        const [u, v] = [(px - bx) / wide, py - by]
        return Math.sqrt(u * u + v * v) - radius * (0.7 + 0.5 * layeredNoise(px * 22, py * 22, own, 2))
      },
      {
        top: lit(colour, 1.2),
        bottom: lit(colour, 0.62),
        shade: (px, py) =>
          0.8 + 0.4 * layeredNoise(px * 50, py * 50, own, 3) + (noise(px * 60, py * 60, own ^ 7) > 0.86 ? 0.4 : 0),
      },
    )
  }
  const metal = { top: [206, 208, 212] as Rgb, bottom: [120, 122, 128] as Rgb }
  const fork = x - size - draws(0.05, 0.09)
  fillLine(raster, [fork + 0.008, y - 0.2], [fork + 0.008, y + 0.33], 0.02, {
    top: [20, 14, 10],
    opacity: 0.4,
    soft: 0.02,
  })
  fillLine(raster, [fork, y - 0.05], [fork, y + 0.32], 0.016, metal)
  for (const tine of [-0.018, -0.006, 0.006, 0.018])
    fillLine(raster, [fork + tine, y - 0.22], [fork + tine, y - 0.06], 0.006, metal)
  const knife = x + size + draws(0.05, 0.09)
  fillLine(raster, [knife, y - 0.22], [knife, y + 0.05], 0.026, metal)
  fillLine(raster, [knife, y + 0.06], [knife, y + 0.32], 0.018, metal)
  if (draws.chance(0.7)) {
    const [gx, gy, glass] = [x + draws.one([-1, 1]) * draws(0.42, 0.52), y - draws(0.3, 0.4), draws(0.1, 0.14)]
    const drink = draws.one<Rgb>([
      [150, 34, 48],
      [232, 190, 96],
      [214, 226, 232],
      [92, 56, 34],
    ])
    fillEllipse(raster, gx + 0.03, gy + 0.04, glass, glass, { top: [14, 10, 8], opacity: 0.5, soft: 0.06 })
    fillEllipse(raster, gx, gy, glass, glass, { top: [236, 240, 242], bottom: [176, 182, 188], opacity: 0.8 })
    fillEllipse(raster, gx, gy, glass * 0.86, glass * 0.86, { top: drink, bottom: lit(drink, 0.6) })
    fillEllipse(raster, gx - glass * 0.3, gy - glass * 0.35, glass * 0.22, glass * 0.12, {
      top: [255, 255, 255],
      opacity: 0.6,
      soft: 0.02,
    })
  }
}
