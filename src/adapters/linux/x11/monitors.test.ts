import { describe, expect, it } from 'vitest'
import { screenArea } from '../../computer.ts'
import { parseMonitors } from './monitors.ts'

it('[B15] a screenshot of the screen covers all monitors', () => {
  const left = { index: 1, primary: false, bounds: { x: 0, y: 0, width: 1280, height: 1024 }, scaleFactor: 1 }
  const primary = { index: 0, primary: true, bounds: { x: 1280, y: 0, width: 1920, height: 1080 }, scaleFactor: 1 }
  expect(screenArea(false, [primary, left])).toEqual({ x: 0, y: 0, width: 3200, height: 1080 })
})

describe('the reply of RRGetMonitors', () => {
  it('[L3] is parsed, skipping the outputs of each monitor', () => {
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
