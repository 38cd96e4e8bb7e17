import { describe, expect, it } from 'vitest'
import { lockScenario } from '../../../../test/support/evaluation/lock.ts'
import { recordSolution } from '../../../compose/verify/audit/recording.ts'
import { callNow } from '../../../observer/call.ts'
import type { DoorDefinition } from '../../../protocols/door.ts'
import type { Scenario } from '../../../scenario/scenario.ts'
import { findOpenDoor } from '../oracle.ts'
import { secretsOf } from '../secrets.ts'
import { openComputerDoor } from './computer.ts'
import type { OpenProbedDoor } from './door.ts'
import { openObserverDoor } from './observer.ts'
import { openOsworldDoor } from './osworld.ts'
import { openSocketDoor } from './socket.ts'

// Rules such as [EV75] are stated in README.md of the evaluation.

const LOCK = lockScenario('Four digits')
const NOTHING = { answers: [], oracles: [] }
const HARNESS = { harnessToken: 'a-long-token-of-the-harness' }
const DOORS: Readonly<Record<string, OpenProbedDoor>> = {
  'REST and MCP': openObserverDoor,
  WebSocket: openSocketDoor,
  'computer tools': openComputerDoor,
  OSWorld: openOsworldDoor,
}
const secretsIn = async (scenario: Scenario) =>
  secretsOf(scenario, [await recordSolution(scenario, scenario.solutions[0]!)])

describe('[EV75a] an agent', () => {
  it.each(Object.entries(DOORS))('does not reach the harness over %s', async (_, door) => {
    expect(await findOpenDoor(LOCK, await secretsIn(LOCK), HARNESS, [door])).toBeUndefined()
  })

  it.each([
    ['REST and MCP', 'POST /api/tool/'],
    ['WebSocket', 'SOCKET /api/session/socket'],
    ['OSWorld', 'POST /execute'],
  ])(
    'is seen to reach the harness over %s where every caller is one, or its token can be guessed',
    async (name, request) => {
      for (const access of [{ harnessOnly: true }, { harnessToken: 'harness' }]) {
        const open = await findOpenDoor(LOCK, NOTHING, access, [DOORS[name]!])
        expect(open?.message).toContain(request)
        expect(open?.message).toMatch(/is not refused to agents$/)
      }
    },
  )

  it('is seen to reach the harness where computer tools pass actions on as tools', async () => {
    const passing: DoorDefinition = {
      name: 'computer-tools',
      path: '/computer',
      loadOperations: async () => [],
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
    const door: OpenProbedDoor = (scenario, access) => openComputerDoor(scenario, access, [passing])
    expect(await findOpenDoor(LOCK, NOTHING, HARNESS, [door])).toMatchObject({
      request: { method: 'POST', path: '/computer/anthropic', body: { input: { action: 'assert_state' } } },
      message: 'POST /computer/anthropic is not refused to agents',
    })
  })

  it.each([
    ['REST and MCP', /^POST \/api\/tool\/\w+ shows agents "4930"$/],
    ['WebSocket', /^SOCKET \/api\/session\/socket shows agents "4930"$/],
    ['OSWorld', /^GET \/accessibility shows agents "4930"$/],
  ])('is seen to read an answer over %s', async (name, message) => {
    const leaking = lockScenario('Not 4931 but 4930')
    expect((await findOpenDoor(leaking, await secretsIn(leaking), HARNESS, [DOORS[name]!]))?.message).toMatch(message)
  })
})
