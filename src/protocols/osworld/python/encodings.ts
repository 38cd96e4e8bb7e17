import { PythonError } from './python-error.ts'
import { requireString } from './signature.ts'
import { bytes, str, type Value } from './value.ts'

/** `bytes.decode(encoding, errors)`. Bytes are characters from U+0000 to U+00FF. */
export function decodeBytes(data: string, encoding: Value, errors: Value): Value {
  const name = encodingNamed(encoding)
  const onError = requireString(errors, 'errors')
  if (name === 'latin-1') return str(data)
  const buffer = Buffer.from(data, 'latin1')
  const text =
    name === 'ascii' && buffer.some((byte) => byte > 0x7f) ? undefined : decodedUtf8(buffer, onError === 'strict')
  if (text !== undefined) return str(onError === 'ignore' ? text.replaceAll('\ufffd', '') : text)
  throw new PythonError('UnicodeDecodeError', `'${name}' codec can't decode the bytes`)
}

function decodedUtf8(buffer: Buffer, isStrict: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: isStrict, ignoreBOM: true }).decode(buffer)
  } catch {
    return undefined
  }
}

/** `str.encode(encoding)` */
export function encodeText(text: string, encoding: Value): Value {
  const name = encodingNamed(encoding)
  if (name === 'utf-8') return bytes(Buffer.from(text, 'utf8').toString('latin1'))
  const limit = name === 'ascii' ? 0x7f : 0xff
  for (const character of text)
    if (character.codePointAt(0)! > limit)
      throw new PythonError('UnicodeEncodeError', `'${name}' codec can't encode character '${character}'`)
  return bytes(text)
}

function encodingNamed(encoding: Value): 'utf-8' | 'ascii' | 'latin-1' {
  const given = requireString(encoding, 'encoding')
  const name = ENCODINGS[given.toLowerCase().replaceAll('_', '-')]
  if (!name) throw new PythonError('LookupError', `unknown encoding: ${given.slice(0, 100)}`)
  return name
}

const ENCODINGS: Readonly<Record<string, 'utf-8' | 'ascii' | 'latin-1' | undefined>> = Object.assign(
  Object.create(null),
  {
    ...{ 'utf-8': 'utf-8', utf8: 'utf-8', u8: 'utf-8' },
    ...{ ascii: 'ascii', 'us-ascii': 'ascii' },
    ...{ 'latin-1': 'latin-1', latin1: 'latin-1', 'iso-8859-1': 'latin-1' },
  },
)
