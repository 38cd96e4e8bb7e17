import { Fault, type FaultCode } from '../../base/fault.ts'
import { seededRandom, split } from '../../base/random.ts'
import { performAction } from '../../desktop/apply/apply.ts'
import { meaningOf } from '../../desktop/apply/held.ts'
import { keyOfCharacter, takesTypedText } from '../../desktop/apply/keyboard.ts'
import { DWELL_MS, isNavigation } from '../../desktop/apply/pointer.ts'
import { type Action, UnreceivedInput } from '../../desktop/input/action.ts'
import { characterOf, parseChord } from '../../desktop/input/keys.ts'
import { type Desktop, type DesktopApp, type Press, type Target, windowByUid } from '../../desktop/model/desktop.ts'
import { type Element, nodeById, pathOf, valueText } from '../../desktop/model/element.ts'
import { openWindowOf } from '../../desktop/shell/shell.ts'
import { chainTo } from '../../desktop/tree/element-ref.ts'
import { withoutOwnPopups } from '../../desktop/widgets/popup.ts'
import type { ActionEffect } from '../../desktop/widgets/widget.ts'
import { changedVars } from '../data/run-data.ts'
import { EMPTY_HISTORY } from '../data/undo.ts'
import { withinBudget } from '../expression/budget.ts'
import type { ChosenFault } from '../faults/fault-kind.ts'
import { laidOutAgain } from '../layout/layout.ts'
import type { FormulaBar } from '../live/live-program.ts'
import { elementsWithId } from '../live-context.ts'
import { followCourse } from '../oracles/course.ts'
import { endBarEdits } from '../records/formula-bar.ts'
import type { Scenario } from '../scenario.ts'
import {
  EMPTY_LOG,
  isInState,
  NO_QUESTIONS,
  runWith,
  type ScenarioRun,
  withDesktop,
  withShellShown,
} from '../scenario-run.ts'
import type { Trigger } from '../schema/reaction.ts'
import { withSeed } from '../seeds.ts'
import { withAnswers } from './answers.ts'
import { actWithFaults, applyFaultsAtStart, startFaults } from './apply-faults.ts'
import { textOfField } from './effects/context.ts'
import { withClosedWindows } from './effects/live-windows.ts'
import { withStartTabs } from './effects/navigate.ts'
import { applyToast, UNDO_ID } from './effects/toast.ts'
import { pressUndoKey, recordGroup, undoOrRedoGroup } from './effects/undo.ts'
import { applyOpen } from './effects/window.ts'
import { atMinute, runAt } from './elapse.ts'
import { closeEventsOf, eventsOf, payloadOfDrag, type ScenarioEvent } from './event.ts'
import { react, withInvariants } from './reactions.ts'
import { firstDesktop, NO_SAVED_CHANGES } from './scene.ts'
import { readCellEdits, readInputs, showAllData, showData, withItemsInTree } from './show-data.ts'
import { matchTrigger, namesTarget, startEventTimers, startTimers } from './triggers.ts'

export type RunInput =
  | { readonly type: 'action'; readonly action: Action }
  /** Time advances to `nowMs`. */
  | { readonly type: 'tick'; readonly nowMs: number }

export interface ScenarioStep {
  readonly run: ScenarioRun
  /** What handled the input: a reaction of the scenario, the desktop itself, or nothing. */
  readonly via: 'reaction' | 'behaviour' | 'nothing'
  /** The indexes in the file of the reactions that were applied, in order. Typed text may apply several. */
  readonly reactions: readonly number[]
  /** Why nothing received the input, or what was dropped where. */
  readonly note?: string
}

/**
 * Starts a scenario.
 * @param given The scenario.
 * @param start The seed, by default the scenario's own, the time in milliseconds since the epoch, and faults beside the
 *   scenario's own.
 * @example
 * const run = startScenario(scenario, { atMs: 0 })
 */
export const startScenario = (given: Scenario, start: RunStart): ScenarioRun =>
  withinBudget(startWithinBudget, given, start)

