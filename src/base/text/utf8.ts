/**
 * Bytes as text, or undefined when they are not UTF-8 or contain a NUL. Set `isCut` when bytes may follow: an incomplete
 * last character is then left out. A byte order mark is kept, so that the text has as many bytes as were read.
 */
export function decodeUtf8(bytes: Uint8Array, isCut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined
  }
}
