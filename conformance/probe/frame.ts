import { createHash } from 'node:crypto'

/** One message on the wire, as the report shows it. */
export interface Frame {
  readonly direction: 'sent' | 'received'
  readonly channel: 'http' | 'sse' | 'ws' | 'mcp' | 'process'
  /** One line: a request line, a status, an event's name, a message's type. */
  readonly title: string
  readonly text: string
  readonly request?: SentRequest
  /** The contract shape that applies, such as `POST /sessions 200` or `event result`. */
  readonly shape?: string
  readonly value?: unknown
  /** Sent wrong on purpose, so its mistakes are not errors of the harness. */
  readonly deliberate?: boolean
  /**
   * Received after the same check sent something wrong on purpose: it can prove a shape, but violates one only when
   * it is an error.
   */
  readonly provoked?: boolean
  /** Milliseconds from the request to its answer. */
  readonly tookMs?: number
  /** Milliseconds from the start of the check. */
  readonly atMs?: number
}

/** The data needed to repeat a request by hand. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** `body` is only the start of what was sent. */
  readonly isCut?: true
}

/** Collects the frames of one check, in the order they were seen. */
export interface FrameRecorder {
  readonly frames: readonly Frame[]
  add(frame: Frame): void
}

/** Frames are shown in reports, without the token. */
export function createRecorder(token?: string, now: () => number = () => performance.now()): FrameRecorder {
  const startedAt = now()
  const frames: Frame[] = []
  const veil = (text: string) => maskToken(text, token)
  const veilRequest = ({ url, body, ...rest }: SentRequest): SentRequest => ({
    ...rest,
    url: veil(url),
    ...(body !== undefined && { body: veil(body) }),
  })
  let provoking = false
  const add = ({ title, text, request, ...rest }: Frame) => {
    if (rest.deliberate) provoking = true
    frames.push({
      ...rest,
      atMs: Math.round(now() - startedAt),
      ...(provoking && rest.direction === 'received' && { provoked: true }),
      title: veil(title),
      text: veil(text),
      ...(request && { request: veilRequest(request) }),
    })
  }
  return { frames, add }
}

/** Replaces the token by `$TOKEN` in all texts and keys of a value, URL-encoded occurrences included. */
export function maskToken<T>(value: T, token: string | undefined): T
export function maskToken(value: unknown, token: string | undefined): unknown {
  if (!token) return value
  if (typeof value === 'string') return [token, encodeURIComponent(token)].reduce(veiledText, value)
  if (Array.isArray(value)) return value.map((one) => maskToken(one, token))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [maskToken(name, token), maskToken(one, token)]))
}

/** The length of a token prefix that is masked too, because texts are truncated. */
const MIN_QUOTED_CHARACTERS = 8

function veiledText(text: string, token: string): string {
  const [before = '', ...after] = text.split(token.slice(0, MIN_QUOTED_CHARACTERS))
  const rest = token.slice(MIN_QUOTED_CHARACTERS)
  const withoutRest = (said: string) => {
    let at = 0
    while (at < rest.length && said[at] === rest[at]) at++
    return said.slice(at)
  }
  return [before, ...after.map(withoutRest)].join('$TOKEN')
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const MAX_QUOTED_CHARACTERS = 12_000
/** The longest body that a report sends again whole. */
const MAX_SENT_BODY_CHARACTERS = 64_000

/** The body of a request, for a command that sends it again. */
export const sentBody = (text: string): Pick<SentRequest, 'body' | 'isCut'> =>
  text.length <= MAX_SENT_BODY_CHARACTERS ? { body: text } : { body: shorten(text), isCut: true }

const MAX_SCANNED_CHARACTERS = 1_000_000
const BASE64 = /[A-Za-z0-9+/]{400,}={0,2}/g

/** A received message as reports show it: short enough, and with size and digest in place of long base64. */
export const quoteMessage = (text: string): string =>
  shorten(
    text
      .slice(0, MAX_SCANNED_CHARACTERS)
      .replace(BASE64, (data) => describeBytes(Buffer.from(data, 'base64'), 'base64 of')),
  )

/** A received body as reports show it: its text, or type, size and digest of what is not text. */
export function quoteBody(bytes: Buffer, type = 'no type'): string {
  const text = bytes.toString('utf8')
  const isText = !/^(?:image|audio|video)\//.test(type) && !/[\u0000\ufffd]/.test(text.slice(0, MAX_SCANNED_CHARACTERS))
  return isText ? quoteMessage(text) : describeBytes(bytes, `${type},`)
}

const describeBytes = (bytes: Buffer, what: string): string =>
  `(${what} ${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}…)`

/** The last request of a check, after the last one that was to change something. */
export function describeLastCall(frames: readonly Frame[]): string | undefined {
  const sent = frames.filter(({ direction, title }) => direction === 'sent' && !title.startsWith('connect '))
  const last = sent.at(-1)
  const act = sent.findLast(({ request }) => request === undefined || request.method !== 'GET')
  if (last === undefined) return undefined
  return act === undefined || act === last ? describeSent(last) : `${describeSent(act)}, then ${describeSent(last)}`
}

const MAX_SENT_CHARACTERS = 120

/** A message that was sent, in one line. */
export function describeSent({ title, text, request }: Frame): string {
  const said = (request ? (request.body ?? '') : text).replace(/\s+/g, ' ')
  const short =
    said.length > MAX_SENT_CHARACTERS ? `${said.slice(0, MAX_SENT_CHARACTERS)} … (${said.length} characters)` : said
  return [title === 'raw' ? '' : title, short].filter((part) => part !== '').join(' ')
}

/** A frame's text, short enough for a report. */
export const shorten = (text: string, most = MAX_QUOTED_CHARACTERS): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`
