import type { Frame, SentRequest } from '../probe/frame.ts'

/** Quotes a word for the shell; only `$TOKEN` is expanded. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`).replaceAll('$TOKEN', () => `'"$TOKEN"'`)}'`

/** A request as a curl command; `$TOKEN` replaces the token. */
export function toCurl(request: SentRequest): string {
  const isStream = (request.headers.accept ?? '') === 'text/event-stream'
  const headers = Object.entries(request.headers)
    .filter(([name]) => name !== 'content-length')
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  // `--data-binary` would read a body that starts with @ as a file name.
  const body = request.body === undefined ? [] : ['--data-raw', quote(request.body)]
  const method =
    request.method === 'GET' ? [] : ['-X', /^[A-Z]+$/.test(request.method) ? request.method : quote(request.method)]
  const globbing = /[[\]{}]/.test(request.url) ? ['-g'] : []
  return ['curl', isStream ? '-iN' : '-i', ...globbing, ...method, quote(request.url), ...headers, ...body].join(' ')
}

/** A script that repeats the messages of a check: curl commands, a WebSocket conversation, or JSON-RPC lines. */
export function toReproduction(frames: readonly Frame[], url: string): string {
  const sent = frames.filter((frame) => frame.direction === 'sent')
  const requests = sent.flatMap((frame) => (frame.request ? [toCurl(frame.request)] : []))
  const spoken = sent.filter((frame) => frame.channel === 'ws')
  const asked = sent.filter((frame) => frame.channel === 'mcp').map((frame) => frame.text)
  return [
    ...requests,
    ...(spoken.length > 0 ? [socketScript(spoken, url)] : []),
    ...(asked.length > 0 ? [`printf '%s\\n' ${asked.map(quote).join(' ')} | $COMMAND`] : []),
  ].join('\n')
}

function socketScript(spoken: readonly Frame[], url: string): string {
  const path = spoken.map((frame) => /^connect (\S+)/.exec(frame.title)?.[1]).find((found) => found !== undefined)
  const address = `${url.replace(/^http/, 'ws')}${path ?? '/'}`
  const lines = spoken.filter((frame) => frame.text !== '').map((frame) => frame.text)
  return `(printf '%s\\n' ${lines.map(quote).join(' ')}; sleep 5) | npx --yes wscat -c ${quote(address)}`
}
