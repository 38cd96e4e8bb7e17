const ESC = '\u001b'

/**
 * Removes terminal escape sequences (CSI, OSC, two-byte) and control characters other than tab and line ends, so that text
 * of a program cannot control the reader's terminal.
 */
export function stripControls(text: string): string {
  if (!hasControl(text)) return text
  let clean = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    const code = character.charCodeAt(0)
    if (character === ESC || code === 0x9b || code === 0x9d) {
      at = endOfEscape(text, at)
      continue
    }
    if (isControl(code)) continue
    clean += character
  }
  return clean
}

const isControl = (code: number): boolean =>
  (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || (code >= 0x7f && code <= 0x9f)

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) return true
  return false
}

/** The index of the last character of the escape sequence that starts at `at`. */
function endOfEscape(text: string, at: number): number {
  const first = text[at]
  const kind = first === '\u009b' ? '[' : first === '\u009d' ? ']' : text[at + 1]
  const from = first === ESC ? at + 2 : at + 1
  if (kind === '[') {
    let end = from
    while (end < text.length && (text.charCodeAt(end) < 0x40 || text.charCodeAt(end) > 0x7e)) end++
    return end
  }
  if (kind === ']') {
    for (let end = from; end < text.length; end++) {
      if (text[end] === '\u0007' || text[end] === '\u009c') return end
      if (text[end] === ESC && text[end + 1] === '\\') return end + 1
    }
    return text.length
  }
  return Math.min(at + 1, text.length)
}
