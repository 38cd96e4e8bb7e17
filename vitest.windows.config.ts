import { defineConfig } from 'vitest/config'
import { backlotReporter } from './.ci/reporter.ts'

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    include: ['{src,test}/**/*.wine.ts'],
    reporters: ['default', backlotReporter()],
    // It takes longer than all others together: npm run certify:windows.
    exclude: ['test/acceptance/windows-conformance.wine.ts'],
    globalSetup: ['test/support/mswindows/set-up.ts'],
    testTimeout: 120_000,
    // Real programs on a busy machine are occasionally slow; a test that fails twice is wrong.
    retry: 1,
    hookTimeout: 120_000,
    pool: 'forks',
    // Test files of one process share a Windows machine (test/support/mswindows/shared-windows.ts).
    isolate: false,
    // The desktops wait more than they compute.
    maxWorkers: 2,
  },
})
