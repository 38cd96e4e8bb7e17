import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { verifyScenario } from '../../src/compose/verify/verify.ts'
import { parseScenario } from '../../src/scenario/load/load.ts'

it('the scenario of primitive input proves itself', async () => {
  const text = readFileSync(new URL('../../fixtures/input.yaml', import.meta.url), 'utf8')
  const checks = await verifyScenario(parseScenario(text))
  expect(checks.filter(({ passed }) => !passed)).toEqual([])
})
