import { expect, it } from 'vitest'
import { rect } from '../../desktop/model/builders.ts'
import { path, type ShadowStyle, shadow } from './draw-op.ts'
import { cachedSpritePixels, MAX_RECENT_PIXELS, spriteOf } from './sprite.ts'

// Rules such as [PNT97] are stated in ../SPEC.md.

it('[PNT97] keeps the sprites of two generations', () => {
  const style = { path: 'M0 0h1v1h-1z', size: { width: 1, height: 1 }, colour: '#123456' }
  const most = 2 * (MAX_RECENT_PIXELS + 600 * 600)
  const counts = Array.from({ length: 40 }, (_, index) => {
    const op = path(rect(0, 0, 561 + index, 600), style)
    spriteOf(op, op.style as Parameters<typeof spriteOf>[1])
    return cachedSpritePixels()
  })
  expect(Math.max(...counts)).toBeGreaterThan(MAX_RECENT_PIXELS)
  expect(Math.max(...counts)).toBeLessThanOrEqual(most)
  expect(counts.at(-1)).toBeLessThan(40 * 561 * 600)
})

it('[PNT93] fades the shadow of round corners evenly around them', () => {
  const box = rect(0, 0, 200, 200)
  const darkness = (style: ShadowStyle, x: number, y: number) => {
    const op = shadow(box, style)
    const sprite = spriteOf(op, op.style as Parameters<typeof spriteOf>[1])
    return sprite.pixels[(y + style.reach) * sprite.width + x + style.reach]! >>> 24
  }
  const style: ShadowStyle = { reach: 10, drop: 0, opacity: 1 }
  // Both are 4 to 5 pixels outside of the box: left of its edge, and beside its corner in the direction of its middle.
  const beside = darkness({ ...style, radius: 20 }, -5, 20)
  const atCorner = darkness({ ...style, radius: 20 }, 2, 2)
  expect(beside).toBeGreaterThan(10)
  expect(Math.abs(atCorner - beside)).toBeLessThan(10)
  expect(darkness(style, 2, 2) - beside).toBeGreaterThan(80)
})
