import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { assertStatus, describeMismatch, fail, notOffered, parseAs } from '../../probe/failure.ts'
import { changeStatus } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import { Health, Metadata, RpcReply, Schemas } from '../contract.ts'
import { sources } from '../document.ts'
import { actionOf, connect, onSuccessOf, resetOf } from '../driver.ts'

const OpenApi = z.looseObject({
  info: z.looseObject({ version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
})

/** What a server says about itself. */
export const infoRules = defineRules('info', {
  healthy: {
    level: 'MUST',
    text: 'A server that plays episodes is healthy.',
    source: sources.validation,
    basis: { states: 'GET /health answers 200 with the status healthy.' },
    covers: ['OE-R4'],
    check: async ({ http }) => {
      assert.equal((await http.get('/health')).json(Health).status, 'healthy', 'status')
    },
    sabotage: {
      'is never healthy': onSuccessOf('GET /health', (json) => {
        json.status = 'degraded'
      }),
    },
  },

  described: {
    level: 'SHOULD',
    text: 'The environment has a name and a description.',
    source: sources.validation,
    basis: { because: 'The document asks for two texts; empty ones say nothing to those who choose an environment.' },
    covers: ['OE-R5'],
    check: async ({ http }) => {
      const { name, description } = (await http.get('/metadata')).json(Metadata)
      assert.ok(name !== '' && description !== '', 'the name or the description is empty')
    },
    sabotage: {
      'describes nothing': onSuccessOf('GET /metadata', (json) => {
        json.description = ''
      }),
    },
  },

  mode: {
    level: 'MUST',
    text: 'The OpenAPI document has /reset, /step and /state, or none of them.',
    source: sources.validation,
    basis: { states: 'With /reset in the paths, the server is a simulation and has /step and /state too.' },
    covers: ['OE-R7'],
    check: async ({ http }) => {
      const { paths } = (await http.get('/openapi.json')).json(OpenApi)
      const found = ['/reset', '/step', '/state'].filter((path) => path in paths)
      assert.ok(found.length === 0 || found.length === 3, `the document has ${found.join(' and ')} only`)
    },
    sabotage: {
      'does not list steps': onSuccessOf('GET /openapi.json', (json) => {
        delete json.paths['/step']
      }),
    },
  },

  'observation-schema': {
    level: 'MUST',
    text: 'Observations fit the published JSON Schemas, completed by reward and done.',
    source: sources.validation,
    basis: { states: 'Each observation is checked against the schema of its operation with reward and done put back.' },
    covers: ['OE-B6', 'OE-R6'],
    needs: ['episode:reset', 'episode:step'],
    check: async (context) => {
      const { observation, reset_observation } = (await context.http.get('/schema')).json(Schemas)
      const client = await connect(context)
      const judge = (schema: object, { observation: seen, reward, done }: Awaited<ReturnType<typeof client.reset>>) => {
        const value = { ...seen, reward, done }
        const { error } = z.fromJSONSchema(schema as never).safeParse(value)
        if (error) fail(`the observation does not fit its schema: ${describeMismatch(error, value)}`)
      }
      judge(reset_observation ?? observation, await client.reset())
      judge(observation, await client.step())
    },
    sabotage: {
      'publishes the schema of another observation': onSuccessOf('GET /schema', (json) => {
        json.observation = { type: 'object', properties: { done: { type: 'string' } } }
        json.reset_observation = json.observation
      }),
    },
  },

  'action-schema': {
    level: 'SHOULD',
    text: 'An action that the server takes fits the published JSON Schema.',
    source: sources.types,
    basis: { because: 'Models write actions from the schema alone.' },
    covers: ['OE-B6'],
    check: async (context) => {
      const { action } = (await context.http.get('/schema')).json(Schemas)
      const value = actionOf(context)
      const { error } = z.fromJSONSchema(action as never).safeParse(value)
      if (error) fail(`the action does not fit its schema: ${describeMismatch(error, value)}`)
    },
    sabotage: {
      'publishes the schema of another action': onSuccessOf('GET /schema', (json) => {
        json.action = { type: 'string' }
      }),
    },
  },
})

const LOOK_AGAIN_MS = 100

/** JSON-RPC at /mcp. */
export const rpcRules = defineRules('rpc', {
  invalid: {
    level: 'MUST',
    text: 'An empty object at /mcp answers 200 with the error Invalid Request.',
    source: sources.rpc,
    basis: { states: 'POST /mcp answers 200 with a JSON-RPC body; a request that is none gets the code -32600.' },
    covers: ['OE-R8'],
    check: async ({ http }) => {
      const { error } = (await http.post('/mcp', {}, { deliberate: true })).json(RpcReply)
      assert.equal(error?.code, -32600, 'code')
    },
    sabotage: {
      'finds empty requests well': onSuccessOf('POST /mcp', (json) => {
        if (json.error?.code === -32600) json.error.code = -32601
      }),
    },
  },

  unparsed: {
    level: 'MUST',
    text: 'A body at /mcp that is not JSON answers 200 with the error Parse error.',
    source: sources.rpc,
    basis: { states: 'A body that is not JSON gets the code -32700.' },
    covers: ['OE-R8'],
    check: async ({ http }) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await http.send({ method: 'POST', path: '/mcp', raw: '{', headers, deliberate: true })
      assertStatus(answer, 200)
      assert.equal(answer.json(RpcReply).error?.code, -32700, 'code')
    },
    sabotage: {
      'calls broken JSON an invalid request': onSuccessOf('POST /mcp', (json) => {
        if (json.error?.code === -32700) json.error.code = -32600
      }),
    },
  },

  method: {
    level: 'MUST',
    text: 'An unknown method gets the error Method not found, with the id of the request.',
    source: sources.rpc,
    basis: { states: 'Methods other than those of tools and sessions get the code -32601.' },
    covers: ['OE-R8', 'OE-M5', 'OE-F4'],
    check: async (context) => {
      const request = { jsonrpc: '2.0', id: 'seven', method: 'nothing/of-this-name', params: {} }
      const { id, error } = (await context.http.post('/mcp', request)).json(RpcReply)
      assert.deepEqual({ id, code: error?.code }, { id: 'seven', code: -32601 })
      const { socket } = await connect(context)
      socket.send({ type: 'mcp', data: request })
      const { data } = await socket.until('the answer to mcp', ({ type }) => type === 'mcp')
      assert.equal(parseAs(RpcReply, data, 'the answer to mcp').error?.code, -32601, 'code')
    },
    sabotage: {
      'answers requests without their ids': onSuccessOf('POST /mcp', (json) => {
        if (json.error?.code === -32601) json.id = null
      }),
    },
  },

  tools: {
    level: 'SHOULD',
    text: 'The tools of an environment have a name, a description and a schema of their arguments.',
    source: sources.rpc,
    basis: { because: 'Environments without tools answer an error; those with tools list them as MCP does.' },
    covers: ['OE-R8'],
    check: async ({ http }) => {
      const { result, error } = (
        await http.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
      ).json(RpcReply)
      if (error) notOffered('the environment has no tools')
      const Tool = z.looseObject({ name: z.string().min(1), description: z.string() })
      const Listed = Tool.and(
        z.union([
          z.looseObject({ inputSchema: z.looseObject({}) }),
          z.looseObject({ input_schema: z.looseObject({}) }),
        ]),
      )
      parseAs(z.looseObject({ tools: z.array(Listed).min(1) }), result, 'the list of tools')
    },
    sabotage: {
      'lists tools without arguments': onSuccessOf('POST /mcp', (json) => {
        for (const tool of json.result?.tools ?? []) delete tool.inputSchema
      }),
    },
  },

  session: {
    level: 'SHOULD',
    text: 'An environment that a request opened can be played by its id until it is closed.',
    source: sources.rpc,
    basis: { because: 'openenv/session/create and /ws?session_id= are extensions for clients over HTTP.' },
    covers: ['OE-R8', 'OE-C7'],
    check: async (context) => {
      const rpc = async (method: string, params: object) =>
        (await context.http.post('/mcp', { jsonrpc: '2.0', id: 1, method, params })).json(RpcReply)
      const { result, error } = await rpc('openenv/session/create', {})
      if (error) notOffered('the server opens no sessions over HTTP')
      const { session_id } = parseAs(z.looseObject({ session_id: z.string() }), result, 'the session')
      const client = await connect(context, `/ws?session_id=${encodeURIComponent(session_id)}`)
      await client.reset(resetOf(context))
      client.socket.close()
      await client.socket.closing()
      assert.equal((await rpc('openenv/session/close', { session_id })).error, undefined, 'error')
      // The server may notice only now that the socket has closed.
      const endsMs = performance.now() + context.responseTimeoutMs
      while ((await rpc('openenv/session/close', { session_id })).error?.code !== -32602) {
        assert.ok(performance.now() < endsMs, 'a closed session can be closed again and again')
        await pause(LOOK_AGAIN_MS)
      }
    },
    sabotage: {
      'closes a session twice': {
        changeResponse: ({ json }) => {
          const reply = json as { error?: { code: number }; result?: unknown } | undefined
          if (reply?.error?.code !== -32602) return
          delete reply.error
          reply.result = {}
        },
      },
    },
  },
})

/** Requests over HTTP. */
export const httpRules = defineRules('http', {
  reset: {
    level: 'MUST',
    text: 'POST /reset takes no body, and an empty object.',
    source: sources.http,
    basis: { states: 'The body of a reset and all its fields are optional.' },
    covers: ['OE-R1'],
    check: async (context) => {
      assertStatus(await context.http.post('/reset'), 200)
      assertStatus(await context.http.post('/reset', resetOf(context)), 200)
    },
    sabotage: {
      'asks for a body': {
        changeResponse: (answer, { path, body }) => {
          if (path === '/reset' && body.length === 0) answer.status = 422
        },
      },
    },
  },

  stateless: {
    level: 'MUST',
    text: 'Each request has a new environment: after steps, GET /state counts none.',
    source: sources.http,
    basis: { states: 'Requests create an environment, use it and close it; only a connection is an episode.' },
    covers: ['OE-R2', 'OE-R3', 'OE-B2'],
    check: async (context) => {
      const action = actionOf(context)
      assertStatus(await context.http.post('/step', { action }), 200)
      const { step_count } = (await context.http.get('/state')).json(z.looseObject({ step_count: z.int() }))
      assert.equal(step_count, 0, 'step_count')
    },
    sabotage: {
      'keeps the environment of a request': onSuccessOf('GET /state', (json) => {
        json.step_count = 1
      }),
    },
  },

  invalid: {
    level: 'MUST',
    text: 'A step without an action answers 422.',
    source: sources.http,
    basis: { states: 'A body that does not fit answers 422.' },
    covers: ['OE-R2'],
    check: async ({ http }) => {
      assertStatus(await http.post('/step', {}, { deliberate: true }), 422)
    },
    sabotage: { 'answers 400 to invalid bodies': changeStatus(422, 400) },
  },
})
