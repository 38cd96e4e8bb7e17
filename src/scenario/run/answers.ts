import { drawInteger } from '../../base/random.ts'
import { changeData, keyOfItem, valueAt } from '../data/data-change.ts'
import { conditionHolds, type EventValues, NO_EVENT } from '../data/scope.ts'
import { type DataValue, isList } from '../expression/data-type.ts'
import { liveContext } from '../live-context.ts'
import { type DueTimer, runWith, SCHEDULED, type ScenarioRun } from '../scenario-run.ts'
import type { Actor, ActorAnswer, DueAnswer } from '../schema/actor.ts'
import type { Outcome } from '../schema/effect.ts'
import { skipEffect } from './effects/context.ts'
import { allGuardsPass } from './guard.ts'
import { applyOutcome, drawProbability, recorded } from './reactions.ts'
import { firingOrder } from './triggers.ts'

const DEFAULT_DELAY = { between: [1500, 4000] } as const
const DEFAULT_TYPING_MS = 1500
/** The automatic reply of an actor that is away. It is sent without a delay. */
const AWAY_DELAY_MS = 1
/** The most answers that are due at a time. */
const MAX_DUE_ANSWERS = 1000

type Delay = number | { readonly between: readonly [number, number] }

/** Schedules what people answer to the records that a step appended, except to those that `speaker` appended. */
export function withAnswers(before: ScenarioRun, after: ScenarioRun, speaker?: string): ScenarioRun {
  const { actors, program } = after.scenario
  if (!program || before.data === after.data) return after
  let run = after
  for (const [name, actor] of Object.entries(actors)) {
    if (name === speaker) continue
    const heard = newRecords(valueAt(before.data, actor.hears), valueAt(after.data, actor.hears))
    for (const row of heard) run = withAnswer(run, name, actor, row)
  }
  return run
}

/** The records of a list that an earlier one did not have. A record that was changed keeps its key and is not new. */
function newRecords(before: DataValue, after: DataValue): readonly DataValue[] {
  if (before === after || after === null || !isList(after)) return []
  const earlier = before !== null && isList(before) ? before : []
  const known = new Set<DataValue>(earlier)
  const keys = new Set(earlier.map((row) => keyOfItem(row, 'id')))
  return after.filter((row) => {
    const key = keyOfItem(row, 'id')
    return !known.has(row) && (key === null || !keys.has(key))
  })
}

function withAnswer(run: ScenarioRun, name: string, actor: Actor, row: DataValue): ScenarioRun {
  const { program } = run.scenario
  const types = program!.scope.rowOf(actor.hears)
  const context = liveContext(run)
  const holds = (where: string | undefined) =>
    where === undefined || conditionHolds(program!.scope, where, context, types && { types, values: { row } })
  if (!holds(actor.where)) return run
  const index = actor.answers.findIndex(({ where }) => holds(where))
  const answer = actor.answers[index]
  if (!answer) return run
  const event: EventValues = { ...NO_EVENT, row }
  const backMs = run.startedAtMs + (actor.away?.until_ms ?? 0)
  const isAway = run.nowMs < backMs
  const [delayMs, random] = drawDelay(run, answer.after_ms ?? actor.after_ms ?? DEFAULT_DELAY)
  const atMs = Math.max(run.nowMs, backMs) + delayMs
  const typingAtMs = Math.max(run.nowMs, atMs - (actor.typing_ms ?? DEFAULT_TYPING_MS))
  const due = (at: number, part: Pick<DueAnswer, 'answer' | 'part'>): DueTimer => ({
    timer: SCHEDULED,
    atMs: at,
    event,
    answer: { actor: name, ...part },
  })
  return withDue(runWith(run, { random }), [
    ...(isAway ? [due(run.nowMs + AWAY_DELAY_MS, { answer: 'away', part: 'answer' })] : []),
    ...(actor.typing === undefined ? [] : [due(typingAtMs, { answer: index, part: 'typing' })]),
    due(atMs, { answer: index, part: 'answer' }),
  ])
}

const drawDelay = ({ random }: ScenarioRun, delay: Delay): ReturnType<typeof drawInteger> =>
  typeof delay === 'object' ? drawInteger(random, ...delay.between) : [delay, random]

function withDue(run: ScenarioRun, more: readonly DueTimer[]): ScenarioRun {
  if (run.due.filter(({ answer }) => answer).length + more.length > MAX_DUE_ANSWERS)
    return skipEffect(run, 'answer', `${MAX_DUE_ANSWERS} answers are already due`)
  return runWith(run, { due: [...run.due, ...more].sort(firingOrder) })
}

/** Does what a person was about to do. */
export function applyAnswer(run: ScenarioRun, { answer: due, event = NO_EVENT }: DueTimer): ScenarioRun {
  const { actor: name, answer: index, part } = due!
  const actor = run.scenario.actors[name]!
  if (part === 'typing') return withTyping(run, actor, true)
  const answer: (Outcome & Pick<ActorAnswer, 'id' | 'later'>) | undefined =
    index === 'away' ? actor.away : actor.answers[index]
  const outcome: Outcome | undefined = typeof part === 'number' ? answer?.later?.[part] : answer
  const isTyping = run.due.some(
    (other) => other.answer?.actor === name && other.answer.part === 'answer' && isTypingAt(run, other, actor),
  )
  const still = index === 'away' || typeof part === 'number' ? run : withTyping(run, actor, isTyping)
  if (!outcome || !allGuardsPass(still, outcome.when, undefined, event)) return still
  const drawn = drawProbability(still, outcome.probability)
  if (!drawn.happens) return drawn.run
  const noted = index === 'away' || part !== 'answer' ? drawn.run : recorded(drawn.run, 'timer', answer?.id ?? name)
  const said = applyOutcome(noted, outcome, { event })
  return part === 'answer' && answer?.later ? withLater(noted, said, due!, actor, answer.later, event) : said
}

/** Whether an answer that is due is being typed. */
const isTypingAt = (
  { nowMs }: ScenarioRun,
  { atMs, answer }: DueTimer,
  { typing_ms = DEFAULT_TYPING_MS }: Actor,
): boolean => answer?.answer !== 'away' && atMs - typing_ms <= nowMs

function withTyping(run: ScenarioRun, { typing }: Actor, isTyping: boolean): ScenarioRun {
  const { program } = run.scenario
  if (typing === undefined || !program || valueAt(run.data, typing) === isTyping) return run
  const result = changeData(program.scope, run.data, { var: typing, to: isTyping })
  return 'message' in result ? skipEffect(run, 'answer', result.message) : runWith(run, { data: result.data })
}

/** Schedules the `later` entries of an answer. `event.item` is then the record that the answer appended. */
function withLater(
  before: ScenarioRun,
  said: ScenarioRun,
  due: DueAnswer,
  { hears }: Actor,
  later: NonNullable<ActorAnswer['later']>,
  event: EventValues,
): ScenarioRun {
  const item = newRecords(valueAt(before.data, hears), valueAt(said.data, hears)).at(-1) ?? null
  const place = { var: hears, at: [{ key: keyOfItem(item, 'id'), keyField: 'id' }] }
  const known: EventValues = item === null ? event : { ...event, item, places: { item: place } }
  let run = said
  for (const [part, { after_ms: delay }] of later.entries()) {
    const [delayMs, random] = drawDelay(run, delay)
    const next: DueTimer = { timer: SCHEDULED, atMs: run.nowMs + delayMs, event: known, answer: { ...due, part } }
    run = withDue(runWith(run, { random }), [next])
  }
  return run
}
