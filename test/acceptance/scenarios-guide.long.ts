import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { includeForText } from '../../src/compose/applications.ts'
import { verifyScenario } from '../../src/compose/verify/verify.ts'
import { checkScenario, parseScenario } from '../../src/scenario/load/load.ts'

const guide = readFileSync(new URL('../../docs/scenarios.md', import.meta.url), 'utf8')

const examples = [...guide.matchAll(/```yaml\n(name: (\S+)\n.*?)```/gs)].map(
  ([, text = '', name = '']) => [name, text] as const,
)

describe("the author's guide", () => {
  it('grows one example in eight steps, and has others', () => {
    expect(examples.map(([name]) => name)).toEqual([
      'orders',
      'photos',
      'plan',
      'budget',
      'orders-form',
      'orders-effects',
      'orders-states',
      'orders-files',
      'orders-data',
      'find-mail',
      'archive',
      'todo',
      'chat',
      'cart',
      'board',
      'planner',
      'week',
      'filing',
      'people',
      'thread',
      'notes',
      'drafts',
      'products',
      'mails',
      'table-for-two',
      'bookshop',
      'invoices',
      'tea-shop',
      'orders-seeds',
      'call-back',
      'orders-approval',
      'balance',
      'mute',
    ])
  })

  it('is preceded by an example in the README that proves itself without a warning', async () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
    const [, text = ''] = /```yaml\n(name: greet\n.*?)```/s.exec(readme) ?? []
    const { scenario, warnings } = checkScenario(text, { file: 'README.md' })
    expect(warnings([])).toEqual([])
    expect((await verifyScenario(scenario)).map(({ name, passed: holds }) => [name, holds])).toEqual([
      ['solution', true],
      ['idle', true],
      ['random', true],
      ['repeats', true],
      ['start', true],
      ['omitted_step', true],
      ['other_value', true],
      ['side_effects', true],
    ])
  })

  it.each(shareOf(examples))('contains a working example: %s', async (_name, text) => {
    const scenario = parseScenario(text, { file: 'docs/scenarios.md', include: includeForText })
    expect(scenario.states.size).toBeGreaterThan(0)
    expect((await verifyScenario(scenario)).filter(({ passed: holds }) => !holds)).toEqual([])
  })
})
