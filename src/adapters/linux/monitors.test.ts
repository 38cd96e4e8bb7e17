import { describe, expect, it } from 'vitest'
import { monitorOf, parseMonitors } from './monitors.ts'

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

it('[L3] a window is on the monitor that shows most of it', () => {
  const monitor = (index: number, x: number) => ({
    index,
    primary: index === 0,
    bounds: { x, y: 0, width: 500, height: 500 },
    scaleFactor: 1,
  })
  const both = [monitor(0, 0), monitor(1, 500)]
  expect(monitorOf(both, { x: 450, y: 0, width: 200, height: 50 }).index).toBe(1)
  expect(monitorOf(both, { x: 5000, y: 0, width: 200, height: 50 }).index).toBe(0)
})
