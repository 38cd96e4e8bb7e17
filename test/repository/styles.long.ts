import { expect, it } from 'vitest'
import { compileCopy, fileOfError, filesInRecipe } from '../support/repository/compile-copy.ts'

const STYLES = 'src/desktop/style/style.ts'
const NAMES = 'export const DESKTOP_STYLES = ['
const COMPILER_MS = 180_000

it(
  'adding a style does not compile before every table of the recipe has a row for it',
  async () => {
    const added: readonly [string, string] = [NAMES, `${NAMES}'unlisted', `]
    const errors = await compileCopy(['base', 'desktop', 'scenario', 'paint', 'perception'], STYLES, added)
    expect([...new Set(errors.map(fileOfError))].sort()).toEqual(filesInRecipe('A style'))
  },
  COMPILER_MS,
)
