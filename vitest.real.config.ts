import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: {
    include: ['src/**/*.real.ts'],
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
