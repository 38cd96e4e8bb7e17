import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { type Share, shareOf } from './share.ts'

/**
 * The long suites that a run plays. A suite that divides its cases is in every share; of the others a share has every fourth,
 * the longest as evenly as the rest.
 * @param longest The files that take longest, which are there whatever they are called.
 * @returns Their paths from the root, with those of `longest` first.
 */
export function longSuites(longest: readonly string[], share?: Share): readonly string[] {
  const found = ['conformance', 'src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.long.ts'))
      .map((file) => join(folder, file))
      .sort(),
  )
  const files = [...new Set([...longest, ...found])]
  const divides = new Set(files.filter((file) => readFileSync(file, 'utf8').includes('/.ci/share.ts')))
  const whole = shareOf(
    files.filter((file) => !divides.has(file)),
    0,
    share,
  )
  return files.filter((file) => divides.has(file) || whole.includes(file))
}

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
