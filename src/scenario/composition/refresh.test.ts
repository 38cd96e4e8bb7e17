import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BOARD, edits, playEdits } from '../../../test/support/scenario/live-edits.ts'

describe('elements that follow the data', () => {
  it('[CMP1] are after each edit what they are when made from the start', () => {
    expect.hasAssertions()
    fc.assert(
      fc.property(edits(20), (each) => playEdits(BOARD, each)),
      { numRuns: 10, seed: 1 },
    )
  })
})
