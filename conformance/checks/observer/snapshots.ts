import assert from 'node:assert/strict'
import * as z from 'zod'
import { patched } from '../../compare/patch.ts'
import { plain } from '../../compare/tree.ts'
import { Snapshot, SnapshotDiff, SnapshotTaken, success } from '../../contract/observer-shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { Http } from '../../probe/http.ts'
import { check } from '../check.ts'
import { act, fillIn, read, refusedWith, stage, treeOf, windowsOf } from './client.ts'

const take = async (http: Http) => read(await http.post('/api/snapshot', {}), SnapshotTaken).snapshot_id
const fetchSnapshot = async (http: Http, id: string) => read(await http.get(`/api/snapshot/${id}`), Snapshot)
const compare = async (http: Http, a: string, b: string) =>
  read(await http.post('/api/snapshot/diff', { a, b, format: 'json-patch' }), SnapshotDiff)
const drop = async (http: Http, id: string) =>
  read(await http.delete(`/api/snapshot/${id}`), success({ dropped: z.boolean() })).dropped

check('observer:snapshot:content', async ({ http }) => {
  const { windows, trees, tree_hashes } = await fetchSnapshot(http, await take(http))
  const uids = (await windowsOf(http)).map((window) => window.window_uid)
  assert.deepEqual(windows.map((window) => window.window_uid).sort(), [...uids].sort())
  for (const window_uid of uids) {
    const { tree, tree_hash } = await treeOf(http, { window_uid })
    assert.equal(tree_hashes[window_uid], tree_hash)
    assert.deepEqual(plain(trees[window_uid] ?? fail(`the tree of ${window_uid} is missing`)), plain(tree))
  }
})

check('observer:snapshot:keeps', async (bench) => {
  await stage(bench)
  const id = await take(bench.http)
  const before = await fetchSnapshot(bench.http, id)
  await fillIn(bench.http)
  const after = await fetchSnapshot(bench.http, id)
  assert.deepEqual(after.trees, before.trees)
  assert.deepEqual([after.tree_hashes, after.ts], [before.tree_hashes, before.ts])
})

check('observer:snapshot:same', async ({ http }) => {
  const difference = await compare(http, await take(http), await take(http))
  assert.deepEqual([difference.windows_added, difference.windows_removed], [[], []])
  for (const { changes } of Object.values(difference.per_window_changes)) assert.deepEqual(changes, [])
})

check('observer:snapshot:diff', async (bench) => {
  await stage(bench)
  const { http } = bench
  const first = await take(http)
  await fillIn(http)
  await act(http, 'click', { selector: 'Button[name="Open dialog"]' })
  const second = await take(http)
  const [before, after] = [await fetchSnapshot(http, first), await fetchSnapshot(http, second)]
  const difference = await compare(http, first, second)
  const only = (one: typeof before, other: typeof before) =>
    Object.keys(one.trees)
      .filter((uid) => !(uid in other.trees))
      .sort()
  assert.deepEqual(difference.windows_added, only(after, before))
  assert.deepEqual(difference.windows_removed, only(before, after))
  assert.ok(difference.windows_added.length > 0, 'prerequisite: no window was opened')
  for (const [uid, { format, changes }] of Object.entries(difference.per_window_changes)) {
    assert.equal(format, 'json-patch')
    const [old, now] = [before.trees[uid], after.trees[uid]]
    if (old && now) assert.deepEqual(plain(patched(old, changes)), plain(now))
  }
})

check('observer:snapshot:drop', async ({ http }) => {
  const id = await take(http)
  assert.equal(await drop(http, id), true)
  refusedWith(await http.get(`/api/snapshot/${id}`), 'SnapshotExpired')
  refusedWith(await http.post('/api/snapshot/diff', { a: id, b: await take(http) }), 'SnapshotExpired')
})

check('observer:snapshot:drop-again', async ({ http }) => {
  const id = await take(http)
  assert.deepEqual([await drop(http, id), await drop(http, id)], [true, false])
})

check('observer:snapshot:capacity', async ({ http }) => {
  const [read1, unread] = [await take(http), await take(http)]
  const more = []
  for (let count = 0; count < 30; count++) more.push(await take(http))
  await fetchSnapshot(http, read1)
  await take(http)
  await fetchSnapshot(http, read1)
  refusedWith(await http.get(`/api/snapshot/${unread}`), 'SnapshotExpired')
  await fetchSnapshot(http, more[0]!)
})
