import { expect, it } from 'vitest'
import { ALL_TOOLS } from '../observer/registry.ts'
import { TOOL_NAMES } from '../scenario/tools.ts'

it('[L2] scenarios know the tools that there are, and no others', () => {
  expect(TOOL_NAMES).toEqual(ALL_TOOLS.map(({ name }) => name))
})
