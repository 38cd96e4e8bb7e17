import { existsSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A sequencer that starts these test files first, so that none of them runs alone at the end. */
export function longestFirst(longest: readonly string[]): typeof BaseSequencer {
  const gone = longest.filter((file) => !existsSync(file))
  if (gone.length > 0) throw new Error(`the longest test files include some that are gone: ${gone.join(' ')}`)
  const rankOf = ({ moduleId }: TestSpecification) => {
    const rank = longest.findIndex((file) => moduleId.endsWith(`/${file}`))
    return rank < 0 ? longest.length : rank
  }
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other))
    }
  }
}
