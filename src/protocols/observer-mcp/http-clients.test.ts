import { expect, it } from 'vitest'
import type { DesktopSession } from '../../observer/session/session.ts'
import { DesktopSessions } from '../../observer/session/sessions.ts'
import { openDesktop } from '../../testing.ts'
import { HttpClients, type NewHttpClient, StreamEvents } from './http-clients.ts'

function clientsOf(session: DesktopSession, { nowMs = (): number => 0, bugs = [] as unknown[] } = {}) {
  const open = async () => session
  const parts = { first: session, open, ids: session.ids, operatorClock: { now: nowMs }, limit: 10, ttlMs: 1_000 }
  const sessions = new DesktopSessions(parts)
  return new HttpClients({ sessions, audienceOf: () => 'agent', report: (bug) => bugs.push(bug) })
}

function newClient(session: DesktopSession, id: string, close: () => Promise<void> = async () => {}): NewHttpClient {
  const transport = { close } as NewHttpClient['transport']
  return {
    id,
    session,
    entry: session,
    audience: 'agent',
    transport,
    events: new StreamEvents(),
    protocolVersion: '2025-11-25',
  }
}

it('[MCP32] never connects more than 256 clients at once', async () => {
  const { session } = openDesktop({ scenario: 'login' })
  const clients = clientsOf(session)
  const opened = Array.from({ length: 300 }, (_, number) =>
    clients.open(async () => {
      await new Promise(setImmediate)
      return newClient(session, `${number}`)
    }),
  )
  const results = await Promise.allSettled(opened)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(256)
  const refused = results.find(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: { code: 'Busy' } })
  await clients.end('0')
  await expect(clients.open(async () => newClient(session, 'another'))).resolves.toBeDefined()
})

it('[MCP33] ends the client that was idle longest when all places are taken', async () => {
  const { session } = openDesktop({ scenario: 'login' })
  let nowMs = 0
  const clients = clientsOf(session, { nowMs: () => nowMs })
  for (let number = 0; number < 256; number++) {
    await clients.open(async () => newClient(session, `${number}`))
    nowMs++
  }
  await clients.find('0', session, {})
  clients.holdOpen((await clients.find('1', session, {}))!)
  await clients.open(async () => newClient(session, 'another'))
  const left = ['0', '1', '2', '3', 'another'].map((id) => clients.sessionOf(id) !== undefined)
  expect(left).toEqual([true, true, false, true, true])
})

it('[MCP33] refuses a client when none is idle', async () => {
  const { session } = openDesktop({ scenario: 'login' })
  const clients = clientsOf(session)
  for (let number = 0; number < 256; number++)
    clients.holdOpen(await clients.open(async () => newClient(session, `${number}`)))
  await expect(clients.open(async () => newClient(session, 'another'))).rejects.toMatchObject({ code: 'Busy' })
})

it('[MCP32] does not count a client that fails to open', async () => {
  const { session } = openDesktop({ scenario: 'login' })
  const clients = clientsOf(session)
  for (let number = 0; number < 300; number++)
    await expect(clients.open(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(clients.open(async () => newClient(session, 'x'))).resolves.toBeDefined()
})

it('[MCP32] closes a client that opens while the server closes', async () => {
  const { session } = openDesktop({ scenario: 'login' })
  const clients = clientsOf(session)
  let isClosed = false
  const opening = clients.open(async () => {
    await clients.endAll()
    return newClient(session, 'late', async () => {
      isClosed = true
    })
  })
  await expect(opening).rejects.toMatchObject({ code: 'Busy' })
  expect(isClosed).toBe(true)
})

it('[MCP27] reports a failure to close an idle client, not to the client whose request finds it', async () => {
  const { session } = openDesktop({ scenario: 'login' })
  const bugs: unknown[] = []
  let now = 0
  const clients = clientsOf(session, { nowMs: () => now, bugs })
  await clients.open(async () => newClient(session, 'idle', () => Promise.reject(new Error('disk'))))
  now = 5_000
  const used = await clients.open(async () => newClient(session, 'used'))
  expect(await clients.find('used', session, {})).toBe(used)
  expect(bugs).toMatchObject([{ message: 'disk' }])
})
