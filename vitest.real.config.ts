import { defineConfig } from 'vitest/config'
import { backlotReporter } from './.ci/reporter.ts'

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    include: ['src/**/*.real.ts'],
    reporters: ['default', backlotReporter()],
    globalSetup: ['src/test-support/linux/install-packages.ts'],
    testTimeout: 30_000,
    // Real programs on a busy machine are occasionally slow; a test that fails twice is wrong.
    retry: 1,
    hookTimeout: 60_000,
    pool: 'forks',
    // Desktops that share two processors with each other time out.
    fileParallelism: false,
  },
})
