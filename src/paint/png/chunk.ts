import zlib from 'node:zlib'

/** The offset of the data in a chunk, after its length and type. */
export const CHUNK_DATA = 8

/** A chunk of a PNG file: length, type, data and checksum. */
export function chunk(type: string, data: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafeSlow(data.length + 12)
  whole.writeUInt32BE(data.length, 0)
  whole.write(type, 4, 'latin1')
  whole.set(data, CHUNK_DATA)
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + CHUNK_DATA)), data.length + CHUNK_DATA)
  return whole
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  return sum
})

/** The CRC of a chunk. Native since Node 20.15. */
const crc32 = (bytes: Uint8Array): number => zlib.crc32?.(bytes) ?? slowCrc32(bytes)

function slowCrc32(bytes: Uint8Array): number {
  let sum = -1
  for (let at = 0; at < bytes.length; at++) sum = CRC_TABLE[(sum ^ bytes[at]!) & 255]! ^ (sum >>> 8)
  return ~sum >>> 0
}
