import { Fault } from '../base/fault.ts'
import type { Action } from '../desktop/input/action.ts'
import { filesOf } from '../desktop/model/desktop.ts'
import { valueText } from '../desktop/model/element.ts'
import { exists } from '../desktop/model/files.ts'
import { textOfFile } from './build-window.ts'
import { instanceOf, itemsAround } from './composition/instance.ts'
import { type EventValues, evaluateLive } from './data/scope.ts'
import { type PlacedReason, recordInWords } from './explain-element.ts'
import { isProblem } from './expression/expression.ts'
import { elementWithId, liveContext } from './live-context.ts'
import { pathInFile } from './path-in-file.ts'
import type { ScenarioEvent } from './run/event.ts'
import { eventValues } from './run/event.ts'
import { allGuardsPass, countMatches, resolvedGuard } from './run/guard.ts'
import { applyBehaviour, stepScenario } from './run/step.ts'
import { matchTrigger } from './run/triggers.ts'
import { isInState, type ScenarioRun, timesHappened } from './scenario-run.ts'
import type { Guard } from './schema/guard.ts'
import type { Trigger } from './schema/reaction.ts'

/** What a scenario does with an action, and why. */
export interface ActionExplanation {
  readonly state: string
  /** The events that reactions and timers may match, in words. */
  readonly events: readonly string[]
  /** The items that the events are about, each once. */
  readonly items: readonly PlacedReason[]
  /** Why the desktop does not take the action. */
  readonly refused: string | undefined
  readonly reactions: readonly ReactionExplanation[]
  readonly timers: readonly TimerExplanation[]
  /** What people will answer because of the action. */
  readonly answers: readonly PlacedReason[]
}

export interface ReactionExplanation {
  /** The index in the file. */
  readonly index: number
  /** `hidden`: it matches too, but an earlier one applies. */
  readonly outcome: 'applies' | 'hidden' | 'no match'
  /** Why it does not match, or which reaction hides it. */
  readonly reasons: readonly string[]
}

export interface TimerExplanation {
  readonly index: number
  /** `starts`: at this action. `runs`: it was started before. */
  readonly outcome: 'starts' | 'runs' | 'does not run'
  readonly firesInMs: number | undefined
  readonly reasons: readonly string[]
}

/**
 * Explains what a scenario does with an action: why each reaction and timer matches or not. The run is not changed.
 * @param run The run before the action.
 * @param action The action.
 */
export function explainAction(run: ScenarioRun, action: Action): ActionExplanation {
  try {
    const { run: behaved, events, refused } = applyBehaviour(run, action)
    return { ...explain(run, behaved, events, refused?.message), answers: answersTo(run, action) }
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    return { ...explain(run, run, [], thrown.message), answers: [] }
  }
}

/** What people will answer to what an action sends them. */
function answersTo(run: ScenarioRun, action: Action): readonly PlacedReason[] {
  if (Object.keys(run.scenario.actors).length === 0) return []
  try {
    const { run: after } = stepScenario(run, { type: 'action', action })
    return after.due.flatMap((due): readonly PlacedReason[] => {
      const { answer, atMs, event } = due
      if (answer?.part !== 'answer' || run.due.includes(due)) return []
      const { actor, answer: index } = answer
      const does = index === 'away' ? 'is away and replies' : 'answers'
      const about = recordInWords('row', event?.row ?? null)
      return [
        {
          text: `${actor} ${does} in ${atMs - after.nowMs} ms; ${about}`,
          path: index === 'away' ? ['actors', actor, 'away'] : ['actors', actor, 'answers', index],
        },
      ]
    })
  } catch (thrown) {
    // A refused action sends nothing.
    if (thrown instanceof Fault) return []
    throw thrown
  }
}

/** The indexes of the reactions that match an action, in file order; only the first is applied. */
export function matchingReactions({ run, events }: { run: ScenarioRun; events: readonly ScenarioEvent[] }) {
  return run.scenario.reactions.flatMap((reaction, index) => {
    const matches =
      isInState(reaction.in, run.state) &&
      events.some(
        (event) =>
          matchTrigger(reaction.on, event) &&
          allGuardsPass(run, reaction.when, event.window, valuesOf(run, reaction.on, event)),
      )
    return matches ? [index] : []
  })
}

