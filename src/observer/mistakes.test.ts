import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const here = (path: string) => new URL(path, import.meta.url)

it('covers each of the 38 known mistakes of other servers', () => {
  const page = readFileSync(here('SPEC.md'), 'utf8')
  const rows = [...page.matchAll(/^\| (\d+) +\| .+ \| .+ \|$/gm)].map(([, number]) => Number(number))
  expect(rows).toEqual(Array.from({ length: 38 }, (_, at) => at + 1))
})
