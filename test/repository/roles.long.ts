import { describe, expect, it } from 'vitest'
import { compileCopy, fileOfError, filesInRecipe } from '../support/repository/compile-copy.ts'

/** The tables of roles, and what they import. */
const PATHS = [
  ...['base', 'desktop', 'scenario', 'paint', 'perception', 'observer/wire.ts'],
  'protocols/osworld/accessibility/roles.ts',
]
const TABLE = 'src/desktop/model/role-table.ts'
const FIRST_ROW = 'export const ROLE_TABLE = {\n'
const COMPILER_MS = 180_000

/** The compiler errors when the role table has one more row. */
const compileWith = (row: string) => compileCopy(PATHS, TABLE, [FIRST_ROW, `${FIRST_ROW}  ${row},\n`])

describe.concurrent('adding a role', () => {
  it(
    '[DT1] does not compile before every table of the recipe has a row for it',
    async () => {
      const row = `unlisted: { spellings: 'Unlisted', focus: 'never', popup: 'never', container: 'none', item: 'none',
        label: 'name', caption: 'field', captions: 'none', text: 'none', purpose: 'display only', words: [], noun: '', verbs: [],
        aria: 'unlisted', agentDesktop: 'group', sketch: { draw: 'box', label: 'plain', parts: 'merged' }, is: [] }`
      const errors = await compileWith(row)
      expect([...new Set(errors.map(fileOfError))].sort()).toEqual(filesInRecipe('A role'))
      for (const error of errors) expect(error).toContain('unlisted')
    },
    COMPILER_MS,
  )

  it(
    '[DT2] does not compile while its row lacks fields',
    async () => {
      const errors = await compileWith(`unlisted: { spellings: 'Unlisted' }`)
      const own = errors.filter((line) => fileOfError(line) === TABLE)
      expect(own).toEqual([expect.stringContaining("is missing the following properties from type 'RoleRow'")])
    },
    COMPILER_MS,
  )
})
