import type http from 'node:http'
import { type Contract, findOperation } from '../contract/contract.ts'
import { fail, parseJson, withTimeout } from './failure.ts'
import { type FrameRecorder, quoteBody, quoteMessage, shorten } from './frame.ts'
import { decodeContent, type HttpProbe, type HttpRequest, isEventStream, readHeaders } from './http.ts'

/** One event of a stream as it stood on the wire. */
export interface SseEvent {
  readonly id: string | undefined
  readonly event: string
  readonly data: unknown
  /** The frame's own text, without the blank line that ends it. */
  readonly raw: string
}

/** An open stream. It keeps all events, so checks can inspect earlier ones. */
export interface SseStream {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The request, for messages. */
  readonly what: string
  /** The body of the response that was not a stream. */
  readonly text: string
  readonly events: readonly SseEvent[]
  readonly comments: readonly string[]
  /** Every frame, comments too, in order. */
  readonly raw: readonly string[]
  readonly ended: boolean
  /** The first event that fits, among those that came and those to come. */
  until(what: string, fits: (event: SseEvent) => boolean, timeoutMs?: number): Promise<SseEvent>
  /** Waits until the server has ended the stream. */
  end(timeoutMs?: number): Promise<void>
  /** Waits for the next comment with a text; an empty one is in every comment. */
  comment(text: string, timeoutMs: number): Promise<void>
  /** Stops reading: data waits in the kernel, then at the server. */
  pause(): void
  resume(): void
  close(): void
}

/** Opens a stream. When the server refuses it, `text` is the whole response. */
export async function openStream(
  probe: HttpProbe,
  contract: Contract,
  recorder: FrameRecorder,
  request: Partial<HttpRequest> & Pick<HttpRequest, 'path'>,
  responseTimeoutMs: number,
): Promise<SseStream> {
  const { method = 'GET' } = request
  const message = await probe.open({
    ...request,
    method,
    headers: { accept: 'text/event-stream', ...request.headers },
  })
  const status = message.statusCode ?? 0
  const operation = findOperation(contract, method, request.path)
  const headers = readHeaders(message)
  // What has to be a stream is read as one whatever its type says, so that only the rule about the type fails.
  const isDue = operation !== undefined && contract.operations[operation]?.responses[200] === 'sse'
  const isStream = status === 200 && (isDue || isEventStream(headers))
  if (!isStream) return refused(message, status, recorder, `${method} ${request.path}`, operation, responseTimeoutMs)
  recorder.add({
    direction: 'received',
    channel: 'sse',
    title: `200 to ${method} ${request.path}, stream opens`,
    text: '',
    ...(operation && { shape: `${operation} 200`, value: { status, headers, text: '' } }),
  })
  return follow(message, contract, recorder, { method, path: request.path }, responseTimeoutMs)
}

async function refused(
  message: http.IncomingMessage,
  status: number,
  recorder: FrameRecorder,
  what: string,
  operation: string | undefined,
  responseTimeoutMs: number,
): Promise<SseStream> {
  const chunks: Buffer[] = []
  const content = decodeContent(message)
  const headers = readHeaders(message)
  const all = new Promise<void>((resolve) => {
    content.on('data', (chunk: Buffer) => chunks.push(chunk))
    content.on('error', () => undefined)
    content.on('close', resolve)
  })
  await withTimeout(responseTimeoutMs, all, `the end of the ${status} answer to ${what}`)
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString()
  recorder.add({
    direction: 'received',
    channel: 'http',
    title: `${status} to ${what}`,
    text: quoteBody(bytes, headers['content-type']),
    ...(operation && {
      shape: `${operation} ${status}`,
      value: { status, headers, text, bytes },
    }),
  })
  const none = (): never => fail(`${what} answered ${status} instead of a stream: ${shorten(text, 200)}`)
  return {
    status,
    headers,
    what,
    text,
    events: [],
    comments: [],
    raw: [],
    ended: true,
    until: async () => none(),
    end: async () => none(),
    comment: async () => none(),
    pause: () => message.pause(),
    resume: () => message.resume(),
    close: () => message.destroy(),
  }
}

