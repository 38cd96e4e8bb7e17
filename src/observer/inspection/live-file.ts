import type { LiveFileText } from '../../viewer/model/live.ts'
import { assertToolAllowed } from '../gates/allowlist.ts'
import { findTool } from '../registry.ts'
import type { ToolContext } from '../session/context.ts'
import { readDiskText } from '../tools/storage.ts'
import { sanitize } from '../wire/sanitize.ts'

/**
 * The text of a file of the desktop. It is not a call.
 * @throws `BadRequest` for what is not a file, `PlatformUnsupported` on a real desktop, `PermissionDenied` while elements are
 *   hidden and where the operator denies `read_disk_file`.
 */
export function liveFile(context: ToolContext, written: string): LiveFileText {
  assertToolAllowed(findTool('read_disk_file')!, context.settings)
  const { path, text } = readDiskText(context, written)
  return sanitize({ ok: true, path, content: text })
}