/** What a run starts with: the seed, by default that of the scenario, the time, and faults beside those of the scenario. */
interface RunStart {
  readonly seed?: number
  readonly atMs: number
  readonly faults?: readonly ChosenFault[]
}

function startWithinBudget(given: Scenario, { seed = given.seed, atMs, faults = [] }: RunStart): ScenarioRun {
  const scenario = withSeed(given, seed)
  const desktop = withInvariants(atMinute(firstDesktop(scenario), scenario.startMs ?? atMs), scenario)
  const seeded = seededRandom(seed)
  const faultCalls = scenario.faults.map(() => 0)
  const bare: ScenarioRun = {
    scenario,
    state: scenario.initial,
    previous: undefined,
    enteredAtMs: atMs,
    desktop,
    nowMs: atMs,
    seed,
    startedAtMs: atMs,
    random: split(seeded, 'timers'),
    chance: split(seeded, 'choices'),
    due: [],
    restedAtMs: undefined,
    kept: NO_SAVED_CHANGES,
    faultCalls,
    faults: startFaults(scenario.catalogueFaults, faults, { seed, desktop, atMs }),
    data: scenario.data,
    pages: new Map(),
    questions: NO_QUESTIONS,
    log: EMPTY_LOG,
    history: EMPTY_HISTORY,
    course: undefined,
  }
  const started = startTimers(showAllData(withStartTabs(bare)), ({ on }) => on === undefined && {})
  return followCourse(undefined, withShellShown(applyFaultsAtStart(started)))
}

/**
 * Applies an input to a run and returns the next run; the given one is not changed.
 * @param run The run.
 * @param input An action, or a time to move to.
 * @param onPart Called before each part of the action, in order. Only typed text has several: the keys in it, and the texts
 *   between them.
 * @throws The `Fault` of an action that cannot be done.
 */
export const stepScenario = (run: ScenarioRun, input: RunInput, onPart?: OnPart): ScenarioStep =>
  withinBudget(stepWithinBudget, run, input, onPart)

function stepWithinBudget(run: ScenarioRun, input: RunInput, onPart: OnPart | undefined): ScenarioStep {
  if (input.type === 'action') {
    const { lastFrom = run, ...step } = run.faults
      ? actWithFaults(run, input.action, (from, action) => actInParts(from, action, onPart))
      : actInParts(run, input.action, onPart)
    const settled = withAnswers(run, settleRecorded(run, lastFrom, step))
    return settled === step.run ? step : { ...step, run: settled }
  }
  const current = runAt(run, input.nowMs)
  return { run: current, via: current.desktop === run.desktop ? 'nothing' : 'behaviour', reactions: NO_REACTIONS }
}

/** Receives a part of an action and the run before it. */
export type OnPart = (run: ScenarioRun, part: Action) => void

const NO_REACTIONS: readonly number[] = []

/** Records what an action changed, and settles the run, where elements may show whether there is something to undo. */
function settleRecorded(before: ScenarioRun, lastFrom: ScenarioRun, { run, reactions }: ScenarioStep): ScenarioRun {
  const recorded = recordGroup(before, run, reactions)
  const settled = settle(lastFrom, recorded)
  return settled.data === recorded.data
    ? settled
    : recordGroup(before, runWith(settled, { history: run.history }), reactions)
}

/** Shows the data and follows the course of a run after an action. */
function settle(before: ScenarioRun, after: ScenarioRun): ScenarioRun {
  const shown = before.scenario.program ? showData(before, after) : after
  return followCourse(before, withShellShown(shown))
}

/** The most keys in one text. Each is an action of its own. */
const MAX_TYPED_KEYS = 1000

/** The run before the last part of an action, if that is not the run before the action. */
interface PartedStep extends ScenarioStep {
  readonly lastFrom?: ScenarioRun | undefined
}

