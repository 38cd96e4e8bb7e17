import type { WireExchange } from './recording.ts'

/**
 * A request as a command for curl in a POSIX shell. Every text is quoted, so that none can become another option or
 * command. Redacted secrets stay redacted. Headers that curl makes itself, such as the length of the body, are left out.
 */
export function curlText({ method, url, headers = {}, body }: WireExchange): string {
  const lines = [
    `curl --globoff --request ${quoted(method)} --url ${quoted(addressOf(url, headers))}`,
    ...Object.entries(headers)
      .filter(([name]) => HEADER_NAME.test(name) && !OF_CONNECTION.test(name))
      .map(([name, value]) => `--header ${quoted(`${name}: ${value}`.replace(/[\r\n]+/g, ' '))}`),
    // Other options of curl for data read a file after "@".
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ]
  return lines.join(' \\\n  ')
}

/** curl reads a file for a header that begins with "@". */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/

/** Headers of one connection or one browser. Bodies are shown with other spaces than they were sent. */
const OF_CONNECTION = /^(host|connection|content-length|transfer-encoding|accept-encoding|sec-.*)$/i

/** The address of a request. Servers log the path, and the host in a header. */
function addressOf(url: string, headers: Readonly<Record<string, string>>): string {
  const host = Object.entries(headers).find(([name]) => name.toLowerCase() === 'host')?.[1]
  return url.startsWith('/') && host !== undefined && HOST.test(host) ? `http://${host}${url}` : url
}

const HOST = /^[\w.:[\]-]+$/

/** A text in single quotes. No shell can pass a zero byte. */
const quoted = (text: string): string => `'${text.replaceAll('\u0000', '').replaceAll("'", "'\\''")}'`
