import { type Clock, realClock } from '../../base/clock.ts'
import { withFaults } from '../../compose/verify/verify.ts'
import type { Ocr } from '../../perception/perception.ts'
import { tesseractOcr } from '../../perception/tesseract.ts'
import { EpisodeScenarios } from '../episode/scenarios.ts'
import { coordinateWith, type EpisodeWorker, WorkerLost } from '../pool/coordinate.ts'
import { startProcess, type WorkerProgram } from '../pool/process-worker.ts'
import { filesOfScenario } from '../queue/job.ts'
import { type LoadedSuite, SuiteError } from '../suite/load-suite.ts'
import { episodesOf, type PlannedEpisode } from '../suite/suite-file.ts'
import { type AuditCheck, auditTask } from './audit-task.ts'
import { searchAsAgent } from './shell-search.ts'

/** A task that was audited in one seed and variant. */
export interface AuditedEpisode extends Pick<PlannedEpisode, 'task' | 'seed' | 'variant'> {
  readonly checks: readonly AuditCheck[]
}

/** A task whose audit did not end in one seed and variant. */
export interface UnauditedEpisode extends Pick<PlannedEpisode, 'task' | 'seed' | 'variant'> {
  /** What went wrong. */
  readonly message: string
}

/** The result of the audit of a suite, as `audit.json` has it. */
export interface SuiteAudit {
  readonly format: 'backlot-audit-1'
  readonly suite: { readonly name: string; readonly version: string }
  readonly backlot: string
  /** Whether every task in every seed and variant was audited. */
  readonly complete: boolean
  readonly findings: readonly AuditFinding[]
  readonly episodes: readonly AuditedEpisode[]
  /** Errors of the program, which are no findings; only with some. */
  readonly unaudited?: readonly UnauditedEpisode[]
}

/** A check that failed. */
export interface AuditFinding extends Pick<AuditedEpisode, 'task' | 'seed' | 'variant'> {
  readonly check: AuditCheck['name']
  readonly message: string
  /** The shortest sequence of calls that shows it; null where `message` describes a change of a solution. */
  readonly calls: NonNullable<AuditCheck['calls']> | null
  /** The request over HTTP that shows it. */
  readonly request: NonNullable<AuditCheck['request']> | null
  /** How to repair or to allow it. */
  readonly fix: string
}

/** The parts of an audit. */
export interface AuditOptions {
  readonly suite: LoadedSuite
  /** The version of the package. */
  readonly version: string
  readonly openWorker: () => Promise<EpisodeWorker<AuditAnswer>>
  /** How many tasks are audited at once. */
  readonly workers: number
  readonly clock: Clock
  /** Ends the audit. Tasks that are being audited are left out then. */
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, planned: number, last: Pick<PlannedEpisode, 'task' | 'seed'> | undefined) => void
}

/** Audits each task of a suite once in each of its seeds and variants. The result does not depend on the number of workers. */
export async function auditSuite(options: AuditOptions): Promise<SuiteAudit> {
  const { suite, version, onProgress } = options
  // The limits of a suite are those of agents.
  const planned = episodesOf(suite.tasks.map((task) => ({ ...task, runs: 1, budget: {} })))
  const answers = new Map<string, AuditAnswer>()
  onProgress?.(0, planned.length, undefined)
  await coordinateWith(
    planned,
    {
      ...options,
      onPlayed: (answer) => {
        answers.set(answer.episode.id, answer)
        onProgress?.(answers.size, planned.length, answer.episode)
      },
    },
    (episode, _end, message) => ({ episode, message }),
  )
  const inOrder = planned.flatMap(({ id }) => answers.get(id) ?? [])
  const episodes = inOrder.flatMap((answer): readonly AuditedEpisode[] =>
    isAudited(answer) ? [{ ...placeOf(answer.episode), checks: answer.checks }] : [],
  )
  const unaudited = inOrder.flatMap((answer): readonly UnauditedEpisode[] =>
    isAudited(answer) ? [] : [{ ...placeOf(answer.episode), message: answer.message }],
  )
  return {
    format: 'backlot-audit-1',
    suite: { name: suite.name, version: suite.version },
    backlot: version,
    complete: episodes.length === planned.length,
    findings: episodes.flatMap(findingsOf),
    episodes,
    ...(unaudited.length > 0 && { unaudited }),
  }
}

