import { expect, it } from 'vitest'
import { expectRefused } from '../../../test/support/scenario/invalid.suite.ts'
import {
  includeParts,
  invalidFiles,
  QUICK_MUTATION_COUNT,
  VALID_FILES,
} from '../../../test/support/scenario/invalid-files.ts'
import { parseScenario } from './load.ts'

// Rules such as [L30] are stated in ../SPEC.md. `npm run test:long` makes two thousand files.

it('[L30] accepts the files that are made invalid', () => {
  for (const text of Object.values(VALID_FILES))
    expect(() => parseScenario(text, { include: includeParts })).not.toThrow()
})

it('[L30] refuses a file that was made invalid, with a position, in bounded time and memory', () => {
  expectRefused(invalidFiles(QUICK_MUTATION_COUNT, 1, ['login', 'composed']))
})