function explain(
  before: ScenarioRun,
  run: ScenarioRun,
  events: readonly ScenarioEvent[],
  refused: string | undefined,
): Omit<ActionExplanation, 'answers'> {
  const { reactions, timers } = run.scenario
  const [applied] = matchingReactions({ run, events })
  return {
    state: run.state,
    events: events.map(describeEvent),
    items: itemsOf(run, events),
    refused,
    reactions: reactions.map(({ on, in: states, when }, index) => {
      const reasons = reasonsAgainst(run, on, states, when, events)
      if (index === applied) return { index, outcome: 'applies', reasons: [] }
      if (reasons.length > 0) return { index, outcome: 'no match', reasons }
      return { index, outcome: 'hidden', reasons: [`reaction ${applied! + 1} of the file applies first`] }
    }),
    timers: timers.map(({ on, in: states, when }, index) => {
      const due = run.due.find(({ timer }) => timer === index)
      const isNew = due !== undefined && !before.due.includes(due)
      const guards = failingGuards(run, when, due?.near).map((reason) => `does nothing now: ${reason}`)
      const starts = on === undefined ? stateReasons(run, states) : reasonsAgainst(run, on, states, undefined, events)
      return {
        index,
        outcome: isNew ? 'starts' : due ? 'runs' : 'does not run',
        firesInMs: due && due.atMs - run.nowMs,
        reasons: due ? guards : starts.length > 0 ? starts : ['has fired, or its state was entered before'],
      }
    }),
  }
}

/** The item around the target of each event: its `repeat`, its key, its record, and where the file has the target. */
function itemsOf({ scenario }: ScenarioRun, events: readonly ScenarioEvent[]): readonly PlacedReason[] {
  const found = new Map<string, PlacedReason>()
  for (const { chain, window, root } of events) {
    const [target] = chain
    const [around] = itemsAround(chain)
    if (!target || !around || window === undefined || found.has(target.id)) continue
    const { item } = around
    const authored = target.traits?.instance?.id
    const element = chain.find(({ id }) => id === around.id)!
    const { repeat } = instanceOf(element)!.source.template
    const match = authored === undefined || authored === target.id ? target.id : `${authored} is ${target.id}`
    found.set(target.id, {
      text: `${match}, in the item ${item.key} of repeat: ${repeat!.of}; ${recordInWords('event.item', item.value)}`,
      path: pathInFile(scenario, window, target.id, root),
    })
  }
  return [...found.values()]
}

/** Why no event triggers an entry: of several events, the reasons of the nearest one. */
function reasonsAgainst(
  run: ScenarioRun,
  trigger: Trigger,
  states: string | readonly string[] | undefined,
  when: Parameters<typeof failingGuards>[1],
  events: readonly ScenarioEvent[],
): readonly string[] {
  const outside = stateReasons(run, states)
  if (events.length === 0) return [...outside, 'the action does not trigger reactions']
  const against = events.map((event) => ({
    isOther: !matchTrigger(eventKindOf(trigger), event),
    reasons: [
      ...triggerReasons(trigger, event),
      ...failingGuards(run, when, event.window, valuesOf(run, trigger, event)),
    ],
  }))
  const [nearest] = against.toSorted(
    (a, b) => Number(a.isOther) - Number(b.isOther) || a.reasons.length - b.reasons.length,
  )
  return [...outside, ...nearest!.reasons]
}

const stateReasons = ({ state }: ScenarioRun, states: string | readonly string[] | undefined): readonly string[] =>
  isInState(states, state) ? [] : [`in: the state is ${state}; it is active in ${[states].flat().join(', ')}`]

/** What expressions of guards see of an event. */
const valuesOf = (run: ScenarioRun, trigger: Trigger, event: ScenarioEvent): EventValues | undefined =>
  run.scenario.program && eventValues(run, event, matchTrigger(trigger, event)?.captured)

/** The keys of a trigger that choose the kind of event. */
const KIND_KEYS: ReadonlySet<string> = new Set(['tool', 'keys', 'changed', 'changed_var'])

const eventKindOf = (trigger: Trigger): Trigger =>
  Object.fromEntries(Object.entries(trigger).filter(([key]) => KIND_KEYS.has(key)))

/** Why a trigger does not match an event: each key that does not match on its own. */
function triggerReasons(trigger: Trigger, event: ScenarioEvent): readonly string[] {
  if (matchTrigger(trigger, event)) return []
  const kind = eventKindOf(trigger)
  if (!matchTrigger(kind, event)) {
    const wanted = Object.entries(kind).map(([key, value]) => `on.${key} must be ${value}`)
    const text = event.text === undefined ? '' : ` with ${JSON.stringify(event.text)}`
    return [`${wanted.join(' and ')}; the event is ${event.tool}${kind.tool === undefined ? text : ''}`]
  }
  const others = Object.entries(trigger).filter(([key]) => !KIND_KEYS.has(key))
  const failing = others.filter(([key, wanted]) => !matchTrigger({ ...kind, [key]: wanted } as Trigger, event))
  if (failing.length === 0)
    return [`on: no element of ${chainOf(event)} has all of ${others.map(([key]) => key).join(', ')}`]
  return failing.map(([key, wanted]) => `on.${key} must be ${JSON.stringify(wanted)}; ${foundIn(event, key)}`)
}

function foundIn(event: ScenarioEvent, key: string): string {
  if (key === 'window') return event.window === undefined ? 'the event has no window' : `the window is ${event.window}`
  if (key === 'text_regex')
    return event.text === undefined ? 'the event has no text' : `the text is ${JSON.stringify(event.text)}`
  if (key === 'target_name') return `the names are ${event.chain.map(({ name }) => JSON.stringify(name)).join(' in ')}`
  return `the event is on ${chainOf(event)}`
}

