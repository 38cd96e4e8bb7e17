import {
  boxAround,
  clamp,
  fill,
  fillBelow,
  fillEllipse,
  fillRect,
  layeredNoise,
  mix,
  mixed,
  noise,
  type Rgb,
} from '../raster.ts'
import { lit, type PhotoSetting, person, sky } from './scene.ts'

/** A line of hills: smooth for near ones, rugged for mountains. */
const ridge =
  (base: number, height: number, size: number, seed: number, layers: number) =>
  (x: number): number =>
    base - height * (layeredNoise(x * size + 3, seed % 97, seed, layers) - 0.3) * 1.5

export function landscape(setting: PhotoSetting): void {
  const { raster, draws, seed, light } = setting
  const { aspect } = raster
  const horizon = draws(0.42, 0.58)
  sky(setting, horizon)
  const ground: Rgb = draws.one<Rgb>([
    [86, 116, 58],
    [112, 128, 62],
    [146, 132, 72],
    [74, 104, 66],
  ])
  const rock: Rgb = draws.one<Rgb>([
    [104, 106, 112],
    [118, 104, 92],
    [92, 100, 116],
  ])
  const ranges = draws.whole(2, 4)
  for (let range = 0; range < ranges; range++) {
    const near = (range + 1) / (ranges + 1)
    const height = draws(0.16, 0.34) * (1.15 - near)
    const own = seed ^ (range * 7919 + 31)
    const edge = ridge(horizon + 0.02 + near * 0.05, height, draws(1.6, 3.2), own, 6)
    const tone = lit(
      mixed(light.horizon, mixed(rock, ground, near * 0.7), 0.28 + near * 0.5),
      mix(1, light.bright, near),
    )
    const snow = draws.chance(0.55) && range === 0 && height > 0.18
    fillBelow(raster, edge, horizon + 0.16, {
      top: tone,
      bottom: mixed(tone, light.horizon, 0.3),
      shade: (x, y) => {
        const slope = noise(x * 26 + y * 12, y * 30 - x * 9, own) - 0.5
        const cap = snow && y < edge(x) + height * 0.34 * (0.4 + noise(x * 40, y * 40, own)) ? 1.55 : 1
        return cap * (1 + slope * 0.34)
      },
    })
  }
  const water = draws.chance(0.4)
  if (water) lake(setting, horizon + 0.06)
  const start = water ? draws(0.78, 0.86) : horizon + draws(0.05, 0.1)
  const field = ridge(start, 0.06, 0.9, seed ^ 0x77, 3)
  const stripes = draws.chance(0.35) ? draws(18, 34) : 0
  fillBelow(raster, field, 1, {
    top: lit(mixed(ground, light.horizon, 0.2), light.bright),
    bottom: lit(ground, light.bright * 0.62),
    shade: (x, y) => {
      const depth = 1 / (0.12 + y - start * 0.9)
      const rows = stripes === 0 ? 0 : ((x - aspect / 2) * depth * stripes * 0.1 + 100) % 1 < 0.5 ? 0.09 : -0.06
      const tufts = noise(x * depth * 40, y * depth * 90, seed) - 0.5
      return 1 + rows + tufts * 0.4 + (layeredNoise(x * 5, y * 9, seed ^ 5, 3) - 0.5) * 0.5
    },
  })
  const trees = draws.whole(4, 26)
  const places = Array.from({ length: trees }, () => [draws() * aspect, draws()] as const)
  const conifers = draws.chance(0.5)
  for (const [x, depth] of [...places].sort((one, other) => one[1] - other[1])) {
    const near = depth * depth
    const foot = field(x) + 0.01 + near * 0.3
    tree(setting, x, foot, 0.05 + near * 0.26, conifers, mixed(ground, [24, 52, 30], 0.55))
  }
  if (draws.chance(0.35)) person(setting, draws(0.25, 0.75) * aspect, draws(0.84, 0.97), draws(0.12, 0.2))
}

/** The surface of water from a line to the bottom, which shows what is above it upside down. */
function lake({ raster, seed, light }: PhotoSetting, shore: number): void {
  const { width, height, light: pixels } = raster
  const first = Math.floor(shore * height)
  const source = pixels.slice(0, first * width * 3)
  for (let row = first; row < height; row++) {
    const y = (row + 0.5) / height
    for (let column = 0; column < width; column++) {
      const x = (column + 0.5) / height
      const ripple = (noise(x * 9, y * 130, seed ^ 0x99) - 0.5) * (0.02 + (y - shore) * 0.16)
      const from = clamp(Math.floor((2 * shore - y + ripple) * height), 0, first - 1)
      const at = (row * width + column) * 3
      const dim = 0.82 - (y - shore) * 0.5
      for (let channel = 0; channel < 3; channel++)
        pixels[at + channel] =
          source[(from * width + column) * 3 + channel]! * dim * 0.86 + light.zenith[channel]! * 0.1
    }
  }
}

function tree(
  { raster, draws, seed, light }: PhotoSetting,
  x: number,
  foot: number,
  size: number,
  conifer: boolean,
  colour: Rgb,
): void {
  const own = seed ^ Math.floor(x * 1000)
  const tone = lit(mixed(light.horizon, colour, 0.62 + Math.min(0.38, size * 2)), light.bright * draws(0.7, 1.1))
  fillEllipse(raster, x + size * 0.1, foot, size * 0.34, size * 0.05, {
    top: [10, 16, 10],
    opacity: 0.4,
    soft: size * 0.08,
  })
  fillRect(raster, x - size * 0.025, foot - size * 0.4, size * 0.05, size * 0.4, {
    top: lit([74, 58, 44], light.bright),
  })
  const shade = (px: number, py: number) =>
    1 + (noise(px * (9 / size), py * (9 / size), own) - 0.5) * 0.9 + clamp((x - px) / size, -0.4, 0.4) * 0.5
  if (conifer) {
    const shape = (px: number, py: number) => {
      const down = (py - (foot - size)) / (size * 0.9)
      const wide = size * 0.26 * down * (0.72 + 0.28 * ((down * 5.5) % 1))
      return Math.max(
        Math.abs(px - x) - wide * (0.86 + 0.28 * noise(px * 60, py * 60, own)),
        -down * 0.1,
        (down - 1) * 0.4,
      )
    }
    fill(raster, { left: x - size * 0.4, right: x + size * 0.4, top: foot - size, bottom: foot - size * 0.08 }, shape, {
      top: tone,
      bottom: lit(tone, 0.6),
      shade,
    })
    return
  }
  const crown = size * draws(0.28, 0.38)
  const middle = foot - size + crown
  fill(
    raster,
    boxAround(x, middle, crown * 1.4, crown * 1.4),
    (px, py) => {
      const [dx, dy] = [px - x, (py - middle) * 0.9]
      return (
        Math.sqrt(dx * dx + dy * dy) - crown * (0.72 + 0.56 * layeredNoise(px * (4 / crown), py * (4 / crown), own, 2))
      )
    },
    { top: lit(tone, 1.2), bottom: lit(tone, 0.55), shade },
  )
}
