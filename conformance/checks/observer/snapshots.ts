import assert from 'node:assert/strict'
import * as z from 'zod'
import { applyPatch } from '../../compare/patch.ts'
import { withoutHashes } from '../../compare/tree.ts'
import {
  actOnElement,
  assertRefusal,
  fillNameField,
  getTree,
  getWindows,
  parseSuccess,
  showScenario,
} from '../../observer/driver.ts'
import { Snapshot, SnapshotDiff, SnapshotTaken, success } from '../../observer/shapes.ts'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import { check } from '../check.ts'

const take = async (http: HttpProbe) => parseSuccess(await http.post('/api/snapshot', {}), SnapshotTaken).snapshot_id
const fetchSnapshot = async (http: HttpProbe, id: string) =>
  parseSuccess(await http.get(`/api/snapshot/${id}`), Snapshot)
const compare = async (http: HttpProbe, a: string, b: string) =>
  parseSuccess(await http.post('/api/snapshot/diff', { a, b, format: 'json-patch' }), SnapshotDiff)
const drop = async (http: HttpProbe, id: string) =>
  parseSuccess(await http.delete(`/api/snapshot/${id}`), success({ dropped: z.boolean() })).dropped

check('observer:snapshot:content', async ({ http }) => {
  const { windows, trees, tree_hashes } = await fetchSnapshot(http, await take(http))
  const uids = (await getWindows(http)).map((window) => window.window_uid)
  assert.deepEqual(windows.map((window) => window.window_uid).sort(), [...uids].sort())
  for (const window_uid of uids) {
    const { tree, tree_hash } = await getTree(http, { window_uid })
    assert.equal(tree_hashes[window_uid], tree_hash)
    assert.deepEqual(
      withoutHashes(trees[window_uid] ?? fail(`the tree of ${window_uid} is missing`)),
      withoutHashes(tree),
    )
  }
})

check('observer:snapshot:keeps', async (context) => {
  await showScenario(context)
  const id = await take(context.http)
  const before = await fetchSnapshot(context.http, id)
  await fillNameField(context.http)
  const after = await fetchSnapshot(context.http, id)
  assert.deepEqual(after.trees, before.trees)
  assert.deepEqual([after.tree_hashes, after.ts], [before.tree_hashes, before.ts])
})

check('observer:snapshot:same', async ({ http }) => {
  const difference = await compare(http, await take(http), await take(http))
  assert.deepEqual([difference.windows_added, difference.windows_removed], [[], []])
  for (const { changes } of Object.values(difference.per_window_changes)) assert.deepEqual(changes, [])
})

check('observer:snapshot:diff', async (context) => {
  await showScenario(context)
  const { http } = context
  const first = await take(http)
  await fillNameField(http)
  await actOnElement(http, 'click', { selector: 'Button[name="Open dialog"]' })
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
    if (old && now) assert.deepEqual(withoutHashes(applyPatch(old, changes)), withoutHashes(now))
  }
})

check('observer:snapshot:drop', async ({ http }) => {
  const id = await take(http)
  assert.equal(await drop(http, id), true)
  assertRefusal(await http.get(`/api/snapshot/${id}`), 'SnapshotExpired')
  assertRefusal(await http.post('/api/snapshot/diff', { a: id, b: await take(http) }), 'SnapshotExpired')
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
  assertRefusal(await http.get(`/api/snapshot/${unread}`), 'SnapshotExpired')
  await fetchSnapshot(http, more[0]!)
})