/** Performs the parts of an action one after the other, each where the focus is then. */
function actInParts(run: ScenarioRun, action: Action, onPart: OnPart | undefined): PartedStep {
  let { part, rest } = firstPart(run, action)
  onPart?.(run, part)
  let step = act(run, part)
  if (!rest) return step
  const reactions = [...step.reactions]
  let via = step.via
  let note = step.note
  let lastFrom = run
  for (let keys = Number(part.type === 'key'); rest; keys += Number(part.type === 'key')) {
    if (keys > MAX_TYPED_KEYS)
      throw new Fault('BadRequest', `the text presses more than ${MAX_TYPED_KEYS} keys; type it in parts`)
    lastFrom = settle(lastFrom, step.run)
    ;({ part, rest } = firstPart(lastFrom, rest))
    onPart?.(lastFrom, part)
    step = act(lastFrom, part)
    reactions.push(...step.reactions)
    via = strongest(via, step.via)
    note ??= step.note && `a part of the text was not received: ${step.note}`
  }
  return { run: step.run, via, reactions, lastFrom, ...(note !== undefined && { note }) }
}

const STRENGTH = { reaction: 2, behaviour: 1, nothing: 0 } as const satisfies Record<ScenarioStep['via'], number>
const strongest = (a: ScenarioStep['via'], b: ScenarioStep['via']): ScenarioStep['via'] =>
  STRENGTH[a] >= STRENGTH[b] ? a : b

/** A run after the behaviour of the desktop, before the scenario reacts. */
export interface BehavedRun {
  readonly run: ScenarioRun
  /** What reactions may match. Empty if the scenario has no triggers. */
  readonly events: readonly ScenarioEvent[]
  /** Why the desktop did not take the action. A reaction may still match it. */
  readonly refused: Fault | undefined
  /** The application that the action opens. Undefined if none, or if a window of it is open. */
  readonly opens?: DesktopApp | undefined
  /** The group of changes that the button of a notification takes back. */
  readonly undoes?: number | undefined
}

/**
 * Applies the behaviour of the desktop to a run, without the reactions of the scenario.
 * @throws The `Fault` of an action that no reaction can handle.
 */
export function applyBehaviour(run: ScenarioRun, action: Action): BehavedRun {
  const { desktop, scenario } = run
  const done = behave(run, action)
  if (done instanceof Fault) {
    const isLost = done instanceof UnreceivedInput && action.type !== 'type' && !goesThroughHistory(action)
    return { run, events: isLost ? [] : eventsOf(desktop, action), refused: done }
  }
  // Events are only computed if a reaction or timer could match.
  const events =
    hasTriggers(scenario) && !done.refused
      ? [...eventsOf(desktop, action, done), ...closeEventsOf(desktop, done.desktop)]
      : []
  const changed = { desktop: laidOutAgain(desktop, done.desktop), restedAtMs: restedAt(run, action) }
  const { edits, desktop: left } = endBarEdits(formulaBarsIn(run), desktop, changed.desktop, action)
  const typed = [...(done.cellEdits ?? []), ...edits]
  const edited = readCellEdits(runWith(run, { ...changed, desktop: left }), typed.length > 0 ? typed : undefined)
  const moved = withClosedWindows(run, readInputs(run, edited))
  const all = scenario.watched.length === 0 || done.refused ? events : [...events, ...changeEventsOf(run, moved)]
  const opens = appToOpen(desktop, done.desktop, done.pressed)
  const bar = done.pressed.find(({ window, element }) => element === UNDO_ID && run.history.bars.has(window))
  const undoes = bar && run.history.bars.get(bar.window)
  return {
    run: startEventTimers(moved, all),
    events: all,
    refused: undefined,
    ...(opens && { opens }),
    ...(undoes !== undefined && { undoes }),
  }
}

/**
 * Applies an action to the desktop. Returns the faults that a reaction may handle, such as an unsupported action, and
 * throws all others.
 */
function behave(run: ScenarioRun, action: Action): ActionEffect | Fault {
  const { desktop, scenario, nowMs } = run
  try {
    const done = performAction(desktop, action, { isInteractive: scenario.isInteractive, nowMs })
    const shown = withItemsInTree(run, done.desktop)
    return shown === done.desktop ? done : { ...done, desktop: shown }
  } catch (error) {
    if (error instanceof Fault && error.code === 'PatternUnsupported') return error
    if (error instanceof UnreceivedInput || (error instanceof Fault && action.type === 'type')) return error
    throw error
  }
}

