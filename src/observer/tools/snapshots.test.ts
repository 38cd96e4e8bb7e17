import { describe, expect, it } from 'vitest'
import { openDesktop } from '../../testing.ts'

// Rules such as [OB142] are stated in src/observer/SPEC.md.

const APP = `
states:
  a:
    windows:
      - {uid: mock:a, title: A, tree: {role: Window, name: A, children: [{id: go, role: Button, name: Go, bounds: {x: 10, y: 50, width: 80, height: 28}}]}}
  b:
    windows:
      - {uid: mock:a, title: A, tree: {role: Window, name: A, children: [{id: go, role: Button, name: Gone, bounds: {x: 10, y: 50, width: 80, height: 28}}]}}
      - {uid: mock:b, title: B}
reactions:
  - {on: {tool: click_element, target_id: go}, transition_to: b}
`

describe('snapshots', () => {
  it('[OB142] contain all windows and trees', async () => {
    const desk = openDesktop({ scenario: APP })
    const taken = await desk.call('snapshot')
    expect(taken).toMatchObject({
      snapshot_id: expect.stringMatching(/^snap:[0-9a-f]{16}$/),
      ts: desk.clock.now() / 1000,
      summary: { windows: 1, trees: 1 },
    })
    const read = await desk.call('snapshot_get', { snapshot_id: taken.snapshot_id })
    const { tree, tree_hash } = await desk.call('get_window_structure')
    expect(read).toMatchObject({ trees: { 'mock:a': tree }, tree_hashes: { 'mock:a': tree_hash } })
    expect((read.windows as object[])[0]).not.toHaveProperty('index')
  })

  it('[OB142] are limited to 32, and the least recently read is dropped first', async () => {
    const desk = openDesktop({ scenario: APP })
    const take = async () => (await desk.call('snapshot')).snapshot_id
    const first = await take()
    const second = await take()
    for (let count = 2; count < 32; count++) await take()
    await desk.call('snapshot_get', { snapshot_id: first })
    await take()
    expect((await desk.tryCall('snapshot_get', { snapshot_id: first })).ok).toBe(true)
    expect((await desk.tryCall('snapshot_get', { snapshot_id: second })).error?.code).toBe('SnapshotExpired')
  })

  it('[OB143] [OB134] are removed when dropped or expired', async () => {
    const desk = openDesktop({ scenario: APP })
    const { snapshot_id } = await desk.call('snapshot')
    desk.operatorClock.advance(300_001)
    expect((await desk.tryCall('snapshot_get', { snapshot_id })).error?.code).toBe('SnapshotExpired')
    const other = await desk.call('snapshot')
    const drop = async () => (await desk.call('snapshot_drop', { snapshot_id: other.snapshot_id })).dropped
    expect([await drop(), await drop()]).toEqual([true, false])
    const diff = await desk.tryCall('snapshot_diff', { a: other.snapshot_id, b: 'diff' })
    expect(diff.error?.code).toBe('SnapshotExpired')
  })

  it('[OB144] are compared as a diff', async () => {
    const desk = openDesktop({ scenario: APP })
    const { snapshot_id: a } = await desk.call('snapshot')
    await desk.call('click_element', { element_id: 'go' })
    const { snapshot_id: b } = await desk.call('snapshot')
    expect(await desk.call('snapshot_diff', { a, b })).toMatchObject({
      windows_added: ['mock:b'],
      windows_removed: [],
      per_window_changes: {
        'mock:a': { format: 'custom', changes: [{ op: 'replace', path: '0', fields: { name: 'Gone' } }] },
      },
    })
    expect(await desk.call('snapshot_diff', { a: b, b: a, format: 'json-patch' })).toMatchObject({
      windows_removed: ['mock:b'],
      per_window_changes: {
        'mock:a': {
          format: 'json-patch',
          changes: [
            { op: 'replace', path: '/children/0/name', value: 'Go' },
            { op: 'replace', path: '/children/0/focused', value: false },
          ],
        },
      },
    })
  })
})
