import { join } from 'node:path'
import { PACKAGE } from '../../../src/compose/package.ts'

/** The packaged command line, which `.ci/bundled.mjs` builds before the tests. */
export const BUNDLED_PROGRAM = join(PACKAGE, 'node_modules/.cache/backlot/backlot.js')
