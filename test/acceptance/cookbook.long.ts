import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { includeForText } from '../../src/compose/applications.ts'
import { verifyScenario } from '../../src/compose/verify/verify.ts'
import { checkScenario, parseScenario } from '../../src/scenario/load/load.ts'
import { endStarted, startProgramIn } from '../support/cli/started-program.ts'

const page = readFileSync(new URL('../../docs/cookbook.md', import.meta.url), 'utf8')

interface Recipe {
  readonly title: string
  readonly name: string | undefined
  readonly yaml: string
  readonly commands: readonly string[]
  readonly printed: readonly string[]
}

const blockOf = (text: string, language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? ''
const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')

const recipes = page
  .split(/^## /m)
  .slice(1)
  .map((text): Recipe => {
    const yaml = blockOf(text, 'yaml')
    return {
      title: text.split('\n')[0]!,
      name: /^name: (\S+)/.exec(yaml)?.[1],
      yaml,
      commands: linesOf(blockOf(text, 'sh')),
      printed: linesOf(blockOf(text, 'text')),
    }
  })
const scenarios = recipes.flatMap(({ name, yaml }) => (name === undefined ? [] : [[name, yaml] as const]))
const shown = recipes.filter(({ commands }) => commands.length > 0).map((recipe) => [recipe.title, recipe] as const)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-cookbook-'))
  for (const [name, yaml] of scenarios) writeFileSync(join(folder, `${name}.yaml`), yaml)
})
afterAll(() => {
  endStarted()
  rmSync(folder, { recursive: true, force: true })
})

/** The lines that are not in the output in this order; a line "…" stands for any others. */
function missingIn(output: string, expected: readonly string[]): readonly string[] {
  const lines = linesOf(output)
  let at = 0
  return expected.filter((line) => {
    if (line === '…') return false
    const found = lines.indexOf(line, at)
    if (found >= 0) at = found + 1
    return found < 0
  })
}

describe('the cookbook', () => {
  it('has thirty recipes of at most 25 lines', () => {
    expect(recipes.map(({ title }) => Number(/^(\d+)\. /.exec(title)?.[1]))).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    )
    expect(scenarios.filter(([, yaml]) => linesOf(yaml).length > 25)).toEqual([])
    expect(new Set(scenarios.map(([name]) => name)).size).toBe(23)
  })

  it.each(shareOf(scenarios))('has a scenario that proves itself: %s', async (_name, text) => {
    const scenario = parseScenario(text, { file: 'docs/cookbook.md', include: includeForText })
    expect((await verifyScenario(scenario)).filter(({ passed }) => !passed)).toEqual([])
  })

  it.each(shareOf(shown))(
    'prints what it says: %s',
    async (_title, { commands, printed }) => {
      let output = ''
      for (const command of commands) {
        const args = /^npx backlot (.+)$/.exec(command)?.[1]?.split(' ') ?? []
        const { stdout, stderr } = await startProgramIn(folder, args).ended
        output += stdout + stderr
      }
      expect(missingIn(output, printed)).toEqual([])
    },
    120_000,
  )

  it('shows the task that an environment of Gymnasium has', () => {
    const [, text] = scenarios.find(([name]) => name === 'guests')!
    const [, printed] = /It prints `(.*)`/.exec(page) ?? []
    expect(checkScenario(text, { file: 'guests.yaml' }).scenario.task).toBe(printed)
  })
})
