import { describe, expect, it } from 'vitest'
import { shownStep, smallRecording, storedElement } from '../../../test/support/viewer/small-recording.ts'
import { alignRecordings } from './alignment.ts'
import type { Moment, Recording } from './recording.ts'

// Rules such as [VW24] are stated in README.md of the viewer.

const run = (tools: string, parts: Parameters<typeof smallRecording>[0] = {}): Recording =>
  smallRecording({ steps: [...tools].map((tool, index) => shownStep(index + 1, { tool })), ...parts })

const pairsOf = (left: string, right: string) =>
  alignRecordings(run(left), run(right)).pairs.map(
    ({ left: a, right: b, isSame }) => `${a ?? '-'}${isSame ? '=' : '|'}${b ?? '-'}`,
  )

it('[VW24] pairs equal calls in order', () => {
  expect(pairsOf('abc', 'abc')).toEqual(['1=1', '2=2', '3=3'])
  expect(pairsOf('abcd', 'abxxd')).toEqual(['1=1', '2=2', '3|3', '-|4', '4=5'])
  expect(pairsOf('acb', 'abcb')).toEqual(['1=1', '-|2', '2=3', '3=4'])
  expect(pairsOf('', 'ab')).toEqual(['-|1', '-|2'])
})

it('[VW24] compares arguments whatever the order of their keys', () => {
  const withArgs = (value: unknown) =>
    smallRecording({ steps: [shownStep(1, { args: 1 })], tables: { values: [null, value] } })
  const differing = (a: unknown, b: unknown) => alignRecordings(withArgs(a), withArgs(b)).divergence
  expect(differing({ x: 1, y: 2 }, { y: 2, x: 1 })).toBeUndefined()
  expect(differing({ x: 1 }, { x: 2 })).toEqual({ pair: 0, who: 'agent', reason: 'wait with other arguments.' })
})

describe('[VW25] names who diverged first', () => {
  const moved = (moment: Partial<Moment>, tables = {}) =>
    run('ab', { moments: [{ atMs: 0 }, { atMs: 0, ...moment }, { atMs: 0, ...moment }], tables })
  const divergence = (left: Recording, right: Recording) => alignRecordings(left, right).divergence

  it('the agent with another call, or without one', () => {
    expect(divergence(run('abc'), run('axc'))).toEqual({ pair: 1, who: 'agent', reason: 'b against x.' })
    expect(divergence(run('ab'), run('a'))).toEqual({
      pair: 1,
      who: 'agent',
      reason: 'Only the left one calls b here.',
    })
  })

  it('the environment with another state, tree, picture or result', () => {
    expect(divergence(moved({ state: 'x' }), moved({ state: 'y' }))).toEqual({
      ...{ pair: 0, who: 'environment', reason: 'The same a leads to another state.' },
    })
    const desk = (name: string, unused: number) => ({
      elements: [...Array.from({ length: unused }, () => storedElement('unused')), storedElement('e', [], name)],
      desks: [[{ uid: 'w', title: '', process: '', bounds: storedElement('').bounds, focused: true, root: unused }]],
    })
    expect(divergence(moved({ desk: 0 }, desk('A', 0)), moved({ desk: 0 }, desk('A', 3)))).toBeUndefined()
    expect(divergence(moved({ desk: 0 }, desk('A', 0)), moved({ desk: 0 }, desk('B', 0)))?.reason).toContain('tree')
    const picture = (...tiles: readonly string[]) => ({ tiles, frames: [{ width: 9, height: 9, tiles: [0] }] })
    expect(divergence(moved({ frame: 0 }, picture('p', 'q')), moved({ frame: 0 }, picture('p')))).toBeUndefined()
    expect(divergence(moved({ frame: 0 }, picture('p')), moved({ frame: 0 }, picture('q')))?.reason).toContain(
      'picture',
    )
    const failed = smallRecording({ steps: [shownStep(1, { tool: 'a', ok: false })] })
    expect(divergence(run('a'), failed)).toEqual({
      ...{ pair: 0, who: 'environment', reason: 'The same a leads to another result.' },
    })
  })

  it('the environment if the desktops differ at the start', () => {
    const start = (state: string) => run('a', { moments: [{ atMs: 0, state }, { atMs: 0 }] })
    expect(divergence(start('x'), start('y'))).toEqual({
      ...{ pair: -1, who: 'environment', reason: 'The desktops start with another state.' },
    })
  })
})

it('[VW25] does not compare pictures that differ from the start', () => {
  const themed = (...tiles: readonly string[]) =>
    run('a', {
      moments: [
        { atMs: 0, frame: 0 },
        { atMs: 0, frame: 1 },
      ],
      tables: { tiles, frames: [0, 1].map((tile) => ({ width: 9, height: 9, tiles: [tile] })) },
    })
  const aligned = (left: Recording, right: Recording) => {
    const { divergence, comparesPictures } = alignRecordings(left, right)
    return [divergence?.pair, comparesPictures]
  }
  expect(aligned(themed('light', 'p'), themed('dark', 'q'))).toEqual([undefined, false])
  expect(aligned(themed('light', 'p'), themed('light', 'q'))).toEqual([0, true])
})

it('[VW24] pairs long recordings by number where a table would be too large', () => {
  const long = (tool: string) =>
    smallRecording({
      steps: Array.from({ length: 4000 }, (_, index) => shownStep(index + 1, { tool: `${tool}${index}` })),
    })
  expect(alignRecordings(long('a'), long('b')).pairs).toHaveLength(4000)
})
