import { INTERFACES, type InterfaceName } from './protocols.ts'

/** An argument of a request or event. */
export type WireValue = number | string | null

/** A message of the Wayland protocol. */
export interface WireMessage {
  readonly object: number
  readonly opcode: number
  readonly body: Buffer
}

const HEADER_BYTES = 8
const FIXED_UNIT = 256

/** Encodes a request (Wayland protocol, "Wire Format"). A file descriptor travels beside the bytes, so it has none. */
export function encodeMessage(
  object: number,
  opcode: number,
  signature: string,
  values: readonly (WireValue | { readonly id: number })[],
): Buffer {
  const parts: Buffer[] = []
  const word = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value >>> 0)
    parts.push(bytes)
  }
  const text = (value: string) => {
    const bytes = Buffer.from(`${value}\0`)
    word(bytes.length)
    parts.push(bytes, Buffer.alloc(-bytes.length & 3))
  }
  for (const [index, letter] of signature.split(' ').entries()) {
    const value = values[index] ?? 0
    const number = typeof value === 'object' ? value.id : Number(value)
    if (letter === 's') text(String(value))
    else if (letter === 'f') word(Math.round(number * FIXED_UNIT))
    else if (letter !== '' && letter !== 'h') word(number)
  }
  const body = Buffer.concat(parts)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(object, 0)
  header.writeUInt32LE((((HEADER_BYTES + body.length) << 16) | opcode) >>> 0, 4)
  return Buffer.concat([header, body])
}

/** Encodes `wl_registry.bind`, whose new object has its interface and version in the message. */
export function encodeBind(
  registry: number,
  { name, version, id, interfaceName }: { name: number; version: number; id: number; interfaceName: InterfaceName },
): Buffer {
  return encodeMessage(registry, 0, 'u s u u', [name, interfaceName, version, id])
}

/** Takes the complete messages from the start of `bytes`. Returns them and the bytes that are left. */
export function splitMessages(bytes: Buffer): { readonly messages: readonly WireMessage[]; readonly rest: Buffer } {
  const messages: WireMessage[] = []
  let rest = bytes
  while (rest.length >= HEADER_BYTES) {
    const second = rest.readUInt32LE(4)
    const size = second >>> 16
    if (size < HEADER_BYTES || rest.length < size) break
    messages.push({
      object: rest.readUInt32LE(0),
      opcode: second & 0xffff,
      body: rest.subarray(HEADER_BYTES, size),
    })
    rest = rest.subarray(size)
  }
  return { messages, rest }
}

/** Decodes the arguments of an event. Objects and new objects are their numbers, file descriptors null. */
export function decodeArguments(body: Buffer, signature: string): readonly WireValue[] {
  let at = 0
  return signature.split(' ').flatMap((letter): readonly WireValue[] => {
    if (letter === '') return []
    if (letter === 'h') return [null]
    if (letter === 's') {
      const length = body.readUInt32LE(at)
      const text = length === 0 ? null : body.toString('utf8', at + 4, at + 4 + length - 1)
      at += 4 + ((length + 3) & ~3)
      return [text]
    }
    const value = letter === 'i' || letter === 'f' ? body.readInt32LE(at) : body.readUInt32LE(at)
    at += 4
    return [letter === 'f' ? value / FIXED_UNIT : value]
  })
}

/** The name and the signature of an event. Undefined for one of a later version. */
export function eventAt(interfaceName: InterfaceName, opcode: number): readonly [string, string] | undefined {
  return Object.entries(INTERFACES[interfaceName].events)[opcode]
}
