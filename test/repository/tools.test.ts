import { expect, it } from 'vitest'
import { ALL_TOOLS } from '../../src/observer/registry.ts'
import { TOOL_NAMES } from '../../src/scenario/tools.ts'

it('[SC3] scenarios know exactly the existing tools', () => {
  expect(TOOL_NAMES).toEqual(ALL_TOOLS.map(({ name }) => name))
})
