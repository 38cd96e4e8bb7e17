import type { RecordedEvent, Recording, ViewerStep } from './recording.ts'

/** Steps from one number to another, both included. */
export interface StepRange {
  readonly from: number
  readonly to: number
}

/** Which steps the list shows. */
export interface StepFilter {
  /** Any part of the call, the result or the model's turn, in any case. */
  readonly text: string
  /** The name of a tool; empty for all. */
  readonly tool: string
  readonly errors: boolean
  readonly acting: boolean
  readonly range: StepRange | undefined
}

export const SHOW_ALL: StepFilter = { text: '', tool: '', errors: false, acting: false, range: undefined }

/** A line of the list: the start, a step, or an event of a protocol after a step. */
export type ListRow =
  | { readonly kind: 'start'; readonly number: 0 }
  | { readonly kind: 'step'; readonly number: number; readonly step: ViewerStep }
  | { readonly kind: 'event'; readonly number: number; readonly event: RecordedEvent; readonly index: number }

/** Lists the steps of a recording and the events between them. The texts that are searched are made once. */
export function createStepList({ steps, events, tables }: Recording): (filter: StepFilter) => readonly ListRow[] {
  const value = (index: number | undefined) => (index === undefined ? '' : inlineText(tables.values[index]))
  const all: ListRow[] = [{ kind: 'start', number: 0 }]
  let next = 0
  const addEvents = (after: number) => {
    for (; next < events.length && events[next]!.after <= after; next++)
      all.push({ kind: 'event', number: after, event: events[next]!, index: next })
  }
  addEvents(0)
  for (const step of steps) {
    all.push({ kind: 'step', number: step.number, step })
    addEvents(step.number)
  }
  let texts: readonly string[] | undefined
  const textOf = (row: ListRow): string => {
    if (row.kind === 'start') return 'start'
    if (row.kind === 'event') return `${row.event.protocol} ${row.event.name} ${value(row.event.content)}`
    const { tool, caller, args, result, error, model, fired, dialect } = row.step
    return [
      ...[tool, caller, value(args), value(result), value(dialect?.call), error?.code, error?.message],
      ...[model?.message, model?.reasoning, ...fired.map(({ text }) => text)],
    ].join('\n')
  }
  return ({ text, tool, errors, acting, range }) => {
    const wanted = text.trim().toLowerCase()
    if (wanted !== '') texts ??= all.map((row) => textOf(row).toLowerCase())
    const isShown = (row: ListRow, index: number): boolean => {
      if (range && (row.number < range.from || row.number > range.to)) return false
      if (wanted !== '' && !texts![index]!.includes(wanted)) return false
      if (row.kind !== 'step') return tool === '' && !errors && !acting && (row.kind === 'event' || wanted === '')
      if (tool !== '' && row.step.tool !== tool) return false
      return (!errors || !row.step.ok) && (!acting || row.step.acts)
    }
    return all.filter(isShown)
  }
}

/** The tools of a recording, each once, in alphabetical order. */
export const toolsOf = ({ steps }: Recording): readonly string[] => [...new Set(steps.map(({ tool }) => tool))].sort()

/** The part of an address after `#` that names a step, such as `#step=17`. */
export const stepLink = (number: number): string => `#step=${number}`

/** The part of an address after `#` that names the last step, where an episode that was not solved is understood. */
export const LAST_STEP_LINK = '#step=last'

/** The step that an address names, at most the last one. Undefined if it names none. */
export function stepOfLink(hash: string, last: number): number | undefined {
  if (hash === LAST_STEP_LINK) return last
  const digits = /^#step=(\d{1,9})$/.exec(hash)?.[1]
  return digits === undefined ? undefined : Math.min(Number(digits), last)
}

/** The call in one line, such as `click_element selector=Button "Save"`. */
export function callText({ tool, args }: ViewerStep, { tables }: Recording): string {
  const given = tables.values[args]
  const parts =
    given !== null && typeof given === 'object' && !Array.isArray(given)
      ? Object.entries(given).map(([name, value]) => `${name}=${inlineText(value)}`)
      : [inlineText(given)]
  return [tool, ...parts].filter((part) => part !== '').join(' ')
}

/** A named value that differs between two moments. A side without it is undefined. */
export interface ValueChange {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** The names of two objects whose values differ, by their JSON. Values that are no objects have no names. */
export function valueChanges(before: unknown, after: unknown): readonly ValueChange[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => canonicalJson(old.get(name)) !== canonicalJson(now.get(name)))
    .map((name) => ({ name, before: old.get(name), after: now.get(name) }))
}

/** The fields of an object by name. Empty for anything else. */
export const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [])

/** JSON in which the order of keys does not matter. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  ) ?? ''

/** A value as a text of one line: a string as it is, anything else as JSON. */
export const inlineText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')

/** Moments after each other in which an oracle has the same status. */
export interface OracleRun {
  /** The first and the last moment. */
  readonly from: number
  readonly to: number
  /** Null where it could not be evaluated. */
  readonly holds: boolean | null
}

/** The status of an oracle over time. */
export function oracleRuns({ moments }: Recording, oracle: number): readonly OracleRun[] {
  const runs: OracleRun[] = []
  moments.forEach(({ oracles }, moment) => {
    const holds = oracles?.[oracle] ?? null
    const last = runs.at(-1)
    if (last && last.holds === holds) runs[runs.length - 1] = { ...last, to: moment }
    else runs.push({ from: moment, to: moment, holds })
  })
  return runs
}

/** Whether a status is welcome: success that holds, or failure, harm and attack that do not. Undefined if it is unknown. */
export const isWelcome = (kind: string, holds: boolean | null): boolean | undefined =>
  holds === null ? undefined : holds === (kind === 'success')
