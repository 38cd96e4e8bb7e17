import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { localEmbedder, ngramEmbedder, openaiEmbedder, serviceEmbedder, type Transformers } from './embedders.ts'
import { openEmbedder } from './open-perception.ts'

// Rules such as [PC21] are stated in SPEC.md beside this file.

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** An endpoint with a fixed response, and its received requests. */
async function provider(answer: unknown, status = 200) {
  const asked: { path: string | undefined; headers: Record<string, unknown>; body: unknown }[] = []
  server = createServer(async (request, reply) => {
    let body = ''
    for await (const piece of request) body += piece
    asked.push({ path: request.url, headers: request.headers, body: JSON.parse(body) })
    reply.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

/** An endpoint that accepts every request and never responds. */
async function silent() {
  server = createServer(() => {})
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const nearness = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, part, index) => sum + part * other[index]!, 0)

it('[PC21] returns the same vector of 384 numbers and length 1 for the same text', async () => {
  const texts = ['open the invoice', '', '…', 'ÄÖÜ']
  const [first, again] = [await ngramEmbedder.embed(texts), await ngramEmbedder.embed(texts)]
  expect(again).toEqual(first)
  expect(first.map((vector) => [vector.length, Math.round(Math.hypot(...vector) * 1e9) / 1e9])).toEqual(
    texts.map(() => [384, 1]),
  )
})

it('[PC21] places similar texts nearer to each other than others', async () => {
  const [invoice, invoices, weather] = await ngramEmbedder.embed([
    'please open the invoice from March',
    'open invoices of last March',
    'the weather in Lisbon is sunny',
  ])
  expect(nearness(invoice!, invoices!)).toBeGreaterThan(0.4)
  expect(nearness(invoice!, weather!)).toBeLessThan(0.25)
})

it('[PC22] requests an OpenAI-compatible endpoint and orders its vectors', async () => {
  const { asked, baseUrl } = await provider({
    data: [
      { index: 1, embedding: [0, 2] },
      { index: 0, embedding: [3, 4] },
    ],
  })
  const embedder = openaiEmbedder({ baseUrl, key: 'k3y', model: 'm', dimension: 2 })
  expect(await embedder.embed(['a', 'b'])).toEqual([
    [0.6, 0.8],
    [0, 1],
  ])
  expect([asked[0]!.path, asked[0]!.headers.authorization, asked[0]!.body]).toEqual([
    '/embeddings',
    'Bearer k3y',
    { model: 'm', input: ['a', 'b'] },
  ])
})

it('[PC22] requests the internal service with its key', async () => {
  const { asked, baseUrl } = await provider({ embeddings: [[1, 0]] })
  const embedder = serviceEmbedder({ baseUrl, key: 'k3y', model: 'm', dimension: 2 })
  expect(await embedder.embed(['a'])).toEqual([[1, 0]])
  expect([asked[0]!.path, asked[0]!.headers['x-windie-embedding-key'], asked[0]!.body]).toEqual([
    '/embed',
    'k3y',
    { texts: ['a'] },
  ])
})

const MAKERS = { 'an OpenAI-compatible endpoint': openaiEmbedder, 'the internal service': serviceEmbedder }

describe.each(Object.entries(MAKERS))('%s', (_name, make) => {
  /** The error of an embedder, which never contains the key. */
  async function failure(baseUrl: string, timeoutMs?: number) {
    const embedder = make({ baseUrl, key: 'k3y', model: 'm', dimension: 2, ...(timeoutMs && { timeoutMs }) })
    const error = await embedder.embed(['a']).catch((thrown) => thrown)
    expect(JSON.stringify([error.message, error.context])).not.toContain('k3y')
    return [error.code, error.message]
  }
  const unsupported = (what: string) => ['PlatformUnsupported', `the embedding provider ${what}`]

  it.each([
    ['a server error', {}, 500, 'answered 500'],
    ['a wrong key', { error: 'k3y is not a key' }, 401, 'answered 401'],
    ['a redirect', {}, 302, 'answered 302'],
    ['text that is not JSON', '<html>', 200, 'answered something else'],
    ['too few vectors', { embeddings: [], data: [] }, 200, 'must give 1 vectors of 2 numbers'],
    [
      'vectors of another dimension',
      { embeddings: [[1, 2, 3]], data: [{ index: 0, embedding: [1, 2, 3] }] },
      200,
      'must give 1 vectors of 2 numbers',
    ],
  ])('[PC22] is unsupported with %s', async (_what, answer, status, message) => {
    const { baseUrl } = await provider(answer, status)
    expect(await failure(baseUrl)).toEqual(unsupported(message))
  })

  it('[PC22] is unsupported when it is unreachable or does not respond in time', async () => {
    const { baseUrl } = await silent()
    expect(await failure(baseUrl, 50)).toEqual(unsupported('cannot be reached'))
    expect(await failure('http://127.0.0.1:9/')).toEqual(unsupported('cannot be reached'))
  })
})

/** A stand-in for the package: a model whose numbers are the lengths of the words. */
function transformers(known = 'tiny'): Transformers & { readonly opened: string[] } {
  const opened: string[] = []
  return {
    opened,
    env: { allowRemoteModels: true, localModelPath: '' },
    async pipeline(task, model) {
      opened.push(`${task} ${model}`)
      if (model !== known) throw new Error(`no model.onnx in ${model}\nand a long story`)
      return async (texts) => ({ tolist: () => texts.map((text) => [text.length, 0, 1]) })
    },
  }
}

const local = (library: Transformers, more: object = {}) =>
  localEmbedder({ folder: '/models', model: 'tiny', dimension: 3, load: async () => library, ...more })

describe('the local embedder', () => {
  it('[PC23] opens the model once, below its folder only', async () => {
    const library = transformers()
    const embedder = local(library)
    expect(await Promise.all([embedder.embed(['a', 'bcd']), embedder.embed(['ef'])])).toEqual([
      [
        [1, 0, 1],
        [3, 0, 1],
      ],
      [[2, 0, 1]],
    ])
    expect(library.env).toEqual({ allowRemoteModels: false, localModelPath: '/models' })
    expect(library.opened).toEqual(['feature-extraction tiny'])
  })

  it('[PC23] reports a missing file, and retries', async () => {
    const library = transformers('other')
    const embedder = local(library)
    const failed = { code: 'PlatformUnsupported', message: 'the model tiny cannot be opened: no model.onnx in tiny' }
    await expect(embedder.embed(['a'])).rejects.toMatchObject(failed)
    await expect(embedder.embed(['a'])).rejects.toMatchObject(failed)
    expect(library.opened).toHaveLength(2)
    await expect(local(transformers(), { dimension: 4 }).embed(['a'])).rejects.toMatchObject({
      message: 'tiny gives 3 numbers, not 4',
    })
  })

  it('[PC23] reports the install command when the package is missing', async () => {
    const environment = { WINDIEOS_EMBEDDING_MODEL: 'tiny', WINDIEOS_EMBEDDING_MODELS: '/models' }
    expect(openEmbedder(environment)).toMatchObject({ provider: 'transformers', model: 'tiny', dimension: 384 })
    const load = async () => createRequire('/nowhere/program.js')('@huggingface/transformers')
    await expect(local(transformers(), { load }).embed(['a'])).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message:
        'the local embedding model needs the optional package @huggingface/transformers; run: npm install @huggingface/transformers@3',
    })
  })
})
