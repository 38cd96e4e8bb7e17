import { Fault } from '../../base/fault.ts'
import { type CellEdit, changeWindow, type Desktop, windowByUid } from '../../desktop/model/desktop.ts'
import { changeAt, type Element, nodeById, pathOf, valueText, withFields } from '../../desktop/model/element.ts'
import { withTraits } from '../../desktop/tree/element-ref.ts'
import { changeData, valueAt } from '../data/data-change.ts'
import { changedVars, parseTyped } from '../data/run-data.ts'
import { type LiveContext, typeAt } from '../data/scope.ts'
import type { DataValue } from '../expression/data-type.ts'
import { textOfInput } from '../live/bind-input.ts'
import { type FieldBinding, type InputBinding, type LiveProgram, SHOWN_FIELDS } from '../live/live-program.ts'
import { evaluateTemplate } from '../live/live-template.ts'
import { fieldValue, misfitOfField } from '../live/prepare-live.ts'
import { liveContext, selectedItemName } from '../live-context.ts'
import { withEditedTables, writeCellEdits } from '../records/cell-edits.ts'
import { runWith, type ScenarioRun, withDesktop } from '../scenario-run.ts'
import type { ElementChange } from '../schema/effect.ts'
import { skipEffect } from './effects/context.ts'
import { textExcess } from './effects/effects.ts'
import { changedElement } from './effects/element.ts'
import { withInvariants } from './reactions.ts'

/** Elements that read the screen may read each other; they are evaluated again until nothing changes, at most so often. */
const MAX_ROUNDS = 4

/** Writes the fields that the user changed to their variables. The same run if the scenario has no such fields. */
export function readInputs(before: ScenarioRun, after: ScenarioRun): ScenarioRun {
  const { program } = after.scenario
  if (!program || program.inputs.length === 0 || before.desktop === after.desktop) return after
  return program.inputs.reduce((run, input) => readInput(program, before.desktop, run, input), after)
}

function readInput(program: LiveProgram, before: Desktop, run: ScenarioRun, input: InputBinding): ScenarioRun {
  if (input.state !== undefined && input.state !== run.state) return run
  const now = elementOf(run.desktop, input)
  const was = elementOf(before, input)
  if (!now || !was || now === was) return run
  const shown = contentOf(now, input)
  if (shown === contentOf(was, input)) return run
  const type = typeAt(program.scope.vars, input.variable)
  const value = typeof shown === 'string' && type ? parseTyped(shown, type) : shown
  if (value === undefined) return run
  const result = changeData(program.scope, run.data, { var: input.variable, to: value })
  return 'message' in result || result.data === run.data ? run : runWith(run, { data: result.data })
}

const elementOf = (desktop: Desktop, { window, element }: InputBinding): Element | undefined => {
  const found = windowByUid(desktop, window)
  return found && nodeById(found.tree, element)
}

/** What an element shows of its variable. */
function contentOf(element: Element, { field }: InputBinding): DataValue {
  if (field === 'selected') return element.selected === true
  if (field === 'value_now') return element.valueNow ?? 0
  return field === 'item' ? selectedItemName(element) : (valueText(element) ?? '')
}

/** Shows the data and the screen of the start. */
export function showAllData(run: ScenarioRun): ScenarioRun {
  const { program } = run.scenario
  return program ? refreshBindings(program, run, () => true) : run
}

/** Shows what an input changed: in the data, the state, the time or the windows. */
export function showData(before: ScenarioRun, after: ScenarioRun): ScenarioRun {
  const { program } = after.scenario
  if (!program || before === after) return after
  const read = before.data === after.data ? readInputs(before, after) : after
  const names = new Set(changedVars(before.data, read.data))
  if (before.state !== read.state) names.add('state')
  if (before.nowMs !== read.nowMs) names.add('now')
  const isEntered = before.kept !== read.kept
  const isNew = (uid: string) => isEntered || !windowByUid(before.desktop, uid)
  return refreshBindings(
    program,
    read,
    ({ window, names: own }) => isNew(window) || [...own].some((name) => names.has(name)),
  )
}

/** Shows the time where elements show it. */
export function showTime(run: ScenarioRun): ScenarioRun {
  const { program } = run.scenario
  return program?.readsTime ? refreshBindings(program, run, ({ names }) => names.has('now')) : run
}

type IsAffected = (binding: { readonly window: string; readonly names: ReadonlySet<string> }) => boolean

function refreshBindings(program: LiveProgram, after: ScenarioRun, isAffected: IsAffected): ScenarioRun {
  let run = withInputs(program, after, isAffected)
  const here = ({ state }: { readonly state: string | undefined }) => state === undefined || state === run.state
  const bindings = program.bindings.filter(here)
  run = bindings.filter((binding) => !binding.readsScreen && isAffected(binding)).reduce(withBinding, run)
  for (const records of program.records.filter(here))
    if (isAffected(records)) {
      const value = valueAt(run.data, records.variable)
      run = withDesktop(run, records.refresh(run.desktop, Array.isArray(value) ? value : [], liveContext(run)))
    }
  const readers = bindings.filter(({ readsScreen }) => readsScreen)
  for (let round = 0; readers.length > 0 && round < MAX_ROUNDS; round++) {
    const { desktop } = run
    run = readers.reduce(withBinding, run)
    if (run.desktop === desktop) break
  }
  return run.desktop === after.desktop ? run : withDesktop(run, withInvariants(run.desktop, run.scenario))
}

