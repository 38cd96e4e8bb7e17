import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Element } from '../../src/desktop/model/element.ts'
import { openDesktop } from '../../src/testing.ts'
import { rowOf } from '../linux-programs/table.ts'
import type { WindowTree } from './real-screen.ts'
import { type ComparedFact, equalShare, treeGap } from './tree-gap.ts'

/**
 * Compares trees of Backlot's applications in a personality with those of real programs, as docs/transfer.md says:
 * `npx tsx bench/transfer/gap.ts --data FOLDER --out reports/tree-gap.json`. The real trees are those of `capture.ts`.
 */

const TASKS = fileURLToPath(new URL('../../scenarios/apps/', import.meta.url))

const PAIRS = [
  ['linux-gtk', 'mousepad', 'editor/tasks/editor-replace.yaml'],
  ['linux-gtk', 'thunar', 'files/tasks/files-folder.yaml'],
  ['linux-gtk', 'gnumeric', 'sheet/tasks/sheet-formula.yaml'],
  ['linux-qt', 'kate', 'editor/tasks/editor-replace.yaml'],
  ['linux-qt', 'dolphin', 'files/tasks/files-folder.yaml'],
  ['linux-qt', 'okular', 'photos/tasks/photos-album.yaml'],
] as const

/** The trees of all windows of a scenario at its start, as clients see them. */
async function treesOf(scenario: string, personality: string): Promise<readonly Element[]> {
  const { session } = openDesktop({ scenario, variant: { personality } })
  const { computer } = session
  const trees = await Promise.all((await computer.windows()).map(({ uid }) => computer.tree(uid)))
  return trees.filter((tree) => tree !== undefined)
}

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: 'transfer-data' },
    out: { type: 'string', default: 'reports/tree-gap.json' },
  },
})
const results: {
  personality: string
  program: string
  scenario: string
  equal: number
  facts: readonly ComparedFact[]
}[] = []
for (const [personality, program, scenario] of PAIRS) {
  const windows = JSON.parse(
    readFileSync(join(values.data, 'real', 'trees', `${program}.json`), 'utf8'),
  ) as readonly WindowTree[]
  const real = windows.flatMap(({ tree }) => tree ?? [])
  const facts = treeGap(real, await treesOf(join(TASKS, scenario), personality))
  results.push({ personality, program, scenario, equal: Math.round(equalShare(facts) * 1000) / 1000, facts })
}
writeFileSync(values.out, `${JSON.stringify(results, undefined, 1)}\n`)
process.stdout.write(
  [
    rowOf(['personality', 'program', 'application', 'facts', 'equal, by elements', 'what differs']),
    rowOf(['---', '---', '---', '---', '---', '---']),
    ...results.map(({ personality, program, scenario, equal, facts }) =>
      rowOf([
        `\`${personality}\``,
        program,
        scenario.split('/')[0]!,
        String(facts.length),
        `${(equal * 100).toFixed(1)} %`,
        facts
          .filter(({ isEqual }) => !isEqual)
          .toSorted((one, other) => other.elements - one.elements)
          .map(({ native, fact, real, ours, elements }) => `${native}: ${fact} ${real}, not ${ours} (${elements})`)
          .join('; '),
      ]),
    ),
  ].join(''),
)
