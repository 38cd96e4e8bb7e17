import { Fault } from '../../base/fault.ts'
import { type CellEdit, changeWindow, type Desktop, type Window, windowByUid } from '../../desktop/model/desktop.ts'
import { changeAt, type Element, nodeById, pathOf, valueText, withFields } from '../../desktop/model/element.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { withTraits } from '../../desktop/tree/element-ref.ts'
import { realised } from '../../desktop/widgets/virtual-rows.ts'
import { boundPlace } from '../composition/instance.ts'
import { lacksItems } from '../composition/item-rows.ts'
import { refreshWindow } from '../composition/refresh.ts'
import type { RefreshOptions } from '../composition/refresh-work.ts'
import { changeData, valueAt } from '../data/data-change.ts'
import { changedVars, parseTyped } from '../data/run-data.ts'
import { type LiveContext, typeAt } from '../data/scope.ts'
import type { DataValue } from '../expression/data-type.ts'
import { chosenText, shownChoice, textOfInput } from '../live/bind-input.ts'
import {
  type FieldBinding,
  type InputBinding,
  type LiveHost,
  type LiveProgram,
  SHOWN_FIELDS,
} from '../live/live-program.ts'
import { evaluateTemplate } from '../live/live-template.ts'
import { fieldValue, misfitOfField } from '../live/prepare-live.ts'
import { liveContext, selectedItemName } from '../live-context.ts'
import { withEditedTables, writeCellEdits } from '../records/cell-edits.ts'
import { textOfBar } from '../records/formula-bar.ts'
import { runWith, type ScenarioRun, withDesktop } from '../scenario-run.ts'
import type { ElementChange } from '../schema/effect.ts'
import { skipEffect } from './effects/context.ts'
import { textExcess } from './effects/effects.ts'
import { changedElement } from './effects/element.ts'
import { itemWindowRefreshed, withLiveWindows } from './effects/live-windows.ts'
import { withInvariants } from './reactions.ts'

/** Elements that read the screen may read each other; they are evaluated again until nothing changes, at most so often. */
const MAX_ROUNDS = 4

/** Writes the fields that the user changed to their variables. The same run if the scenario has no such fields. */
export function readInputs(before: ScenarioRun, after: ScenarioRun): ScenarioRun {
  const { program } = after.scenario
  if (!program || before.desktop === after.desktop) return after
  const read = program.inputs.reduce((run, input) => readInput(program, before.desktop, run, input), after)
  if (program.hosts.length === 0 && program.windows.length === 0) return read
  return after.desktop.windows.reduce((run, window) => readInstances(program, before.desktop, run, window), read)
}

/** Writes the fields that the user changed in elements that follow the data. */
function readInstances(program: LiveProgram, before: Desktop, after: ScenarioRun, window: Window): ScenarioRun {
  const was = windowByUid(before, window.uid)
  if (!was || was.tree === window.tree) return after
  let run = after
  visit(was.tree, window.tree)
  return run

  function visit(earlier: Element | undefined, element: Element): void {
    if (earlier === element) return
    const bound = earlier && boundPlace(element, window)
    if (bound) run = withTyped(program, run, bound, contentOf(earlier, bound.bind), contentOf(element, bound.bind))
    for (const [index, child] of element.children.entries()) {
      const same = earlier?.children[index]
      visit(same?.id === child.id ? same : earlier?.children.find(({ id }) => id === child.id), child)
    }
  }
}

/** Writes what an element that follows the data shows, if the user changed it. */
function withTyped(
  { scope }: LiveProgram,
  run: ScenarioRun,
  { bind, place }: NonNullable<ReturnType<typeof boundPlace>>,
  was: DataValue,
  shown: DataValue,
): ScenarioRun {
  const value = typeof shown === 'string' ? parseTyped(shown, bind.type) : shown
  if (was === shown || value === undefined) return run
  const result = changeData(scope, run.data, { ...place, to: value })
  return 'message' in result || result.data === run.data ? run : runWith(run, { data: result.data })
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
function contentOf(element: Element, { field }: Pick<InputBinding, 'field'>): DataValue {
  if (field === 'selected') return element.selected === true
  if (field === 'value_now') return element.valueNow ?? 0
  return field === 'item' ? selectedItemName(element) : chosenText(element.traits?.choices, valueText(element) ?? '')
}

/** Shows the data and the screen of the start. */
export function showAllData(run: ScenarioRun): ScenarioRun {
  const { program } = run.scenario
  if (!program) return run
  const opened = withLiveWindows(program, run, run, { isAffected: () => true, isStart: true })
  return refreshBindings(program, opened, opened, () => true)
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
    before,
    read,
    ({ window, names: own }) => isNew(window) || [...own].some((name) => names.has(name)),
  )
}

