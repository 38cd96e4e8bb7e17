import { defineConfig } from 'vitest/config'

// Suites that take about a minute each. CI runs them with `npm run test:long`; `npm test` stays short.
// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    include: ['conformance/**/*.long.ts', 'src/**/*.long.ts'],
    globalSetup: '.ci/bundled.mjs',
    testTimeout: 60_000,
    // Servers and the suite share one process; with more at once a server seems to be slow.
    maxConcurrency: 3,
    // Shared CI machines are occasionally slow; a test that fails twice is wrong, and vitest names the first failure.
    retry: process.env.CI ? 1 : 0,
    pool: 'threads',
    maxWorkers: '100%',
  },
})
