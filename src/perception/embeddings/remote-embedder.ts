import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { Embedder } from '../perception.ts'

const TIMEOUT_MS = 30_000

/** The settings of a remote provider of embeddings. */
export interface EmbeddingProvider {
  readonly baseUrl: string
  readonly key: string | undefined
  readonly model: string
  readonly dimension: number
  /** The provider is unavailable when it takes longer. */
  readonly timeoutMs?: number
}

/** An OpenAI-compatible endpoint: `POST {base}/embeddings`. */
export function openaiEmbedder({
  baseUrl,
  key,
  dimension,
  model,
  timeoutMs = TIMEOUT_MS,
}: EmbeddingProvider): Embedder {
  const Reply = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })) })
  return {
    provider: 'openai',
    model,
    dimension,
    async embed(texts) {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const request = { url: `${trimmed(baseUrl)}/embeddings`, headers, body: { model, input: texts }, timeoutMs }
      const { data } = await ask(request, Reply)
      return checked(
        data.toSorted((one, other) => one.index - other.index).map(({ embedding }) => embedding),
        texts,
        dimension,
      )
    },
  }
}

/** The internal embedding service: `POST {base}/embed` with its key (WindieOS document, "Embedding service"). */
export function serviceEmbedder({
  baseUrl,
  key,
  dimension,
  model,
  timeoutMs = TIMEOUT_MS,
}: EmbeddingProvider): Embedder {
  const Reply = z.object({ embeddings: z.array(z.array(z.number())) })
  return {
    provider: 'embedding-service',
    model,
    dimension,
    async embed(texts) {
      const headers = key === undefined ? {} : { 'x-windie-embedding-key': key }
      const { embeddings } = await ask({ url: `${trimmed(baseUrl)}/embed`, headers, body: { texts }, timeoutMs }, Reply)
      return checked(embeddings, texts, dimension)
    },
  }
}

const trimmed = (url: string): string => url.replace(/\/+$/, '')

interface Asked {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
  readonly timeoutMs: number
}

async function ask<T>({ url, headers, body, timeoutMs }: Asked, reply: z.ZodType<T>): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }).catch(() => undefined)
  if (!answer?.ok) {
    await answer?.body?.cancel()
    throw new Fault(
      'PlatformUnsupported',
      `the embedding provider ${answer ? `answered ${answer.status}` : 'cannot be reached'}`,
    )
  }
  const read = reply.safeParse(await answer.json().catch(() => undefined))
  if (!read.success) throw new Fault('PlatformUnsupported', 'the embedding provider answered something else')
  return read.data
}

/** Normalises vectors to length 1. Throws `PlatformUnsupported` for an invalid response. */
function checked(
  vectors: readonly (readonly number[])[],
  texts: readonly string[],
  dimension: number,
): readonly (readonly number[])[] {
  if (vectors.length !== texts.length || vectors.some(({ length }) => length !== dimension))
    throw new Fault(
      'PlatformUnsupported',
      `the embedding provider must give ${texts.length} vectors of ${dimension} numbers`,
    )
  return vectors.map((vector) => {
    const norm = Math.hypot(...vector) || 1
    return vector.map((part) => part / norm)
  })
}
