import { join } from 'node:path'
import { PACKAGE } from '../../compose/package.ts'

/** The command line as it ships, which `.ci/bundled.mjs` makes before the tests. */
export const BUNDLED_PROGRAM = join(PACKAGE, 'node_modules/.cache/backlot/backlot.js')
