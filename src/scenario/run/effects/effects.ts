import { Fault } from '../../../base/fault.ts'
import { drawInteger } from '../../../base/random.ts'
import { type Desktop, filesOf } from '../../../desktop/model/desktop.ts'
import { type Element, memoize } from '../../../desktop/model/element.ts'
import {
  copyPath,
  exists,
  type Files,
  movePath,
  removePath,
  resolvePath,
  writeFile,
} from '../../../desktop/model/files.ts'
import { changeData, type DataChange, type ListPlace } from '../../data/data-change.ts'
import type { DataPlace } from '../../data/run-data.ts'
import {
  conditionHolds,
  EVENT_PLACE,
  type EventValues,
  evaluateLive,
  type LiveContext,
  type LocalNames,
  rowNamesOf,
} from '../../data/scope.ts'
import { type DataValue, textOfValue } from '../../expression/data-type.ts'
import type { NameTypes } from '../../expression/environment.ts'
import { isProblem } from '../../expression/expression.ts'
import type { LiveProgram } from '../../live/live-program.ts'
import { resolveEffect, resolveLive } from '../../live/live-template.ts'
import { misfitOfField, takesAnyText } from '../../live/prepare-live.ts'
import { liveContext } from '../../live-context.ts'
import { appendToLog, runWith, SCHEDULED, type ScenarioRun, withDesktop } from '../../scenario-run.ts'
import type { EventFieldType } from '../../schema/common.ts'
import type {
  BrowseEffect,
  ClipboardChange,
  CloseEffect,
  ElementChange,
  EmitEffect,
  FileChange,
  FocusEffect,
  LogEffect,
  MenuEffect,
  MoveEffect,
  NavigateEffect,
  OpenEffect,
  RedoEffect,
  ScenarioEffect,
  ScheduleEffect,
  ThemeEffect,
  ToastEffect,
  UndoEffect,
  VariableChange,
} from '../../schema/effect.ts'
import { withColumn, withShiftedReferences, withSortedReferences } from '../../sheets/row-shifts.ts'
import { firingOrder } from '../triggers.ts'
import { type ApplyEffect, type EffectContext, type FillText, skipEffect, textFiller } from './context.ts'
import { applyElementChange } from './element.ts'
import { applyBrowse, applyNavigate } from './navigate.ts'
import { applyToast } from './toast.ts'
import { applyRedo, applyUndo } from './undo.ts'
import { applyClose, applyFocus, applyMenu, applyMove, applyOpen, applyWindowChange } from './window.ts'

type DataRecord = Readonly<Record<string, DataValue>>

/** Changes a variable. A change that its type or the bounds refuse is skipped and logged. */
const applyVariableChange: ApplyEffect<VariableChange> = (run, change, { event, near }) => {
  const { program } = run.scenario
  if (!program) return run
  const context = liveContext(run, event, near)
  const letter = change.insert_column ?? change.remove_column
  if (letter !== undefined) return columnChanged(run, change, letter, program)
  const place = placeOfEvent(change.var, event)
  if (place && 'message' in place) return skipEffect(run, 'var', place.message)
  const made = dataChangeOf(change, program, context)
  const resolved = 'message' in made || !place ? made : { ...made, ...place }
  const result = 'message' in resolved ? resolved : changeData(program.scope, run.data, resolved)
  if ('message' in result) return skipEffect(run, 'var', result.message)
  if (result.data === run.data) return run
  const { workbook, scope } = program
  if (workbook === undefined || change.to !== undefined) return runWith(run, { data: result.data })
  const follow = change.sort_by === undefined ? withShiftedReferences : withSortedReferences
  return runWith(run, { data: follow(workbook, scope, run.data, result.data, change.var) })
}

/** Inserts or removes a column of a sheet. */
function columnChanged(
  run: ScenarioRun,
  change: VariableChange,
  letter: string,
  { workbook, scope }: LiveProgram,
): ScenarioRun {
  const isNew = change.insert_column !== undefined
  const result =
    workbook === undefined
      ? { message: 'the scenario has no sheets' }
      : withColumn(workbook, scope, run.data, { variable: change.var, letter, isNew })
  return 'message' in result ? skipEffect(run, 'var', result.message) : runWith(run, { data: result.data })
}

/** The place in the data that a path such as `event.item.likes` means. Undefined for other paths. */
function placeOfEvent(
  path: string,
  event: EventValues | undefined,
): DataPlace | { readonly message: string } | undefined {
  const [, name, fields = ''] = EVENT_PLACE.exec(path) ?? []
  if (name === undefined) return undefined
  const place = event?.places[name]
  if (!place) return { message: `the event is about no ${name} that can be written` }
  const steps = fields.split('.').filter((field) => field !== '')
  return { var: place.var, at: [...place.at, ...steps.map((field) => ({ field }))] }
}

