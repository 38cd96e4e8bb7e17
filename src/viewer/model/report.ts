/**
 * Results of an evaluation as the page shows them. `src/evaluation/report` writes it from a folder of results.
 * Shares are from 0 to 1, times in milliseconds.
 */
export interface EvaluationReport extends ReportResult {
  readonly format: 'backlot-report-1'
  /** What a reader should know of the results, such as a line that was cut off, or episodes without a result. */
  readonly warnings: readonly string[]
  readonly comparison?: ReportComparison
}

/** The results of one evaluation. */
export interface ReportResult {
  readonly suite: string
  /** The version of the suite; empty without one. */
  readonly version: string
  /** The agent, or what the operator calls it. */
  readonly agent: string
  /** The folder of the results, as the operator named it. */
  readonly folder: string
  /** The version of the program that played the episodes. */
  readonly playedBy: string
  readonly planned: number
  readonly total: ReportGroup
  /** For each k, the probability that at least one of k runs succeeds, and that all do. */
  readonly pass: readonly { readonly k: number; readonly atLeastOne: number; readonly all: number }[]
  readonly tasks: readonly ReportTask[]
  readonly tags: readonly ReportGroup[]
  readonly difficulties: readonly ReportGroup[]
  readonly axes: readonly ReportAxis[]
  readonly used: {
    readonly calls: number
    readonly observedTokens: number
    readonly inputTokens?: number
    readonly outputTokens?: number
    readonly costUsd?: number
    /** Episodes whose agents reported more tokens than their limit. */
    readonly overTokens: number
    readonly virtualMs: number
    readonly wallMs: number
  }
  /** The different variants of the episodes. The first is the scenario as it is. */
  readonly variants: readonly Readonly<Record<string, string>>[]
  /** In the order of the tasks, and in each by seed, variant and run. */
  readonly episodes: readonly ReportEpisode[]
}

/** A success rate: the mean over units of evidence, with its interval of 95 %. */
export interface ReportShare {
  /** Episodes that succeeded, of all. */
  readonly count: number
  readonly of: number
  readonly rate: number
  readonly low: number
  readonly high: number
  /** The number of distinct instances, and of the tasks that they belong to. */
  readonly units: number
  readonly tasks: number
}

/** A mean over units of evidence. Its interval of 95 % is null for fewer than ten units. */
export interface ReportMean {
  readonly mean: number
  readonly low: number | null
  readonly high: number | null
}

/** The figures of a group of episodes. */
export interface ReportGroup {
  readonly name: string
  readonly success: ReportShare
  readonly score: ReportMean
  /** The number of episodes with harm, and with attacks that succeeded. */
  readonly harm: number
  readonly attack: number
  /** The mean number of steps. */
  readonly steps: number
  /** Steps over those of the shortest solution, as a mean over successful episodes; null without any. */
  readonly stepsOverSolution: number | null
  /** The number of failures in each category. */
  readonly failures: Readonly<Record<string, number>>
}

/** A task of the suite. Without episodes it has no figures. */
export interface ReportTask {
  readonly name: string
  /** The scenario, as the suite names it. */
  readonly scenario: string
  readonly tags: readonly string[]
  readonly difficulty: string | null
  readonly planned: number
  readonly figures?: ReportGroup
}

/** The episodes with one value of a variant axis, beside variants of the same instances that have another value. */
export interface ReportAxis {
  readonly axis: string
  readonly value: string
  readonly success: ReportShare
  readonly without: ReportShare
  /** With its interval of 95 %. */
  readonly change: number
  readonly low: number
  readonly high: number
}

/** An episode. Fields that say nothing are absent. */
export interface ReportEpisode {
  /** Such as `login/seed-1/run-2`. */
  readonly id: string
  /** Index into `tasks`. */
  readonly task: number
  readonly seed: number
  /** Index into `variants`. */
  readonly variant: number
  /** From 1. */
  readonly run: number
  readonly success: boolean
  readonly score: number
  /** What was harmed, and which attacks succeeded, in words. */
  readonly harm?: readonly string[]
  readonly attack?: readonly string[]
  readonly failure?: string
  readonly end: string
  readonly message?: string
  /** Calls that act. */
  readonly steps: number
  /** Those of the shortest solution. */
  readonly solutionSteps?: number
  readonly virtualMs: number
  readonly wallMs: number
  /** Calls by tool. */
  readonly calls: Readonly<Record<string, number>>
  /** Estimated tokens that the agent read. */
  readonly observedTokens: number
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly costUsd?: number
  /** The trace, relative to the folder of the results. */
  readonly trace?: string
  /** The address of the recorded run, relative to the page. */
  readonly recording?: string
}

/** A second evaluation beside the first, on the episodes that both have. */
export interface ReportComparison {
  readonly other: ReportResult
  /** Tasks that are left out, with the reason. */
  readonly omitted: readonly { readonly task: string; readonly reason: string }[]
  /** The number of episodes that both have, of their distinct instances and tasks. */
  readonly episodes: number
  readonly units: number
  readonly tasks: number
  readonly success: {
    readonly a: ReportShare
    readonly b: ReportShare
    readonly change: ReportMean
    readonly test: ReportTest
  }
  readonly score: { readonly a: number; readonly b: number; readonly change: ReportMean; readonly test: ReportTest }
  readonly steps: { readonly a: number; readonly b: number }
  readonly flips: readonly ReportFlip[]
}

/** A paired test: its p-value, and the number of units that differ. */
export interface ReportTest {
  readonly p: number
  readonly count: number
}

/** An episode that one of two evaluations solved. */
export interface ReportFlip {
  readonly episode: string
  readonly solvedBy: 'a' | 'b'
  /** Why the other one failed. */
  readonly failure: string | null
  /** Where the traces part: at a call of the agent, at an answer of the environment, or nowhere. Absent without traces. */
  readonly divergence?: ReportDivergence
  /** The address of both recorded runs beside each other, relative to the page. */
  readonly recording?: string
}

/** The first difference of two traces. Calls count from 1. */
export type ReportDivergence =
  | { readonly first: 'agent' | 'environment'; readonly call: number; readonly a: string; readonly b: string }
  | { readonly first: 'none' }
  | { readonly first: 'unknown'; readonly reason: string }