/** Whether nothing receives the input, which is not an error of the caller. */
const isUnreceived = (fault: Fault, { type }: Action): boolean =>
  fault instanceof UnreceivedInput || (type === 'type' && NOT_TAKEN.has(fault.code))

/** Faults of a field that does not take text: it is read-only, or it or its window is disabled. */
const NOT_TAKEN: ReadonlySet<FaultCode> = new Set<FaultCode>(['PatternUnsupported', 'ElementDisabled'])

const NO_BARS: readonly FormulaBar[] = []

/** The formula bars of the current state. */
const formulaBarsIn = ({ scenario: { program }, state: here }: ScenarioRun): readonly FormulaBar[] =>
  program && program.formulaBars.length > 0
    ? program.formulaBars.filter(({ state }) => state === undefined || state === here)
    : NO_BARS

function act(run: ScenarioRun, action: Action): ScenarioStep {
  const { desktop } = run
  const { run: timed, events, refused, opens, undoes } = applyBehaviour(run, action)
  const hidesMenu = isRightClick(action) && !refused
  const note = dropNote(desktop, action)
  const { run: reacted, reaction } = react(hidesMenu ? withoutMenu(timed) : timed, desktop, events)
  if (reaction !== undefined) return { run: reacted, via: 'reaction', reactions: [reaction], ...note }
  if (refused) {
    if (!isUnreceived(refused, action)) throw refused
    return { run: reacted, via: 'nothing', reactions: NO_REACTIONS, note: refused.message }
  }
  if (opens) return { run: openApp(reacted, opens), via: 'behaviour', reactions: NO_REACTIONS }
  if (undoes !== undefined)
    return { run: undoOrRedoGroup(reacted, 'undo', undoes), via: 'behaviour', reactions: NO_REACTIONS }
  const undone = pressUndoKey(reacted, action)
  if (undone !== reacted) return { run: undone, via: 'behaviour', reactions: NO_REACTIONS }
  const behaved = reacted.chance === timed.chance ? timed : runWith(timed, { chance: reacted.chance })
  if (behaved.desktop !== desktop) return { run: behaved, via: 'behaviour', reactions: NO_REACTIONS, ...note }
  const isSame = behaved.due === run.due && behaved.restedAtMs === run.restedAtMs && behaved.chance === run.chance
  return { run: isSame ? run : behaved, via: 'nothing', reactions: NO_REACTIONS, ...note }
}

/** What a drag dropped where, or what refused it. Undefined for other actions. */
function dropNote(desktop: Desktop, given: Action): { readonly note: string } | undefined {
  const action = meaningOf(desktop, given)
  const drop = action?.type === 'drag' ? payloadOfDrag(desktop, action) : undefined
  if (!drop) return undefined
  const named = ({ name, role, id }: Element) => `the ${role} "${name || id}"`
  const { kind, dragged, target, isAccepted, edge, x, y, before } = drop
  if (!target) return { note: `nothing there accepts the ${kind} "${dragged.element.name}", so it was not dropped` }
  if (!isAccepted) return { note: `${named(target.element)} does not accept the ${kind} "${dragged.element.name}"` }
  const place = [
    ...(edge ? [`by its ${edge} edge`] : []),
    ...(x === undefined ? [] : [`at x ${x}`]),
    ...(y === undefined ? [] : [`at y ${y}`]),
    ...(before ? [`before "${before.name}"`] : []),
  ]
  const where = place.length === 0 ? '' : ` ${place.join(', ')}`
  return { note: `dropped the ${kind} "${dragged.element.name}" on ${named(target.element)}${where}` }
}

