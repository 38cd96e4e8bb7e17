import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertAgree } from '../../compare/differences.ts'
import { fail } from '../../probe/failure.ts'
import type { HttpProbe } from '../../probe/http.ts'
import type { AnyJson } from '../../suite/behaviors.ts'
import { defineRules } from '../../suite/rules.ts'
import type { SabotageBehavior } from '../../suite/sabotage.ts'
import { sources } from '../document.ts'
import {
  actOnElement,
  assertRefusal,
  fillNameField,
  getTree,
  getWindows,
  parseSuccess,
  showScenario,
} from '../driver.ts'
import { onSuccessOf, shiftBounds } from '../sabotage.ts'
import { Snapshot, SnapshotDiff, SnapshotTaken, success } from '../shapes.ts'
import { applyPatch, withoutHashes } from '../tree.ts'

const take = async (http: HttpProbe) => parseSuccess(await http.post('/api/snapshot', {}), SnapshotTaken).snapshot_id

const fetchSnapshot = async (http: HttpProbe, id: string) =>
  parseSuccess(await http.get(`/api/snapshot/${id}`), Snapshot)

const compare = async (http: HttpProbe, a: string, b: string) =>
  parseSuccess(await http.post('/api/snapshot/diff', { a, b, format: 'json-patch' }), SnapshotDiff)

const drop = async (http: HttpProbe, id: string) =>
  parseSuccess(await http.delete(`/api/snapshot/${id}`), success({ dropped: z.boolean() })).dropped

