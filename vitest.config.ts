import { defineConfig } from 'vitest/config'
import { collectLessOften } from './.ci/heap.ts'
import { backlotReporter } from './.ci/reporter.ts'

collectLessOften()

export default defineConfig({
  test: {
    include: ['{src,conformance,test,bench,fuzz}/**/*.test.ts'],
    reporters: ['default', backlotReporter()],
    globalSetup: '.ci/bundled.mjs',
    testTimeout: 60_000,
    // Shared CI machines are occasionally slow; a test that fails twice is wrong, and vitest names the first failure.
    retry: process.env.CI ? 1 : 0,
    pool: 'threads',
    // Modules hold nothing that a test could leave behind, so the files of a worker share them: a third less time.
    isolate: false,
    maxWorkers: '100%',
  },
})