function follow(
  message: http.IncomingMessage,
  contract: Contract,
  recorder: FrameRecorder,
  { method, path }: Pick<HttpRequest, 'method' | 'path'>,
  responseTimeoutMs: number,
): SseStream {
  const events: SseEvent[] = []
  const comments: string[] = []
  const raw: string[] = []
  const waiting = new Set<() => void>()
  const headers = readHeaders(message)
  const content = decodeContent(message)
  const place = `the stream of ${path}${isEventStream(headers) ? '' : `, whose type is "${headers['content-type'] ?? ''}"`}`
  let ended = false

  const wake = () => {
    for (const look of [...waiting]) look()
  }
  const take = (lines: readonly string[]) => {
    const frame = lines.join('\n')
    raw.push(frame)
    const event = readFrame(lines, frame)
    if (event) {
      events.push(event)
      recorder.add({
        direction: 'received',
        channel: 'sse',
        title: `event ${event.event}${event.id === undefined ? '' : ` #${event.id}`}`,
        text: quoteMessage(frame),
        shape: event.event in contract.events ? `event ${event.event}` : 'event ?',
        value: event.data,
      })
    }
  }
  const readLine = createLineReader()
  let lines: string[] = []
  content.setEncoding('utf8')
  content.on('data', (text: string) => {
    for (const line of readLine(text)) {
      if (line.startsWith(':')) comments.push(line.slice(1).trim())
      if (line !== '') lines.push(line)
      else if (lines.length > 0) {
        take(lines)
        lines = []
      }
    }
    wake()
  })
  content.on('error', () => undefined)
  content.on('close', () => {
    if (!ended)
      recorder.add({ direction: 'received', channel: 'sse', title: `${method} ${path}, stream ends`, text: '' })
    ended = true
    wake()
  })

  /** Resolves with the first value that `look` returns; fails when the stream ends first. */
  function watch<T>(what: string, look: () => T | undefined, timeoutMs: number, endIsFailure = true): Promise<T> {
    let stop = () => {}
    const found = new Promise<T>((resolve, reject) => {
      const again = () => {
        const value = look()
        if (value !== undefined) resolve(value)
        if (value === undefined && ended && endIsFailure) {
          try {
            fail(`${place} ended before ${what}`)
          } catch (failure) {
            reject(failure)
          }
        }
      }
      stop = () => waiting.delete(again)
      waiting.add(again)
      again()
    })
    return withTimeout(timeoutMs, found, `${what} on ${place}`).finally(() => stop())
  }

  return {
    status: 200,
    headers,
    what: `${method} ${path}`,
    text: '',
    events,
    comments,
    raw,
    get ended() {
      return ended
    },
    until: (what, fits, timeoutMs = responseTimeoutMs) => watch(what, () => events.find(fits), timeoutMs),
    end: async (timeoutMs = responseTimeoutMs) => {
      await watch('the end', () => ended || undefined, timeoutMs, false)
    },
    comment: async (text, timeoutMs) => {
      const seen = comments.length
      const isThere = () => comments.slice(seen).some((comment) => comment.includes(text)) || undefined
      await watch(`a comment "${text}"`, isThere, timeoutMs)
    },
    pause: () => content.pause(),
    resume: () => content.resume(),
    close: () => {
      ended = true
      message.destroy()
    },
  }
}

/**
 * Splits a stream into lines as the grammar of event streams has it: a byte order mark may come first, and lines end with
 * CR LF, LF or CR.
 */
export function createLineReader(): (text: string) => readonly string[] {
  let isFirst = true
  /** The last character was a CR, so an LF belongs to it. */
  let afterReturn = false
  let open: string[] = []
  return (text) => {
    let from = 0
    if (isFirst && text.startsWith('\uFEFF')) from = 1
    if (text !== '') isFirst = false
    const lines: string[] = []
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code !== LF && code !== CR) continue
      if (code === LF && at === 0 && afterReturn) {
        from = 1
        continue
      }
      open.push(text.slice(from, at))
      lines.push(open.join(''))
      open = []
      if (code === CR && text.charCodeAt(at + 1) === LF) at++
      from = at + 1
    }
    if (from < text.length) open.push(text.slice(from))
    if (text !== '') afterReturn = text.endsWith('\r')
    return lines
  }
}

const LF = 10
const CR = 13

function readFrame(lines: readonly string[], raw: string): SseEvent | undefined {
  let id: string | undefined
  let event = 'message'
  const data: string[] = []
  for (const line of lines) {
    if (line.startsWith(':')) continue
    const [, field = line, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (field === 'id') id = value
    if (field === 'event') event = value
    if (field === 'data') data.push(value)
  }
  if (data.length === 0) return undefined
  return { id, event, data: parseJsonLoosely(data.join('\n')), raw }
}

/** Data that is not JSON stays text; the shape check then reports it. */
function parseJsonLoosely(text: string): unknown {
  try {
    return parseJson(text, 'data')
  } catch {
    return text
  }
}
