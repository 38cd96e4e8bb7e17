import { describe, expect, it } from 'vitest'
import { decodeArguments, encodeBind, encodeMessage, eventAt, splitMessages } from './wire.ts'

describe('messages of Wayland', () => {
  it('[LX48] carry numbers, texts and new objects in words of four bytes', () => {
    const bytes = encodeMessage(7, 3, 'n s i f o h', [{ id: 9 }, 'abc', -2, 1.5, null, null])
    expect(bytes.toString('hex')).toBe(
      ['07000000', '03002000', '09000000', '04000000', '61626300', 'feffffff', '80010000', '00000000'].join(''),
    )
    expect(decodeArguments(bytes.subarray(8), 'u s i f o h')).toEqual([9, 'abc', -2, 1.5, 0, null])
  })

  it('[LX48] name the interface and the version of a global that is bound', () => {
    const bytes = encodeBind(2, { name: 5, version: 3, id: 8, interfaceName: 'wl_shm' })
    expect(decodeArguments(bytes.subarray(8), 'u s u u')).toEqual([5, 'wl_shm', 3, 8])
  })

  it('[LX48] may arrive in parts', () => {
    const first = encodeMessage(1, 0, 'u', [4])
    const second = encodeMessage(2, 1, 's', ['text'])
    const all = Buffer.concat([first, second])
    const { messages, rest } = splitMessages(all.subarray(0, first.length + 6))
    expect(messages).toEqual([{ object: 1, opcode: 0, body: first.subarray(8) }])
    expect(splitMessages(Buffer.concat([rest, all.subarray(first.length + 6)])).messages).toEqual([
      { object: 2, opcode: 1, body: second.subarray(8) },
    ])
  })

  it('[LX48] of later versions are unknown', () => {
    expect(eventAt('wl_callback', 0)).toEqual(['done', 'u'])
    expect(eventAt('wl_callback', 1)).toBeUndefined()
  })
})