/** Evaluates a template and shows its value. A template without a value leaves the element as it is, and is logged. */
function withBinding(run: ScenarioRun, binding: FieldBinding): ScenarioRun {
  const { program } = run.scenario
  const window = windowByUid(run.desktop, binding.window)
  if (!program || !window || (binding.element !== undefined && !nodeById(window.tree, binding.element))) return run
  const value = boundValue(program, binding, liveContext(run, undefined, binding.window))
  if (value instanceof Fault) return skipEffect(run, binding.field, value.message)
  const desktop = changedField(run.desktop, binding, value)
  const excess = desktop === run.desktop ? undefined : textExcess(run.desktop, desktop)
  return excess === undefined ? withDesktop(run, desktop) : skipEffect(run, binding.field, excess)
}

function boundValue(
  program: LiveProgram,
  { text, isText, field }: FieldBinding,
  context: LiveContext,
): DataValue | Fault {
  try {
    const value = fieldValue(evaluateTemplate(program, text, context).value, isText)
    const wrong = misfitOfField(field, value)
    if (wrong !== undefined) return new Fault('BadRequest', wrong)
    const { formatText } = program
    return formatText && typeof value === 'string' && SHOWN_FIELDS.has(field) ? formatText(value) : value
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

function changedField(desktop: Desktop, { window: uid, element, field }: FieldBinding, value: DataValue): Desktop {
  if (element !== undefined) {
    const change = { id: element, window: uid, [field]: value } as ElementChange
    return changedElement(desktop, change, (text) => text, uid)
  }
  const window = windowByUid(desktop, uid)!
  const now = field === 'busy' ? window.busy : window.title
  if (now === value) return desktop
  return changeWindow(desktop, uid, (each) => ({ ...each, [field]: value }))
}

/** Shows variables in the elements that are bound to them, unless the user just typed what the variable holds. */
function withInputs(program: LiveProgram, after: ScenarioRun, isAffected: IsAffected): ScenarioRun {
  let run = after
  for (const input of program.inputs) {
    if (input.state !== undefined && input.state !== run.state) continue
    const [name = ''] = input.variable.split('.')
    const element = elementOf(run.desktop, input)
    if (!element || !isAffected({ window: input.window, names: new Set([name]) })) continue
    const value = valueAt(run.data, input.variable)
    if (!isShown(program, element, input, value))
      run = withDesktop(run, withContent(run.desktop, element, input, value))
  }
  return run
}

/** Whether an element shows a value, in any spelling such as `1.50`. */
function isShown(program: LiveProgram, element: Element, input: InputBinding, value: DataValue): boolean {
  const content = contentOf(element, input)
  if (content === value) return true
  const type = typeAt(program.scope.vars, input.variable)
  return (
    input.field === 'value' && typeof content === 'string' && type !== undefined && parseTyped(content, type) === value
  )
}

function withContent(desktop: Desktop, element: Element, input: InputBinding, value: DataValue): Desktop {
  const { field, window } = input
  if (field === 'item') return withSelectedItem(desktop, input, element, textOfInput(value))
  const change = { id: element.id, window, [field]: field === 'value' ? textOfInput(value) : value } as ElementChange
  return changedElement(desktop, change, (text) => text, window)
}

function withSelectedItem(desktop: Desktop, input: InputBinding, list: Element, name: string): Desktop {
  return changeWindow(desktop, input.window, (window) => ({
    ...window,
    tree: changeAt(window.tree, pathOf(window.tree, list.id)!, (element) => {
      const { rows } = element.traits ?? {}
      if (rows) {
        const index = rows.names.indexOf(name)
        return withTraits(element, {
          rows: { ...rows, selected: index < 0 ? [] : [index], current: index, anchor: index },
        })
      }
      return selectedBelow(element, name)
    }),
  }))
}

function selectedBelow(element: Element, name: string): Element {
  const children = element.children.map((child) => {
    const below = child.children.length > 0 ? selectedBelow(child, name) : child
    if (below.selected === undefined && below.name !== name) return below
    return (below.selected === true) === (below.name === name)
      ? below
      : withFields(below, { selected: below.name === name })
  })
  return children.every((child, index) => child === element.children[index])
    ? element
    : withFields(element, { children })
}

/**
 * Writes cells that the user edited to the records that they show, and shows these. An edit that is refused is
 * recorded.
 */
export function readCellEdits(run: ScenarioRun, edits: readonly CellEdit[] | undefined): ScenarioRun {
  const { program } = run.scenario
  if (!program || !edits) return run
  const { data, refused } = writeCellEdits(program.records, program.scope, run.data, edits)
  const authored = data === run.data ? run : runWith(run, { data })
  const shown = withEditedTables(program.records, authored.desktop, edits, liveContext(authored))
  return refused.reduce((next, reason) => skipEffect(next, 'edit', reason), withDesktop(authored, shown))
}
