import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { assertStatus } from '../../probe/failure.ts'
import { changeStatus, repeatMessages } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { TestContext } from '../../suite/test-context.ts'
import { SessionRow, Workspace } from '../contract.ts'
import { sources } from '../document.ts'
import { connect, parseEvent } from '../driver.ts'

const Broadcast = z.strictObject({ method: z.enum(['GET', 'POST']), path: z.string(), body: z.unknown().optional() })

/** Does what a request of the profile does, and fails unless two clients hear of it. */
async function assertBroadcast(
  context: TestContext,
  type: 'channel:status' | 'session:refresh',
  purpose: string,
): Promise<void> {
  const clients = [await connect(context), await connect(context)]
  const { method, path, body } = context.profile.known(purpose, Broadcast)
  // `{workspace}` is replaced by the workspace of the clients.
  const raw = JSON.stringify(body ?? {}).replaceAll('{workspace}', clients[0]!.workspaceId)
  const answer = await context.http.send({ method, path, raw })
  assert.ok(answer.status < 300, `${path} answers ${answer.status}`)
  for (const client of clients) parseEvent(await client.nextEvent(type), type)
}

/** Events that all clients receive. */
export const broadcastRules = defineRules('broadcast', {
  channel: {
    level: 'MUST',
    text: 'channel:status goes to every open socket when a channel starts or stops.',
    source: sources.outgoing,
    basis: { states: 'channel:status is broadcast when a channel adapter starts or stops.' },
    covers: ['C-V11', 'C-R6'],
    tier: 'full',
    check: (context) => assertBroadcast(context, 'channel:status', 'start-channel'),
    sabotage: {
      'tells nobody of channels': repeatMessages('channel:status', 0),
    },
  },

  session: {
    level: 'MUST',
    text: 'session:refresh goes to every open socket when a channel has updated a session.',
    source: sources.outgoing,
    basis: { states: 'session:refresh is broadcast when a session is updated from a channel.' },
    covers: ['C-V12', 'C-R6'],
    tier: 'full',
    check: (context) => assertBroadcast(context, 'session:refresh', 'update-session'),
    sabotage: {
      'tells nobody of sessions': repeatMessages('session:refresh', 0),
    },
  },
})

/** The REST API of the page. */
export const restRules = defineRules('rest', {
  start: {
    level: 'SHOULD',
    text: 'Health and onboarding answer before any socket opens.',
    source: sources.page,
    basis: { because: 'The page of the gateway needs it; the document covers the socket only.' },
    covers: ['C-H1', 'C-H2'],
    tier: 'sdk',
    check: async ({ http }) => {
      for (const path of ['/api/health', '/api/onboarding/status'])
        assertStatus(await http.get(path), 200, `${path} does not answer`)
    },
    sabotage: {
      'is not ready at the start': changeStatus(200, 404, ({ path }) => path === '/api/onboarding/status'),
    },
  },

  workspaces: {
    level: 'SHOULD',
    text: 'Workspaces are listed and can be opened; an unknown one is 404.',
    source: sources.page,
    basis: { because: 'The page of the gateway needs it; the document covers the socket only.' },
    covers: ['C-H3', 'C-H4'],
    tier: 'sdk',
    check: async ({ http, random }) => {
      const [first] = (await http.get('/api/workspaces')).json(z.array(Workspace).min(1))
      const opened = (await http.post(`/api/workspaces/${first!.id}/open`, {})).json(Workspace)
      assertAgree({ 'the opened workspace': opened.id, 'the list of workspaces': first!.id }, 'the id')
      assertStatus(await http.post(`/api/workspaces/${random.word(16)}/open`, {}), 404)
    },
    sabotage: {
      'lists no workspaces': {
        changeResponse: (answer, request) => {
          if (request.path === '/api/workspaces') answer.json = []
        },
      },
    },
  },

  sessions: {
    level: 'SHOULD',
    text: 'A session that has run is listed under the first message, with its messages, and can be deleted.',
    source: sources.page,
    basis: { because: 'The page of the gateway needs it; the document covers the socket only.' },
    covers: ['C-H5', 'C-H6', 'C-H7', 'C-R12'],
    tier: 'sdk',
    needs: ['chat:answer'],
    check: async (context) => {
      const client = await connect(context)
      const query = `?workspaceId=${encodeURIComponent(client.workspaceId)}`
      const text = `${context.profile.phrase('hello')} ${context.random.word()}`
      const [first] = await client.run(text)
      const id = encodeURIComponent(String(first!.sessionKey))
      const rows = (await context.http.get(`/api/sessions${query}`)).json(z.array(SessionRow))
      const row = rows.find((one) => one.id === first!.sessionKey)
      assert.equal(row?.title, text.slice(0, 80), 'title')
      const shape = SessionRow.extend({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) })
      const { messages } = (await context.http.get(`/api/sessions/${id}${query}`)).json(shape)
      assert.deepEqual(
        messages.slice(0, 2).map((one) => one.role),
        ['user', 'assistant'],
        'the roles of the first two messages',
      )
      assertStatus(await context.http.delete(`/api/sessions/${id}${query}`), 204)
      assertStatus(await context.http.get(`/api/sessions/${id}${query}`), 404)
    },
    sabotage: {
      'keeps deleted sessions': {
        changeRequest: (request) => {
          if (request.method === 'DELETE') Object.assign(request, { method: 'GET', path: '/api/health' })
        },
      },
      'titles sessions by nothing': {
        changeResponse: (answer, request) => {
          if (request.path.startsWith('/api/sessions') && Array.isArray(answer.json))
            for (const one of answer.json) one.title = ''
        },
      },
    },
  },
})
