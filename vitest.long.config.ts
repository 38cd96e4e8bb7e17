import { defineConfig } from 'vitest/config'
import { collectLessOften } from './.ci/heap.ts'
import { longestFirst, longSuites } from './.ci/long-suites.ts'
import { backlotReporter } from './.ci/reporter.ts'

collectLessOften()

/** Files that take a minute and more. They start first, so that none of them runs alone at the end. */
const LONGEST = [
  // It measures the heap, which later files share.
  'src/scenario/load/invalid-files.long.ts',
  'test/acceptance/applications-even.long.ts',
  'test/acceptance/applications-odd.long.ts',
  'src/evaluation/bench/bench-pack.long.ts',
  'test/acceptance/applications-german.long.ts',
  'src/scenario/composition/refresh.long.ts',
  'src/compose/inert.long.ts',
  'conformance/client/broken-clients.long.ts',
  'src/evaluation/audit/audit.long.ts',
  'src/evaluation/audit/audit-command.long.ts',
  'src/evaluation/processes.long.ts',
  'src/dataset/dataset.long.ts',
  'src/evaluation/queue/redis.long.ts',
  'conformance/run.long.ts',
  'src/cli/cli.long.ts',
  'src/compose/variants.long.ts',
  'conformance/broken-servers.long.ts',
  'test/acceptance/world-expense-reports.long.ts',
  'test/acceptance/world-back-office.long.ts',
  'test/acceptance/world-office.long.ts',
  'src/compose/verify/styles.long.ts',
  'conformance/foreign-verdicts.long.ts',
  'src/paint/annotations/ownership.long.ts',
  'src/protocols/windieos/gallery.long.ts',
  'conformance/foreign-servers.long.ts',
  'src/compose/explore.long.ts',
  'src/protocols/registry-without.long.ts',
  'src/dataset/instructions.long.ts',
  'test/acceptance/model.property.long.ts',
]

// Suites that take up to a minute each. CI runs a share of them with `npm run test:long`; `npm test` stays short.
// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    include: [...longSuites(LONGEST)],
    reporters: ['default', backlotReporter()],
    globalSetup: '.ci/bundled.mjs',
    // It ends what hangs, and says nothing about how long a test takes on a busy machine.
    testTimeout: 180_000,
    // Servers and the suite share one process; with more at once a server seems to be slow.
    maxConcurrency: 3,
    // Shared CI machines are occasionally slow; a test that fails twice is wrong, and vitest names the first failure.
    retry: process.env.CI ? 1 : 0,
    pool: 'threads',
    // As in vitest.config.ts; a file takes almost two seconds of processor time to import what it tests.
    isolate: false,
    sequence: { sequencer: longestFirst(LONGEST) },
    maxWorkers: '100%',
  },
})
