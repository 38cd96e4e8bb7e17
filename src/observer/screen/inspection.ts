import { createHash } from 'node:crypto'
import type { WindowInfo } from '../../adapters/computer.ts'
import { countNodes, type Element } from '../../desktop/model/element.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { describeWindow } from '../../paint/describe/prose.ts'
import { assertToolAllowed } from '../gates/allowlist.ts'
import { findTool } from '../registry.ts'
import type { ToolResult } from '../result.ts'
import type { ToolContext } from '../session/context.ts'
import { sortedWindows } from '../targets/windows.ts'
import { base64Of } from '../tools/pictures.ts'
import { windowList } from '../tools/windows.ts'
import { toWireElement } from '../wire/element.ts'
import { sanitize } from '../wire/sanitize.ts'
import { readWindowTree } from './read-trees.ts'
import { drawSketch } from './sketch.ts'

/** The ways to show a window to a person. */
export const INSPECTION_MODES = ['picture', 'sketch', 'prose'] as const
export type InspectionMode = (typeof INSPECTION_MODES)[number]

export interface InspectionRequest {
  /** The window to show. Without it, or when it is closed, the focused one is shown. */
  readonly windowUid?: string | undefined
  readonly mode: InspectionMode
  /** The `version` that is already displayed. An unchanged view is returned without its contents. */
  readonly version?: string | undefined
}

/**
 * The screen for the live inspector: windows, the tree of one of them, and its picture, sketch or description. An inspection
 * is not a call: it uses no step, budget or planned fault, moves no clock and leaves tokens and traces unchanged. Redaction
 * and the operator's list of tools apply. Throws `PermissionDenied` when the list denies the corresponding tools.
 */
export async function inspectScreen(
  context: ToolContext,
  { windowUid, mode, version }: InspectionRequest,
): Promise<ToolResult> {
  for (const tool of ['list_windows', 'get_window_structure', TOOL_OF[mode]])
    assertToolAllowed(findTool(tool)!, context.settings)
  const windows = await sortedWindows(context)
  const about = { ...windowList(windows), is_mock: context.computer.info.synthetic }
  const window = windows.find(({ uid }) => uid === windowUid) ?? windows[0]
  if (!window) return sanitize({ ...about, window_uid: null })
  const read = await readWindowTree(context, window.uid)
  const tree = read === 'unavailable' ? undefined : read
  const contents = await contentsOf(context, window, read, mode)
  const fresh = createHash('sha1').update(`${window.uid} ${mode} ${contents}`).digest('hex')
  return sanitize({
    ...about,
    window_uid: window.uid,
    element_count: tree ? countNodes(tree) : 0,
    tree_hash: tree ? treeHash(tree) : null,
    tree: tree ? toWireElement(tree) : null,
    ...(read === 'unavailable' && { tree_unavailable: true }),
    version: fresh,
    ...(fresh !== version && { [FIELD_OF[mode]]: contents }),
  })
}

/** The tool that returns the same view to an agent. */
const TOOL_OF: Readonly<Record<InspectionMode, string>> = {
  picture: 'get_screenshot',
  sketch: 'get_screen_sketch',
  prose: 'get_screen_description',
}

const FIELD_OF: Readonly<Record<InspectionMode, string>> = { picture: 'data', sketch: 'sketch', prose: 'prose' }

async function contentsOf(
  context: ToolContext,
  window: WindowInfo,
  tree: Element | 'unavailable' | undefined,
  mode: InspectionMode,
): Promise<string> {
  if (mode === 'picture') return base64Of(await context.computer.screenshot({ window: window.uid }))
  if (tree === 'unavailable') return 'The program of this window does not respond.'
  if (!tree) return 'This window has no element tree.'
  return mode === 'sketch' ? drawSketch(context, window, tree, {}).text : describeWindow(window, tree)
}
