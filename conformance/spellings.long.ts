import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareOf } from '../.ci/share.ts'
import { type OurServers, optionsFor, serveOurs } from './our-servers.ts'
import { PROTOCOLS } from './protocols.ts'
import { certify } from './run.ts'
import type { RequirementResult } from './suite/results.ts'

/**
 * A proxy that spells each answer in another way that HTTP/1.1 and event streams allow. The ways of an answer are chosen by
 * its number, from lists of lengths without a common divisor, so that all combinations follow each other.
 */
const SPELLINGS = {
  names: [
    (name: string) => name,
    (name: string) => name.toLowerCase(),
    (name: string) => name.toUpperCase(),
    (name: string) => [...name].map((letter, at) => (at % 2 ? letter.toUpperCase() : letter.toLowerCase())).join(''),
    (name: string) => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase()),
  ],
  codings: ['identity', 'gzip', 'X-GZIP', 'br', 'deflate', 'GZip', 'identity'],
  framings: ['length', 'chunked', 'bytes', 'close'],
  interims: [false, true, false],
  lineEnds: ['\n', '\r\n', '\r'],
  marks: ['', '\uFEFF'],
  colons: [': ', ':'],
  comments: [false, true, false, true, true],
} as const

type Spelling = { readonly [Way in keyof typeof SPELLINGS]: (typeof SPELLINGS)[Way][number] }

const spellingOf = (place: number): Spelling =>
  Object.fromEntries(Object.entries(SPELLINGS).map(([way, list]) => [way, list[place % list.length]])) as Spelling

const ENCODERS = {
  gzip: zlib.createGzip,
  'x-gzip': zlib.createGzip,
  br: zlib.createBrotliCompress,
  deflate: zlib.createDeflate,
}

const encoderOf = (coding: string) => ENCODERS[coding.toLowerCase() as keyof typeof ENCODERS]?.()

/** Headers of the connection, and those that change with the body. */
const REPLACED = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-type', 'content-encoding']

/** The first bytes of a body are chunks of their own; a picture in such chunks would take minutes. */
const MAX_SINGLE_BYTES = 600

/** Chunks with extensions, sizes in both cases and leading zeros. */
function inChunks(bytes: Buffer, isSingle: boolean): Buffer {
  const singles = isSingle ? Math.min(bytes.length, MAX_SINGLE_BYTES) : 0
  const parts = [...Array(singles).keys()].map((at) => bytes.subarray(at, at + 1))
  const rest = bytes.subarray(singles)
  const all = rest.length > 0 ? [...parts, rest] : parts
  return Buffer.concat(
    all.flatMap((part, at) => [
      Buffer.from(
        at % 2 ? `0${part.length.toString(16).toUpperCase()};part="${at}"\r\n` : `${part.length.toString(16)}\r\n`,
      ),
      part,
      Buffer.from('\r\n'),
    ]),
  )
}

const LAST_CHUNK = '000\r\nX-Trailer: ignored\r\n\r\n'

/** A media type in capitals, with a charset if it is text. */
function spellType(type: string, place: number): string {
  const [media = '', ...parameters] = type.split(';')
  const isText = /json|^text\//.test(media) && parameters.length === 0
  const spelt = place % 2 ? media.trim().toUpperCase() : media.trim()
  return [spelt, ...parameters, ...(isText && place % 3 === 0 ? [' Charset="UTF-8"'] : [])].join(' ;')
}

/** The frames of an event stream with other line ends, fields in another order, comments, and frames without data. */
function createFrameWriter({ lineEnds, marks, colons, comments }: Spelling): (text: string) => string {
  let isFirst = true
  let open = ''
  const spellLine = (line: string) => line.replace(/^([^:]+): ?/, `$1${colons}`)
  const spellFrame = (frame: string) => {
    const lines = frame.split('\n').map(spellLine)
    const spelt = comments ? ['retry: 3000', '', ': before', ...lines.reverse().flatMap((line) => [line, ':'])] : lines
    return spelt.map((line) => line + lineEnds).join('') + lineEnds
  }
  return (text) => {
    const frames = (open + text).split('\n\n')
    open = frames.pop()!
    const mark = isFirst && frames.length > 0 ? marks : ''
    if (frames.length > 0) isFirst = false
    return mark + frames.map(spellFrame).join('')
  }
}