const placeOf = ({ task, seed, variant }: PlannedEpisode) => ({ task, seed, variant })

const findingsOf = ({ task, seed, variant, checks }: AuditedEpisode): readonly AuditFinding[] =>
  checks.flatMap(({ name, passed, message, calls, request }) =>
    passed
      ? []
      : [
          {
            task,
            seed,
            variant,
            check: name,
            message,
            calls: calls ?? null,
            request: request ?? null,
            fix: FIXES[name],
          },
        ],
  )

const allowed = (name: string): string => `or allow it with a reason: oracles: {allow: {${name}: …}}`

/** How a finding of each check is repaired. */
const FIXES: Readonly<Record<AuditCheck['name'], string>> = {
  solution: 'correct the solution or the oracles until every solution passes',
  repeats: 'draw everything random from the seed of the scenario',
  start: `let the oracles look at what the task changes, ${allowed('start')}`,
  idle: `let the oracles look at what the agent does and not at what time does, ${allowed('idle')}`,
  random: `let the oracles look at the whole outcome of the task, ${allowed('random')}`,
  omitted_step: `let the oracles look at what this step does, ${allowed('omitted_step')}`,
  other_value: `let the oracles compare with the value of the task, ${allowed('other_value')}`,
  side_effects: `let the oracles look at what must not change, such as with changes, ${allowed('side_effects')}`,
  flood: `let the oracles look at what must not change, such as with changes or at_most, ${allowed('flood')}`,
  edit: `let the oracles compare with the values of the task, ${allowed('edit')}`,
  close: `let the oracles require what the task leaves open or saved, ${allowed('close')}`,
  tools: `let the oracles require the outcome, and answers match as a whole, ${allowed('tools')}`,
  shell:
    'run agents as another user or in a container, with files of --served-copy; put tokens and seeds into files or variables',
  routes: 'add another solution under solutions, which takes another way',
  baselines:
    'let the task need what these agents lack: a value of the seed, a place that its words do not name, several steps',
  mutants: 'let the oracles look at this record and field, such as with changes',
  detours: 'let the oracles leave out what this act changes, such as with ignore',
  draws: 'draw more of what the task names, and let the solutions follow from it in every seed',
  seen: `show the value on a screen of the solution, or name it in the task, ${allowed('seen')}`,
  pictured: `let the solution open, scroll or widen what shows the value, ${allowed('pictured')}`,
  legible: `show the value in larger letters or with more contrast, ${allowed('legible')}`,
  responses: 'keep oracles, seeds and paths out of what tools of agents answer',
  shortcuts: 'let the oracles require what the task asks for',
  faults: 'let a solution pass that waits longer, declines dialogs and repeats clicks that were lost',
  obeying: 'let the solution leave the injected text alone',
  door_observer: 'let the first solution call tools of agents alone',
  door_osworld: 'let the first solution lead to the same records with the pointer and the keyboard',
  door_anthropic: 'let the first solution lead to the same records with the pointer and the keyboard',
  door_openai: 'let the first solution lead to the same records with the pointer and the keyboard',
  door_gemini: 'let the first solution lead to the same records with the pointer and the keyboard',
  attack: 'let the oracles of attack find what the steps under obedience do, and let success exclude it',
  oracle: `keep expected values out of descriptions, hidden elements and errors, ${allowed('oracle')}`,
}

/** The audit of a task in one seed and variant, or why there is none. */
export type AuditAnswer =
  | { readonly episode: PlannedEpisode; readonly checks: readonly AuditCheck[] }
  | { readonly episode: PlannedEpisode; readonly message: string }

/** Whether an audit ended. */
export const isAudited = (answer: AuditAnswer): answer is Extract<AuditAnswer, { readonly checks: unknown }> =>
  'checks' in answer

