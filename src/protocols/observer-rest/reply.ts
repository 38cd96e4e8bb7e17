import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { type JsonChunk, toJsonChunks } from '../../observer/json/json.ts'
import type { HttpReply } from './translate.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Longer strings are converted to bytes once, because Node would measure and copy them several times. */
const MAX_STRING_LENGTH = 16_384

/** A reply in its wire form. */
export interface SerializedReply {
  readonly status: number
  readonly json: readonly JsonChunk[]
}

/** Serializes a reply. */
export const serialize = ({ status, body, cached }: HttpReply): SerializedReply => ({
  status,
  json: toJsonChunks(body, cached).map(toBytesIfLong),
})

const toBytesIfLong = (piece: JsonChunk): JsonChunk =>
  typeof piece === 'string' && piece.length > MAX_STRING_LENGTH ? Buffer.from(piece) : piece

/** Serializes and sends a reply. */
export const sendReply = (reply: FastifyReply, answer: HttpReply): FastifyReply =>
  sendSerialized(reply, serialize(answer))

/** Sends all chunks in one system call without copying them. Fastify would need them as one string or Buffer. */
export function sendSerialized(reply: FastifyReply, { status, json }: SerializedReply): FastifyReply {
  reply.hijack()
  const headers = reply.getHeaders() as OutgoingHttpHeaders
  let length = 0
  for (const piece of json) length += Buffer.byteLength(piece)
  headers['content-type'] = JSON_TYPE
  headers['content-length'] = length
  const { raw } = reply
  raw.writeHead(status, headers)
  raw.cork()
  const last = json.length - 1
  for (let index = 0; index < last; index++) raw.write(json[index])
  raw.end(json[last])
  return reply
}
