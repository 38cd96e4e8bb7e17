import { Fault } from '../../base/fault.ts'

/** Shorter texts are parsed without a check, because no JSON of that size takes long to parse. */
const MIN_CHECKED_LENGTH = 64 * 1024
/** The most values and distinct keys in a JSON text. Parsing more would delay other clients. */
export const MAX_JSON_VALUES = 100_000
const MAX_KEYS = 20_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
/** A longer string within JSON is likely a picture, which native code skips faster. */
const LONG_STRING_LENGTH = 64

/**
 * Parses JSON from a client. Throws `SyntaxError` for invalid JSON, and `TooLarge` before parsing if it has so many values
 * or keys that parsing it would delay other clients.
 */
export function parseJson(text: string): unknown {
  checkJsonSize(text)
  return JSON.parse(text)
}

/** Like `parseJson`, but returns undefined for invalid JSON. */
export function tryParseJson(text: string): unknown {
  checkJsonSize(text)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Throws `TooLarge` for JSON with too many values or keys. Reads each character at most once and builds only a set of keys. */
export function checkJsonSize(text: string, maxValues = MAX_JSON_VALUES): void {
  if (text.length < MIN_CHECKED_LENGTH) return
  let values = 0
  const keys = new Set<number>()
  let hash = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      hash = 0
      const begin = at
      for (at++; at < text.length; at++) {
        const inner = text.charCodeAt(at)
        if (inner === QUOTE) break
        if (inner === BACKSLASH) at++
        hash = (Math.imul(hash, 31) + inner) | 0
        if (at - begin > LONG_STRING_LENGTH) {
          // Keys of this length all count as distinct.
          hash = begin
          at = endOfString(text, at + 1)
          break
        }
      }
    } else if (code === COLON) {
      keys.add(hash)
      if (keys.size > MAX_KEYS) throw new Fault('TooLarge', `the JSON has more than ${MAX_KEYS} different keys`)
    } else if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++values > maxValues) throw new Fault('TooLarge', `the JSON has more than ${maxValues} values`)
    }
  }
}

/** The index of the quote that ends a JSON string, or the length of the text. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (at - 1 - backslashes >= from && text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return text.length
}
