import { Fault } from '../../../base/fault.ts'
import {
  copyPath,
  exists,
  type Files,
  movePath,
  removePath,
  resolvePath,
  writeFile,
} from '../../../desktop/files/files.ts'
import { filesOf } from '../../../desktop/model/desktop.ts'
import { changeData, type DataChange } from '../../data/data-change.ts'
import type { LiveProgram } from '../../data/live-program.ts'
import { resolveLive } from '../../data/live-template.ts'
import { conditionHolds, evaluateLive, type LiveContext, type LocalNames } from '../../data/scope.ts'
import { type DataValue, textOfValue } from '../../expression/data-type.ts'
import type { NameTypes } from '../../expression/environment.ts'
import { isProblem } from '../../expression/expression.ts'
import type { ClipboardChange, FileChange, VariableChange } from '../../schema/effect.ts'
import { liveContext } from '../live-context.ts'
import { runWith, withDesktop } from '../scenario-run.ts'
import { type ApplyEffect, type FillText, skipEffect, textFiller } from './context.ts'

type DataRecord = Readonly<Record<string, DataValue>>

/** Changes a variable. A change that its type or the bounds refuse is skipped and logged. */
export const applyVariableChange: ApplyEffect<VariableChange> = (run, change, { event, near }) => {
  const { program } = run.scenario
  if (!program) return run
  const context = liveContext(run, event, near)
  const resolved = dataChangeOf(change, program, context)
  const result = 'message' in resolved ? resolved : changeData(program.scope, run.data, resolved)
  if ('message' in result) return skipEffect(run, 'var', result.message)
  return result.data === run.data ? run : runWith(run, { data: result.data })
}

function dataChangeOf(
  change: VariableChange,
  program: LiveProgram,
  context: LiveContext,
): DataChange | { readonly message: string } {
  const { var: name, to, append, where, change: fields, sort_by: sortBy, descending = false } = change
  if (to !== undefined) return withStored(to, program, context, (value) => ({ var: name, to: value }))
  if (append !== undefined) return withStored(append, program, context, (value) => ({ var: name, append: value }))
  if (sortBy !== undefined) return { var: name, sortBy, descending }
  const types = program.scope.rowOf(name)
  const localsOf = (row: DataRecord): LocalNames | undefined => types && { types, values: { row } }
  const isMeant = (row: DataRecord) =>
    where === undefined || conditionHolds(program.scope, where, context, localsOf(row))
  const among = where === undefined ? undefined : amongOf(where, types, program, context)
  if (!fields) return { var: name, where: isMeant, among, remove: true }
  return {
    var: name,
    where: isMeant,
    among,
    change: (row) => {
      const resolved = resolveLive(program, fields as DataRecord, context, localsOf(row))
      // A record whose new values cannot be computed stays as it is.
      return 'message' in resolved ? {} : resolved.value
    },
  }
}

/** A field and its text that a condition about `row` asks for, so that other records need not be looked at. */
function amongOf(
  where: string,
  types: NameTypes | undefined,
  { scope }: LiveProgram,
  context: LiveContext,
): { readonly field: string; readonly text: string } | undefined {
  const expression = scope.compile(where, types)
  const asked = isProblem(expression) ? undefined : expression.equalities.find(({ name }) => name === 'row')
  const result = asked && evaluateLive(scope, asked.value, context)
  if (!result || 'message' in result || (typeof result.value === 'object' && result.value !== null)) return undefined
  return { field: asked.field, text: textOfValue(result.value) }
}

function withStored(
  written: unknown,
  program: LiveProgram,
  context: LiveContext,
  make: (value: DataValue) => DataChange,
): DataChange | { readonly message: string } {
  const resolved = resolveLive(program, written as DataValue, context)
  return 'message' in resolved ? resolved : make(resolved.value)
}

/** Changes a file. An impossible change is skipped and recorded. */
export const applyFileChange: ApplyEffect<FileChange> = (run, change, context) => {
  const { desktop } = run
  try {
    const files = changedFiles(filesOf(desktop), change, textFiller(run, context))
    return files === desktop.files ? run : withDesktop(run, { ...desktop, files })
  } catch (error) {
    if (error instanceof Fault) return skipEffect(run, 'path', error.message)
    throw error
  }
}

function changedFiles(files: Files, change: FileChange, fill: FillText): Files {
  const { text, copy_to, move_to, remove } = change
  const path = resolvePath('/', fill(change.path))
  if (remove) return removePath(files, path)
  if (copy_to !== undefined) return copyPath(files, path, resolvePath('/', fill(copy_to)))
  if (move_to !== undefined) return movePath(files, path, resolvePath('/', fill(move_to)))
  if (text === undefined) return files
  if (text === null) return exists(files, path) ? files : { ...files, [path]: null }
  return writeFile(files, path, fill(text))
}

/** Replaces the text of the clipboard. */
export const applyClipboardChange: ApplyEffect<ClipboardChange> = (run, { clipboard }, context) =>
  withDesktop(run, { ...run.desktop, clipboard: textFiller(run, context)(clipboard) })
