import { expect, it } from 'vitest'
import { callRows, callWords, type LiveCall, timeWords } from './live.ts'

// Rules such as [VW56] are stated in ../README.md.

const call = (sequence: number, tool: string, more: Partial<LiveCall> = {}) =>
  ({ sequence, tool, ok: true, fired: [], start_ms: sequence * 10, args: {}, ...more }) as unknown as LiveCall

it('[VW56] lists calls newest first, and advances of the clock on one line unless something fired', () => {
  const fired = [{ kind: 'timer', text: 'timers[0]' }] as const
  const tick = (sequence: number, more = {}) => call(sequence, 'session_advance', more)
  const rows = callRows([tick(1), tick(2), call(3, 'click_at'), tick(4), tick(5, { fired }), tick(6), tick(7)])
  expect(rows.map((row) => [row.call.sequence, row.count, row.startMs])).toEqual([
    [7, 2, 60],
    [5, 1, 50],
    [4, 1, 40],
    [3, 1, 30],
    [2, 2, 10],
  ])
})

it('[VW56] names arguments and durations in words', () => {
  expect(callWords({ args: { selector: 'Button', dry_run: false, path: [1] } })).toBe('selector Button · path [1]')
  expect([0, 999, 1250, 61_500].map(timeWords)).toEqual(['0 ms', '999 ms', '1.25 s', '1 min 1 s'])
})
