import {
  fill,
  fillEllipse,
  fillLine,
  fillPolygon,
  fillRect,
  grain,
  layeredNoise,
  mix,
  mixed,
  noise,
  type Rgb,
} from '../raster.ts'
import { lit, type PhotoSetting, person, power, sky, WHOLE_PICTURE } from './scene.ts'

/** A street that leads to a vanishing point, between two rows of houses. */
export function street(setting: PhotoSetting): void {
  const { raster, draws, seed, light } = setting
  const { aspect } = raster
  const vanishing = { x: aspect * draws(0.36, 0.64), y: draws(0.5, 0.6) }
  sky(setting, vanishing.y + 0.06)
  const isDark = light.isDark === true
  const asphalt = lit([92, 92, 96], mix(light.bright, 1, 0.1))
  fill(raster, { left: 0, right: aspect, top: vanishing.y, bottom: 1 }, () => WHOLE_PICTURE, {
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
  { raster, draws, seed, light }: PhotoSetting,
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

function car({ raster, draws, light }: PhotoSetting, x: number, foot: number, size: number): void {
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
