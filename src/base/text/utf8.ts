/**
 * Decodes UTF-8. Returns undefined for invalid bytes or a NUL. Set `isCut` when more bytes may follow: an incomplete
 * last character is then omitted. Keeps a byte order mark, so that the text has as many bytes as were read.
 */
export function decodeUtf8(bytes: Uint8Array, isCut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined
  }
}
