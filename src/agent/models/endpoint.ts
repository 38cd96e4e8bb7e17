import { createParser } from 'eventsource-parser'
import { abortable, STOPPED } from '../../base/async.ts'
import type { Clock } from '../../base/clock.ts'
import { deadline } from '../../base/clock.ts'
import { isTooLongError, ModelFailure } from './answer.ts'

/** Timeouts of an endpoint, in milliseconds. */
export interface EndpointTimeouts {
  /** From the request to the response headers. */
  readonly connectMs: number
  /** From the headers to the first piece. */
  readonly firstMs: number
  /** Between two pieces. Resets with each piece. */
  readonly betweenMs: number
  /** For the whole response. */
  readonly wholeMs: number
  /** From the end of the answer to the end of the stream, which may still contain the token usage. */
  readonly closeMs: number
}

export const DEFAULT_TIMEOUTS: EndpointTimeouts = {
  connectMs: 120_000,
  firstMs: 120_000,
  betweenMs: 60_000,
  wholeMs: 1_800_000,
  closeMs: 2000,
}

export interface Endpoint {
  /** The whole URL of a request. */
  readonly url: string
  /** The headers of the dialect, including the key. */
  readonly headers: Readonly<Record<string, string>>
  /** The environment variable of the base URL, for errors. */
  readonly urlVariable: string
  readonly clock: Clock
  readonly timeouts: EndpointTimeouts
  /** The maximum number of retries of a temporary failure. */
  readonly retries: number
}

const MAX_STREAM_BYTES = 64 * 1024 * 1024
const MAX_PIECE_CHARACTERS = 2 * 1024 * 1024
const MAX_COMPLETION_CHARACTERS = 4 * 1024 * 1024
const MAX_ERROR_CHARACTERS = 64 * 1024
const MAX_RETRY_AFTER_MS = 60_000
const FIRST_PAUSE_MS = 500

/** The end marker of a stream. */
const DONE = '[DONE]'

/** A request, and the sender's view of the incoming answer. */
export interface CompletionRequest {
  readonly body: object
  readonly signal: AbortSignal
  /** Returns whether the answer is complete, even if the stream fails afterwards. */
  readonly finished: () => boolean
}

/**
 * Sends one request and yields the pieces of the answer as JSON values. An unstreamed completion is one piece.
 * Returns whether the endpoint sent the end marker. Throws `ModelFailure`.
 */
export async function* streamCompletion(
  endpoint: Endpoint,
  request: CompletionRequest,
): AsyncGenerator<unknown, boolean> {
  const { clock, timeouts } = endpoint
  const { body, signal, finished } = request
  const { connectMs, firstMs, betweenMs, wholeMs, closeMs } = timeouts
  const late = new AbortController()
  const watch = createWatchdog(clock, late)
  const both = AbortSignal.any([signal, late.signal])
  const cancelWholeDeadline = deadline(clock, wholeMs, () => late.abort(timeoutFailure(wholeMs, 'it did not finish')))
  try {
    const response = await connected(endpoint, body, both, (begun) =>
      watch(begun ? connectMs : undefined, 'it did not begin to answer'),
    )
    watch(firstMs, 'it sent nothing')
    const pieces = piecesOf(response, endpoint.urlVariable)
    for (;;) {
      const { done, value } = await pieces.next()
      if (done) return value
      yield value
      watch(finished() ? closeMs : betweenMs, 'it fell silent')
    }
  } catch (thrown) {
    if (signal.aborted) throw STOPPED
    if (finished()) return true
    if (late.signal.aborted) throw late.signal.reason
    if (thrown instanceof ModelFailure) throw thrown
    // The connection was lost.
    throw new ModelFailure('model_cut_off')
  } finally {
    watch(undefined)
    cancelWholeDeadline()
    late.abort()
  }
}

const timeoutFailure = (ms: number, what: string) => new ModelFailure('model_timeout', `${what} within ${ms / 1000} s`)

/** Aborts after the timeout. Each call restarts the timer with a new timeout, or cancels it. */
function createWatchdog(clock: Clock, late: AbortController) {
  let cancel = () => {}
  return (ms: number | undefined, what = '') => {
    cancel()
    cancel = ms === undefined ? () => {} : deadline(clock, ms, () => late.abort(timeoutFailure(ms, what)))
  }
}

/** Returns the endpoint's response. Retries temporary failures. */
async function connected(
  endpoint: Endpoint,
  body: object,
  signal: AbortSignal,
  watch: (begun: boolean) => void,
): Promise<Response> {
  for (let pauseMs = FIRST_PAUSE_MS, left = endpoint.retries; ; pauseMs *= 2, left--) {
    watch(true)
    try {
      return await once(endpoint, body, signal)
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof ModelFailure) || !thrown.retry || left <= 0) throw thrown
      const { retryAfterMs = pauseMs } = thrown
      if (retryAfterMs > MAX_RETRY_AFTER_MS) throw thrown
      watch(false)
      await abortable(Promise.resolve(endpoint.clock.sleep(retryAfterMs, signal)), signal)
    }
  }
}

async function once({ url, headers }: Endpoint, body: object, signal: AbortSignal): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        ...headers,
      },
      body: JSON.stringify(body),
      // A redirect would pass the key on to another address.
      redirect: 'manual',
      signal,
    })
  } catch {
    throw new ModelFailure('model_unreachable', '', { afterMs: undefined })
  }
  if (response.ok) return response
  const text = await beginningOf(response)
  throw failureOf(response.status, text, retryAfterIn(response.headers) ?? retryDelayIn(text))
}

