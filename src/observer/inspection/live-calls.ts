import { hitTree } from '../../desktop/hit.ts'
import type { Action } from '../../desktop/input/action.ts'
import { type Element, focusedElement, nodeAt, type Path, pathOf } from '../../desktop/model/element.ts'
import type { Point, Rect } from '../../desktop/model/geometry.ts'
import { roleKind, rolesWhere, rolesWith } from '../../desktop/model/role.ts'
import type { LiveCall, LiveElement } from '../../viewer/model/live.ts'
import type { ActionScene } from '../policies/redaction/run-journal.ts'
import { findTool } from '../registry.ts'
import { type LoggedCall, MAX_EXPLAINABLE } from '../session/call-log.ts'
import type { DesktopSession } from '../session/session.ts'
import { bestSelector } from './live-selection.ts'

/** The calls of a session after a sequence, oldest first. */
export function liveCalls(session: DesktopSession, after: number): readonly LiveCall[] {
  const explainable = explainableCalls(session)
  return session.callLog.after(after).map((call) => toLiveCall(session, call, explainable.has(call.sequence)))
}

/** The sequences of the calls whose actions can be explained: the latest that acted. */
export function explainableCalls({ callLog, context }: DesktopSession): ReadonlySet<number> {
  const { journal } = context.redaction
  if (!journal) return new Set()
  const acting = callLog.after(0).filter(({ tool }) => findTool(tool)?.kind === 'act')
  const kept = acting.slice(-MAX_EXPLAINABLE).filter(({ actions }) => journal.holds(actions.from, actions.to))
  return new Set(kept.map(({ sequence }) => sequence))
}

function toLiveCall(session: DesktopSession, call: LoggedCall, explainable: boolean): LiveCall {
  const { started, ended, elapsedMs } = call
  return {
    sequence: call.sequence,
    step_id: call.stepId ?? null,
    tool: call.tool,
    kind: findTool(call.tool)?.kind ?? 'unknown',
    caller: call.caller,
    args: call.args,
    ok: call.error === undefined,
    error: call.error ?? null,
    changed: call.changed ?? null,
    summary: call.summary,
    wall_time: new Date(started.operatorMs).toISOString(),
    wall_ms: ended.operatorMs - started.operatorMs,
    start_ms: Math.max(0, elapsedMs - (ended.desktopMs - started.desktopMs)),
    end_ms: elapsedMs,
    step: call.step ?? null,
    fired: call.fired,
    hit: hitOf(session, call),
    explainable,
  }
}

/** The elements that calls hit, once they were looked up: the desktops before them are not kept for long. */
const hits = new WeakMap<LoggedCall, LiveElement | null>()

function hitOf(session: DesktopSession, call: LoggedCall): LiveElement | null {
  const known = hits.get(call)
  if (known !== undefined) return known
  const hit = findHit(session, call)
  hits.set(call, hit)
  return hit
}

function findHit({ context }: DesktopSession, { actions, target, error }: LoggedCall): LiveElement | null {
  if (error) return null
  const scene = actions.to > actions.from ? context.redaction.journal?.scene(actions.from) : undefined
  const { window_uid: uid, element_id: id, selector, bounds } = (target ?? {}) as ReceiptTarget
  if (uid === undefined || id === undefined) return scene ? elementAtAction(scene) : null
  const tree = scene?.view.tree(uid)
  const path = tree && pathOf(tree, id)
  if (scene && tree && path) return describeHit(scene, uid, tree, path)
  // A real desktop, or a row that was scrolled into view.
  return {
    window_uid: uid,
    window: null,
    element_id: id,
    role: null,
    name: null,
    selector: selector ?? '',
    bounds: bounds!,
    positional: false,
  }
}

/** The target of a receipt. */
interface ReceiptTarget {
  readonly window_uid?: string
  readonly element_id?: string
  readonly selector?: string
  readonly bounds?: Rect
}

/** The element at the point of an action, or the one with the keyboard focus. */
function elementAtAction(scene: ActionScene): LiveElement | null {
  const { action, view } = scene
  const at = pointOf(action)
  for (const window of view.windows) {
    if (!at && !window.focused) continue
    const tree = view.tree(window.uid)
    const path = tree && (at ? hitTree(tree, at) : focusedPath(tree))
    // A window itself is no element that a person would name.
    if (tree && path) return path.length === 0 ? null : describeHit(scene, window.uid, tree, path)
  }
  return null
}

function pointOf(action: Action): Point | undefined {
  if (action.type === 'drag') return action.from
  return 'at' in action ? action.at : undefined
}

function focusedPath(tree: Element): Path | undefined {
  const focused = focusedElement(tree)
  return focused && pathOf(tree, focused.id)
}

function describeHit({ view }: ActionScene, uid: string, tree: Element, path: Path): LiveElement {
  const { id, role, name, value, bounds } = nodeAt(tree, path)!
  const kind = roleKind(role)
  return {
    window_uid: uid,
    window: view.windows.find((window) => window.uid === uid)?.title ?? null,
    element_id: id,
    role,
    name,
    selector: bestSelector(tree, path),
    bounds,
    positional: POSITIONAL.has(kind) || (WITH_CARET.has(kind) && value !== null && value !== ''),
  }
}

/** Where in them a click happens decides what it does. */
const POSITIONAL = rolesWith('positional')
/** A click moves the caret in their text. */
const WITH_CARET = rolesWhere(({ text }) => text !== 'none')
