import * as z from 'zod'
import { treeHash } from '../../desktop/tree/hash.ts'
import { withoutClosed } from '../../desktop/tree/modal.ts'
import type { DesktopContext } from '../desktop-context.ts'
import { readTrees } from '../screen/screen-trees.ts'
import { sortedWindows } from '../targets/window-lookup.ts'
import { defineTool } from '../tool.ts'
import type { ContextOf } from '../tool-context.ts'
import type { Snapshot } from '../tree-cache.ts'
import { toWireElement, WireElement, wireChanges } from '../wire.ts'
import { wireWindow } from './window-tools.ts'

const SnapshotId = z.string().describe('From snapshot')

/** Programs that start or are busy have longer than before an action. */
const MAX_READ_MS = 5000

const Unavailable = z
  .array(z.string())
  .optional()
  .describe('Windows whose program did not give its tree in time; absent when there are none')

const unavailable = (...snapshots: readonly Pick<Snapshot, 'unavailable'>[]) => {
  const uids = [...new Set(snapshots.flatMap(({ unavailable }) => [...unavailable]))]
  return uids.length > 0 ? { trees_unavailable: uids } : {}
}

const snapshot = defineTool({
  name: 'snapshot',
  kind: 'look',
  summary: 'Remember all windows and trees for five minutes.',
  input: z.object({}),
  output: z.object({
    snapshot_id: z.string(),
    ts: z.number(),
    summary: z.object({ windows: z.int(), trees: z.int() }),
    trees_unavailable: Unavailable,
  }),
  faults: [],
  run: async (_, context: DesktopContext & ContextOf<'snapshots'>) => {
    const windows = await sortedWindows(context)
    const read = await readTrees(context, windows, { timeoutMs: MAX_READ_MS })
    const taken = context.snapshots.take({ windows, ...read }, context.operatorClock.now())
    return {
      snapshot_id: taken.id,
      ts: taken.atMs / 1000,
      summary: { windows: windows.length, trees: read.trees.size },
      ...unavailable(taken),
    }
  },
})

const snapshotGet = defineTool({
  name: 'snapshot_get',
  kind: 'look',
  summary: 'Get the windows and trees of a snapshot.',
  input: z.object({ snapshot_id: SnapshotId }),
  output: z.object({
    snapshot_id: z.string(),
    ts: z.number(),
    windows: z.array(z.looseObject({})),
    trees: z.record(z.string(), WireElement),
    tree_hashes: z.record(z.string(), z.string()),
    trees_unavailable: Unavailable,
  }),
  faults: ['SnapshotExpired'],
  traits: { untrusted: true, idempotent: true },
  run: ({ input }, context: ContextOf<'snapshots' | 'operatorClock'>) => {
    const snapshot = context.snapshots.read(input.snapshot_id, context.operatorClock.now())
    const { id, atMs, windows, trees } = snapshot
    const entries = [...trees]
    return {
      snapshot_id: id,
      ts: atMs / 1000,
      windows: windows.map(wireWindow),
      trees: Object.fromEntries(entries.map(([uid, tree]) => [uid, toWireElement(withoutClosed(tree))])),
      tree_hashes: Object.fromEntries(entries.map(([uid, tree]) => [uid, treeHash(tree)])),
      ...unavailable(snapshot),
    }
  },
})

const snapshotDiff = defineTool({
  name: 'snapshot_diff',
  kind: 'look',
  summary: 'Compare two snapshots: windows added and removed, and the changes of the trees of common windows.',
  input: z.object({
    a: z.string().describe('The earlier snapshot_id'),
    b: z.string().describe('The later snapshot_id'),
    format: z.enum(['custom', 'json-patch']).default('custom').describe('The format of changes'),
  }),
  output: z.object({
    windows_added: z.array(z.string()),
    windows_removed: z.array(z.string()),
    per_window_changes: z.record(z.string(), z.object({ format: z.string(), changes: z.array(z.unknown()) })),
    trees_unavailable: Unavailable,
  }),
  faults: ['SnapshotExpired'],
  traits: { untrusted: true, idempotent: true },
  run: ({ input }, context: ContextOf<'snapshots' | 'operatorClock'>) => {
    const nowMs = context.operatorClock.now()
    const a = context.snapshots.read(input.a, nowMs)
    const b = context.snapshots.read(input.b, nowMs)
    const uids = (of: typeof a) => of.windows.map((window) => window.uid)
    const both = [...a.trees.keys()].filter((uid) => b.trees.has(uid)).sort()
    return {
      windows_added: uids(b)
        .filter((uid) => !uids(a).includes(uid))
        .sort(),
      windows_removed: uids(a)
        .filter((uid) => !uids(b).includes(uid))
        .sort(),
      per_window_changes: Object.fromEntries(
        both.map((uid) => [
          uid,
          { format: input.format, changes: wireChanges(a.trees.get(uid)!, b.trees.get(uid)!, input.format) },
        ]),
      ),
      ...unavailable(a, b),
    }
  },
})

const snapshotDrop = defineTool({
  name: 'snapshot_drop',
  kind: 'manage',
  audience: 'agent',
  summary: 'Discard a snapshot.',
  input: z.object({ snapshot_id: SnapshotId }),
  output: z.object({ dropped: z.boolean() }),
  faults: [],
  traits: { idempotent: true },
  run: ({ input }, context: ContextOf<'snapshots'>) => ({ dropped: context.snapshots.drop(input.snapshot_id) }),
})

export const snapshotTools = [snapshot, snapshotGet, snapshotDiff, snapshotDrop]