/** Maps a status to a failure, without quoting the endpoint. */
function failureOf(status: number, text: string, afterMs: number | undefined): ModelFailure {
  const pause = afterMs !== undefined && afterMs > MAX_RETRY_AFTER_MS ? `, for ${Math.round(afterMs / 1000)} s` : ''
  const answered = `it answered ${status}${pause}`
  if (status === 401 || status === 403 || (status === 400 && text.includes('API_KEY_INVALID')))
    return new ModelFailure('model_unauthorized', answered)
  if (status === 429) return new ModelFailure('model_rate_limited', answered, { afterMs })
  if ((status === 400 || status === 413 || status === 422 || status >= 500) && isTooLongError(text))
    return new ModelFailure('model_context_length')
  if (status === 408 || status === 409 || status >= 500)
    return new ModelFailure('model_unavailable', answered, { afterMs })
  return new ModelFailure('model_bad_request', answered)
}

/** The delay in `Retry-After`: seconds, or the time from the date of the response to another date. */
function retryAfterIn(headers: Headers): number | undefined {
  const after = headers.get('retry-after') ?? ''
  if (/^\d{1,9}(\.\d+)?$/.test(after)) return Number(after) * 1000
  const ms = Date.parse(after) - Date.parse(headers.get('date') ?? '')
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** The delay that Google's endpoints report in the body of an error. */
function retryDelayIn(text: string): number | undefined {
  const seconds = /"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(text)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** Reads the first characters of an error and ignores the rest. */
async function beginningOf(response: Response): Promise<string> {
  let text = ''
  try {
    for await (const part of textOf(response)) {
      text += part
      if (text.length > MAX_ERROR_CHARACTERS) break
    }
  } catch (thrown) {
    if (!(thrown instanceof TypeError || thrown instanceof ModelFailure)) throw thrown
  }
  return text.slice(0, MAX_ERROR_CHARACTERS)
}

/** Yields the body as text chunks, as they arrive. */
async function* textOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const part of body) {
    bytes += part.byteLength
    if (bytes > MAX_STREAM_BYTES) throw new ModelFailure('model_too_large', `more than ${MAX_STREAM_BYTES} bytes`)
    yield decoder.decode(part, { stream: true })
  }
}

/** Yields the JSON values of an answer: those of an event stream, or one completion. */
async function* piecesOf(response: Response, urlVariable: string): AsyncGenerator<unknown, boolean> {
  const parts = textOf(response)
  let start = ''
  for await (const part of { [Symbol.asyncIterator]: () => kept(parts) }) {
    start += part
    if (part.trim() !== '') break
  }
  const [first] = start.trimStart()
  if (first === '<') throw new ModelFailure('model_bad_answer', `it sent a web page; check ${urlVariable}`)
  return first === '{' ? yield* completion(start, parts) : yield* events(start, parts)
}

/** Wraps an iterator so that ending a loop does not close it. */
const kept = <T>(iterator: AsyncGenerator<T>): AsyncIterator<T> => ({ next: () => iterator.next() })

/** Reads an unstreamed completion: one JSON object. */
async function* completion(start: string, parts: AsyncGenerator<string>): AsyncGenerator<unknown, boolean> {
  let text = start
  for await (const part of parts) {
    text += part
    if (text.length > MAX_COMPLETION_CHARACTERS)
      throw new ModelFailure('model_too_large', `more than ${MAX_COMPLETION_CHARACTERS} characters`)
  }
  const value = jsonOf(text)
  if (value === undefined) throw new ModelFailure('model_bad_answer', 'it sent JSON that is malformed')
  yield value
  return true
}

/** Yields the JSON values of server-sent events. */
async function* events(start: string, parts: AsyncGenerator<string>): AsyncGenerator<unknown, boolean> {
  const arrived: string[] = []
  let tooLarge = false
  const parser = createParser({
    maxBufferSize: MAX_PIECE_CHARACTERS,
    onEvent: ({ data }) => arrived.push(data),
    onError: ({ type }) => {
      tooLarge ||= type === 'max-buffer-size-exceeded'
    },
  })
  let sent = start.trim() !== ''
  for await (const part of { [Symbol.asyncIterator]: () => joined(start, parts) }) {
    parser.feed(part)
    if (tooLarge) throw new ModelFailure('model_too_large', `a piece of more than ${MAX_PIECE_CHARACTERS} characters`)
    for (const data of arrived.splice(0)) {
      if (data.trim() === DONE) return true
      const value = jsonOf(data)
      if (value === undefined) throw new ModelFailure('model_bad_answer', 'it sent a piece that is not JSON')
      sent = false
      yield value
    }
  }
  // The last event may lack its empty line. A truncated event is not valid JSON.
  parser.feed('\n\n')
  for (const data of arrived.splice(0)) {
    if (data.trim() === DONE) return true
    const value = jsonOf(data)
    if (value === undefined) return false
    sent = false
    yield value
  }
  if (sent) throw new ModelFailure('model_bad_answer', 'it sent text that is neither events nor JSON')
  return false
}

async function* joined(start: string, parts: AsyncGenerator<string>): AsyncGenerator<string> {
  yield start
  yield* parts
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
