import { groupsOf } from '../../base/lists.ts'
import { type EpisodeResult, type FailureCategory, isMeasured } from '../episode/result.ts'
import { clusteredInterval, type Interval, passAllK, passAtK, type UnitValue, wilsonInterval } from '../statistics.ts'
import type { EvaluationManifest } from '../suite/manifest.ts'
import type { Gate } from './gates.ts'

/** A success rate: the mean over units of evidence, with its interval of 95 %. */
export interface Share extends Interval {
  /** Episodes that succeeded, of all. */
  readonly count: number
  readonly of: number
  readonly rate: number
  /** The number of distinct instances, and of the tasks that they belong to. */
  readonly units: number
  readonly tasks: number
}

/** A mean over units of evidence. Its interval of 95 % is null for fewer than ten units. */
export interface Mean {
  readonly mean: number
  readonly low: number | null
  readonly high: number | null
}

/** The figures of a group of episodes. */
export interface GroupSummary {
  readonly name: string
  readonly success: Share
  readonly score: Mean
  readonly harm: number
  readonly attack: number
  /** The mean number of steps. */
  readonly steps: number
  /** Steps over those of the shortest solution, as a mean over successful episodes; null without any. */
  readonly steps_over_solution: number | null
  readonly failures: Readonly<Partial<Record<FailureCategory, number>>>
}

/**
 * The episodes with one value of a variant axis, beside variants of the same instances that have another value. The other
 * axes are drawn for both alike. Only of ten instances or more, with the interval of the change.
 */
export interface AxisSummary extends Interval {
  readonly axis: string
  readonly value: string
  readonly success: Share
  readonly without: Share
  /** The mean difference of the success rates of an instance. */
  readonly change: number
}

/** Episodes that have no result for one reason. */
export interface MissingResults {
  readonly reason: string
  readonly episodes: readonly string[]
}

/** Episodes of a task that failed in one way for one reason. */
export interface FailureReason {
  readonly task: string
  readonly failure: FailureCategory
  /** What the oracles, or the end of the agent, said. */
  readonly reason: string
  readonly episodes: readonly string[]
}

/** The figures of an evaluation, as `summary.json` has them. */
export interface EvaluationSummary {
  readonly format: 'backlot-eval-1'
  readonly suite: string
  readonly version: string
  readonly agent: string
  readonly label: string | null
  /** `done` are measured; those without a result are outside of all other figures. */
  readonly episodes: { readonly done: number; readonly planned: number; readonly no_result: number }
  readonly no_result: readonly MissingResults[]
  /** Why episodes failed; the most frequent reason first. */
  readonly failed: readonly FailureReason[]
  readonly total: GroupSummary
  /** Seeds that draw the same start as another one of their task, and count once. */
  readonly equal_seeds: readonly EqualSeeds[]
  /** For each k up to the fewest runs of an instance in one variant: that at least one of k runs succeeds, and that all do. */
  readonly pass: readonly { readonly k: number; readonly at_least_one: number; readonly all: number }[]
  readonly tasks: readonly GroupSummary[]
  readonly tags: readonly GroupSummary[]
  readonly difficulties: readonly GroupSummary[]
  readonly axes: readonly AxisSummary[]
  /** Episodes whose agents reported more tokens than their limit, and how many of them succeeded. */
  readonly over_tokens: { readonly count: number; readonly succeeded: number }
  /** The limits of the operator. Empty where nobody asked. */
  readonly gates: readonly Gate[]
  readonly used: {
    readonly calls: number
    readonly observed_tokens: number
    readonly input_tokens: number | null
    readonly output_tokens: number | null
    readonly cost_usd: number | null
    readonly virtual_ms: number
    readonly wall_ms: number
    /** Of the episodes whose agents used the command line. */
    readonly desk?: NonNullable<EpisodeResult['desk']> & { readonly episodes: number }
  }
}

/** Summarises results. The order of the results does not matter. */
export function summarize(manifest: EvaluationManifest, given: readonly EpisodeResult[]): EvaluationSummary {
  const ordered = given.toSorted((a, b) => (a.episode < b.episode ? -1 : 1))
  const results = ordered.filter(isMeasured)
  const missing = ordered.filter((result) => !isMeasured(result))
  const { suite, version, agent, label, tasks } = manifest
  const byTask = groupsOf(results, ({ task }) => task)
  const taskOf = new Map(tasks.map((task) => [task.id, task]))
  const tagged = (tag: string) => (name: string) => taskOf.get(name)?.tags.includes(tag) ?? false
  const tags = [...new Set(tasks.flatMap((task) => task.tags))].sort()
  const difficulties = ['easy', 'medium', 'hard'].filter((each) => tasks.some(({ difficulty }) => difficulty === each))
  const levelOf = (name: string) => taskOf.get(name)?.difficulty
  const group = (name: string, belongs: (task: string) => boolean) =>
    groupSummary(
      name,
      results.filter(({ task }) => belongs(task)),
    )
  return {
    format: 'backlot-eval-1',
    suite,
    version,
    agent,
    label,
    episodes: { done: results.length, planned: manifest.episodes, no_result: missing.length },
    no_result: [...groupsOf(missing, ({ message }) => message)].map(([reason, own]) => ({
      reason,
      episodes: own.map(({ episode }) => episode),
    })),
    failed: failureReasons(results),
    total: groupSummary('all', results),
    equal_seeds: equalSeedsOf(unitsOf(results)),
    pass: passRates(results),
    tasks: tasks.flatMap(({ id }) => (byTask.has(id) ? [groupSummary(id, byTask.get(id)!)] : [])),
    tags: tags.map((tag) => group(tag, tagged(tag))),
    difficulties: difficulties.map((level) => group(level, (task) => levelOf(task) === level)),
    axes: axesOf(results),
    over_tokens: overTokens(results),
    gates: [],
    used: usedBy(results),
  }
}

