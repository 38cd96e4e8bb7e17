import { describe, expect, it } from 'vitest'
import { HistoryBudget } from '../../adapters/synthetic/step-history.ts'
import { createSyntheticComputer } from '../../adapters/synthetic/synthetic.ts'
import { realClock } from '../../base/clock.ts'
import { seededIds } from '../../base/ids.ts'
import { seededRandom } from '../../base/random.ts'
import { parseScenario } from '../../scenario/load/load.ts'
import { openDesktop, type TestDesktop } from '../../testing.ts'
import { call } from '../call.ts'
import { DesktopSession } from './session.ts'
import { DesktopSessions } from './sessions.ts'

// Rules such as [OB266] are stated in src/observer/SPEC.md.

const APP = `
states:
  a:
    windows:
      - uid: mock:a
        title: A
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: A
          children:
            - {id: box, role: CheckBox, name: Box, bounds: {x: 10, y: 50, width: 80, height: 28}}
`

const EDITOR = `states: {a: {windows: [{uid: w, title: W, tree: {role: Window, name: W, children: [{id: e, role: Document, name: E, value: ""}]}}]}}`

const press = (session: DesktopSession) => call(session, 'click_element', { element_id: 'box' })
const codeOf = async (session: DesktopSession) => (await press(session)).fault?.code

function several({ session }: TestDesktop, limit = 10): DesktopSessions {
  return new DesktopSessions({
    first: session,
    open: async () => openDesktop({ scenario: APP }).session,
    ids: seededIds(seededRandom(1)),
    operatorClock: { now: () => 0 },
    limit,
    ttlMs: 1000,
  })
}

describe('a forked session', () => {
  it('[OB266] continues with the rest of the budget', async () => {
    const { session } = openDesktop({ scenario: APP, config: { budget: { max_actions: 3 } } })
    await press(session)
    const fork = session.fork('fork')
    await press(session)
    expect([await codeOf(session), await codeOf(session)]).toEqual([undefined, 'BudgetExceeded'])
    expect([await codeOf(fork), await codeOf(fork), await codeOf(fork)]).toEqual([
      undefined,
      undefined,
      'BudgetExceeded',
    ])
  })

  it('[OB269] rewinds as far as its history reaches, and to the beginning', async () => {
    const { session: other, clock } = openDesktop({ scenario: APP })
    const { ids, context, operatorClock } = other
    const { folder, traces, perception } = context
    const parts = { id: 'small', clock, operatorClock, ids, folder, traces, audit: traces, perception, version: '0' }
    const historyBudget = new HistoryBudget(1_000_000, 300_000)
    const computer = createSyntheticComputer({
      scenario: parseScenario(EDITOR, { file: 'editor.yaml' }),
      clock,
      historyBudget,
    })
    const session = new DesktopSession({ ...parts, computer })
    for (let step = 1; step <= 100; step++)
      await call(session, 'set_value', { element_id: 'e', value: `${step} ${'x'.repeat(1000)}` })
    const oldest = computer.steps[0]!.number
    expect(oldest).toBeGreaterThan(1)
    expect((await call(session, 'session_rewind', { to_step: oldest - 1 })).body.error).toMatchObject({
      code: 'BadRequest',
      message: `there is no step ${oldest - 1}; the steps are 0 and ${oldest} to 100`,
    })
    for (const to_step of [oldest, 0])
      expect((await call(session, 'session_rewind', { to_step })).body).toMatchObject({ step: to_step })
  })

  it('[OB266] [OB133] has a clock of the same kind', () => {
    const { session, computer } = openDesktop({ scenario: APP })
    expect([session.clock.virtual, session.fork('a').clock.virtual]).toEqual([true, true])
    expect(session.fork('b').clock).not.toBe(session.clock)
    const { ids, context, operatorClock } = session
    const { folder, traces, perception } = context
    const live = new DesktopSession({
      id: 'live',
      computer,
      clock: realClock(),
      operatorClock,
      ids,
      folder,
      traces,
      audit: traces,
      perception,
      version: '0',
    })
    expect(live.fork('c').clock).toBe(live.clock)
    expect(live.fork('d').operatorClock).toBe(operatorClock)
  })

  it('[OB256] stops together with its parent, and when all sessions stop', async () => {
    const desk = openDesktop({ scenario: APP })
    const sessions = several(desk)
    const { session } = desk
    session.stop()
    expect(await codeOf(sessions.fork(session))).toBe('PermissionDenied')
    const other = await sessions.open({})
    expect(await codeOf(other)).toBeUndefined()
    expect(sessions.stopAll()).toBe(3)
    expect([await codeOf(other), await codeOf(await sessions.open({}))]).toEqual([
      'PermissionDenied',
      'PermissionDenied',
    ])
  })
})

it('[OB267] does not exceed the limit of open sessions, even with concurrent requests', async () => {
  const sessions = several(openDesktop({ scenario: APP }), 3)
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => sessions.open({})))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(sessions.size).toBe(3)
  const { id } = sessions.list()[0]!
  await sessions.close(id)
  await sessions.open({})
  await expect(sessions.open({})).rejects.toMatchObject({ code: 'Busy' })
})

it('[OB267] does not count a session that fails to open', async () => {
  const { session } = openDesktop({ scenario: APP })
  let works = false
  const sessions = new DesktopSessions({
    first: session,
    open: async () => (works ? session : Promise.reject(new Error('no such file'))),
    ids: seededIds(seededRandom(1)),
    operatorClock: { now: () => 0 },
    limit: 1,
    ttlMs: 1000,
  })
  await expect(sessions.open({})).rejects.toThrow('no such file')
  works = true
  expect(await sessions.open({})).toBe(session)
})

it('[OB268] does not expire a session that a connection holds', async () => {
  let nowMs = 0
  const { session } = openDesktop({ scenario: APP })
  const sessions = new DesktopSessions({
    first: session,
    open: async (id) => openDesktop({ scenario: APP }).session.fork(id),
    ids: seededIds(seededRandom(1)),
    operatorClock: { now: () => nowMs },
    limit: 2,
    ttlMs: 1000,
  })
  const [held, idle] = [(await sessions.open({})).id, (await sessions.open({})).id]
  const release = sessions.hold(held)
  nowMs = 5000
  expect([sessions.has(held), sessions.has(idle)]).toEqual([true, false])
  release()
  release()
  expect(sessions.has(held)).toBe(true)
  nowMs = 7000
  expect(sessions.has(held)).toBe(false)
  expect(sessions.hold('unknown')).not.toThrow()
})
