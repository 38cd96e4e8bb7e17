import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { backlotReporter } from './.ci/reporter.ts'

/** Files that take minutes. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  'src/evaluation/audit/audit.long.ts',
  'conformance/client/broken-clients.long.ts',
  'conformance/broken-servers.long.ts',
  'src/scenario/load/invalid-files.long.ts',
  'src/acceptance/world-expense-reports.long.ts',
  'src/acceptance/world-back-office.long.ts',
  'src/acceptance/world-office.long.ts',
  'src/compose/verify/styles.long.ts',
  'conformance/foreign-verdicts.long.ts',
  'src/paint/annotations/ownership.long.ts',
]
const gone = LONGEST.filter((file) => !existsSync(file))
if (gone.length > 0) throw new Error(`vitest.long.config.ts names files that are gone: ${gone.join(' ')}`)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`))
      return rank < 0 ? LONGEST.length : rank
    }
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other))
  }
}

// Suites that take about a minute each. CI runs them with `npm run test:long`; `npm test` stays short.
// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    include: ['conformance/**/*.long.ts', 'src/**/*.long.ts'],
    reporters: ['default', backlotReporter()],
    globalSetup: '.ci/bundled.mjs',
    testTimeout: 60_000,
    // Servers and the suite share one process; with more at once a server seems to be slow.
    maxConcurrency: 3,
    // Shared CI machines are occasionally slow; a test that fails twice is wrong, and vitest names the first failure.
    retry: process.env.CI ? 1 : 0,
    pool: 'threads',
    sequence: { sequencer: LongestFirst },
    maxWorkers: '100%',
  },
})
