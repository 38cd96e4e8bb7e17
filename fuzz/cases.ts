import { generateSync, type JsonSchema } from 'json-schema-faker'
import type { FrameChannel, RestOperation } from './documents.ts'
import { createFuzzRandom, type FuzzRandom } from './fuzz-random.ts'
import { garbage, mutateValue, nastyText } from './mutate.ts'

/** A request that is sent once. */
export interface HttpCase {
  readonly operation: RestOperation
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A frame that is sent once. */
export interface FrameCase {
  readonly channel: FrameChannel
  readonly data: string
  readonly binary: boolean
}

/** The ids of existing objects, by the name of the protocol. */
export type KnownIds = Readonly<Record<string, string>>

const TYPES = [
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  '',
]
const GAMES: readonly Readonly<Record<string, string>>[] = [
  { origin: 'http://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost:3000' },
  { 'sec-fetch-site': 'cross-site' },
  { host: 'evil.example' },
  { host: '' },
  { authorization: `Bearer ${'x'.repeat(4000)}` },
  { 'last-event-id': '99999999999999999999' },
  { 'last-event-id': '-1' },
  { accept: 'text/event-stream' },
  { 'accept-encoding': 'gzip;q=0, *;q=nan' },
  { 'content-encoding': 'gzip' },
  { 'x-forwarded-host': 'evil.example', 'x-http-method-override': 'DELETE' },
  { cookie: 'a='.repeat(1500) },
  { range: 'bytes=0-0,1-1,-1' },
  { expect: '100-continue' },
  { 'if-none-match': '*' },
]

/** The request for a seed and number. */
export function httpCase(seed: number, index: number, operations: readonly RestOperation[], ids: KnownIds): HttpCase {
  const chance = createFuzzRandom(seed, `http ${index}`)
  const operation = chance.pick(operations)
  const method = chance.happens(0.05)
    ? chance.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])
    : operation.method
  const path = operation.path.replace(/\{\w+\}/g, () => pathPart(operation, chance, ids))
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && chance.happens(0.6))
    .map(
      ({ name, schema }) =>
        `${name}=${encoded(chance.happens(0.5) ? sample(schema ?? {}, chance) : nastyText(chance))}`,
    )
  if (chance.happens(0.05)) query.push(`${encoded(nastyText(chance))}=${encoded(nastyText(chance))}`)
  const body = ['GET', 'HEAD'].includes(method) ? undefined : bodyFor(operation.body, chance)
  return {
    operation,
    method,
    // A request head is limited to 16 KiB.
    url: `${path}${query.length > 0 ? `?${query.join('&')}` : ''}`.slice(0, 14_000).replace(/%.?$/, ''),
    headers: {
      ...(body !== undefined && { 'content-type': chance.happens(0.9) ? 'application/json' : chance.pick(TYPES) }),
      ...(chance.happens(0.1) && chance.pick(GAMES)),
    },
    body,
  }
}

/** The frame for a seed and number. */
export function frameCase(seed: number, index: number, channels: readonly FrameChannel[]): FrameCase {
  const chance = createFuzzRandom(seed, `frame ${index}`)
  const channel = chance.pick(channels)
  const data = bodyFor(chance.pick(channel.payloads), chance) ?? ''
  return { channel, data, binary: chance.happens(0.05) }
}

function pathPart({ protocol }: RestOperation, chance: FuzzRandom, ids: KnownIds): string {
  if (chance.happens(0.7)) return encodeURIComponent(ids[protocol] ?? 'default')
  return chance.pick([
    '%00',
    '%zz',
    '..',
    '%2e%2e',
    '__proto__',
    'constructor',
    '0',
    encoded(nastyText(chance).slice(0, 400)),
  ])
}

/** Encodes a text for a URL, which cannot contain lone surrogates. */
const encoded = (value: unknown): string => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return encodeURIComponent(Buffer.from(text).subarray(0, 3000).toString())
}

function bodyFor(schema: Readonly<Record<string, unknown>> | undefined, chance: FuzzRandom): string | undefined {
  if (chance.happens(0.08)) return garbage(chance)
  if (schema === undefined) return chance.happens(0.5) ? undefined : '{}'
  let value: unknown = sample(schema, chance)
  for (let rounds = chance.pick([0, 0, 1, 1, 1, 2, 3]); rounds > 0; rounds--) value = mutateValue(value, chance)
  return JSON.stringify(value) ?? ''
}

function sample(schema: Readonly<Record<string, unknown>>, chance: FuzzRandom): unknown {
  const options = {
    seed: chance.int(1, 2 ** 31 - 1),
    optionalsProbability: chance.pick([0, 0.3, 1]),
    maxDefaultItems: 3,
  }
  return generateSync(schema as JsonSchema, options)
}
