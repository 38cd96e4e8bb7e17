import { describe, expect, it } from 'vitest'
import { screenArea } from '../../computer.ts'
import { parseClientPid, parseMonitors, processName } from './display.ts'

it('[LX12] a screenshot of the screen covers all monitors', () => {
  const left = { index: 1, primary: false, bounds: { x: 0, y: 0, width: 1280, height: 1024 }, scaleFactor: 1 }
  const primary = { index: 0, primary: true, bounds: { x: 1280, y: 0, width: 1920, height: 1080 }, scaleFactor: 1 }
  expect(screenArea(false, [primary, left])).toEqual({ x: 0, y: 0, width: 3200, height: 1080 })
})

describe('the reply of RRGetMonitors', () => {
  it('[LX4] is parsed, skipping the outputs of each monitor', () => {
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

describe('the name of a process', () => {
  const files = (comm: string, cmdline: string) => (path: string) => (path.endsWith('comm') ? `${comm}\n` : cmdline)

  it('[LX77] is complete, although the kernel truncates it to fifteen characters', () => {
    expect(processName(7, files('gnome-calculato', '/usr/bin/gnome-calculator\0--mode\0'))).toBe('gnome-calculator')
    expect(processName(7, files('kcalc', '/usr/bin/kcalc\0'))).toBe('kcalc')
    expect(processName(7, files('fifteen-letters', '/usr/bin/something-else\0'))).toBe('fifteen-letters')
  })

  it('[LX77] is empty for a process that has exited', () => {
    const gone = () => {
      throw new Error('ENOENT')
    }
    expect([processName(7, gone), processName(0)]).toEqual(['', ''])
  })
})

it('[LX77] takes the process of a window from the X server', () => {
  const reply = Buffer.alloc(40)
  for (const [at, value] of [
    [0, 1],
    [24, 0x60_0000],
    [28, 2],
    [32, 4],
    [36, 4711],
  ] as const)
    reply.writeUInt32LE(value, at)
  expect([parseClientPid(reply), parseClientPid(Buffer.alloc(24))]).toEqual([4711, 0])
})