/** Shows the time where elements show it. */
export function showTime(run: ScenarioRun): ScenarioRun {
  const { program } = run.scenario
  return program?.readsTime ? refreshBindings(program, run, run, ({ names }) => names.has('now')) : run
}

type IsAffected = (binding: {
  readonly window: string
  readonly element?: string | undefined
  readonly names: ReadonlySet<string>
  readonly readsScreen?: boolean
}) => boolean

/**
 * Makes the elements that follow the data. In a window that the user changed, fields that show the data show them again.
 * @param before The run in which they were made last.
 */
export function withInstances(
  program: LiveProgram,
  before: ScenarioRun,
  after: ScenarioRun,
  isAffected: IsAffected,
  fromScratch = false,
): ScenarioRun {
  if (program.hosts.length === 0 && program.windows.length === 0) return after
  const windowed = withLiveWindows(program, before, after, { isAffected, fromScratch })
  const tooMuch = windowed.desktop === after.desktop ? undefined : textExcess(after.desktop, windowed.desktop)
  let run = tooMuch === undefined ? windowed : skipEffect(after, 'repeat', tooMuch)
  for (const { uid, tree } of run.desktop.windows) {
    const hosts = hostsIn(program, after, uid)
    const isTouched = windowByUid(before.desktop, uid)?.tree !== tree
    if (hosts.length === 0 || !(isTouched || fromScratch || hosts.some(isAffected))) continue
    const { desktop, notes } = refreshWindow(run.desktop, uid, hosts, {
      program,
      contextNear: (window, items) => liveContext(run, undefined, window, items),
      earlier: after.kept.windows.get(uid)?.now,
      fromScratch,
    })
    const excess = desktop === run.desktop ? undefined : textExcess(run.desktop, desktop)
    run = excess === undefined ? withDesktop(run, desktop) : skipEffect(run, 'repeat', excess)
    for (const note of notes) run = skipEffect(run, 'repeat', note)
  }
  return run
}

const hostsIn = ({ hosts }: LiveProgram, { state: here }: ScenarioRun, uid: string): readonly LiveHost[] =>
  hosts.filter(({ window, state }) => window === uid && (state === undefined || state === here))

/**
 * A desktop of a run, in which other items may be in view than are in the tree, with these.
 * @param isSearch Whether it is only searched, so that the content of these items needs no layout.
 */
export function withItemsInTree(run: ScenarioRun, desktop: Desktop, isSearch = false): Desktop {
  const { program } = run.scenario
  const isVirtual =
    program?.hosts.some((host) => host.isVirtual) || program?.windows.some(({ items }) => items?.root.isVirtual)
  if (!program || !isVirtual) return desktop
  const options: RefreshOptions = {
    program,
    contextNear: (window, items) => liveContext(run, undefined, window, items),
    earlier: undefined,
    isSearch,
  }
  return desktop.windows.reduce((next, window) => {
    if (!lacksItems(window.tree)) return next
    const { uid } = window
    const made = itemWindowRefreshed(program, run, next, window, options)
    return (made ?? refreshWindow(next, uid, hostsIn(program, run, uid), options)).desktop
  }, desktop)
}

/** Whether an element was not there before, or has other children that follow the data. */
function isNewElement(
  before: ScenarioRun,
  after: ScenarioRun,
  { window: uid, element }: { readonly window: string; readonly element?: string | undefined },
): boolean {
  if (element === undefined || before.desktop === after.desktop || after.scenario.program?.hosts.length === 0)
    return false
  const [was, is] = [windowByUid(before.desktop, uid), windowByUid(after.desktop, uid)]
  if (!is || was === is) return false
  const [earlier, now] = [was && nodeById(was.tree, element), nodeById(is.tree, element)]
  if (!now || earlier === now) return false
  const keysOf = ({ children }: Element) => children.map(({ id }) => id).join(' ')
  return !earlier || (now.children.some(({ traits }) => traits?.instance) && keysOf(earlier) !== keysOf(now))
}