/** The success rate of results. Without any it has the interval from 0 to 1. */
export function shareOf(results: readonly EpisodeResult[]): Share {
  const units = unitsOf(results)
  const values = unitValues(units, ({ success }) => (success ? 1 : 0))
  const rate = meanOf(values.map(({ value }) => value)) ?? 0
  return {
    count: results.filter(({ success }) => success).length,
    of: results.length,
    rate,
    ...shareInterval(values, rate, results.length),
    units: units.length,
    tasks: new Set(units.map(({ task }) => task)).size,
  }
}

/** Below ten units, each counts as one trial whose outcome is not known better than its share. */
function shareInterval(values: readonly UnitValue[], rate: number, episodes: number): Interval {
  if (values.length === 0) return { low: 0, high: 1 }
  return clusteredInterval(values, episodes) ?? wilsonInterval(rate, values.length)
}

function scoreOf(units: readonly EvidenceUnit[]): Mean {
  const values = unitValues(units, ({ score }) => score)
  const { low, high } = clusteredInterval(values) ?? { low: null, high: null }
  return { mean: meanOf(values.map(({ value }) => value)) ?? 0, low, high }
}

function groupSummary(name: string, results: readonly EpisodeResult[]): GroupSummary {
  const ratios = results.flatMap(({ success, steps, solution_steps }) =>
    success && solution_steps ? [steps / solution_steps] : [],
  )
  const failures: Partial<Record<FailureCategory, number>> = {}
  for (const { failure } of results) if (failure) failures[failure] = (failures[failure] ?? 0) + 1
  return {
    name,
    success: shareOf(results),
    score: scoreOf(unitsOf(results)),
    harm: results.filter(({ harm }) => harm.length > 0).length,
    attack: results.filter(({ attack }) => attack.length > 0).length,
    steps: meanOf(results.map(({ steps }) => steps)) ?? 0,
    steps_over_solution: meanOf(ratios) ?? null,
    failures: Object.fromEntries(Object.entries(failures).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function failureReasons(results: readonly EpisodeResult[]): readonly FailureReason[] {
  const failed = results.flatMap(({ task, failure, message, episode }) =>
    failure ? [{ task, failure, reason: message, episode }] : [],
  )
  return [...groupsOf(failed, ({ task, failure, reason }) => JSON.stringify([task, failure, reason])).values()]
    .map((own) => {
      const { task, failure, reason } = own[0]!
      return { task, failure, reason, episodes: own.map(({ episode }) => episode) }
    })
    .toSorted((a, b) => b.episodes.length - a.episodes.length)
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
function passRates(results: readonly EpisodeResult[]): EvaluationSummary['pass'] {
  // Runs of one instance in one variant, also under seeds that draw the same.
  const conditions = unitsOf(results).flatMap((unit) => [
    ...groupsOf(unit.results, ({ variant }) => JSON.stringify(variant)).values(),
  ])
  const fewest = Math.min(...conditions.map(({ length }) => length))
  if (!Number.isFinite(fewest)) return []
  const mean = (rate: typeof passAtK, k: number) =>
    sumOf(conditions.map((runs) => rate(runs.length, runs.filter(({ success }) => success).length, k))) /
    conditions.length
  return Array.from({ length: fewest }, (_, index) => index + 1).map((k) => ({
    k,
    at_least_one: mean(passAtK, k),
    all: mean(passAllK, k),
  }))
}

function axesOf(results: readonly EpisodeResult[]): readonly AxisSummary[] {
  const units = unitsOf(results)
  const values = new Set(
    results.flatMap(({ variant }) => Object.entries(variant).map(([axis, value]) => JSON.stringify([axis, value]))),
  )
  return [...values].sort().flatMap((key) => {
    const [axis, value] = JSON.parse(key) as [string, EpisodeResult['variant'][string]]
    const compared = units.flatMap((unit) => {
      const drawn = unit.results.filter(({ variant }) => Object.keys(variant).length > 0)
      const withValue = drawn.filter(({ variant }) => variant[axis] === value)
      const without = drawn.filter(({ variant }) => variant[axis] !== value)
      if (withValue.length === 0 || without.length === 0) return []
      const change = shareOfSuccess(withValue) - shareOfSuccess(without)
      return [{ task: unit.task, change, withValue, without }]
    })
    // Changes are from −1 to 1, and intervals those of values from 0 to 1.
    const interval = clusteredInterval(compared.map(({ task, change }) => ({ task, value: (change + 1) / 2 })))
    if (!interval) return []
    return {
      axis,
      value: String(value),
      success: shareOf(compared.flatMap(({ withValue }) => withValue)),
      without: shareOf(compared.flatMap(({ without }) => without)),
      change: meanOf(compared.map(({ change }) => change))!,
      low: 2 * interval.low - 1,
      high: 2 * interval.high - 1,
    }
  })
}

const shareOfSuccess = (results: readonly EpisodeResult[]): number =>
  meanOf(results.map(({ success }) => (success ? 1 : 0)))!

function overTokens(results: readonly EpisodeResult[]): EvaluationSummary['over_tokens'] {
  const over = results.filter(({ end }) => end === 'token_limit')
  return { count: over.length, succeeded: over.filter(({ success }) => success).length }
}

function deskUseOfAll(desks: readonly NonNullable<EpisodeResult['desk']>[]) {
  const sum = (key: keyof NonNullable<EpisodeResult['desk']>) => sumOf(desks.flatMap((desk) => desk[key] ?? []))
  return {
    episodes: desks.length,
    commands: sum('commands'),
    stdout_bytes: sum('stdout_bytes'),
    repeated: sum('repeated'),
    other_elements: desks.every(({ other_elements }) => other_elements === null) ? null : sum('other_elements'),
    stale_recovered: sum('stale_recovered'),
    fixed_waits: sum('fixed_waits'),
    sleeps: sum('sleeps'),
  }
}

function usedBy(results: readonly EpisodeResult[]): EvaluationSummary['used'] {
  const models = results.flatMap(({ model }) => (model ? [model] : []))
  const costs = models.flatMap(({ cost_usd }) => (cost_usd === null ? [] : [cost_usd]))
  const desks = results.flatMap(({ desk }) => (desk ? [desk] : []))
  return {
    ...(desks.length > 0 && { desk: deskUseOfAll(desks) }),
    calls: sumOf(results.flatMap(({ calls }) => Object.values(calls))),
    observed_tokens: sumOf(results.flatMap(({ observed }) => Object.values(observed).map(({ tokens }) => tokens))),
    input_tokens: models.length === 0 ? null : sumOf(models.map(({ input_tokens }) => input_tokens)),
    output_tokens: models.length === 0 ? null : sumOf(models.map(({ output_tokens }) => output_tokens)),
    cost_usd: costs.length === 0 ? null : sumOf(costs),
    virtual_ms: sumOf(results.map(({ virtual_ms }) => virtual_ms)),
    wall_ms: sumOf(results.map(({ wall_ms }) => wall_ms)),
  }
}

/**
 * A unit of evidence: a task with what its seed draws. Its episodes are repeats, also in variants and under other seeds that
 * draw the same. They make the mean of the unit more reliable, and are not evidence of their own.
 */
interface EvidenceUnit {
  readonly task: string
  /** The hash of the start, or the seed where no result has it. */
  readonly instance: string
  readonly results: readonly EpisodeResult[]
}

/** Groups results into units, in the order of their first results. */
export function unitsOf(results: readonly EpisodeResult[]): readonly EvidenceUnit[] {
  const known = new Map(results.flatMap((result) => (result.instance ? [[drawOf(result), result.instance]] : [])))
  const instanceOf = (result: EpisodeResult) => result.instance ?? known.get(drawOf(result)) ?? `seed ${result.seed}`
  return [...groupsOf(results, (result) => JSON.stringify([result.task, instanceOf(result)])).values()].map((own) => ({
    task: own[0]!.task,
    instance: instanceOf(own[0]!),
    results: own,
  }))
}

/** What an instance follows from: the task, the seed, and data that a variant draws anew. */
const drawOf = ({ task, seed, variant }: EpisodeResult): string => JSON.stringify([task, seed, variant.data ?? null])

/** The mean of a figure in each unit. */
const unitValues = (
  units: readonly EvidenceUnit[],
  figureOf: (result: EpisodeResult) => number,
): readonly UnitValue[] => units.map(({ task, results }) => ({ task, value: meanOf(results.map(figureOf))! }))

/** The mean of values; undefined without any. */
export const meanOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length

/** Seeds of a task that draw the same start, and count once. */
interface EqualSeeds {
  readonly task: string
  readonly seeds: readonly number[]
}

/** The seeds that draw the same as another seed of their task. */
const equalSeedsOf = (units: readonly EvidenceUnit[]): readonly EqualSeeds[] =>
  units.flatMap(({ task, results }) => {
    const seeds = [...new Set(results.map(({ seed }) => seed))].sort((a, b) => a - b)
    return seeds.length > 1 ? [{ task, seeds }] : []
  })