const chainOf = ({ chain }: ScenarioEvent): string =>
  chain.length === 0 ? 'no element' : chain.map(({ id }) => id).join(' in ')

const describeEvent = (event: ScenarioEvent): string => {
  const where = event.window === undefined ? '' : ` of ${event.window}`
  const text = event.text === undefined ? '' : ` with ${JSON.stringify(event.text)}`
  return `${event.tool} on ${chainOf(event)}${where}${text}`
}

/** Keys of a guard that select what it is about. */
const SELECTING: ReadonlySet<string> = new Set(['id', 'window', 'path', 'selector', 'happened'])

/** A sentence for each guard that does not hold, with the value found. `near` is the window of the event. */
const failingGuards = (
  run: ScenarioRun,
  guards: readonly Guard[] | undefined,
  near?: string,
  event?: EventValues,
): readonly string[] =>
  (guards ?? []).flatMap((guard, index) =>
    failingKeys(run, guard, near, event).map((reason) => `when[${index}]: ${reason}`),
  )

function failingKeys(
  run: ScenarioRun,
  guard: Guard,
  near: string | undefined,
  event: EventValues | undefined,
): readonly string[] {
  if (allGuardsPass(run, [guard], near, event)) return []
  const entries = Object.entries(guard)
  const selecting = entries.filter(([key]) => SELECTING.has(key))
  const conditions = entries.filter(([key]) => !SELECTING.has(key))
  if (conditions.length === 0)
    return [`${JSON.stringify(guard)} does not hold${foundText(run, guard, '', near, event)}`]
  const failing = conditions.filter(
    ([key, wanted]) => !allGuardsPass(run, [Object.fromEntries([...selecting, [key, wanted]]) as Guard], near, event),
  )
  const about = selecting.length === 0 ? '' : `${selecting.map(([, value]) => JSON.stringify(value)).join(' in ')} `
  return (failing.length > 0 ? failing : conditions).map(([key, wanted]) => {
    if (key === 'expression') return `expression ${wanted} must be true${foundText(run, guard, key, near, event)}`
    return `${about}${key} must be ${JSON.stringify(wanted)}${foundText(run, guard, key, near, event)}`
  })
}

function foundText(...where: Parameters<typeof foundFor>): string {
  const found = foundFor(...where)
  return found === undefined ? '' : `; found ${found}`
}

/** What a run has where a guard looks. Undefined for guards with templates that have no value. */
function foundFor(
  run: ScenarioRun,
  authored: Guard,
  key: string,
  near: string | undefined,
  event: EventValues | undefined,
): string | undefined {
  if ('expression' in authored) return foundByExpression(run, authored.expression, near, event)
  const guard = resolvedGuard(run, authored, near, event)
  if (guard === undefined || 'expression' in guard) return undefined
  const { desktop } = run
  if ('clipboard' in guard) return JSON.stringify(desktop.clipboard)
  if ('path' in guard) {
    const { path } = guard
    if (!exists(filesOf(desktop), path)) return 'no such file'
    return key === 'exists' ? 'the file' : JSON.stringify(textOfFile(filesOf(desktop), path) ?? null)
  }
  if ('selector' in guard) return String(countMatches(desktop, guard))
  if ('time' in guard) return `${run.nowMs - run.enteredAtMs} ms`
  if ('happened' in guard) return String(timesHappened(run.log, guard.happened))
  if (!('id' in guard) || guard.id === undefined) return undefined
  const element = elementWithId(desktop, guard.id, guard.window, near, event?.within)?.element
  if (!element) return 'no such element'
  const fields: Readonly<Record<string, unknown>> = {
    name: element.name,
    enabled: element.enabled,
    focused: element.focused,
    selected: element.selected ?? false,
    expanded: element.expanded ?? false,
    value_now: element.valueNow ?? null,
    exists: true,
  }
  return JSON.stringify(Object.hasOwn(fields, key) ? fields[key] : (valueText(element) ?? null))
}

/** The value of an expression, with those of the names in it. */
function foundByExpression(
  run: ScenarioRun,
  text: string,
  near: string | undefined,
  event: EventValues | undefined,
): string | undefined {
  const { program } = run.scenario
  if (!program) return undefined
  const { scope } = program
  const found = (expression: string) => {
    const result = evaluateLive(scope, expression, liveContext(run, event, near))
    return 'value' in result ? shortened(JSON.stringify(result.value)) : `no value, because ${result.message}`
  }
  const compiled = scope.compile(text)
  const names = isProblem(compiled) ? [] : [...compiled.names]
  const about = names.map((name) => `${name} = ${found(name)}`)
  return about.length === 0 ? found(text) : `${found(text)} with ${about.join(', ')}`
}

const MAX_VALUE_CHARACTERS = 200

const shortened = (text: string): string =>
  text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS)}…`
