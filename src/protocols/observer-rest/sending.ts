import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { type Piece, toJson } from '../../observer/json.ts'
import type { Reply } from './translate.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Letters; a longer text would be measured and copied several times on its way. */
const TEXT_MOST = 16_384

/** An answer as it is sent. */
export interface Written {
  readonly status: number
  readonly json: string | readonly Buffer[]
}

export function written({ status, body }: Reply): Written {
  const pieces = toJson(body)
  const [only] = pieces
  const short = pieces.length === 1 && typeof only === 'string' && only.length <= TEXT_MOST
  return { status, json: short ? only : pieces.map(toBytes) }
}

function toBytes(piece: Piece): Buffer {
  if (typeof piece !== 'string') return piece
  return piece === END ? END_BYTES : Buffer.from(piece)
}

/** What stands behind the last field of most answers. */
const END = '}\n'
const END_BYTES = Buffer.from(END)

export const send = (reply: FastifyReply, answer: Reply): FastifyReply => sendWritten(reply, written(answer))

export function sendWritten(reply: FastifyReply, { status, json }: Written): FastifyReply {
  if (typeof json !== 'string') return sendPieces(reply, status, json)
  return reply.code(status).header('content-type', JSON_TYPE).send(json)
}

/** Sends bytes from where they are, in one system call. Fastify takes one Buffer, into which all would have to be copied. */
function sendPieces(reply: FastifyReply, status: number, pieces: readonly Buffer[]): FastifyReply {
  reply.hijack()
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const { raw } = reply
  const headers = { ...reply.getHeaders(), 'content-type': JSON_TYPE, 'content-length': length }
  raw.writeHead(status, headers as OutgoingHttpHeaders)
  raw.cork()
  for (const piece of pieces) raw.write(piece)
  raw.end()
  raw.uncork()
  return reply
}