async function openSpellingProxy(target: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(target)
  let answers = 0
  const sockets = new Set<net.Socket>()
  const server = http.createServer((request, response) => {
    const { method = 'GET', url: path = '/' } = request
    const behind = http.request({ hostname, port, method, path, headers: request.headers }, (answer) => {
      spell(answer, response, request, answers++)
    })
    behind.on('error', () => response.destroy())
    response.on('close', () => behind.destroy())
    request.pipe(behind)
  })
  // The head of an upgrade is spelt too; what follows arrives in pieces.
  server.on('upgrade', (request, socket: net.Socket, head: Buffer) => {
    const behind = net.connect(Number(port), hostname)
    for (const one of [socket, behind]) sockets.add(one.setNoDelay(true))
    const headers = request.rawHeaders.map((text, at) => (at % 2 ? `${text}\r\n` : `${text}: `)).join('')
    behind.write(`${request.method} ${request.url} HTTP/1.1\r\n${headers}\r\n`)
    behind.write(head)
    let isOpen = false
    const { names } = spellingOf(answers++)
    behind.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1')
      const end = isOpen ? 0 : text.indexOf('\r\n\r\n') + 4
      isOpen = true
      const spelt = text.slice(0, end).replace(/^([\w-]+):/gm, (_, name: string) => `${names(name)}:\t`)
      socket.write(Buffer.from(spelt, 'latin1'))
      socket.write(bytes.subarray(end, end + 1))
      socket.write(bytes.subarray(end + 1))
    })
    socket.pipe(behind)
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('end', () => other.end())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

function spell(
  answer: http.IncomingMessage,
  response: http.ServerResponse,
  { method, headers: asked }: http.IncomingMessage,
  place: number,
): void {
  const spelling = spellingOf(place)
  const status = answer.statusCode ?? 502
  const type = answer.headers['content-type']
  const isStream = type?.startsWith('text/event-stream') === true
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  const isCoded = hasBody && answer.headers['content-encoding'] === undefined && spelling.codings !== 'identity'
  const encoder = isCoded ? encoderOf(spelling.codings) : undefined
  const framing = isStream && spelling.framings === 'length' ? 'bytes' : spelling.framings
  if (spelling.interims) response.writeProcessing()

  const kept = answer.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && !REPLACED.includes(name.toLowerCase()) ? [[name, answer.rawHeaders[at + 1]!] as const] : [],
  )
  const writeHead = (length?: number) => {
    const headers = [
      ...kept,
      ...(type === undefined ? [] : [['content-type', spellType(type, place)] as const]),
      ...(encoder ? [['content-encoding', spelling.codings] as const] : []),
      ...(length === undefined ? [] : [['content-length', String(length)] as const]),
      ...(hasBody && length === undefined && framing !== 'close' ? [['transfer-encoding', 'Chunked'] as const] : []),
      // A connection that the client asks to close ends with the answer.
      ['connection', framing === 'close' || asked.connection === 'close' ? 'Close' : 'Keep-Alive'] as const,
    ]
    response.sendDate = false
    response.useChunkedEncodingByDefault = false
    response.writeHead(
      status,
      '',
      headers.flatMap(([name, value]) => [spelling.names(name), value]),
    )
    response.flushHeaders()
    // The chunks are written here, because Node spells them in one way only.
    response.chunkedEncoding = false
  }
  const isChunked = framing === 'chunked' || framing === 'bytes'
  const write = (bytes: Buffer) => {
    if (bytes.length > 0) response.write(isChunked ? inChunks(bytes, framing === 'bytes') : bytes)
  }
  const end = () => response.end(isChunked ? LAST_CHUNK : '')
  answer.on('error', () => response.destroy())

  if (isStream) {
    writeHead()
    const writeFrames = createFrameWriter(spelling)
    const decoder = new StringDecoder('utf8')
    encoder?.on('data', write).on('end', end)
    answer.on('data', (bytes: Buffer) => {
      const text = Buffer.from(writeFrames(decoder.write(bytes)))
      if (text.length === 0) return
      if (encoder) encoder.write(text, () => encoder.flush())
      else write(text)
    })
    answer.on('end', () => (encoder ? encoder.end() : end()))
    return
  }
  const chunks: Buffer[] = []
  const content = encoder ? answer.pipe(encoder) : answer
  content.on('data', (bytes: Buffer) => chunks.push(bytes))
  content.on('end', () => {
    const body = Buffer.concat(chunks)
    if (!hasBody) {
      writeHead()
      response.end()
      return
    }
    writeHead(framing === 'length' ? body.length : undefined)
    write(body)
    end()
  })
}

/** Recommendations about the spelling itself. */
const ABOUT_SPELLING = ['agent-webkit:stream:identical', 'agent-webkit:stream:lines']

describe('every legal spelling of answers', () => {
  let ours: OurServers
  beforeAll(async () => {
    ours = await serveOurs()
  }, 120_000)
  afterAll(() => ours?.close())

  // A command line has no answers over HTTP.
  it.each(shareOf(PROTOCOLS.filter((protocol) => protocol !== 'agent-desktop')))(
    'leaves the verdict about %s as it is',
    async (protocol) => {
      const { url, close } = await openSpellingProxy(ours.urls[protocol])
      try {
        const outcome = await certify({ ...optionsFor(protocol, ours), url, repeats: 1, quickMs: 20_000 })
        // What is shown by slow checks only is not judged.
        const isTrouble = ({ id, status, level }: RequirementResult) =>
          !['passed', 'unchecked', 'unjudged'].includes(status) && level !== 'MAY' && !ABOUT_SPELLING.includes(id)
        const troubles = outcome.results.filter(isTrouble)
        expect(outcome.unreachable).toBeUndefined()
        expect(troubles.map(({ id, why }) => `${id}: ${why}`)).toEqual([])
        expect(outcome.conclusion.counts.passed).toBeGreaterThan(0)
      } finally {
        await close()
      }
    },
    300_000,
  )
})
