import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

it('the figure of folders shows the imports of the code; node .ci/architecture.mjs draws it', async () => {
  const { currentPage }: { currentPage: () => string } = await import(
    /* @vite-ignore */ join(ROOT, '.ci/architecture.mjs')
  )
  expect(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')).toBe(currentPage())
})
