import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { cleanUp, onCleanup } from '../../../test/support/protocols/cleanup.ts'
import { type JsonBody, startWindieos } from '../../../test/support/protocols/windieos.ts'
import { Fault } from '../../base/fault.ts'
import { ngramEmbedder } from '../../perception/embedders.ts'
import { embeddingService } from './embedding-service.ts'

// Facts such as [I-H01] are listed in facts.ts.

afterEach(cleanUp)

const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` })

/** A server where installations register, with two of them. */
async function hosted(options: Parameters<typeof startWindieos>[0] = {}) {
  const served = await startWindieos({ auth: 'install', ...options })
  const [, ada] = await served.post('/api/install/register', { operating_system: 'Linux' })
  const [, ben] = await served.post('/api/install/register')
  return { ...served, ada, ben, asAda: bearer(ada.install_token), asBen: bearer(ben.install_token) }
}

describe('installations', () => {
  it('[I-H01] [I-X200] register without a token and receive theirs once', async () => {
    const { post } = await startWindieos()
    expect(await post('/api/install/register', { operating_system: null })).toEqual([
      200,
      {
        success: true,
        user_id: expect.stringMatching(/^user_[0-9a-f]{24}$/),
        install_id: expect.stringMatching(/^install_[0-9a-f]{24}$/),
        install_token: expect.stringMatching(/^wnd_install_[0-9a-f]{48}$/),
      },
    ])
    expect((await post('/api/install/register', { token: 'x' }))[0]).toBe(422)
  })

  it('[I-H36] [I-X401] are known by their token', async () => {
    const { get, ada, asAda } = await hosted()
    expect(await get('/api/install/me', asAda)).toEqual([
      200,
      { success: true, user_id: ada.user_id, install_id: ada.install_id },
    ])
    expect(await get('/api/install/me')).toEqual([401, { detail: 'Missing install bearer token' }])
    expect(await get('/api/install/me', bearer('wnd_install_x'))).toEqual([
      401,
      { detail: 'Invalid install bearer token' },
    ])
  })

  it('[I-A46] are not needed on a machine of one’s own, which is where the server listens', async () => {
    const { get, url } = await startWindieos()
    expect([new URL(url).hostname, await get('/api/install/me')]).toEqual([
      '127.0.0.1',
      [200, { success: true, user_id: 'local-user', install_id: 'local-install' }],
    ])
  })

  it('[I-A27] [I-A28] need a token on every route, before anything else is looked at', async () => {
    const { url } = await hosted()
    const routes: readonly (readonly [string, string])[] = [
      ['POST', '/api/embeddings/'],
      ['GET', '/api/embeddings/health'],
      ['POST', '/api/semantic/summarize'],
      ['POST', '/api/semantic/title'],
      ['GET', '/api/semantic/health'],
      ['POST', '/api/artifacts/'],
      ['GET', '/api/artifacts/x.png'],
      ...['run', 'inspect', 'find-text', 'find-text-candidates', 'resolve-text', 'resolve-candidate', 'overlay'].map(
        (name) => ['POST', `/api/sdk/ocr/${name}`] as const,
      ),
      ...['locate', 'locate-all', 'describe', 'overlay'].map((name) => ['POST', `/api/sdk/vision/${name}`] as const),
      ...['models', 'tool-schemas', 'tool-capabilities/wait', 'system-prompt'].map(
        (name) => ['GET', `/api/sdk/${name}`] as const,
      ),
      ['POST', '/api/sdk/prompt-preview'],
      ['POST', '/api/sdk/query-plan'],
    ]
    for (const [method, path] of routes) {
      const answer = await fetch(url + path, { method, ...(method === 'POST' && { body: '{}' }) })
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        401,
        { detail: 'Missing install bearer token' },
      ])
    }
  })
})

describe('artifacts', () => {
  it('[I-H09] [I-H10] [I-A49] [I-A50] are kept as they came, and fetched by their owner', async () => {
    const { upload, url, asAda, asBen, get } = await hosted()
    const bytes = new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3])
    const [status, artifact] = await upload(bytes, 'image/jpeg', asAda)
    expect([status, artifact]).toEqual([
      200,
      {
        artifact_id: expect.stringMatching(/^[0-9a-f-]{36}\.jpg$/),
        content_type: 'image/jpeg',
        size_bytes: 6,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        url: `${url}/api/artifacts/${artifact.artifact_id}`,
      },
    ])
    const fetched = await fetch(String(artifact.url), { headers: asAda })
    expect([fetched.status, fetched.headers.get('content-type'), new Uint8Array(await fetched.arrayBuffer())]).toEqual([
      200,
      'image/jpeg',
      bytes,
    ])
    expect((await get(`/api/artifacts/${artifact.artifact_id}`, asBen))[0]).toBe(404)
  })

  it('[I-H09] may be of any type, which their name shows', async () => {
    const { upload } = await startWindieos()
    for (const [type, extension] of [
      ['application/pdf', '.pdf'],
      ['image/png', '.png'],
      ['text/plain', '.txt'],
      ['application/x-thing', '.bin'],
    ] as const) {
      const [status, { artifact_id, content_type }] = await upload(new Uint8Array([1]), type)
      expect([status, String(artifact_id).slice(36), content_type]).toEqual([200, extension, type])
    }
  })

  it('[I-L14] [I-X413] have a maximum size to the byte, and too large ones leave no file', async () => {
    const { upload, dataFolder } = await startWindieos({ maxArtifactBytes: 1000 })
    expect((await upload(new Uint8Array(1000)))[0]).toBe(200)
    expect(await upload(new Uint8Array(1001))).toEqual([413, { detail: 'the file is larger than this server accepts' }])
    expect((await upload(new Uint8Array(200_000)))[0]).toBe(413)
    expect(readdirSync(join(dataFolder, 'artifacts'))).toHaveLength(1)
  })

  it('[I-X422] need a form with a file, in a type that is spelled right', async () => {
    const { url, post, upload } = await startWindieos()
    const form = new FormData()
    form.append('other', 'x')
    const answer = await fetch(`${url}/api/artifacts/`, { method: 'POST', body: form })
    expect([
      answer.status,
      (await post('/api/artifacts', {}))[0],
      (await upload(new Uint8Array(1), 'image/jpg'))[0],
    ]).toEqual([422, 422, 422])
  })

  it('[I-H09] are found in a form after other files', async () => {
    const { url } = await startWindieos()
    const form = new FormData()
    form.append('thumbnail', new Blob(['small']), 'small.txt')
    form.append('file', new Blob(['large'], { type: 'text/plain' }), 'large.txt')
    const answer = await fetch(`${url}/api/artifacts/`, { method: 'POST', body: form })
    expect([answer.status, await answer.json()]).toMatchObject([200, { content_type: 'text/plain', size_bytes: 5 }])
  })

  it('[I-L14] have at most 25 MB by default', async () => {
    const { upload } = await startWindieos()
    const most = 25 * 1024 * 1024
    expect([(await upload(new Uint8Array(most)))[0], (await upload(new Uint8Array(most + 1)))[0]]).toEqual([200, 413])
  })

  it('[I-X404] are not found once their file is gone', async () => {
    const { upload, get, post, dataFolder } = await startWindieos({
      perception: { ocr: { name: 'none', read: async () => [] } },
    })
    const [, { artifact_id }] = await upload(new Uint8Array([1]))
    rmSync(join(dataFolder, 'artifacts', String(artifact_id)))
    const missing = [404, { detail: `there is no artifact "${artifact_id}"` }]
    expect(await get(`/api/artifacts/${artifact_id}`)).toEqual(missing)
    expect(await post('/api/sdk/ocr/run', { image: { artifact_id } })).toEqual(missing)
  })

  it.each(['..%2f..%2fetc%2fpasswd', '%2e%2e', 'no.png', 'a%00b'])('[I-X404] are not found as %s', async (id) => {
    const { get } = await startWindieos()
    expect((await get(`/api/artifacts/${id}`))[0]).toBe(404)
  })
})

describe('pages', () => {
  it('of this machine may call with any headers, and others may not', async () => {
    const { url } = await startWindieos()
    const from = async (origin: string) => {
      const headers = { origin, 'access-control-request-headers': 'content-type, x-windie-runs-key' }
      const answer = await fetch(`${url}/api/runs/`, { method: 'OPTIONS', headers })
      const received = ['access-control-allow-origin', 'access-control-allow-headers', 'access-control-allow-methods']
      return [answer.status, ...received.map((name) => answer.headers.get(name))]
    }
    expect(await from('http://localhost:5173')).toEqual([
      204,
      'http://localhost:5173',
      'content-type, x-windie-runs-key',
      'GET, POST, PATCH, DELETE',
    ])
    expect(await from('https://attacker.example')).toEqual([403, null, null, null])
  })
})

describe('embeddings', () => {
  const SPACE = {
    provider_id: 'local-hashed-ngram',
    model_id: 'hashed-ngram-v1',
    model_name: 'hashed-ngram-v1',
    dimension: 384,
    embedding_space_version: 'local-hashed-ngram:hashed-ngram-v1:384',
  }

  it('[I-H02] [I-H03] are given with the name of their space', async () => {
    const { post, get } = await startWindieos()
    const [status, { embedding, ...space }] = await post('/api/embeddings/', { text: 'hello', model_name: 'default' })
    expect([status, (embedding as number[]).length, space]).toEqual([200, 384, SPACE])
    expect(await get('/api/embeddings/health')).toEqual([200, { status: 'healthy', ...SPACE }])
  })

  it('[I-L05] [I-L06] take 8192 characters and a model name of 128', async () => {
    const { post } = await startWindieos()
    const statusOf = async (text: number, name: number) =>
      (await post('/api/embeddings', { text: 'x'.repeat(text), model_name: 'm'.repeat(name) }))[0]
    expect([await statusOf(8192, 128), await statusOf(8193, 128), await statusOf(8192, 129)]).toEqual([200, 422, 422])
    expect([await statusOf(0, 0), (await post('/api/embeddings', { model_name: 'm' }))[0]]).toEqual([200, 422])
  })

  it('[I-E10] [I-X503] are 503 when their provider does not serve', async () => {
    const { post, logged } = await startWindieos({
      embedder: {
        ...ngramEmbedder,
        embed: () => Promise.reject(new Fault('PlatformUnsupported', 'the provider cannot be reached')),
      },
    })
    expect(await post('/api/embeddings', { text: 'x' })).toEqual([503, { detail: 'the provider cannot be reached' }])
    expect(logged).toEqual(['EMBEDDING_ERROR'])
  })
})

describe('the embedding service', () => {
  async function service(key: string | undefined) {
    let nowMs = 0
    const server = await embeddingService({ embedder: ngramEmbedder, key, nowMs: () => ++nowMs }).listen({ port: 0 })
    onCleanup(server.close)
    const embed = async (body: unknown, given = 'k3y'): Promise<[number, JsonBody]> => {
      const headers = { 'x-windie-embedding-key': given }
      const answer = await fetch(`${server.url}/embed`, { method: 'POST', headers, body: JSON.stringify(body) })
      return [answer.status, (await answer.json()) as JsonBody]
    }
    return { server, embed }
  }

  it('[I-H04] [I-H05] [I-A34] embeds several texts and reports the duration', async () => {
    const { server, embed } = await service('k3y')
    const [status, { embeddings, ...more }] = await embed({ texts: ['a', 'b'] })
    expect([status, (embeddings as unknown[]).length, more]).toEqual([
      200,
      2,
      {
        provider_id: 'embedding-service',
        model_id: 'hashed-ngram-v1',
        model_name: 'hashed-ngram-v1',
        dimension: 384,
        embedding_space_version: 'embedding-service:hashed-ngram-v1:384',
        queue_wait_ms: 1,
        service_time_ms: 1,
      },
    ])
    expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ status: 'healthy', dimension: 384 })
  })

  it('[I-H05] is disabled without a key, and rejects wrong keys', async () => {
    const [open, closed] = [await service('k3y'), await service(undefined)]
    expect([(await open.embed({ texts: ['a'] }, 'wrong'))[0], (await closed.embed({ texts: ['a'] }))[0]]).toEqual([
      401, 503,
    ])
  })

  it('[I-L05] [I-L06] accepts 8192 characters per text and 128 per model name', async () => {
    const { embed } = await service('k3y')
    const statusOf = async (text: number, name: number) =>
      (await embed({ texts: ['x'.repeat(text)], model_name: 'm'.repeat(name) }))[0]
    expect([await statusOf(8192, 128), await statusOf(8193, 128), await statusOf(8192, 129)]).toEqual([200, 422, 422])
  })

  it('[I-L07] [I-L08] accepts 1 to 256 texts with 65,536 characters', async () => {
    const { embed } = await service('k3y')
    const statusOf = async (count: number, length: number) =>
      (await embed({ texts: Array.from({ length: count }, () => 'x'.repeat(length)) }))[0]
    expect([
      await statusOf(0, 1),
      await statusOf(1, 1),
      await statusOf(256, 1),
      await statusOf(257, 1),
      await statusOf(8, 8192),
      (await embed({ texts: [...Array.from({ length: 8 }, () => 'x'.repeat(8192)), 'x'] }))[0],
    ]).toEqual([422, 200, 200, 422, 200, 422])
  })
})

describe('semantic memory', () => {
  it('[I-H06] [I-H08] summarizes conversations, with statements of people about themselves', async () => {
    const { post, get } = await startWindieos()
    const conversations = [
      'User: I like green tea. What is the weather?\nAssistant: It is sunny.',
      'User: Open the report.',
    ]
    expect(await post('/api/semantic/summarize', { conversations, user_id: 'u' })).toEqual([
      200,
      {
        summary: 'I like green tea. Open the report.',
        facts: ['I like green tea.'],
        success: true,
      },
    ])
    expect(await get('/api/semantic/health')).toEqual([
      200,
      { status: 'healthy', message: 'Semantic summarization service ready' },
    ])
  })

  it('[I-H07] titles a conversation after its question', async () => {
    const { post } = await startWindieos()
    const titleOf = async (user_message: string, assistant_message = '') =>
      (await post('/api/semantic/title', { user_id: 'u', user_message, assistant_message }))[1].title
    expect([
      await titleOf('Could you please open the quarterly report and send it to Ada by tomorrow morning?'),
      await titleOf('', 'It is sunny.'),
      await titleOf('', ''),
    ]).toEqual(['Open the quarterly report and send it', 'It is sunny', 'New conversation'])
  })

  it('[I-L09] [I-L10] [I-L11] [I-A33] accepts 100 conversations and titles of 32 KiB each from a named user', async () => {
    const { post } = await startWindieos()
    const KIB32 = 32 * 1024
    const summarize = async (count: number, bytes: number, user_id = 'u') =>
      (
        await post('/api/semantic/summarize', {
          user_id,
          // Two bytes each, and the last one if need be.
          conversations: Array.from({ length: count }, () => 'é'.repeat(bytes / 2) + 'x'.repeat(bytes % 2)),
        })
      )[0]
    const title = async (asked: number, answered: number, user_id = 'u') =>
      (
        await post('/api/semantic/title', {
          user_id,
          user_message: 'x'.repeat(asked),
          assistant_message: 'x'.repeat(answered),
        })
      )[0]
    expect([
      await summarize(100, 2),
      await summarize(101, 2),
      await summarize(1, KIB32),
      await summarize(1, KIB32 + 1),
    ]).toEqual([200, 422, 200, 422])
    expect([await title(KIB32, KIB32), await title(KIB32 + 1, 1), await title(1, KIB32 + 1)]).toEqual([200, 422, 422])
    expect([await summarize(1, 2, 'default_user'), await title(1, 1, 'default_user')]).toEqual([422, 422])
  })

  it('[I-X403] [I-A25] is refused to other users', async () => {
    const { post, get, ada, asAda, asBen } = await hosted()
    const asked = { conversations: [], user_id: ada.user_id }
    expect([
      (await post('/api/semantic/summarize', asked, asAda))[0],
      (await post('/api/semantic/summarize', asked, asBen))[0],
      (await get(`/api/sdk/models?user_id=${ada.user_id}`, asAda))[0],
      (await get(`/api/sdk/models?user_id=${ada.user_id}`, asBen))[0],
      (await post('/api/sdk/prompt-preview', { user_id: ada.user_id }, asBen))[0],
    ]).toEqual([200, 403, 200, 403, 403])
  })
})

const CONFIG = {
  model_mode: 'online',
  model_provider: 'openai',
  selected_model_id: 'gpt-5.4@@gpt-5-4-none-thinking',
  interaction_mode: 'agent',
}

describe('introspection', () => {
  it('[I-H22] lists the models, with current or requested settings', async () => {
    const { get, client } = await startWindieos()
    const [status, { config, models }] = await get('/api/sdk/models?model_id=other&interaction_mode=chat')
    expect([status, config, (models as JsonBody[]).map(({ provider }) => provider)]).toEqual([
      200,
      { ...CONFIG, selected_model_id: 'other', interaction_mode: 'chat' },
      ['ollama', 'openai', 'openai', 'anthropic', 'huggingface-local'],
    ])
    const { sendMessage, reply } = await client({ user: 'ada' })
    await reply(sendMessage('update-settings', { interaction_mode: 'chat' }))
    expect((await get('/api/sdk/models?user_id=ada'))[1].config).toEqual({ ...CONFIG, interaction_mode: 'chat' })
  })

  it('[I-H23] [I-A16] [I-A14] lists the tools before and after they are narrowed, flat', async () => {
    const { get } = await startWindieos()
    const [, { config, canonical_tool_schemas, provider_tool_schemas }] = await get(
      '/api/sdk/tool-schemas?interaction_mode=chat',
    )
    const names = (schemas: unknown) => (schemas as JsonBody[]).map(({ name }) => name)
    expect(config).toEqual({ ...CONFIG, interaction_mode: 'chat' })
    expect(names(canonical_tool_schemas)).toContain('mouse_control')
    expect(names(provider_tool_schemas)).toEqual(['web_search', 'run_command', 'broken_tool'])
    expect((canonical_tool_schemas as JsonBody[])[0]).toEqual({
      type: 'function',
      name: 'web_search',
      description: 'Search the web.',
      parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    })
  })

  it('[I-H24] [I-X404] describes a tool, and answers 404 for an unknown one', async () => {
    const { get } = await startWindieos()
    const [status, { capability, provider_tool_schema }] = await get('/api/sdk/tool-capabilities/mouse_control')
    expect([status, capability, (provider_tool_schema as JsonBody).name]).toEqual([
      200,
      {
        name: 'mouse_control',
        description: 'Move the pointer, click, or drag.',
        execution_target: 'local_runtime',
        computer_use: true,
        enabled: true,
      },
      'mouse_control',
    ])
    expect((await get('/api/sdk/tool-capabilities/mouse_control?interaction_mode=chat'))[1]).not.toHaveProperty(
      'provider_tool_schema',
    )
    expect(await get('/api/sdk/tool-capabilities/dance')).toEqual([404, { detail: 'there is no tool "dance"' }])
  })

  it('[I-H25] returns the system prompt', async () => {
    const { get } = await startWindieos()
    const [status, { config, system_prompt }] = await get('/api/sdk/system-prompt')
    expect([status, config, typeof system_prompt]).toEqual([200, CONFIG, 'string'])
    expect((await get('/api/sdk/system-prompt?nonsense=1'))[0]).toBe(422)
  })

  const content =
    '<system_context><active_window>Terminal</active_window></system_context>\n<user_query>open file</user_query>'
  const asked = {
    interaction_mode: 'agent',
    include_tools: true,
    workspace_path: '/absolute/workspace/path',
    user_query_raw: 'open file',
    messages: [{ role: 'user', content }],
  }
  const FULL = {
    content,
    metadata: {
      original_query: 'open file',
      context_type: 'initial',
      injected_context: '<system_context><active_window>Terminal</active_window></system_context>',
      active_window: 'Terminal',
    },
  }

  it('[I-H26] previews a prompt, and counts its tokens', async () => {
    const { post } = await startWindieos()
    const [status, preview] = await post('/api/sdk/prompt-preview', asked)
    expect(status).toBe(200)
    expect(preview).toEqual({
      config: CONFIG,
      system_prompt: expect.stringContaining('/absolute/workspace/path'),
      prompt_messages: [{ role: 'user', content }],
      canonical_tool_schemas: expect.arrayContaining([expect.objectContaining({ name: 'read_file' })]),
      provider_tool_schemas: expect.any(Array),
      user_message_full: FULL,
      prompt_token_count: expect.any(Number),
      token_count_error: null,
    })
    const [, bare] = await post('/api/sdk/prompt-preview', { include_tools: false })
    expect(bare).toMatchObject({ prompt_messages: [], canonical_tool_schemas: [], user_message_full: null })
    expect(Number(preview.prompt_token_count)).toBeGreaterThan(Number(bare.prompt_token_count))
    const [, signed] = await post('/api/sdk/prompt-preview', { user_query_raw: 'what is <|endoftext|>?' })
    expect(signed).toMatchObject({ prompt_token_count: expect.any(Number), token_count_error: null })
  })

  it('[I-H27] [I-A26] plans a query without asking it', async () => {
    const { post } = await startWindieos()
    const [status, plan] = await post('/api/sdk/query-plan', { ...asked, conversation_ref: 'conv_sdk' })
    expect(status).toBe(200)
    expect(plan.query_message).toEqual({
      type: 'query',
      payload: { text: 'open file', conversation_ref: 'conv_sdk', workspace_path: '/absolute/workspace/path' },
    })
    expect(plan.transparency_events).toEqual([
      { type: 'system-prompt', payload: { content: plan.system_prompt } },
      { type: 'user-message-full', payload: FULL },
      { type: 'tool-schemas', payload: { tool_schemas: plan.provider_tool_schemas } },
    ])
  })

  it('[I-H26] reports the reason if the tokens cannot be counted', async () => {
    const { post } = await startWindieos({
      countTokens: () => {
        throw new Error('no table')
      },
    })
    const [, { prompt_token_count, token_count_error }] = await post('/api/sdk/prompt-preview', {})
    expect([prompt_token_count, token_count_error]).toEqual([null, 'the tokens could not be counted'])
  })

  it('[I-X422] [I-X404] answers invalid requests with a list, and missing items with a sentence', async () => {
    const { post, get } = await startWindieos()
    expect(await post('/api/sdk/prompt-preview', { interaction_mode: 'dance', colour: 'red' })).toEqual([
      422,
      {
        detail: [
          { loc: ['body', 'interaction_mode'], msg: expect.any(String), type: expect.any(String) },
          { loc: ['body'], msg: expect.stringContaining('colour'), type: 'unrecognized_keys' },
        ],
      },
    ])
    expect(await post('/api/sdk/prompt-preview', '{')).toEqual([422, { detail: 'the body is not valid JSON' }])
    expect(await get('/api/nothing')).toEqual([404, { detail: 'Not Found' }])
  })
})
