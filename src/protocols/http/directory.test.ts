import Fastify from 'fastify'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { routeHint, serveDocuments } from './directory.ts'
import type { ApiDescription, HttpOperation } from './document.ts'

// Rules such as [REST24] are stated in README.md of observer-rest.

const operation = (method: HttpOperation['method'], path: string): HttpOperation => ({
  method,
  path,
  summary: `${method} ${path}`,
  responses: { 200: z.object({}) },
})

const API: ApiDescription = {
  title: 'Test',
  version: '1',
  description: 'For tests',
  url: 'http://127.0.0.1:1',
  operations: [
    operation('get', '/sessions'),
    operation('post', '/sessions'),
    operation('get', '/sessions/{id}/stream'),
    operation('post', '/api/tool/type_text'),
    operation('post', '/api/type_and_observe'),
  ],
  channels: [],
}

async function served() {
  const app = Fastify()
  serveDocuments(app, async () => API)
  app.setNotFoundHandler(async (request, reply) => reply.status(404).send(await routeHint(async () => API, request)))
  return app
}

it('[REST24] serves its documents under the requested address', async () => {
  const app = await served()
  for (const host of ['127.0.0.1:5001', 'localhost:9']) {
    const reply = await app.inject({ url: '/openapi.json', headers: { host } })
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(reply.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: `http://${host}` }] })
    expect(Object.keys(reply.json().paths)).toContain('/api/tool/type_text')
  }
  expect((await app.inject('/asyncapi.json')).json()).toMatchObject({ asyncapi: '3.0.0' })
})

it.each([
  ['POST', '/session', 'POST /sessions'],
  ['GET', '/session', 'GET /sessions'],
  ['DELETE', '/Sessions', 'GET /sessions'],
  ['GET', '/sessions/s1/streem?from=3', 'GET /sessions/{id}/stream'],
  ['POST', '/api/type', 'POST /api/tool/type_text'],
])('[REST26] %s %s is answered with %s', async (method, url, route) => {
  const app = await served()
  const reply = await app.inject({ method: method as 'GET', url })
  expect(reply.json()).toEqual({ hint: `did you mean ${route}?` })
})

it.each(['/', '/zz', '/completely/elsewhere', `/${'x'.repeat(10_000)}`, '/%zz'.replace('%', '%25')])(
  '[REST26] %s is near nothing',
  async (url) => {
    expect((await (await served()).inject({ url })).json()).toEqual({})
  },
)