/** Snapshots. */
export const snapshotRules = defineRules('snapshot', ['snapshot:content'], {
  content: {
    level: 'MUST',
    text: 'A snapshot holds every window with its tree and hash.',
    source: sources.snapshots,
    basis: { states: 'A snapshot has windows, trees, tree_hashes and ts.' },
    covers: ['O-E27', 'O-E28'],
    check: async ({ http }) => {
      const { windows, trees, tree_hashes } = await fetchSnapshot(http, await take(http))
      const uids = (await getWindows(http)).map((window) => window.window_uid)
      assertAgree(
        { 'the snapshot': windows.map((window) => window.window_uid).sort(), 'GET /api/windows': [...uids].sort() },
        'the windows',
      )
      for (const window_uid of uids) {
        const { tree, tree_hash } = await getTree(http, { window_uid })
        assertAgree({ 'the snapshot': tree_hashes[window_uid], 'GET /api/structure': tree_hash }, 'tree_hash')
        assertAgree(
          {
            'the snapshot': withoutHashes(trees[window_uid] ?? fail(`the tree of ${window_uid} is missing`)),
            'GET /api/structure': withoutHashes(tree),
          },
          'the tree',
        )
      }
    },
    sabotage: {
      'snapshots shifted trees': onSuccessOf('GET /api/snapshot/{id}', (json) => shiftBounds(json.trees)),
      'snapshots stale hashes': onSuccessOf('GET /api/snapshot/{id}', (json) => {
        for (const uid of Object.keys(json.tree_hashes)) json.tree_hashes[uid] = 'sha1:00'
      }),
    },
  },

  keeps: {
    level: 'MUST',
    text: 'A snapshot stays as it was taken.',
    source: sources.snapshots,
    basis: { states: 'A snapshot is read by its id later.' },
    covers: ['O-E28'],
    tier: 'full',
    check: async (context) => {
      await showScenario(context)
      const id = await take(context.http)
      const before = await fetchSnapshot(context.http, id)
      await fillNameField(context.http)
      const after = await fetchSnapshot(context.http, id)
      assertAgree({ 'the snapshot now': after.trees, 'the snapshot before': before.trees }, 'the trees')
      assertAgree({
        'the snapshot now': { tree_hashes: after.tree_hashes, ts: after.ts },
        'the snapshot before': { tree_hashes: before.tree_hashes, ts: before.ts },
      })
    },
    sabotage: {
      'snapshots what is there now': onSuccessOf('GET /api/snapshot/{id}', (json) => {
        json.ts = `${Date.now()}-${Math.random()}`
      }),
    },
  },

  same: {
    level: 'MUST',
    text: 'Two snapshots of the same screen do not differ.',
    source: sources.snapshots,
    basis: { states: 'The difference of a and b has windows_added, windows_removed and per_window_changes.' },
    covers: ['O-E29'],
    check: async ({ http }) => {
      const difference = await compare(http, await take(http), await take(http))
      assert.deepEqual(
        { windows_added: difference.windows_added, windows_removed: difference.windows_removed },
        { windows_added: [], windows_removed: [] },
      )
      for (const { changes } of Object.values(difference.per_window_changes)) assert.deepEqual(changes, [], 'changes')
    },
    sabotage: {
      'sees changes where there are none': onSuccessOf('POST /api/snapshot/diff', (json) => {
        json.windows_added.push('mock:ghost')
      }),
    },
  },

  diff: {
    level: 'MUST',
    text: 'The difference of two snapshots names new and lost windows, and its JSON Patches turn the old trees into the new ones.',
    source: sources.snapshots,
    basis: {
      states:
        'The difference of a and b has windows_added, windows_removed and per_window_changes with format and changes.',
    },
    covers: ['O-E29'],
    tier: 'full',
    check: async (context) => {
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
      assertAgree({ windows_added: difference.windows_added, 'the snapshots': only(after, before) })
      assertAgree({ windows_removed: difference.windows_removed, 'the snapshots': only(before, after) })
      assert.ok(difference.windows_added.length > 0, 'prerequisite: no window was opened')
      for (const [uid, { format, changes }] of Object.entries(difference.per_window_changes)) {
        assert.equal(format, 'json-patch', 'format')
        const [old, now] = [before.trees[uid], after.trees[uid]]
        if (old && now)
          assertAgree(
            {
              'the old tree with the changes': withoutHashes(applyPatch(old, changes)),
              'the second snapshot': withoutHashes(now),
            },
            'the tree',
          )
      }
    },
    sabotage: {
      'sees no new window': onSuccessOf('POST /api/snapshot/diff', (json) => {
        json.windows_added = []
      }),
      'compares snapshots without changes': onSuccessOf('POST /api/snapshot/diff', (json) => {
        for (const one of Object.values(json.per_window_changes) as AnyJson[]) one.changes = []
      }),
    },
  },

  drop: {
    level: 'MUST',
    text: 'A dropped snapshot no longer exists.',
    source: sources.snapshots,
    basis: {
      states: 'DELETE on a snapshot drops it and answers with dropped; SnapshotExpired is a code of the table.',
    },
    covers: ['O-E30', 'O-X13'],
    check: async ({ http }) => {
      const id = await take(http)
      assert.equal(await drop(http, id), true, 'whether the snapshot is dropped')
      assertRefusal(await http.get(`/api/snapshot/${id}`), 'SnapshotExpired')
      assertRefusal(await http.post('/api/snapshot/diff', { a: id, b: await take(http) }), 'SnapshotExpired')
    },
    sabotage: {
      'keeps what is dropped': {
        changeRequest: (request) => {
          if (request.method === 'DELETE') request.path += 'x'
        },
        changeResponse: (response, request) => {
          if (request.method === 'DELETE' && response.json) (response.json as AnyJson).dropped = true
        },
      },
    },
  },

  capacity: {
    level: 'MUST',
    text: 'The last 32 snapshots are held; the one read longest ago goes first.',
    source: sources.snapshots,
    basis: { states: '32 snapshots are kept per process; the least recently used one goes.' },
    covers: ['O-R7'],
    check: async ({ http }) => {
      const [read1, unread] = [await take(http), await take(http)]
      const more = []
      for (let count = 0; count < 30; count++) more.push(await take(http))
      await fetchSnapshot(http, read1)
      await take(http)
      await fetchSnapshot(http, read1)
      assertRefusal(await http.get(`/api/snapshot/${unread}`), 'SnapshotExpired')
      await fetchSnapshot(http, more[0]!)
    },
    sabotage: {
      'forgets old snapshots early': forgetSnapshots(10),
    },
  },

  ttl: {
    level: 'MUST',
    text: 'A snapshot no longer exists after five minutes.',
    source: sources.snapshots,
    basis: { states: 'Snapshots live for five minutes.' },
    covers: ['O-R7'],
    unchecked: 'it takes five minutes of the server’s clock',
  },

  'drop-again': {
    level: 'SHOULD',
    text: 'Dropping a snapshot again answers dropped false.',
    source: sources.snapshots,
    basis: { because: 'The document names the field; that it is false for a closed window follows from the name.' },
    covers: ['O-E30'],
    tier: 'full',
    check: async ({ http }) => {
      const id = await take(http)
      assert.deepEqual(
        [await drop(http, id), await drop(http, id)],
        [true, false],
        'what the first and the second drop answer',
      )
    },
    sabotage: {
      'drops a snapshot twice': onSuccessOf('DELETE /api/snapshot/{id}', (json) => {
        json.dropped = true
      }),
    },
  },
})

function forgetSnapshots(capacity: number): SabotageBehavior {
  const held: string[] = []
  return {
    changeResponse: (response) => {
      const id = (response.json as AnyJson)?.snapshot_id
      if (typeof id === 'string') held.push(id)
    },
    changeRequest: (request) => {
      const id = /^\/api\/snapshot\/([^/?]+)$/.exec(request.path)?.[1]
      if (id !== undefined && held.includes(id) && !held.slice(-capacity).includes(id)) request.path += 'x'
    },
  }
}