function dataChangeOf(
  change: VariableChange,
  program: LiveProgram,
  context: LiveContext,
): DataChange | { readonly message: string } {
  const { var: name, to, append, where, change: fields, move, sort_by: sortBy, descending = false } = change
  if (to !== undefined) return withStored(to, program, context, (value) => ({ var: name, to: value }))
  const place = move === undefined ? { value: move } : resolveLive(program, move, context)
  if ('message' in place) return place
  const at = place.value as ListPlace | undefined
  if (append !== undefined)
    return withStored(append, program, context, (value) => ({ var: name, append: value, move: at }))
  if (sortBy !== undefined) return { var: name, sortBy, descending }
  const types = rowNamesOf(name, program.scope, context.event?.types)
  const localsOf = (row: DataRecord): LocalNames | undefined => types && { types, values: { row } }
  const isMeant = (row: DataRecord) =>
    where === undefined || conditionHolds(program.scope, where, context, localsOf(row))
  const among = where === undefined ? undefined : amongOf(where, types, program, context)
  if (!fields && move === undefined) return { var: name, where: isMeant, among, remove: true }
  return {
    var: name,
    where: isMeant,
    among,
    move: at,
    change: (row) => {
      const resolved = resolveLive(program, (fields ?? {}) as DataRecord, context, localsOf(row))
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
  authored: unknown,
  program: LiveProgram,
  context: LiveContext,
  make: (value: DataValue) => DataChange,
): DataChange | { readonly message: string } {
  const resolved = resolveLive(program, authored as DataValue, context)
  return 'message' in resolved ? resolved : make(resolved.value)
}

/** Changes a file. An impossible change is skipped and recorded. */
const applyFileChange: ApplyEffect<FileChange> = (run, change, context) => {
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
const applyClipboardChange: ApplyEffect<ClipboardChange> = (run, { clipboard }, context) =>
  withDesktop(run, { ...run.desktop, clipboard: textFiller(run, context)(clipboard) })

/** Switches the colours of the screen. */
const applyTheme: ApplyEffect<ThemeEffect> = (run, { theme }) =>
  run.desktop.theme === theme ? run : withDesktop(run, { ...run.desktop, theme })

/** Records an event with its fields. */
const applyEmit: ApplyEffect<EmitEffect> = (run, { emit, with: given = {} }, context) => {
  const fill = textFiller(run, context)
  const types = run.scenario.events[emit] ?? {}
  const fields = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? valueOfText(fill(value).slice(0, MAX_LOGGED_CHARACTERS), types[name]) : value,
    ]),
  )
  return runWith(run, { log: appendToLog(run.log, { atMs: run.nowMs, kind: 'emit', name: emit, fields }) })
}

/** A filled text as a value of the declared type; null if it is none. */
export function valueOfText(text: string, type: EventFieldType | undefined): DataValue {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : null
  if (type !== 'number' && type !== 'integer') return text
  const number = text.trim() === '' ? Number.NaN : Number(text)
  const fits = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)
  return fits ? number : null
}

/** The maximum number of characters of a recorded text. The rest is cut. */
const MAX_LOGGED_CHARACTERS = 1000

/** Records a text. */
const applyLog: ApplyEffect<LogEffect> = (run, { log }, context) => {
  const name = textFiller(run, context)(log).slice(0, MAX_LOGGED_CHARACTERS)
  return runWith(run, { log: appendToLog(run.log, { atMs: run.nowMs, kind: 'log', name }) })
}

/** The maximum number of timers that run at a time because of effects. */
const MAX_SCHEDULED = 1000

/** Applies effects later, in any state, with the text and the window of this event. */
const applySchedule: ApplyEffect<ScheduleEffect> = (run, { schedule: outcome }, { captured, near, event }) => {
  if (run.due.filter(({ timer }) => timer === SCHEDULED).length >= MAX_SCHEDULED)
    return skipEffect(run, 'schedule', `${MAX_SCHEDULED} effects are already scheduled`)
  const { after_ms: after } = outcome
  const [ms, random] = typeof after === 'object' ? drawInteger(run.random, ...after.between) : [after, run.random]
  const due = { timer: SCHEDULED, atMs: run.nowMs + ms, captured, near, event, outcome }
  return runWith(run, { due: [...run.due, due].sort(firingOrder), random })
}

/** The kinds of effects by the key that decides. */
interface EffectKinds {
  readonly var: VariableChange
  readonly path: FileChange
  readonly clipboard: ClipboardChange
  readonly menu: MenuEffect
  readonly navigate: NavigateEffect
  readonly browse: BrowseEffect
  readonly id: ElementChange
  readonly window: ElementChange
  readonly open: OpenEffect
  readonly close: CloseEffect
  readonly focus: FocusEffect
  readonly move: MoveEffect
  readonly toast: ToastEffect
  readonly undo: UndoEffect
  readonly redo: RedoEffect
  readonly log: LogEffect
  readonly emit: EmitEffect
  readonly theme: ThemeEffect
  readonly schedule: ScheduleEffect
}

