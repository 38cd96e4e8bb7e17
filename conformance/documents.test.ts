import { describe, expect, it } from 'vitest'
import { asJsonSchema } from './contract.ts'
import { specification } from './report/specification.ts'
import { loadSuite, suiteNames } from './suites.ts'

// Run with -u to write the files again.
describe.each(suiteNames())('what is written about %s', async (protocol) => {
  const { set, contract } = await loadSuite(protocol)

  it('lists its requirements', async () => {
    await expect(specification(set)).toMatchFileSnapshot(`../docs/requirements/${protocol}.md`)
  })

  it('holds its shapes as JSON Schema', async () => {
    await expect(`${JSON.stringify(asJsonSchema(contract), null, 2)}\n`).toMatchFileSnapshot(
      `contract/${protocol}.json`,
    )
  })
})
