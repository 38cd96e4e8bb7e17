import { existsSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type {
  EvaluationReport,
  ReportEpisode,
  ReportGroup,
  ReportResult,
  ReportTask,
} from '../../viewer/model/report.ts'
import { staticPage, viewerAssets } from '../../viewer/page.ts'
import type { EpisodeResult } from '../episode/result.ts'
import type { EvaluationSummary, GroupSummary } from '../results/summary.ts'
import type { EvaluationManifest } from '../suite/manifest.ts'

/** What a report is made from. */
export interface ReportSource {
  /** The folder of the results, as the operator named it. */
  readonly folder: string
  readonly manifest: EvaluationManifest
  readonly results: readonly EpisodeResult[]
  readonly summary: EvaluationSummary
}

/** The address of the recorded run of an episode, relative to the page. Undefined without one. */
export type RecordingAddress = (result: EpisodeResult) => string | undefined

/** More episodes make a page that browsers open slowly. */
export const MAX_REPORT_EPISODES = 50_000
/** All messages of a report together, in characters, so that its size is bounded by the number of episodes. */
const MAX_TEXT = 4_000_000
const MAX_MESSAGE = 600
const MIN_MESSAGE = 80
/** Entries of one episode, such as harm and names of tools. */
const MAX_ENTRIES = 40

/** The document of the report page on one evaluation. */
export const reportOf = (source: ReportSource, recordingOf: RecordingAddress = () => undefined): EvaluationReport => ({
  format: 'backlot-report-1',
  warnings: summaryWarnings(source.summary),
  ...reportResult(source, recordingOf),
})

/** Reasons and groups of seeds that are named. */
const MAX_NAMED = 20

const withoutResult = ({ length }: readonly string[], agent: string): string =>
  length === 1 ? `1 episode of ${agent} has no result and is` : `${length} episodes of ${agent} have no result and are`

/** What the figures leave out, or count once. */
export const summaryWarnings = ({ agent, label, no_result, equal_seeds }: EvaluationSummary): readonly string[] => [
  ...no_result
    .slice(0, MAX_NAMED)
    .map(
      ({ reason, episodes }) =>
        `${withoutResult(episodes, label ?? agent)} outside of all figures, such as ${episodes[0]}: ${shortened(reason, MAX_MESSAGE)}`,
    ),
  ...equal_seeds
    .slice(0, MAX_NAMED)
    .map(
      ({ task, seeds }) =>
        `Seeds of ${task} that draw the same start count once: ${seeds.slice(0, MAX_NAMED).join(', ')}.`,
    ),
]

/** The results of one evaluation as the page shows them. Results of tasks that the manifest does not have are left out. */
export function reportResult(
  { folder, manifest, results, summary }: ReportSource,
  recordingOf: RecordingAddress,
): ReportResult {
  const figures = new Map(summary.tasks.map((task) => [task.name, groupOf(task)]))
  const order = new Map(manifest.tasks.map(({ id }, index) => [id, index]))
  const variants = variantsOf(results)
  const variantAt = new Map(variants.map((variant, index) => [variantKey(variant), index]))
  const { used } = summary
  return {
    suite: summary.suite,
    version: summary.version,
    agent: summary.label ?? summary.agent,
    folder,
    playedBy: manifest.backlot,
    planned: summary.episodes.planned,
    total: groupOf(summary.total),
    pass: summary.pass.map(({ k, at_least_one, all }) => ({ k, atLeastOne: at_least_one, all })),
    tasks: manifest.tasks.map(({ id, scenario, tags, difficulty, episodes }): ReportTask => {
      const own = figures.get(id)
      return { name: id, scenario, tags, difficulty, planned: episodes, ...(own && { figures: own }) }
    }),
    tags: summary.tags.map(groupOf),
    difficulties: summary.difficulties.map(groupOf),
    axes: summary.axes,
    used: {
      calls: used.calls,
      observedTokens: used.observed_tokens,
      ...(used.input_tokens !== null && { inputTokens: used.input_tokens }),
      ...(used.output_tokens !== null && { outputTokens: used.output_tokens }),
      ...(used.cost_usd !== null && { costUsd: used.cost_usd }),
      overTokens: summary.over_tokens.count,
      virtualMs: used.virtual_ms,
      wallMs: used.wall_ms,
    },
    variants,
    episodes: results
      .flatMap((result) => {
        const task = order.get(result.task)
        if (task === undefined) return []
        const variant = variantAt.get(variantKey(shownVariant(result)))!
        const recording = recordingOf(result)
        return [{ ...episodeOf(result, messageLimit(results.length)), task, variant, ...(recording && { recording }) }]
      })
      .sort((a, b) => a.task - b.task || a.seed - b.seed || a.variant - b.variant || a.run - b.run),
  }
}

const groupOf = ({ steps_over_solution, ...same }: GroupSummary): ReportGroup => ({
  ...same,
  stepsOverSolution: steps_over_solution,
})

type ShownVariant = Readonly<Record<string, string>>

const shownVariant = ({ variant }: EpisodeResult): ShownVariant =>
  Object.fromEntries(Object.entries(variant).map(([axis, value]) => [axis, String(value)]))

const variantKey = (variant: ShownVariant): string => JSON.stringify(Object.entries(variant))

/** The different variants, of which the first is the scenario as it is. */
function variantsOf(results: readonly EpisodeResult[]): readonly ShownVariant[] {
  const byKey = new Map<string, ShownVariant>([[variantKey({}), {}]])
  for (const result of results) {
    const variant = shownVariant(result)
    byKey.set(variantKey(variant), variant)
  }
  const [plain, ...others] = byKey.keys()
  return [plain!, ...others.sort()].map((key) => byKey.get(key)!)
}

const messageLimit = (episodes: number): number =>
  Math.max(MIN_MESSAGE, Math.min(MAX_MESSAGE, Math.floor(MAX_TEXT / Math.max(1, episodes))))

const shortened = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)}…` : text)

function episodeOf(result: EpisodeResult, limit: number): Omit<ReportEpisode, 'task' | 'variant'> {
  const { episode, seed, run, success, score, harm, attack, failure, end, message, model, trace } = result
  const texts = (list: readonly string[]) => list.slice(0, MAX_ENTRIES).map((text) => shortened(text, limit))
  return {
    id: episode,
    seed,
    run,
    success,
    score,
    ...(harm.length > 0 && { harm: texts(harm) }),
    ...(attack.length > 0 && { attack: texts(attack) }),
    ...(failure !== null && { failure }),
    end,
    ...(message !== '' && { message: shortened(message, limit) }),
    steps: result.steps,
    ...(result.solution_steps !== null && { solutionSteps: result.solution_steps }),
    virtualMs: result.virtual_ms,
    wallMs: Math.round(result.wall_ms),
    calls: Object.fromEntries(Object.entries(result.calls).slice(0, MAX_ENTRIES)),
    observedTokens: Object.values(result.observed).reduce((sum, { tokens }) => sum + tokens, 0),
    ...(model && { inputTokens: model.input_tokens, outputTokens: model.output_tokens }),
    ...(model && model.cost_usd !== null && { costUsd: model.cost_usd }),
    ...(trace !== null && { trace }),
  }
}

/** The title of the page. */
export const reportTitle = ({ suite, agent }: Pick<EvaluationReport, 'suite' | 'agent'>): string =>
  `${suite}: ${agent} – Backlot report`

/** A report as one HTML file that loads nothing. */
export const reportPage = async (report: EvaluationReport): Promise<string> =>
  staticPage({ entrance: 'report', title: reportTitle(report) }, await viewerAssets(), { report })

/** The page of an evaluation that has ended. Undefined where it has too many episodes for a page. */
export const resultsPage = async (source: ReportSource, recordingOf: RecordingAddress): Promise<string | undefined> =>
  source.manifest.episodes > MAX_REPORT_EPISODES ? undefined : reportPage(reportOf(source, recordingOf))

/** The recorded run beside the trace of an episode, as a page that is one file. */
const RECORDING_FILE = 'recording.html'

/** The paths of recorded runs on a server, before the id of their episode: of the first results, of the second, and of both. */
export const RECORDING_PATHS = { first: '/episodes/', second: '/other/episodes/', both: '/both/episodes/' } as const

/** The addresses of recorded runs that are files beside their traces, for a page that is a file in `pageFolder`. */
export const recordingFiles =
  (folder: string, pageFolder: string): RecordingAddress =>
  (result) => {
    const path = traceBelow(folder, result)
    const file = path && join(dirname(path), RECORDING_FILE)
    if (!file || !existsSync(file)) return undefined
    return relative(pageFolder, file).split(sep).map(encodeURIComponent).join('/')
  }

/** The addresses of recorded runs on a server. */
export const servedRecordings =
  (prefix: (typeof RECORDING_PATHS)[keyof typeof RECORDING_PATHS], folder: string): RecordingAddress =>
  (result) => {
    const path = traceBelow(folder, result)
    return path && existsSync(path) ? `${prefix}${encodeURIComponent(result.episode)}` : undefined
  }

/** The path of an episode's trace. Undefined without one, and for one outside of the folder of the results. */
export const traceBelow = (folder: string, { trace }: Pick<EpisodeResult, 'trace'>): string | undefined =>
  trace === null || trace.split(/[\\/]/).includes('..') ? undefined : join(folder, trace)
