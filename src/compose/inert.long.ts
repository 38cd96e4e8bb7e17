import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { applicationNames } from './applications.ts'
import { lintInert } from './inert.ts'
import { tasksOfApplication } from './scaffold.ts'

// Rules such as [XP37] are stated in scenario/explore/README.md. The READMEs of the applications name a search with more screens.

const tasks = applicationNames().flatMap((name) =>
  tasksOfApplication(name)
    .slice(0, 1)
    .map((task) => `scenarios/apps/${name}/tasks/${task}.yaml`),
)

describe('[XP37] has no inert control in the applications', () => {
  it('looks at tasks that exist', () => {
    const folders = readdirSync('scenarios/apps').filter((name) => tasksOfApplication(name).length > 0)
    expect(tasks).toHaveLength(folders.length)
  })

  it.each(shareOf(tasks))('%s', async (file) => {
    const { findings, controls } = await lintInert(file, { maxStates: 6, maxMs: 180_000 })
    expect(findings.map(({ text }) => text)).toEqual([])
    expect(controls).toBeGreaterThan(10)
  })
})
