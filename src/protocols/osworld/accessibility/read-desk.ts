import { type CallOptions, callNow } from '../../../observer/call.ts'
import { assertToolAllowed } from '../../../observer/gates/allowlist.ts'
import { findTool } from '../../../observer/registry.ts'
import type { Session } from '../../../observer/session/session.ts'
import type { AccessibilityPlatform } from './accessibility-xml.ts'
import type { AccessibleDesk } from './desk.ts'

/**
 * Reads all windows and their trees at one moment: a call of the tool `snapshot`, with its gates, redaction and faults.
 * Throws the fault that refuses it, also where `snapshot_get`, which shows trees, is not allowed.
 * @param options The caller, the audience and the call of the door, for the gates and the trace.
 */
export async function readAccessibleDesk(session: Session, options: CallOptions): Promise<AccessibleDesk> {
  const { computer, settings, snapshots, operatorClock } = session.context
  assertToolAllowed(findTool('snapshot_get')!, settings)
  const { body, fault } = await callNow(session, 'snapshot', {}, options)
  if (fault) throw fault
  const id = String(body.snapshot_id)
  const { windows, trees } = snapshots.read(id, operatorClock.now())
  snapshots.drop(id)
  const { synthetic, platform } = computer.info
  const isProjected = [...trees.values()].some(({ traits }) => traits?.written)
  return {
    windows: windows.map((info) => ({ info, tree: trees.get(info.uid) })),
    namesRoles: platform === 'Linux' && (!synthetic || isProjected),
  }
}

/** The XML that clients of a platform expect. */
export const accessibilityPlatform = (platform: string): AccessibilityPlatform =>
  platform === 'Windows' ? 'windows' : platform === 'Darwin' ? 'macos' : 'linux'
