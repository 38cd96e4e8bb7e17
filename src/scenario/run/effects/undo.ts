import type { Action } from '../../../desktop/input/action.ts'
import { formatChord, parseChord } from '../../../desktop/input/keys.ts'
import { focusedRef } from '../../../desktop/tree/element-ref.ts'
import { isField } from '../../../desktop/widgets/edit.ts'
import { excessOf } from '../../data/run-data.ts'
import { groupNamed, withGroup, withGroupApplied, withGroupMoved } from '../../data/undo.ts'
import { runWith, type ScenarioRun } from '../../scenario-run.ts'
import type { RedoEffect, UndoEffect } from '../../schema/effect.ts'
import { type ApplyEffect, skipEffect } from './context.ts'

/** Takes back the changes of the last action, or of the last one that a reaction made. */
export const applyUndo: ApplyEffect<UndoEffect> = (run, { undo }) => undoOrRedoGroup(run, 'undo', undo)

/** Makes the changes again that were taken back last. */
export const applyRedo: ApplyEffect<RedoEffect> = (run, { redo }) => undoOrRedoGroup(run, 'redo', redo)

/** @param name `last`, the id of a reaction, or the number of a group. */
export function undoOrRedoGroup(run: ScenarioRun, direction: 'undo' | 'redo', name: string | number): ScenarioRun {
  const group = groupNamed(run.history[direction], name)
  if (!group) return skipEffect(run, direction, `there is nothing to ${direction}`)
  const history = withGroupMoved(run.history, group, direction)
  const data = withGroupApplied(run.data, group, direction)
  if (data === run.data)
    return skipEffect(runWith(run, { history }), direction, 'what it changed has been changed since then')
  const excess = excessOf(data)
  return excess === undefined ? runWith(run, { data, history }) : skipEffect(run, direction, excess)
}

/** Records what an action changed, unless it undid something. */
export function recordGroup(before: ScenarioRun, after: ScenarioRun, reactions: readonly number[]): ScenarioRun {
  const { undoes, reactions: all } = after.scenario
  if (undoes.length === 0) return after
  const isUndone = before.history.undo !== after.history.undo || before.history.redo !== after.history.redo
  if (isUndone) return after
  const names = reactions.flatMap((index) => all[index]?.id ?? [])
  const history = withGroup(after.history, undoes, before.data, after.data, names)
  return history === after.history ? after : runWith(after, { history })
}

/** Undoes or does again with Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z where no field has the keyboard, which has texts of its own. */
export function pressUndoKey(run: ScenarioRun, action: Action): ScenarioRun {
  if (run.scenario.undoes.length === 0 || action.type !== 'key') return run
  const direction = UNDO_KEYS[formatChord(parseChord(action.keys))]
  const focused = focusedRef(run.desktop)
  if (!direction || (focused && isField(focused.element) && !focused.element.traits?.readOnly)) return run
  return run.history[direction].length === 0 ? run : undoOrRedoGroup(run, direction, 'last')
}

const UNDO_KEYS: Readonly<Record<string, 'undo' | 'redo'>> = {
  'ctrl+z': 'undo',
  'ctrl+y': 'redo',
  'ctrl+shift+z': 'redo',
  'meta+z': 'undo',
  'shift+meta+z': 'redo',
}
