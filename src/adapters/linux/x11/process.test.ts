import { describe, expect, it } from 'vitest'
import { parseClientPid, processName } from './process.ts'

describe('the name of a process', () => {
  const files = (comm: string, cmdline: string) => (path: string) => (path.endsWith('comm') ? `${comm}\n` : cmdline)

  it('[R13] is complete, although the kernel truncates it to fifteen characters', () => {
    expect(processName(7, files('gnome-calculato', '/usr/bin/gnome-calculator\0--mode\0'))).toBe('gnome-calculator')
    expect(processName(7, files('kcalc', '/usr/bin/kcalc\0'))).toBe('kcalc')
    expect(processName(7, files('fifteen-letters', '/usr/bin/something-else\0'))).toBe('fifteen-letters')
  })

  it('[R13] is empty for a process that has exited', () => {
    const gone = () => {
      throw new Error('ENOENT')
    }
    expect([processName(7, gone), processName(0)]).toEqual(['', ''])
  })
})

it('[R13] takes the process of a window from the X server', () => {
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
