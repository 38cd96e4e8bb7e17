import { describe, it } from 'vitest'
import { shareOf } from '../../../.ci/share.ts'
import { expectRefused } from '../../../test/support/scenario/invalid.suite.ts'
import { invalidFiles } from '../../../test/support/scenario/invalid-files.ts'

// Rules such as [L30] are stated in ../SPEC.md.

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]
const FILES_PER_SEED = 250

describe('[L30] 2,000 files that were made invalid are refused', () => {
  it.each(shareOf(SEEDS))('seed %i', (seed) => expectRefused(invalidFiles(FILES_PER_SEED, seed)), 600_000)
})
