import { defineConfig } from 'vitest/config'
import { backlotReporter } from './.ci/reporter.ts'

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    include: ['{src,test}/**/*.desktops.ts'],
    reporters: ['default', backlotReporter()],
    globalSetup: ['test/support/linux/set-up-debian.ts'],
    testTimeout: 180_000,
    // Real programs on a busy machine are occasionally slow; a test that fails twice is wrong.
    retry: 1,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    isolate: false,
    // The desktops wait more than they compute.
    maxWorkers: 2,
  },
})