/** The time at which a tooltip shows after an action that did not show it itself. */
function restedAt({ scenario, desktop, nowMs, restedAtMs }: ScenarioRun, action: Action): number | undefined {
  if (action.type !== 'hover' || !scenario.isInteractive || action.forMs >= DWELL_MS) return undefined
  const { x, y } = desktop.pointer
  const stays = action.at.x === x && action.at.y === y
  return (stays ? restedAtMs : undefined) ?? nowMs + DWELL_MS
}

const isRightClick = (action: Action): boolean =>
  (action.type === 'click' || action.type === 'release') && action.button === 'right'

/** A reaction may have the history that no control has. */
const goesThroughHistory = (action: Action): boolean => action.type === 'click' && isNavigation(action.button)

/** A reaction to a right click takes the place of the text field's own menu. */
const withoutMenu = (run: ScenarioRun): ScenarioRun => withDesktop(run, withoutOwnPopups(run.desktop))

const hasTriggers = ({ reactions, timers }: Scenario): boolean => reactions.length > 0 || timers.some(({ on }) => on)

/** The events for what an action changed, of what the scenario watches. */
function changeEventsOf(before: ScenarioRun, after: ScenarioRun): readonly ScenarioEvent[] {
  if (after.desktop === before.desktop && after.data === before.data) return []
  const vars = changedVars(before.data, after.data)
  return after.scenario.watched.flatMap((watched): readonly ScenarioEvent[] => {
    if ('var' in watched)
      return vars.includes(watched.var) ? [{ tool: 'changed_var', chain: [], text: watched.var }] : []
    return elementsWithId(after.desktop, watched.id, watched.window).flatMap(({ window: { uid, tree }, element }) => {
      const earlier = windowByUid(before.desktop, uid)
      const was = earlier && earlier.tree !== tree ? nodeById(earlier.tree, element.id) : undefined
      if (!was || !isChanged(was, element)) return []
      const chain = chainTo(tree, pathOf(tree, element.id)!)
      return [{ tool: 'changed' as const, window: uid, root: tree, chain, text: contentOf(element) }]
    })
  })
}

const FIELDS = ['name', 'value', 'selected', 'expanded', 'valueNow'] as const

const isChanged = (was: Element, now: Element): boolean =>
  was !== now &&
  (FIELDS.some((field) => was[field] !== now[field]) || textOfField(was, 'selected') !== textOfField(now, 'selected'))

/** The new content of an element as text: its value, its selected item, or whether it is selected. */
function contentOf(element: Element): string {
  const text = valueText(element) ?? textOfField(element, 'selected')
  return text === '' && element.selected !== undefined ? String(element.selected) : text
}

/** The application whose button an action pressed, if none of its windows is open. */
function appToOpen(before: Desktop, after: Desktop, pressed: readonly Press[]): DesktopApp | undefined {
  if (!before.shell) return undefined
  for (const { window, element } of pressed) {
    const shown = windowByUid(before, window)
    const command = shown?.shell && nodeById(shown.tree, element)?.traits?.shellCommand
    if (command?.does !== 'app' || openWindowOf(after, command.app)) continue
    return before.apps?.find(({ id }) => id === command.app)
  }
  return undefined
}

/** Opens the first window of an application as the file has it, or shows a notification that there is none. */
function openApp(run: ScenarioRun, { name, windows }: DesktopApp): ScenarioRun {
  const { scenario } = run
  const uid = windows.find((each) => scenario.handles.has(each))
  return uid === undefined
    ? applyToast(run, { toast: `${name} cannot be opened on this desktop.` }, {})
    : applyOpen(run, { open: uid }, {})
}

/** A part of an action that takes effect at once, and what follows it. */
export interface ActionPart {
  readonly part: Action
  readonly rest?: Action
}

const HAS_KEY = /[\r\n\t]/

/**
 * The first part of an action: of typed text, the characters before the first key, or that key. A line feed is Enter and a
 * tab is Tab, unless the field inserts them and nothing waits for the key. Where nothing takes text, a character that a
 * reaction waits for is a key as well.
 */
