import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it.each(['package-lock.json', 'docs/site/package-lock.json', 'fixtures/vendor-types/package-lock.json'])(
  '%s has a digest of every package, also of other platforms',
  (path) => {
    const { packages } = JSON.parse(readFileSync(path, 'utf8')) as {
      packages: Record<string, { readonly integrity?: string; readonly link?: boolean }>
    }
    const unverified = Object.entries(packages).filter(([place, row]) => place !== '' && !row.link && !row.integrity)
    expect(unverified.map(([place]) => place)).toEqual([])
  },
)