/** Nothing can have this type while an effect of the schema is missing in `EffectKinds`. */
type EveryKindHasAKey = ScenarioEffect extends EffectKinds[keyof EffectKinds] ? unknown : never

/** How each kind is applied. The first key that an effect has decides. */
const EFFECTS: { readonly [Key in keyof EffectKinds]: ApplyEffect<EffectKinds[Key]> } & EveryKindHasAKey = {
  var: applyVariableChange,
  path: applyFileChange,
  clipboard: applyClipboardChange,
  menu: applyMenu,
  navigate: applyNavigate,
  browse: applyBrowse,
  id: applyElementChange,
  window: applyWindowChange,
  open: applyOpen,
  close: applyClose,
  focus: applyFocus,
  move: applyMove,
  toast: applyToast,
  undo: applyUndo,
  redo: applyRedo,
  log: applyLog,
  emit: applyEmit,
  theme: applyTheme,
  schedule: applySchedule,
}

const KEYS = Object.keys(EFFECTS) as readonly (keyof EffectKinds)[]

/** Applies the entries of a `set` in order. Entries that cannot be applied are skipped. */
export const applyEffects = (
  run: ScenarioRun,
  effects: readonly ScenarioEffect[],
  context: EffectContext,
): ScenarioRun => effects.reduce((current, effect) => applyEffect(current, effect, context), run)

function applyEffect(run: ScenarioRun, effect: ScenarioEffect, context: EffectContext): ScenarioRun {
  const key = KEYS.find((each) => each in effect)
  if (key === undefined) return run
  const apply = EFFECTS[key] as ApplyEffect<ScenarioEffect>
  const next = run.scenario.program ? applyLive(run, effect, context, key, apply) : apply(run, effect, context)
  const excess = next.desktop === run.desktop ? undefined : textExcess(run.desktop, next.desktop)
  return excess === undefined ? next : skipEffect(run, key, excess)
}

/** Why a value that a template gave does not fit its key. */
function misfitOfResolved(effect: ScenarioEffect, resolved: ScenarioEffect): string | undefined {
  if (resolved === effect) return undefined
  const before: Readonly<Record<string, unknown>> = { ...effect }
  for (const [key, value] of Object.entries(resolved)) {
    const wrong = value === before[key] || takesAnyText(key) ? undefined : misfitOfField(key, value)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** Evaluates the live templates of an effect and applies it. If one has no value, the effect is skipped and logged. */
function applyLive(
  run: ScenarioRun,
  effect: ScenarioEffect,
  context: EffectContext,
  key: keyof EffectKinds,
  apply: ApplyEffect<ScenarioEffect>,
): ScenarioRun {
  const { program } = run.scenario
  if (!program || key === 'var') return apply(run, effect, context)
  const resolved = resolveEffect(program, effect, liveContext(run, context.event, context.near))
  if ('message' in resolved) return skipEffect(run, key, resolved.message)
  const wrong = misfitOfResolved(effect, resolved.value)
  if (wrong !== undefined) return skipEffect(run, key, wrong)
  try {
    return apply(run, resolved.value, context)
  } catch (error) {
    if (error instanceof Fault) return skipEffect(run, key, error.message)
    throw error
  }
}

/** The characters of all texts of a desktop: of its elements, its files and its clipboard. */
const MAX_CHARACTERS = 3_000_000

/** Why the texts of a desktop are too long after an effect. Undefined if they are not, or were so before. */
export function textExcess(before: Desktop, after: Desktop): string | undefined {
  const length = textLengthOf(after)
  if (length <= MAX_CHARACTERS || length <= textLengthOf(before)) return undefined
  return `the texts of the desktop would have ${length} characters; at most ${MAX_CHARACTERS} are allowed`
}

const textLengthOf = ({ windows, files, clipboard }: Desktop): number =>
  windows.reduce((sum, { title, tree }) => sum + title.length + textLengthIn(tree), clipboard.length) +
  (files ? textLengthOfFiles(files) : 0)

const ownLength = ({ name, value, description }: Element): number =>
  name.length + (value?.length ?? 0) + (description?.length ?? 0)

const textLengthIn: (element: Element) => number = memoize(
  (element) => element.children.reduce((sum, child) => sum + textLengthIn(child), ownLength(element)),
  { update: (length, before, after) => length - textLengthIn(before) + textLengthIn(after) },
)

const known = new WeakMap<Files, number>()

function textLengthOfFiles(files: Files): number {
  const found = known.get(files)
  if (found !== undefined) return found
  const length = Object.entries(files).reduce((sum, [path, text]) => sum + path.length + (text?.length ?? 0), 0)
  known.set(files, length)
  return length
}
