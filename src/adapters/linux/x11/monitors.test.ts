import { describe, expect, it } from 'vitest'
import { parseMonitors } from './monitors.ts'

describe('the reply of RRGetMonitors', () => {
  it('[L3] is read past the outputs of each monitor', () => {
    const entry = (primary: number, x: number, y: number, width: number, height: number, outputs: number) => {
      const bytes = Buffer.alloc(24 + outputs * 4)
      bytes.writeUInt8(primary, 4)
      bytes.writeUInt16LE(outputs, 6)
      bytes.writeInt16LE(x, 8)
      bytes.writeInt16LE(y, 10)
      bytes.writeUInt16LE(width, 12)
      bytes.writeUInt16LE(height, 14)
      return bytes
    }
    const header = Buffer.alloc(24)
    header.writeUInt32LE(2, 4)
    const reply = Buffer.concat([header, entry(0, -1280, 0, 1280, 1024, 2), entry(1, 0, 0, 1920, 1080, 1)])
    expect(parseMonitors(reply)).toEqual([
      { primary: false, bounds: { x: -1280, y: 0, width: 1280, height: 1024 } },
      { primary: true, bounds: { x: 0, y: 0, width: 1920, height: 1080 } },
    ])
  })
})
