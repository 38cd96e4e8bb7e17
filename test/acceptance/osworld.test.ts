import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { treeHash } from '../../src/desktop/tree/hash.ts'
import { osworldApp } from '../../src/protocols/osworld/server.ts'
import { openDesktop, type TestDesktop } from '../../src/testing.ts'
import { type Computer13Action, osworldClient } from '../support/protocols/osworld-client.ts'

// Rules such as [OS20] are stated in src/protocols/osworld/README.md.

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const action = (action_type: string, parameters: object = {}): Computer13Action =>
  ({ action_type, parameters }) as Computer13Action

const SOLVED: Readonly<Record<string, readonly Computer13Action[]>> = {
  'scenarios/login.yaml': [
    action('CLICK', { x: 320, y: 212 }),
    action('TYPING', { text: 'alice' }),
    action('CLICK', { x: 320, y: 252, button: 'left', num_clicks: 1 }),
    action('TYPING', { text: 'correct horse' }),
    action('MOVE_TO', { x: 250, y: 294 }),
    action('CLICK'),
  ],
  'fixtures/input.yaml': [
    action('MOVE_TO', { x: 160, y: 192 }),
    action('DRAG_TO', { x: 440, y: 250 }),
    action('CLICK', { x: 160, y: 424 }),
    action('KEY_DOWN', { key: 'ctrl' }),
    action('CLICK', { x: 160, y: 480 }),
    action('KEY_UP', { key: 'ctrl' }),
    action('MOVE_TO', { x: 880, y: 350 }),
    action('SCROLL', { dx: 20, dy: -600 }),
    action('CLICK', { x: 1042, y: 556 }),
    action('DOUBLE_CLICK', { x: 420, y: 424 }),
  ],
}

const CORNER = { x: 1279, y: 1 }

/** The final state: hashes of the windows, and the screen with the pointer out of the way. */
async function stateOf(desktop: TestDesktop) {
  await desktop.call('move_pointer', CORNER)
  const { data } = await desktop.call('capture_screen')
  const windows = desktop.computer.desktop.windows.map(({ uid, tree }) => [uid, treeHash(tree)])
  return { windows, data, reward: (await desktop.call('session_info')).reward }
}

describe('[OS20] a client of OSWorld', () => {
  it.each(Object.keys(SOLVED))('solves %s with the state of the solution', async (file) => {
    const solved = openDesktop({ scenario: read(file) })
    for (const step of parse(read(file)).solution as readonly { call: string; with?: Record<string, unknown> }[]) {
      const text = JSON.stringify(step.with ?? {}).replaceAll('{{ user }}', 'alice')
      await solved.call(step.call, JSON.parse(text))
    }
    const played = openDesktop({ scenario: read(file) })
    const bugs: unknown[] = []
    const app = await osworldApp({
      session: played.session,
      access: { hosts: [], origins: [], token: undefined },
      onBug: (bug) => bugs.push(bug),
    })
    const client = osworldClient(app)
    for (const step of SOLVED[file]!) await client.perform(step)
    const wanted = await stateOf(solved)
    expect(wanted.reward).toBe(1)
    const actual = await stateOf(played)
    expect({ ...actual, data: actual.data === wanted.data }).toEqual({ ...wanted, data: true })
    expect(bugs).toEqual([])
  })
})