function firstPart(run: ScenarioRun, action: Action): ActionPart {
  if (action.type !== 'type') return { part: action }
  if (!HAS_KEY.test(action.text) && !waitsForCharacters(run.scenario)) return { part: action }
  const text = action.text.replace(/\r\n?/g, '\n')
  const taken = run.scenario.isInteractive ? takesTypedText(run.desktop) : 'lines'
  const waits = new Map<string, boolean>()
  const isKey = (character: string): boolean => {
    const isNamed = character === '\n' || character === '\t'
    if (isNamed && taken !== 'lines') return true
    if (!isNamed && taken !== 'nothing') return false
    if (!waits.has(character)) waits.set(character, isAwaited(run, keyOfCharacter(character)))
    return waits.get(character)!
  }
  let length = 0
  for (const character of text) {
    if (isKey(character)) {
      const end = length || character.length
      const part: Action =
        length > 0 ? { type: 'type', text: text.slice(0, end) } : { type: 'key', keys: keyOfCharacter(character) }
      return end === text.length ? { part } : { part, rest: { type: 'type', text: text.slice(end) } }
    }
    length += character.length
  }
  return { part: { type: 'type', text } }
}

const ofKeys = ({ keys, tool }: Trigger): boolean => keys !== undefined || tool === 'press_key'

/** The triggers of reactions and timers about keys, and whether one may be about a key that types a character. */
interface KeyTriggers {
  readonly entries: readonly { readonly on: Trigger; readonly in?: string | readonly string[] | undefined }[]
  readonly characters: boolean
}
const keyTriggers = new WeakMap<Scenario, KeyTriggers>()

function keyTriggersOf(scenario: Scenario): KeyTriggers {
  const known = keyTriggers.get(scenario)
  if (known) return known
  const entries = [...scenario.reactions, ...scenario.timers].flatMap(({ on, in: states }) =>
    on && ofKeys(on) ? [{ on, in: states }] : [],
  )
  const characters = entries.some(({ on }) => on.keys === undefined || characterOf(parseChord(on.keys)) !== undefined)
  const found: KeyTriggers = { entries, characters }
  keyTriggers.set(scenario, found)
  return found
}

const waitsForCharacters = (scenario: Scenario): boolean => keyTriggersOf(scenario).characters

/** Whether a reaction or timer of the current state waits for a key where the focus is. */
function isAwaited(run: ScenarioRun, keys: string): boolean {
  const events = eventsOf(run.desktop, { type: 'key', keys })
  return keyTriggersOf(run.scenario).entries.some(
    ({ on, in: states }) => isInState(states, run.state) && events.some((event) => matchTrigger(on, event)),
  )
}

/** Scrolling over an element, or bringing its window to the front, does not affect it. */
const TOUCHES_NOTHING: ReadonlySet<ScenarioEvent['tool']> = new Set<ScenarioEvent['tool']>([
  'scroll',
  'bring_to_foreground',
])

/** An element that an action affects. */
export interface AffectedElement extends Target {
  /** Whether the scenario has a reaction to this element. */
  readonly reacts: boolean
}

/**
 * The elements that an action affects: its target, ancestors with reactions, and elements that it presses or chooses.
 * Throws the fault of a rejected action.
 */
export function elementsAffectedBy(run: ScenarioRun, action: Action): readonly AffectedElement[] {
  const { desktop, scenario } = run
  const done = behave(run, action)
  const events = eventsOf(desktop, action, done instanceof Fault ? undefined : done)
  return events.flatMap((event) => {
    const { tool, window, chain } = event
    if (!window || TOUCHES_NOTHING.has(tool)) return []
    return chain.flatMap((element, up) => {
      const reacts = hasReactionTo(scenario, event, element)
      return up === 0 || reacts ? [{ window, element: element.id, reacts }] : []
    })
  })
}

/** Whether a reaction matches this event on that element or a descendant. */
const hasReactionTo = ({ reactions }: Scenario, event: ScenarioEvent, element: Element): boolean =>
  reactions.some(({ on }) => namesTarget(on) && matchTrigger(on, { ...event, chain: [element] }))
