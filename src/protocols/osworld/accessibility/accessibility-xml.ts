import type { Element } from '../../../desktop/model/element.ts'
import { roleKind, roleRowOf } from '../../../desktop/model/role.ts'
import { type Clip, childClipper, clippedBounds, UNCLIPPED } from '../../../desktop/visible-bounds.ts'
import { type CallOptions, callNow } from '../../../observer/call.ts'
import { assertToolAllowed } from '../../../observer/gates/allowlist.ts'
import { findTool } from '../../../observer/registry.ts'
import type { DesktopSession } from '../../../observer/session/session.ts'
import {
  type AccessibleDesk,
  type DeskWindow,
  type Dialect,
  linux,
  macos,
  type PlacedElement,
  windows,
  XmlWriter,
} from './dialects.ts'

const DIALECTS = { linux, windows, macos } as const satisfies Record<string, Dialect>

/** The platform whose accessibility tree the XML is written as. */
type AccessibilityPlatform = keyof typeof DIALECTS

/** Levels of elements. An application is the first. */
const MAX_DEPTH = 50
/** Children of an element. */
const MAX_WIDTH = 1024

/**
 * Writes the windows of a desktop as XML.
 * @param desk The windows with their trees.
 * @param platform The platform whose roles, states and attributes the XML has.
 */
export function accessibilityXml(desk: AccessibleDesk, platform: AccessibilityPlatform = 'linux'): string {
  const dialect: Dialect = DIALECTS[platform]
  const writer = new XmlWriter()
  const address = `https://accessibility.${dialect.platform}.example.org/ns/`
  const attributes = Object.entries(dialect.prefixes).map(
    ([prefix, end]) => [`xmlns:${prefix}`, address + end] as const,
  )
  writer.open({ tag: dialect.root, attributes })
  for (const group of dialect.application ? byProcess(desk.windows) : [desk.windows]) {
    const application = dialect.application?.(group, desk)
    if (application) writer.open(application)
    for (const window of group.slice(0, MAX_WIDTH)) writeWindow(writer, dialect, desk, window)
    if (application) writer.close(application.tag)
  }
  writer.close(dialect.root)
  return writer.end()
}

/** The windows of each process, in their order. */
function byProcess(all: readonly DeskWindow[]): readonly (readonly DeskWindow[])[] {
  const groups = new Map<string, DeskWindow[]>()
  for (const window of all) {
    const key = `${window.info.pid} ${window.info.process}`
    const group = groups.get(key)
    if (group) group.push(window)
    else groups.set(key, [window])
  }
  return [...groups.values()]
}

function writeWindow(writer: XmlWriter, dialect: Dialect, desk: AccessibleDesk, { info, tree }: DeskWindow): void {
  if (tree && roleRowOf(tree.role).container === 'window') {
    writeElement({ writer, dialect, desk, info }, tree, undefined, UNCLIPPED, 2)
    return
  }
  const window = dialect.window(info)
  writer.open(window)
  if (tree) writeElement({ writer, dialect, desk, info }, tree, undefined, UNCLIPPED, 3)
  writer.close(window.tag)
}

interface Writing {
  readonly writer: XmlWriter
  readonly dialect: Dialect
  readonly desk: AccessibleDesk
  readonly info: DeskWindow['info']
}

/** Writes an element and its children. Without a clip, nothing of it is shown. */
function writeElement(
  writing: Writing,
  element: Element,
  parent: Element | undefined,
  clip: Clip | undefined,
  depth: number,
): void {
  const { writer, dialect, desk, info } = writing
  const placed: PlacedElement = {
    element,
    kind: roleKind(element.role),
    parent: parent && roleKind(parent.role),
    isShown: clip !== undefined && clippedBounds(element, clip) !== undefined,
    window: info,
  }
  const written = dialect.element(placed, desk)
  if (!written) return
  writer.open(written)
  if (depth < MAX_DEPTH) {
    const clipOf = clip ? childClipper(element, clip) : () => undefined
    for (const child of element.children.slice(0, MAX_WIDTH))
      writeElement(writing, child, element, clipOf(child), depth + 1)
    const added = element.children.length === 0 ? dialect.inside?.(placed, desk) : undefined
    if (added) {
      writer.open(added)
      writer.close(added.tag)
    }
  }
  writer.close(written.tag)
}

/**
 * Reads all windows and their trees at one moment: a call of the tool `snapshot`, with its gates, redaction and faults.
 * Throws the fault that refuses it, also where `snapshot_get`, which shows trees, is not allowed.
 * @param options The caller, the audience and the call of the door, for the gates and the trace.
 */
export async function readAccessibleDesk(session: DesktopSession, options: CallOptions): Promise<AccessibleDesk> {
  const { computer, settings, snapshots, operatorClock } = session.context
  assertToolAllowed(findTool('snapshot_get')!, settings)
  const { body, fault } = await callNow(session, 'snapshot', {}, options)
  if (fault) throw fault
  const id = String(body.snapshot_id)
  const { windows, trees } = snapshots.read(id, operatorClock.now())
  snapshots.drop(id)
  const { synthetic, platform } = computer.info
  const isProjected = [...trees.values()].some(({ traits }) => traits?.authored)
  return {
    windows: windows.map((info) => ({ info, tree: trees.get(info.uid) })),
    namesRoles: platform === 'Linux' && (!synthetic || isProjected),
  }
}

/** The XML that clients of a platform expect. */
export const accessibilityPlatform = (platform: string): AccessibilityPlatform =>
  platform === 'Windows' ? 'windows' : platform === 'Darwin' ? 'macos' : 'linux'
