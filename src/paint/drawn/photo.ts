import type { DrawnPhoto, PhotoScene, PhotoTime } from '../../desktop/model/drawn-picture.ts'
import {
  blur,
  boxAround,
  clamp,
  type Draws,
  developed,
  drawsOf,
  fill,
  fillBelow,
  fillEllipse,
  fillLine,
  fillPolygon,
  fillRect,
  grain,
  layeredNoise,
  mix,
  mixed,
  noise,
  pictureSeed,
  type Raster,
  type Rgb,
  rasterOf,
  smooth,
} from './raster.ts'

/** A photograph by the grammar of its scene. All that is drawn depends on the seed, so that another size shows the same scene. */
export function photoPixels({ seed, scene, time }: DrawnPhoto, width: number, height: number): Uint32Array {
  const number = pictureSeed(seed)
  const draws = drawsOf(number)
  const raster = rasterOf(width, height)
  const kind = scene ?? draws.one(SCENES)
  const setting: Setting = { raster, draws, seed: number, light: LIGHTS[time ?? draws.one(TIMES)] }
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

interface Light {
  readonly zenith: Rgb
  readonly horizon: Rgb
  readonly cloud: Rgb
  readonly under: Rgb
  /** The brightness of what the sky lights. */
  readonly bright: number
  readonly tint: Rgb
  readonly isDark?: true
}

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

interface Setting {
  readonly raster: Raster
  readonly draws: Draws
  readonly seed: number
  readonly light: Light
}

const PAINTERS: Readonly<Record<PhotoScene, (setting: Setting) => void>> = {
  landscape,
  beach,
  street,
  food,
  portrait,
}

const lit = (colour: Rgb, bright: number): Rgb => [colour[0] * bright, colour[1] * bright, colour[2] * bright]
const EVERYWHERE = -1
/** A whole power, by products only. */
const power = (base: number, times: number): number => (times <= 0 ? 1 : base * power(base, times - 1))

/** A sky down to a horizon, with a sun or a moon and clouds that are smaller the farther they are. */
function sky({ raster, draws, seed, light }: Setting, horizon: number): void {
  const { aspect } = raster
  const whole = { left: 0, top: 0, right: aspect, bottom: horizon + 0.02 }
  fill(raster, whole, () => EVERYWHERE, { top: light.zenith, bottom: light.horizon })
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

/** A line of hills: smooth for near ones, rugged for mountains. */
const ridge =
  (base: number, height: number, size: number, seed: number, layers: number) =>
  (x: number): number =>
    base - height * (layeredNoise(x * size + 3, seed % 97, seed, layers) - 0.3) * 1.5

function landscape(setting: Setting): void {
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
function lake({ raster, seed, light }: Setting, shore: number): void {
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
  { raster, draws, seed, light }: Setting,
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

/** Somebody who stands or walks, seen from far away. */
function person({ raster, draws, light }: Setting, x: number, foot: number, size: number): void {
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

const SKINS: readonly Rgb[] = [
  [236, 196, 168],
  [222, 172, 138],
  [188, 134, 98],
  [138, 92, 64],
  [96, 62, 46],
]
const HAIRS: readonly Rgb[] = [
  [38, 28, 24],
  [74, 50, 34],
  [124, 84, 46],
  [196, 160, 98],
  [142, 138, 134],
  [22, 20, 22],
]

function beach(setting: Setting): void {
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
  fill(raster, { left: 0, right: aspect, top: horizon, bottom: 1 }, () => EVERYWHERE, {
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

function boat({ raster, draws, light }: Setting, x: number, y: number): void {
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

function parasol({ raster, draws, light }: Setting, x: number, foot: number): void {
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

/** A street that leads to a vanishing point, between two rows of houses. */
function street(setting: Setting): void {
  const { raster, draws, seed, light } = setting
  const { aspect } = raster
  const vanishing = { x: aspect * draws(0.36, 0.64), y: draws(0.5, 0.6) }
  sky(setting, vanishing.y + 0.06)
  const isDark = light.isDark === true
  const asphalt = lit([92, 92, 96], mix(light.bright, 1, 0.1))
  fill(raster, { left: 0, right: aspect, top: vanishing.y, bottom: 1 }, () => EVERYWHERE, {
    top: mixed(asphalt, light.horizon, 0.3),
    bottom: lit(asphalt, 0.78),
    shade: (x, y) => {
      const depth = 1 / (0.05 + y - vanishing.y)
      return 0.86 + 0.3 * layeredNoise((x - vanishing.x) * depth * 3, depth * 5, seed, 3)
    },
  })
  const road = { left: draws(-0.25, 0.1) * aspect, right: draws(0.9, 1.25) * aspect }
  const away = (share: number, x: number, y: number): readonly [number, number] => [
    mix(x, vanishing.x, share),
    mix(y, vanishing.y, share),
  ]
  for (const side of [-1, 1] as const) {
    const kerb = side < 0 ? road.left : road.right
    const outer = side < 0 ? Math.min(-0.6, kerb - 0.5) : Math.max(aspect + 0.6, kerb + 0.5)
    const pavement = lit([156, 150, 144], light.bright)
    const corners = [away(0.98, kerb, 1.06), away(0, kerb, 1.06), [outer, 1.06], away(0.98, outer, 1.06)] as const
    fillPolygon(raster, side < 0 ? [...corners] : [...corners].reverse(), {
      top: mixed(pavement, light.horizon, 0.3),
      bottom: pavement,
      shade: (x, y) => 0.9 + 0.16 * noise(x * 30, y * 60, seed),
    })
    const wall = kerb + side * draws(0.1, 0.24)
    houses(setting, wall, side, vanishing)
  }
  for (let dash = 0; dash < 7; dash++) {
    const [near, far] = [1 - power(0.86, dash), 1 - power(0.86, dash) * 0.93]
    const middle = (road.left + road.right) / 2
    const [x, y] = away(near, middle, 1.05)
    const [farX, farY] = away(far, middle, 1.05)
    fillLine(raster, [x, y], [farX, farY], 0.016 * (1 - near), {
      top: lit([226, 222, 206], light.bright),
      opacity: 0.8,
    })
  }
  const cars = draws.whole(1, 4)
  for (const share of Array.from({ length: cars }, () => draws(0.2, 0.82)).sort((one, other) => other - one)) {
    const [x, y] = away(
      share,
      draws.chance(0.5) ? mix(road.left, road.right, 0.16) : mix(road.left, road.right, 0.84),
      1,
    )
    car(setting, x, y, (1 - share) * draws(0.34, 0.44))
  }
  const walkers = draws.whole(2, 9)
  for (const share of Array.from({ length: walkers }, () => draws(0.25, 0.88)).sort((one, other) => other - one)) {
    const kerb = draws.chance(0.5) ? road.left - draws(0.03, 0.12) : road.right + draws(0.03, 0.12)
    const [x, y] = away(share, kerb, 1)
    person(setting, x, y, (1 - share) * 0.62)
  }
  for (let lamp = 0; lamp < 4; lamp++) {
    const share = 1 - power(0.62, lamp) * 0.8
    const [x, foot] = away(share, road.right + 0.05, 1)
    const [, top] = away(share, road.right + 0.05, -0.2)
    fillLine(raster, [x, foot], [x, top], 0.014 * (1 - share), { top: lit([52, 54, 58], Math.max(0.4, light.bright)) })
    const head: Rgb = isDark ? [255, 226, 160] : [210, 208, 200]
    if (isDark)
      fillEllipse(raster, x, top, 0.24 * (1 - share), 0.24 * (1 - share), {
        top: head,
        opacity: 0.35,
        soft: 0.4 * (1 - share),
      })
    fillEllipse(raster, x, top, 0.024 * (1 - share), 0.014 * (1 - share), { top: head })
  }
}

/** A row of houses along a wall that goes to the vanishing point, the farthest first. */
function houses(
  { raster, draws, seed, light }: Setting,
  wall: number,
  side: -1 | 1,
  vanishing: { readonly x: number; readonly y: number },
): void {
  const count = draws.whole(4, 7)
  const built = Array.from({ length: count }, (_, index) => ({
    near: index === 0 ? -0.9 : 1 - power(0.66, index),
    far: 1 - power(0.66, index + 1),
    height: draws(0.5, 1.25),
    storeys: draws.whole(3, 6),
    bays: draws.whole(3, 5),
    colour: draws.one<Rgb>([
      [196, 170, 138],
      [170, 104, 84],
      [214, 206, 190],
      [150, 156, 160],
      [222, 188, 130],
      [124, 92, 80],
      [176, 188, 180],
    ]),
    shop: draws.chance(0.5)
      ? draws.one<Rgb>([
          [40, 74, 92],
          [128, 38, 40],
          [52, 78, 56],
          [34, 34, 38],
        ])
      : undefined,
    own: draws.whole(1, 65_535),
  }))
  for (const { near, far, height, storeys, bays, colour, shop, own } of built.reverse()) {
    const at = (share: number, up: number): readonly [number, number] => [
      mix(wall, vanishing.x, share),
      mix(1.02 - up * 1.6, vanishing.y, share),
    ]
    const quad = (from: number, to: number, low: number, high: number) => {
      const corners = [at(from, high), at(to, high), at(to, low), at(from, low)]
      return side < 0 ? corners : [...corners].reverse()
    }
    const haze = far * far * far * 0.6
    const face = mixed(lit(colour, light.bright * (side < 0 ? 0.8 : 1)), light.horizon, haze)
    fillPolygon(raster, quad(near, far, 0, height), {
      top: lit(face, 1.05),
      bottom: lit(face, 0.82),
      shade: (x, y) => 0.93 + 0.14 * layeredNoise(x * 14, y * 14, seed ^ own, 3),
    })
    fillPolygon(raster, quad(near, far, height - 0.02, height + 0.012), { top: lit(face, 0.62) })
    const span = far - near
    for (let storey = 0; storey < storeys; storey++)
      for (let bay = 0; bay < bays; bay++) {
        // Bays of equal width take less of the wall the farther they are.
        const place = (share: number) => 1 - 1 / mix(1 / (1 - near), 1 / (1 - far), share)
        const [from, to] = [place((bay + 0.28) / bays), place((bay + 0.74) / bays)]
        const [low, high] = [
          (height * (storey + 0.24)) / storeys,
          (height * (storey + (storey === 0 && shop ? 0.94 : 0.8))) / storeys,
        ]
        const glow = grain(bay + storey * 17, own, seed)
        const pane: Rgb = light.isDark
          ? glow < 0.45
            ? [244, 204, 124]
            : [26, 30, 42]
          : mixed([52, 62, 76], light.zenith, 0.25 + glow * 0.45)
        if (span > 0.02) {
          fillPolygon(raster, quad(from - span * 0.012, to + span * 0.012, low - 0.008, high + 0.008), {
            top: mixed(lit([232, 228, 220], light.bright), light.horizon, haze),
          })
          fillPolygon(raster, quad(from, to, low, high), {
            top: mixed(pane, light.horizon, haze),
            bottom: mixed(lit(pane, 0.72), light.horizon, haze),
          })
        }
      }
    if (shop) {
      fillPolygon(raster, quad(near, far, height / storeys - 0.045, height / storeys), {
        top: mixed(lit(shop, Math.max(0.5, light.bright)), light.horizon, haze),
      })
    }
  }
}

function car({ raster, draws, light }: Setting, x: number, foot: number, size: number): void {
  const colour = lit(
    draws.one<Rgb>([
      [178, 40, 42],
      [228, 228, 226],
      [40, 44, 52],
      [58, 92, 142],
      [136, 140, 144],
      [202, 160, 60],
    ]),
    light.bright,
  )
  fillEllipse(raster, x, foot, size * 0.55, size * 0.06, { top: [8, 8, 10], opacity: 0.6, soft: size * 0.08 })
  for (const wheel of [-0.32, 0.32])
    fillRect(raster, x + wheel * size - size * 0.07, foot - size * 0.16, size * 0.14, size * 0.16, {
      top: [26, 26, 28],
    })
  fillLine(raster, [x - size * 0.3, foot - size * 0.24], [x + size * 0.3, foot - size * 0.24], size * 0.26, {
    top: lit(colour, 1.15),
    bottom: lit(colour, 0.6),
  })
  fillPolygon(
    raster,
    [
      [x - size * 0.27, foot - size * 0.62],
      [x + size * 0.27, foot - size * 0.62],
      [x + size * 0.37, foot - size * 0.34],
      [x - size * 0.37, foot - size * 0.34],
    ],
    { top: lit(colour, 0.95), bottom: lit(colour, 0.8) },
  )
  fillPolygon(
    raster,
    [
      [x - size * 0.23, foot - size * 0.58],
      [x + size * 0.23, foot - size * 0.58],
      [x + size * 0.31, foot - size * 0.38],
      [x - size * 0.31, foot - size * 0.38],
    ],
    { top: lit([150, 176, 196], Math.max(0.3, light.bright)), bottom: [44, 52, 62] },
  )
  const lamp: Rgb = draws.chance(0.5) ? [220, 40, 36] : [255, 246, 214]
  for (const at of [-0.35, 0.35])
    fillEllipse(raster, x + at * size, foot - size * 0.25, size * 0.055, size * 0.04, { top: lamp })
}

/** A plate on a table, seen from above. */
function food(setting: Setting): void {
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
  fill(raster, { left: 0, right: aspect, top: 0, bottom: 1 }, () => EVERYWHERE, {
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

/** A head and shoulders before a background that is out of focus. */
function portrait(setting: Setting): void {
  const { raster, draws, seed, light } = setting
  const { aspect } = raster
  const back = draws.one<Rgb>([
    [92, 120, 86],
    [120, 132, 150],
    [172, 152, 128],
    [64, 72, 84],
    [146, 108, 88],
  ])
  fill(raster, { left: 0, right: aspect, top: 0, bottom: 1 }, () => EVERYWHERE, {
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
