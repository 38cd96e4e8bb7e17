/** One thing that went over the wire, as the report shows it. */
export interface Frame {
  readonly direction: 'sent' | 'received'
  readonly channel: 'http' | 'sse' | 'ws' | 'mcp'
  /** One line: a request line, a status, an event's name, a message's type. */
  readonly title: string
  readonly text: string
  readonly request?: SentRequest
  /** Which shape of the contract it is to fit, such as `POST /sessions 200` or `event result`. */
  readonly shape?: string
  readonly value?: unknown
  /** Sent to see it refused; what is wrong with it is not the harness's error. */
  readonly deliberate?: boolean
  /** Milliseconds from the request to its answer. */
  readonly tookMs?: number
}

/** What is needed to send a request again by hand. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Collects the frames of one check, in the order they were seen. */
export interface Recorder {
  readonly frames: readonly Frame[]
  add(frame: Frame): void
}

/** Frames are shown in reports, without the token. */
export function recorder(token?: string): Recorder {
  const frames: Frame[] = []
  const veil = (text: string) => veiled(text, token)
  const veilRequest = ({ url, body, ...rest }: SentRequest): SentRequest => ({
    ...rest,
    url: veil(url),
    ...(body !== undefined && { body: veil(body) }),
  })
  const add = ({ title, text, request, ...rest }: Frame) =>
    void frames.push({
      ...rest,
      title: veil(title),
      text: veil(text),
      ...(request && { request: veilRequest(request) }),
    })
  return { frames, add }
}

/** The text with `$TOKEN` wherever the token stands. */
export const veiled = (text: string, token: string | undefined): string =>
  token ? text.replaceAll(token, () => '$TOKEN') : text

const SHOWN_MOST = 4000

/** A frame's text, short enough for a report. */
export const shorten = (text: string, most = SHOWN_MOST): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`