function refreshBindings(
  program: LiveProgram,
  before: ScenarioRun,
  after: ScenarioRun,
  isKnown: IsAffected,
): ScenarioRun {
  const made = withInstances(program, before, after, isKnown)
  const isOpened = (uid: string) => !windowByUid(after.desktop, uid) && windowByUid(made.desktop, uid) !== undefined
  const chosen = withNextTabs(program, before, made)
  const written = new Set(changedVars(made.data, chosen.data))
  const isAffected: IsAffected = (binding) =>
    isKnown(binding) || isOpened(binding.window) || [...binding.names].some((name) => written.has(name))
  const structured = chosen === made ? made : withInstances(program, before, chosen, isAffected)
  // An element that a condition has just let in shows its data.
  const isNewIn: IsAffected = (binding) => isAffected(binding) || isNewElement(before, structured, binding)
  let run = withInputs(program, structured, isNewIn)
  const here = ({ state }: { readonly state: string | undefined }) => state === undefined || state === run.state
  const bindings = program.bindings.filter(here)
  run = bindings.filter((binding) => !binding.readsScreen && isAffected(binding)).reduce(withBinding, run)
  for (const records of program.records.filter(here))
    if (isNewIn(records)) {
      const value = valueAt(run.data, records.variable)
      run = withDesktop(run, records.refresh(run.desktop, Array.isArray(value) ? value : [], liveContext(run)))
    }
  const readers = bindings.filter(({ readsScreen }) => readsScreen)
  const hasReaders =
    readers.length > 0 ||
    program.hosts.some((host) => host.readsScreen && here(host)) ||
    program.windows.some((window) => window.items?.root.readsScreen && here(window))
  for (let round = 0; hasReaders && round < MAX_ROUNDS; round++) {
    const { desktop } = run
    run = withInstances(program, before, readers.reduce(withBinding, run), ({ readsScreen = false }) => readsScreen)
    if (run.desktop === desktop) break
  }
  for (const bar of program.formulaBars.filter(here)) {
    const value = textOfBar(bar, before.desktop, run.desktop)
    if (value === undefined) continue
    const change = { id: bar.element, window: bar.window, value }
    run = withDesktop(
      run,
      changedElement(run.desktop, change, (text) => text, bar.window),
    )
  }
  return run.desktop === after.desktop ? run : withDesktop(run, withInvariants(run.desktop, run.scenario))
}

/** Chooses the next tab, otherwise the one before, where the chosen one has gone with its item, and writes its key. */
function withNextTabs(program: LiveProgram, before: ScenarioRun, after: ScenarioRun): ScenarioRun {
  if (program.hosts.length === 0 || before.desktop === after.desktop) return after
  let run = after
  for (const input of program.inputs) {
    const holder = input.field === 'item' ? elementOf(run.desktop, input) : undefined
    if (!holder || roleKind(holder.role) !== 'tabs' || (input.state !== undefined && input.state !== run.state))
      continue
    const [was, is] = [itemKeysIn(elementOf(before.desktop, input)), itemKeysIn(holder)]
    const at = was.indexOf(textOfInput(valueAt(run.data, input.variable)))
    if (at < 0 || is.length === 0 || is.includes(was[at]!)) continue
    const next = was.slice(at).find((key) => is.includes(key)) ?? was.slice(0, at).findLast((key) => is.includes(key))
    const type = typeAt(program.scope.vars, input.variable)
    const value = type && parseTyped(next ?? is[0]!, type)
    if (value === undefined) continue
    const result = changeData(program.scope, run.data, { var: input.variable, to: value })
    if ('data' in result) run = runWith(run, { data: result.data })
  }
  return run
}

const itemKeysIn = (holder: Element | undefined): readonly string[] =>
  holder?.children.flatMap(({ traits }) => traits?.instance?.item?.key ?? []) ?? []

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
    if (!element || !isAffected({ window: input.window, element: input.element, names: new Set([name]) })) continue
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
  const shown = field === 'value' ? shownChoice(element.traits?.choices, textOfInput(value)) : value
  const change = { id: element.id, window, [field]: shown } as ElementChange
  return changedElement(desktop, change, (text) => text, window)
}

function withSelectedItem(desktop: Desktop, input: InputBinding, list: Element, name: string): Desktop {
  return changeWindow(desktop, input.window, (window) => ({
    ...window,
    tree: changeAt(window.tree, pathOf(window.tree, list.id)!, (element) => {
      const { rows } = element.traits ?? {}
      if (rows) {
        const index = rows.names.indexOf(name)
        const selected = index < 0 ? [] : [index]
        const chosen = withTraits(element, { rows: { ...rows, selected, current: index, anchor: index } })
        return rows.items ? realised(chosen, chosen.bounds) : chosen
      }
      return selectedBelow(element, name)
    }),
  }))
}

function selectedBelow(element: Element, name: string): Element {
  const children = element.children.map((child) => {
    const below = child.children.length > 0 ? selectedBelow(child, name) : child
    const isMeant = (below.traits?.instance?.item?.key ?? below.name) === name
    if (below.selected === undefined && !isMeant) return below
    return (below.selected === true) === isMeant ? below : withFields(below, { selected: isMeant })
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
