import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { message } from '../agent-webkit/contract.ts'
import { breakOnce, generateSamples } from './contract.ts'
import { createRandom } from './random.ts'

const random = () => createRandom(7)

describe('a sample', () => {
  it.each(Object.entries(message))('of %s fits its shape', (_, shape) => {
    for (const sample of generateSamples(shape, random(), 20)) expect(shape.safeParse(sample).success).toBe(true)
  })

  it('is the same for the same seed', () => {
    expect(generateSamples(message.user_message, random(), 5)).toEqual(
      generateSamples(message.user_message, random(), 5),
    )
  })
})

describe('a broken payload', () => {
  const shape = z.looseObject({ name: z.string(), count: z.int(), note: z.string().optional(), any: z.unknown() })

  it('does not fit, and differs in the one place it names', () => {
    for (const { path, value } of breakOnce(shape, random())) {
      if (path === 'any') continue
      const read = shape.safeParse(value)
      expect(read.success).toBe(false)
      expect(read.error?.issues.map((issue) => issue.path[0])).toEqual([path])
    }
  })

  it('lacks each required field once', () => {
    const missing = breakOnce(shape, random(), 'missing')
    expect(missing.map(({ path }) => path).sort()).toEqual(['any', 'count', 'name'])
  })

  it('mistypes optional fields too, and never one that takes anything', () => {
    const mistyped = breakOnce(shape, random(), 'mistyped')
    expect(mistyped.map(({ path }) => path).sort()).toEqual(['count', 'name', 'note'])
  })
})
