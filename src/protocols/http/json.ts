import { Fault } from '../../base/fault.ts'

/** Texts shorter than this are parsed without a look beforehand; no JSON so short takes long to read. */
const MIN_LOOK_LENGTH = 64 * 1024
/** How many values a text may have, and how many different keys. Reading more of them would delay other clients. */
export const MAX_JSON_VALUES = 100_000
const MAX_KEYS = 20_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
/** A text within JSON longer than this is likely a picture, which native code passes over faster. */
const LONG_TEXT = 64

/**
 * The JSON in a text that somebody sent. Throws `SyntaxError` for anything else, and `TooLarge`, without parsing it, for
 * JSON of so many parts that reading it would delay other clients.
 */
export function parseJson(text: string): unknown {
  checkJsonSize(text)
  return JSON.parse(text)
}

/** As `parseJson`, but undefined for anything that is not JSON. */
export function tryParseJson(text: string): unknown {
  checkJsonSize(text)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Throws `TooLarge` for JSON of too many parts. Looks at each character once at most and builds nothing but a set of keys. */
export function checkJsonSize(text: string, most = MAX_JSON_VALUES): void {
  if (text.length < MIN_LOOK_LENGTH) return
  let parts = 0
  const keys = new Set<number>()
  let hash = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter === QUOTE) {
      hash = 0
      const begin = at
      for (at++; at < text.length; at++) {
        const inner = text.charCodeAt(at)
        if (inner === QUOTE) break
        if (inner === BACKSLASH) at++
        hash = (Math.imul(hash, 31) + inner) | 0
        if (at - begin > LONG_TEXT) {
          // Keys so long count as different ones.
          hash = begin
          at = endOfText(text, at + 1)
          break
        }
      }
    } else if (letter === COLON) {
      keys.add(hash)
      if (keys.size > MAX_KEYS) throw new Fault('TooLarge', `the JSON has more than ${MAX_KEYS} different keys`)
    } else if (letter === COMMA || letter === OPEN_LIST || letter === OPEN_OBJECT) {
      if (++parts > most) throw new Fault('TooLarge', `the JSON has more than ${most} values`)
    }
  }
}

/** Where the quote is that ends a text within JSON; the length when there is none. */
function endOfText(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (at - 1 - backslashes >= from && text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return at
  }
  return text.length
}
