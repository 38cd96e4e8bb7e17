import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { lockScenario } from '../../../test/support/evaluation/lock.ts'
import { recordSolution } from '../../compose/verify/recorded-solution.ts'
import { callNow } from '../../observer/call.ts'
import { computerToolsDoor } from '../../protocols/computer-tools/index.ts'
import type { DoorDefinition } from '../../protocols/door.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { ACCESS_WAYS, type AccessWay, findAccessLeak, onObserver } from './open-doors.ts'
import { secretsOf } from './secrets.ts'

// Rules such as [EV80] are stated in README.md of the evaluation.

const LOCK = lockScenario('Four digits')
const NOTHING = { answers: [], oracles: [] }
const HARNESS = { harnessToken: 'a-long-token-of-the-harness' }

/** Every probe of the registry, as a way of its own. */
const PROBES = (
  await Promise.all(
    ACCESS_WAYS.map(async (way) =>
      (await way.loadProbes()).map((probe) => [probe.title, { ...way, loadProbes: async () => [probe] }] as const),
    ),
  )
).flat()
const WAYS: ReadonlyMap<string, AccessWay> = new Map(PROBES)
const secretsIn = async (scenario: Scenario) =>
  secretsOf(scenario, [await recordSolution(scenario, scenario.solutions[0]!)])

describe('[EV81] an agent', () => {
  it.each([...WAYS])('does not reach the harness over %s', async (_, way) => {
    expect(await findAccessLeak(LOCK, await secretsIn(LOCK), HARNESS, [way])).toBeUndefined()
  })

  it.each([
    ['REST', 'POST /api/tool/'],
    ['MCP', 'POST /mcp'],
    ['MCP without sessions', 'POST /mcp'],
    ['WebSocket', 'SOCKET /api/session/socket'],
    ['OpenEnv', 'POST /reset'],
    ['OSWorld’s routes', 'POST /execute'],
  ])(
    'is seen to reach the harness over %s where every caller is one, or its token can be guessed',
    async (name, request) => {
      for (const access of [{ harnessOnly: true }, { harnessToken: 'harness' }]) {
        const open = await findAccessLeak(LOCK, NOTHING, access, [WAYS.get(name)!])
        expect(open?.message).toContain(request)
        expect(open?.message).toMatch(/is not refused to agents$/)
      }
    },
  )

  it('is seen to reach the harness where computer tools pass actions on as tools', async () => {
    const passing: DoorDefinition = {
      ...computerToolsDoor,
      open: ({ sessionOf }) => ({
        addRoutes: (scope) => {
          scope.post('/computer/:vendor', async (request) => {
            const { input, action, name } = request.body as Record<string, { action?: string; type?: string } | string>
            const tool = typeof input === 'object' ? input.action : typeof action === 'object' ? action.type : name
            return (await callNow(sessionOf(request), String(tool), {}, { caller: 'door', audience: 'harness' })).body
          })
        },
        close: async () => {},
      }),
    }
    const way = onObserver(passing.loadProbes, [passing])
    expect(await findAccessLeak(LOCK, NOTHING, HARNESS, [way])).toMatchObject({
      request: { method: 'POST', path: '/computer/anthropic', body: { input: { action: 'assert_state' } } },
      message: 'POST /computer/anthropic is not refused to agents',
    })
  })

  it.each([
    ['REST', /^POST \/api\/tool\/\w+ shows agents "4930"$/],
    ['WebSocket', /^SOCKET \/api\/session\/socket shows agents "4930"$/],
    ['OSWorld’s routes', /^GET \/accessibility shows agents "4930"$/],
  ])('is seen to read an answer over %s', async (name, message) => {
    const leaking = lockScenario('Not 4931 but 4930')
    expect((await findAccessLeak(leaking, await secretsIn(leaking), HARNESS, [WAYS.get(name)!]))?.message).toMatch(
      message,
    )
  })
})

it('[EV82] the audit asks each way of the registry by a name of its own, and the guide names it', () => {
  expect(PROBES.map(([title]) => title)).toEqual([...WAYS.keys()])
  const guide = readFileSync(new URL('../../../docs/evaluate.md', import.meta.url), 'utf8').replaceAll("'", '’')
  const row = guide.split('\n').find((line) => line.startsWith('| `oracle` |')) ?? ''
  expect([...WAYS.keys()].filter((title) => !row.includes(title))).toEqual([])
})
