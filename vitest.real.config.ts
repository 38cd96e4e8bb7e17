import { defineConfig } from 'vitest/config'
import { longestFirst } from './.ci/long-suites.ts'
import { backlotReporter } from './.ci/reporter.ts'

/** Files that take about a minute, with others beside them. */
const LONGEST = [
  'test/acceptance/conformance.real.ts',
  'test/acceptance/chaos.real.ts',
  'test/acceptance/chaos-sway.real.ts',
  'test/acceptance/tasks.real.ts',
  'test/acceptance/tasks-sway.real.ts',
  'src/viewer/app/recording/recording-parts.real.ts',
  'src/adapters/linux/libreoffice.real.ts',
  'src/adapters/linux/browsers.real.ts',
  'src/adapters/linux/toolkits.real.ts',
]

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    include: ['{src,test}/**/*.real.ts'],
    reporters: ['default', backlotReporter()],
    globalSetup: ['.ci/bundled.mjs', 'test/support/linux/install-packages.ts'],
    testTimeout: 180_000,
    // Real programs on a busy machine are occasionally slow; a test that fails twice is wrong.
    retry: 1,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // The files of a process share its modules and its browser.
    isolate: false,
    sequence: { sequencer: longestFirst(LONGEST) },
    // Programs that start mostly wait. Each file has a desktop of its own, and more of them make each other slow.
    maxWorkers: 4,
  },
})
