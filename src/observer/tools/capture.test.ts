import { createRequire } from 'node:module'
import type * as Canvas from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { fromPng } from '../../paint/picture.ts'
import { openDesktop } from '../../testing.ts'

// Rules such as [OB110] are stated in src/observer/SPEC.md.

const DESK = `
name: desk
monitors: [{bounds: {x: 0, y: 0, width: 640, height: 400}}]
states:
  a:
    windows:
      - uid: mock:app
        title: App
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree: {role: Window, name: App, children: [{role: Button, name: OK, bounds: {x: 20, y: 60, width: 100, height: 40}}]}
`

const desk = () => openDesktop({ scenario: DESK })
type Shot = { width: number; height: number; data: string; format: string; region: object; clipped?: boolean }
const capture = async (args: object = {}, on = desk()) => (await on.call('capture_screen', args)) as unknown as Shot
const bytes = ({ data }: Shot): Buffer => Buffer.from(data, 'base64')
const { loadImage } = createRequire(import.meta.url)('@napi-rs/canvas') as typeof Canvas

describe('a second monitor at negative coordinates', () => {
  const LEFT = { x: -1080, y: -400, width: 1080, height: 1920 }
  const MONITORS = `[{bounds: {x: 0, y: 0, width: 640, height: 400}, primary: true}, {bounds: ${JSON.stringify(LEFT)}}]`
  const two = () =>
    openDesktop({
      scenario: DESK.replace(/monitors: .*/, `monitors: ${MONITORS}`)
        .replace('x: 0, y: 0, width: 400', 'x: -900, y: 0, width: 400')
        .replace('x: 20, y: 60', 'x: -880, y: 60'),
    })

  it('[OB111] is shown by its region and by its index', async () => {
    const on = two()
    const byRegion = await capture({ region: LEFT }, on)
    expect(byRegion).toMatchObject({ width: 1080, height: 1920, region: LEFT })
    expect(await capture({ monitor: 1 }, on)).toMatchObject({ region: LEFT, data: byRegion.data })
    expect(await capture({}, on)).toMatchObject({ region: { x: 0, y: 0, width: 640, height: 400 } })
    expect((await on.tryCall('capture_screen', { monitor: 2 })).error).toMatchObject({
      code: 'BadRequest',
      message: 'monitor: there is no monitor 2; the monitors are 0 (640x400 at 0,0), 1 (1080x1920 at -1080,-400)',
    })
    expect((await on.tryCall('capture_screen', { region: { ...LEFT, x: 5000 } })).error?.code).toBe('BadRequest')
  })

  it('[OB111] has annotations', async () => {
    const on = two()
    const boxes = async (args: object) =>
      (
        (await on.call('get_annotations', args)) as unknown as { annotations: { name: string; bbox: number[] }[] }
      ).annotations
        .filter(({ name }) => name === 'OK')
        .map(({ bbox }) => bbox)
    expect([await boxes({ region: LEFT }), await boxes({ monitor: 1 }), await boxes({})]).toEqual([
      [[200, 460, 100, 40]],
      [[200, 460, 100, 40]],
      [],
    ])
  })
})

describe('capture_screen', () => {
  it('[OB110] shows the screen as a screenshot does, and each pixel where the mapping says', async () => {
    const on = desk()
    const whole = await capture({}, on)
    const { data } = (await on.call('get_screenshot')) as unknown as Shot
    expect(whole).toMatchObject({ width: 640, height: 400, data, region: { x: 0, y: 0, width: 640, height: 400 } })
    const [screen, half] = [fromPng(bytes(whole)), fromPng(bytes(await capture({ max_width: 320 }, on)))]
    expect([half.width, half.height]).toEqual([320, 200])
    const pixel = (from: typeof screen, x: number, y: number) => from.pixels()[(y * from.width + x) * 4]!
    for (const [x, y] of [
      [150, 100],
      [35, 40],
      [319, 199],
    ] as const) {
      const around = [0, 1].flatMap((dx) => [0, 1].map((dy) => pixel(screen, 2 * x + dx, 2 * y + dy)))
      expect(pixel(half, x, y)).toBe(Math.round(around.reduce((sum, each) => sum + each) / 4))
    }
  })

  it.each([
    [{ max_width: 500 }, [500, 312]],
    [{ max_width: 5000 }, [640, 400]],
    [{ max_height: 150, max_width: 900 }, [240, 150]],
    [{ max_pixels: 256_000 }, [640, 400]],
    [{ max_pixels: 100_000 }, [400, 250]],
    [{ max_pixels: 1 }, [1, 1]],
    [{ region: { x: 10, y: 20, width: 100, height: 50 } }, [100, 50]],
    [{ region: { x: 10, y: 20, width: 100, height: 50 }, max_width: 640, max_height: 400 }, [640, 320]],
    [{ region: { x: 10, y: 20, width: 500, height: 250 }, max_pixels: 5000 }, [100, 50]],
  ])('[OB112] fits %j', async (args, size) => {
    const { width, height, data } = await capture(args)
    const picture = fromPng(Buffer.from(data, 'base64'))
    expect([width, height, picture.width, picture.height]).toEqual([...size, ...size])
  })

  it('[OB112] clips a region to the screen', async () => {
    expect(await capture({ region: { x: 630, y: -10, width: 100, height: 30 } })).toMatchObject({
      region: { x: 630, y: 0, width: 10, height: 20 },
      clipped: true,
      width: 10,
    })
    const { error } = await desk().tryCall('capture_screen', { region: { x: 640, y: 0, width: 5, height: 5 } })
    expect(error).toMatchObject({
      code: 'BadRequest',
      message: 'region: outside of the screen, which is 640x400 at 0,0',
    })
  })

  it('[OB113] paints the pointer where it is, also in a region', async () => {
    const on = desk()
    await on.call('move_pointer', { x: 300, y: 200 })
    const whole = await capture({ pointer: true }, on)
    const without = await capture({}, on)
    const changed = (a: Shot, b: Shot) => {
      const [one, two] = [fromPng(bytes(a)), fromPng(bytes(b))]
      const pixels = two.pixels()
      const at: number[] = []
      for (const [index, value] of one.pixels().entries()) if (value !== pixels[index]) at.push(index >> 2)
      const [xs, ys] = [at.map((index) => index % one.width), at.map((index) => Math.floor(index / one.width))]
      return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
    }
    expect(changed(whole, without)).toEqual([300, 200, 311, 218])
    const region = { x: 295, y: 190, width: 10, height: 20 }
    expect(changed(await capture({ pointer: true, region }, on), await capture({ region }, on))).toEqual([5, 10, 9, 19])
  })

  it.each(['jpeg', 'webp'] as const)(
    '[OB114] encodes %s in the same bytes each time, smaller in less quality',
    async (format) => {
      const shots = await Promise.all([90, 90, 10].map((quality) => capture({ format, quality, max_width: 320 })))
      const [first, again, small] = shots.map(bytes)
      expect(first!.equals(again!)).toBe(true)
      expect(small!.length).toBeLessThan(first!.length)
      expect(shots[0]!.format).toBe(format)
      const image = await loadImage(first!)
      expect([image.width, image.height]).toEqual([320, 200])
      const magic = format === 'jpeg' ? 'ffd8ff' : Buffer.from('RIFF').toString('hex')
      expect(first!.toString('hex').startsWith(magic)).toBe(true)
    },
  )
})
