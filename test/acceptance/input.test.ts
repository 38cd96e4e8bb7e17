import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { treeHash } from '../../src/desktop/tree/hash.ts'
import { reportOracles } from '../../src/observer/oracles.ts'
import { openDesktop, type TestDesktop } from '../../src/testing.ts'

// fixtures/input.yaml needs a drag, held modifiers, the wheel on both axes and a double click. Clients of other dialects solve it too.

const INPUT = readFileSync(new URL('../../fixtures/input.yaml', import.meta.url), 'utf8')
interface Step {
  readonly call: string
  readonly with?: Record<string, unknown>
}

const SOLUTION = parse(INPUT).solution as readonly Step[]

const play = async (desk: TestDesktop, steps = SOLUTION) => {
  for (const step of steps) await desk.call(step.call as string, step.with ?? {})
}
const hashes = ({ computer }: TestDesktop) => computer.desktop.windows.map(({ uid, tree }) => [uid, treeHash(tree)])
const isSolved = async ({ session }: TestDesktop) =>
  (await reportOracles(session.context, session.computer.simulation!)).reward === 1

describe('the scenario of primitive input', () => {
  it('ends in the same state by a drag along a path and a fork in the middle of a drag', async () => {
    const solved = openDesktop({ scenario: INPUT })
    await play(solved)
    expect(await isSolved(solved)).toBe(true)
    const along = openDesktop({ scenario: INPUT })
    const path = SOLUTION.slice(0, 3).map(({ with: at }) => at)
    await play(along, [{ call: 'mouse_drag', with: { path } }, ...SOLUTION.slice(4)])
    expect(hashes(along)).toEqual(hashes(solved))
    const held = openDesktop({ scenario: INPUT })
    await play(held, SOLUTION.slice(0, 2))
    const fork = held.session.fork('fork').computer
    expect(fork.pointer()).toMatchObject({ buttons: ['left'] })
    await play(held, SOLUTION.slice(2))
    expect(hashes(held)).toEqual(hashes(solved))
    expect(fork.pointer()).toMatchObject({ at: { x: 280, y: 220 }, buttons: ['left'] })
  })

  it('is replayed from its trace to the same state', async () => {
    const traced = openDesktop({ scenario: INPUT })
    await traced.call('trace_start')
    await play(traced)
    const { path } = (await traced.call('trace_stop')) as { path: string }
    const again = openDesktop({ scenario: INPUT, files: { 'trace.jsonl': String(traced.artifacts.get(path)) } })
    const { replay_id } = await again.call('replay_start', { path: 'trace.jsonl', mode: 'execute' })
    for (const _ of SOLUTION) await again.call('replay_step', { replay_id })
    expect(await again.call('replay_status', { replay_id })).toMatchObject({ finished: true, divergences: [] })
    expect(hashes(again)).toEqual(hashes(traced))
    expect(await isSolved(again)).toBe(true)
  })
})
