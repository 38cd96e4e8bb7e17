import * as z from 'zod'
import { Fault } from '../base/fault.ts'
import { loadOptional } from '../base/optional.ts'
import type { Embedder } from './perception.ts'

const DIMENSION = 384
const WORD_WEIGHT = 2
const GRAM_WEIGHT = 1
const GRAM_LENGTHS = [3, 4] as const

/**
 * An embedder without a model. Each word and each run of three or four letters has its own direction, and a text is the
 * sum of its parts. Texts that share words or parts of words are near each other.
 */
export const ngramEmbedder: Embedder = {
  provider: 'local-hashed-ngram',
  model: 'hashed-ngram-v1',
  dimension: DIMENSION,
  embed: async (texts) => texts.map(embedded),
}

function embedded(text: string): readonly number[] {
  const vector = new Float64Array(DIMENSION)
  const words =
    text
      .toLowerCase()
      .normalize('NFKC')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  for (const word of words) {
    add(vector, `w:${word}`, WORD_WEIGHT)
    const framed = `<${word}>`
    for (const length of GRAM_LENGTHS)
      for (let at = 0; at + length <= framed.length; at++) add(vector, framed.slice(at, at + length), GRAM_WEIGHT)
  }
  // A text without words still needs a vector.
  if (words.length === 0) add(vector, `t:${text}`, 1)
  const norm = Math.hypot(...vector)
  return Array.from(vector, (part) => part / norm)
}

/** Adds a part in two dimensions, which two independent digits of its hash select, each with a sign. */
function add(vector: Float64Array, piece: string, weight: number): void {
  const hash = fnv(piece)
  const other = Math.imul(hash ^ 0x9e3779b9, 0x85ebca6b) >>> 0
  for (const number of [hash, other]) vector[(number >>> 1) % DIMENSION]! += number & 1 ? weight : -weight
}

/** FNV-1a, 32 bits. */
function fnv(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** The part of `@huggingface/transformers` that is used. */
export interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string }
  pipeline(task: 'feature-extraction', model: string): Promise<Extractor>
}

type Extractor = (
  texts: readonly string[],
  options: { readonly pooling: 'mean'; readonly normalize: true },
) => Promise<{ tolist(): number[][] }>

export interface LocalModel {
  /** The folder that contains the folder of the model. Nothing is downloaded. */
  readonly folder: string
  /** The name of that folder, such as `Xenova/all-MiniLM-L6-v2`. */
  readonly model: string
  readonly dimension: number
  readonly load?: () => Promise<Transformers>
}

const PACKAGE = '@huggingface/transformers'

/** A model that runs in this process with the optional package `@huggingface/transformers`. */
export function localEmbedder({ folder, model, dimension, load = loadPackage }: LocalModel): Embedder {
  let extractor: Promise<Extractor> | undefined
  const open = async () => {
    const transformers = await loadOptional('embeddings', load)
    transformers.env.allowRemoteModels = false
    transformers.env.localModelPath = folder
    return transformers.pipeline('feature-extraction', model).catch((error: Error) => {
      throw new Fault('PlatformUnsupported', `the model ${model} cannot be opened: ${firstLine(error.message)}`)
    })
  }
  return {
    provider: 'transformers',
    model,
    dimension,
    async embed(texts) {
      extractor ??= open().catch((thrown) => {
        extractor = undefined
        throw thrown
      })
      const run = await extractor
      const vectors = (await run(texts, { pooling: 'mean', normalize: true })).tolist()
      const [first] = vectors
      if (first && first.length !== dimension)
        throw new Fault('PlatformUnsupported', `${model} gives ${first.length} numbers, not ${dimension}`)
      return vectors
    },
  }
}

const loadPackage = (): Promise<Transformers> => import(PACKAGE)

const firstLine = (text: string): string => text.split('\n')[0]!

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
