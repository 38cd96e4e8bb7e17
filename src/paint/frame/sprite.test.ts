import { expect, it } from 'vitest'
import { rect } from '../../desktop/model/builders.ts'
import { path } from './mark.ts'
import { cachedSpritePixels, MAX_RECENT_PIXELS, spriteOf } from './sprite.ts'

// Rules such as [P36] are stated in ../SPEC.md.

it('[P36] keeps the sprites of two generations', () => {
  const style = { path: 'M0 0h1v1h-1z', size: { width: 1, height: 1 }, colour: '#123456' }
  const most = 2 * (MAX_RECENT_PIXELS + 600 * 600)
  const counts = Array.from({ length: 40 }, (_, index) => {
    const mark = path(rect(0, 0, 561 + index, 600), style)
    spriteOf(mark, mark.look as Parameters<typeof spriteOf>[1])
    return cachedSpritePixels()
  })
  expect(Math.max(...counts)).toBeGreaterThan(MAX_RECENT_PIXELS)
  expect(Math.max(...counts)).toBeLessThanOrEqual(most)
  expect(counts.at(-1)).toBeLessThan(40 * 561 * 600)
})