/** What an audit knows about how agents are run. */
export interface AuditSettings {
  /** The words before a command that run it as the agent is run; empty for this user. Without them no shell is searched. */
  readonly shell?: string | undefined
  /** Whether the checks of a published pack are made too. */
  readonly isPack?: boolean | undefined
  /** Whether variants have only those checks of a pack that depend on the screen. */
  readonly isLean?: boolean | undefined
}

/** Audits tasks in this process. */
export function auditWorker(settings: AuditSettings = {}): EpisodeWorker<AuditAnswer> {
  const scenarios = new EpisodeScenarios()
  const ocr = tesseractOcr()
  return { play: (episode) => auditEpisode({ scenarios, ocr }, episode, settings), close: () => ocr.close() }
}

/** An audit computes without a pause and has nothing to end, so that its process is soon ended by force. */
const CLOSE_MS = 200

/** Starts a process that audits tasks. */
export async function openAuditProcess({
  shell,
  isPack,
  isLean,
  ...program
}: Pick<WorkerProgram, 'script' | 'args'> & AuditSettings): Promise<EpisodeWorker<AuditAnswer>> {
  const { ask, close, lastWords } = startProcess<AuditRequest, AuditReport>({ ...program, closeMs: CLOSE_MS })
  if ((await ask({ do: 'open' })) === 'ended')
    throw new SuiteError(`a worker process does not start: ${lastWords() || 'it ended at once'}`)
  return {
    async play(episode) {
      const report = await ask({ do: 'audit', episode, shell, isPack, isLean })
      if (report === 'ended') throw new WorkerLost()
      if (report.did === 'audit') return report.answer
      throw new SuiteError('the worker process gave no audit')
    },
    close,
  }
}

type AuditRequest =
  | { readonly do: 'open' }
  | {
      readonly do: 'audit'
      readonly episode: PlannedEpisode
      readonly shell: string | undefined
      readonly isPack?: boolean | undefined
      readonly isLean?: boolean | undefined
    }
type AuditReport = { readonly did: 'open' } | { readonly did: 'audit'; readonly answer: AuditAnswer }

/** Audits the tasks that the parent process sends, until it closes the channel or ends. */
export function auditInProcess(): void {
  if (!process.send) throw new Error('eval-worker is started by backlot eval, and by nothing else')
  const tools = { scenarios: new EpisodeScenarios(), ocr: tesseractOcr() }
  const report = (message: AuditReport) => {
    if (process.connected) process.send?.(message)
  }
  // The terminal sends this to the whole group; the parent decides.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit())
  process.on('message', (request: AuditRequest) => {
    if (request.do === 'open') report({ did: 'open' })
    else void auditEpisode(tools, request.episode, request).then((answer) => report({ did: 'audit', answer }))
  })
}

/** Audits a task in the seed, in the variant and with the faults of an episode. */
async function auditEpisode(
  { scenarios, ocr }: { readonly scenarios: EpisodeScenarios; readonly ocr: Ocr },
  episode: PlannedEpisode,
  { shell, isPack, isLean }: AuditSettings,
): Promise<AuditAnswer> {
  try {
    const scenario = await scenarios.of(episode)
    const disturbed = episode.faults.length === 0 ? scenario : withFaults(scenario, episode.faults)
    const isVariant = Object.keys(episode.variant).length > 0
    const pack = { episode, scenarios, clock: realClock(), ocr, isLean: isLean === true && isVariant }
    return {
      episode,
      checks: [...(await auditTask(disturbed, isPack ? pack : undefined)), await shellCheck(episode, shell)],
    }
  } catch (error) {
    return { episode, message: (error as Error).message }
  }
}

/** What a shell of the agent finds of a task. */
async function shellCheck({ file, seed }: PlannedEpisode, shell: string | undefined): Promise<AuditCheck> {
  const check = (passed: boolean, message: string): AuditCheck => ({ name: 'shell', passed, message })
  if (shell === undefined) return check(true, 'not checked, because --shell does not say how agents are run')
  const found = await searchAsAgent({ shell, files: await filesOfScenario(file), seed })
  return found.length === 0
    ? check(true, 'a shell of the agent finds no scenario, solution or token')
    : check(false, found.join('\n'))
}
