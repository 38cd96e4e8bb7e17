import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { type JsonChunk, toJsonChunks } from '../../observer/json/json.ts'
import type { HttpReply } from './translate.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Letters; a longer text would be measured and copied several times on its way. */
const MAX_TEXT_BYTES = 16_384

/** An answer as it is sent. */
export interface SerializedReply {
  readonly status: number
  readonly json: readonly JsonChunk[]
}

export const serialize = ({ status, body, same }: HttpReply): SerializedReply => ({
  status,
  json: toJsonChunks(body, same).map(shortened),
})

const shortened = (piece: JsonChunk): JsonChunk =>
  typeof piece === 'string' && piece.length > MAX_TEXT_BYTES ? Buffer.from(piece) : piece

export const sendReply = (reply: FastifyReply, answer: HttpReply): FastifyReply =>
  sendSerialized(reply, serialize(answer))

/** Sends bytes from where they are, in one system call. Fastify takes one text or Buffer, into which all would have to be copied. */
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
  for (let place = 0; place < last; place++) raw.write(json[place])
  raw.end(json[last])
  return reply
}
