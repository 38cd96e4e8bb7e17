import { describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { galleryNames } from './gallery.ts'
import { lintScenario } from './lint.ts'

// Rules such as [LI15] are stated in paint/lint/README.md.

describe('[LI15] has no findings in the gallery', () => {
  it.each(shareOf(galleryNames()))('%s', async (name) => {
    const { findings } = await lintScenario(name)
    // Fonts of some scripts are optional packages, which a checkout does not have.
    expect(findings.filter(({ text }) => !text.includes('run: npm install @fontsource/'))).toEqual([])
  })
})
