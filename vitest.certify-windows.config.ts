import { defineConfig } from 'vitest/config'
import windows from './vitest.windows.config.ts'

// biome-ignore lint/style/noDefaultExport: vitest reads the default export.
export default defineConfig({
  test: { ...windows.test, include: ['test/acceptance/windows-conformance.wine.ts'], exclude: [], retry: 0 },
})
