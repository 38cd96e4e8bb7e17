import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { createApp } from './app.ts'
import { addRoutes, routesFor } from './route.ts'
import { HTTP_STATUS } from './status.ts'

const Problem = z.object({ detail: z.string() })
const Note = z.object({ text: z.string() })

interface Shelf {
  readonly notes: Map<string, string>
}

const route = routesFor<Shelf>()

const noteOf = ({ notes }: Shelf, id: string): string => {
  const text = notes.get(id)
  if (text === undefined) throw new Fault('SessionNotFound', `no note ${id}`)
  return text
}

const ROUTES = [
  route(
    {
      method: 'post',
      path: '/notes/{id}',
      summary: 'Change a note.',
      body: Note,
      bodyOptional: true,
      responses: { 200: Note, 400: Problem, 404: Problem },
      trailingSlash: true,
    },
    (shelf, { params, body }) => {
      noteOf(shelf, params.id)
      return body()
    },
  ),
  route(
    {
      method: 'get',
      path: '/notes',
      summary: 'Some notes.',
      query: z.object({ limit: z.coerce.number().int() }),
      responses: { 200: z.array(z.string()), 400: Problem },
    },
    ({ notes }, { query }) => [...notes.values()].slice(0, query().limit),
  ),
  route(
    { method: 'delete', path: '/notes/{id}', summary: 'Delete a note.', responses: { 204: null } },
    ({ notes }, { params }) => notes.delete(params.id),
  ),
  route(
    { method: 'post', path: '/notes', summary: 'Create a note.', responses: { 201: Note, 409: 'text/plain' } },
    ({ notes }, { reply }) => (notes.size > 1 ? reply.status(409).send('full') : { text: 'new' }),
  ),
  route(
    {
      method: 'get',
      path: '/files/{path}',
      summary: 'A file.',
      responses: { 200: 'text/plain' },
      wildcard: true,
      options: ({ notes }) => ({ config: { pages: notes.size > 1 ? 'embed' : 'link' } }),
    },
    (_shelf, { params, request }) => `${params.path} ${request.routeOptions.config.pages}`,
  ),
]

function serve() {
  const app = createApp({
    hosts: ['*'],
    origins: [],
    cors: false,
    bodyLimit: 1000,
    sendFault: (fault, reply) => reply.status(HTTP_STATUS[fault.code]).send({ detail: fault.message }),
    onBug: (bug) => expect.fail(String(bug)),
  })
  addRoutes(app, ROUTES, {
    notes: new Map([
      ['a', 'one'],
      ['b', 'two'],
    ]),
  })
  return async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: string) => {
    const { statusCode, body } = await app.inject({ method, url, ...(payload !== undefined && { payload }) })
    return [statusCode, body]
  }
}

describe('a route', () => {
  it('[PRO6] parses the body when its handler asks for it', async () => {
    const send = serve()
    expect(await send('POST', '/notes/c', '{}')).toEqual([404, '{"detail":"no note c"}'])
    expect(await send('POST', '/notes/a', '{}')).toMatchObject([400, expect.stringContaining('text')])
    expect(await send('POST', '/notes/a', '{"text":"x","more":1}')).toEqual([200, '{"text":"x"}'])
  })

  it('[PRO7] reads an optional body that is empty as an object without fields', async () => {
    const send = serve()
    expect(await send('POST', '/notes/a')).toEqual(await send('POST', '/notes/a', '{}'))
  })

  it('[PRO8] answers with the status of the documented success, unless its handler answers itself', async () => {
    const send = serve()
    expect(await send('POST', '/notes')).toEqual([409, 'full'])
    expect(await send('DELETE', '/notes/a')).toEqual([204, ''])
    expect(await send('POST', '/notes')).toEqual([201, '{"text":"new"}'])
  })

  it('[PRO9] takes parameters, queries, paths with a slash at their end and the rest of a path', async () => {
    const send = serve()
    expect(await send('GET', '/notes?limit=1')).toEqual([200, '["one"]'])
    expect(await send('GET', '/notes?limit=x')).toMatchObject([400, expect.stringContaining('limit')])
    expect(await send('POST', '/notes/a/', '{"text":"x"}')).toEqual([200, '{"text":"x"}'])
    expect(await send('GET', '/files/a/b.txt')).toEqual([200, 'a/b.txt embed'])
  })
})
