import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertStatus, notOffered } from '../../probe/failure.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { Detail } from '../contract.ts'
import { sources } from '../document.ts'
import { createSession } from '../driver.ts'

const GenUi = z.looseObject({
  tools: z.array(z.looseObject({ short_name: z.string().regex(/^[a-z][a-z0-9_]*$/), schema: z.looseObject({}) })),
})

const header = (name: string, value: string | undefined): SabotageBehavior => ({
  changeResponse: (response) => {
    response.headers[name] = value
  },
})

/** Other paths, generative UI and CORS. */
export const otherRules = defineRules('other', {
  path: {
    level: 'SHOULD',
    text: 'An unknown path answers 404 and a wrong method 405 (or 404), as JSON.',
    source: sources.reference,
    basis: { because: 'The document does not cover other paths.' },
    covers: ['W-E6'],
    check: async ({ http, random }) => {
      const unknown = await http.get(`/${random.word()}`)
      assertStatus(unknown, 404)
      unknown.json()
      const wrong = await http.send({ method: 'PUT', path: '/sessions', body: {} })
      assert.ok([404, 405].includes(wrong.status), `PUT /sessions answers ${wrong.status}`)
      wrong.json()
    },
    sabotage: {
      'speaks HTML about errors': { alsoBreaks: ['other:detail'], ...htmlErrors() },
    },
  },

  detail: {
    level: 'SHOULD',
    text: 'The body of an error is an object with a detail.',
    source: sources.reference,
    basis: { because: 'The document does not define the body of errors; the reference server sends detail.' },
    covers: ['W-E6', 'W-X3'],
    pool: 'dangerous',
    check: async (context) => {
      const id = await createSession(context)
      const refused = [
        await context.http.get(`/${context.random.word()}`),
        await context.http.send({ method: 'PUT', path: '/sessions', body: {} }),
        await context.http.send({ method: 'POST', path: `/sessions/${id}/input`, raw: '{', deliberate: true }),
        await context.http.post(`/sessions/${context.random.word()}/input`, { type: 'interrupt' }),
        await context.http.get(`/sessions/${context.random.word()}/stream`),
      ]
      for (const answer of refused) answer.json(Detail)
    },
    sabotage: {
      'has no detail in its errors': {
        changeResponse: (response) => {
          if (response.status >= 400 && response.json) response.json = { message: 'no' }
        },
      },
    },
  },

  genui: {
    level: 'MAY',
    text: 'GET /genui/schema lists tools whose names match the documented pattern.',
    source: sources.reference,
    basis: { because: 'The document does not mention the route; the reference server has it.' },
    covers: ['W-E5'],
    tier: 'full',
    check: async ({ http }) => {
      const answer = await http.get('/genui/schema')
      if (answer.status === 404) notOffered('GET /genui/schema answers 404')
      answer.json(GenUi)
    },
    sabotage: {
      'lists tools under names with blanks': {
        changeResponse: (response, { path }) => {
          if (path !== '/genui/schema') return
          response.status = 200
          response.json = { tools: [{ short_name: 'Render chart', schema: {} }] }
        },
      },
    },
  },

  idle: {
    level: 'SHOULD',
    text: 'A session is ended after 300 idle seconds, unless a stream is open.',
    source: sources.reference,
    basis: { because: 'The document does not mention it; the reference server ends idle sessions.' },
    covers: ['W-T7', 'W-D4'],
    unchecked: 'it takes more than five minutes of the server’s clock',
  },

  'closing-client': {
    level: 'MAY',
    text: 'The client that closes a session need not see its done.',
    source: sources.client,
    basis: { because: 'It is a habit of the official client.' },
    covers: ['W-T8'],
    unchecked: 'it is a habit of the official client, not of a server',
  },

  environment: {
    level: 'MAY',
    text: 'The token comes from AGENT_WEBKIT_TOKEN, and AGENT_WEBKIT_NO_AUTH=1 switches it off.',
    source: sources.reference,
    basis: { because: 'The document does not name the variables.' },
    covers: ['W-D16'],
    unchecked: 'the environment of a server cannot be seen from outside',
  },

  cors: {
    level: 'MAY',
    text: 'CORS headers are sent only where the operator allows an origin.',
    source: sources.reference,
    basis: { because: 'The document does not cover CORS.' },
    covers: ['W-D17'],
    check: async ({ http }) => {
      const answer = await http.post('/sessions', {}, { headers: { origin: 'https://evil.example' } })
      const allowed = answer.headers['access-control-allow-origin']
      assert.ok(allowed !== '*' && allowed !== 'https://evil.example', `a foreign origin is allowed: ${allowed}`)
    },
    sabotage: {
      'allows every origin': header('access-control-allow-origin', '*'),
    },
  },

  history: {
    level: 'MAY',
    text: 'Events lost to a 412 cannot be fetched later.',
    source: sources.reference,
    basis: { because: 'The document has no way to fetch events again.' },
    covers: ['W-D18'],
    unchecked: 'it is the absence of a feature',
  },

  answered: {
    level: 'MAY',
    text: 'A tool_result or the result shows that a request has been answered; there is no separate event.',
    source: sources.reference,
    basis: { because: 'The document has no event for it.' },
    covers: ['W-D19'],
    unchecked: 'known-events proves that no undocumented event is sent',
  },
})

function htmlErrors(): SabotageBehavior {
  return {
    changeResponse: (response) => {
      if (response.status < 400) return
      response.json = undefined
      response.headers['content-type'] = 'text/html'
      response.body = Buffer.from('<!doctype html><title>Error</title>')
    },
  }
}
