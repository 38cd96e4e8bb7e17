import type { Clock } from '../../base/clock.ts'
import { judgeRun, playedSolutions } from '../../compose/explore.ts'
import type { MemorySession } from '../../compose/memory-session.ts'
import { endOf, isAction, type RecordedSolution, recordSolution } from '../../compose/verify/recorded-solution.ts'
import { call } from '../../observer/call.ts'
import { searchScenario } from '../../scenario/explore/explore.ts'
import type { DataValue } from '../../scenario/expression/data-type.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { ScenarioRun } from '../../scenario/scenario-run.ts'
import { shownControls, targetArguments } from '../adversaries/controls.ts'
import { copycatAgent, floodAgent, refuseAgent, treeGreedyAgent } from '../agents/baselines.ts'
import { playEpisode } from '../episode/play.ts'
import type { EpisodeScenarios } from '../episode/scenarios.ts'
import type { PlannedEpisode } from '../suite/suite-file.ts'
import { playWithRecovery, RECOVERABLE_FAULTS } from './recovery.ts'
import { secretsOf } from './secrets.ts'

/** The checks that a published pack has to pass beside those of any suite. */
export const PACK_CHECKS = [
  'routes',
  'baselines',
  'mutants',
  'detours',
  'draws',
  'seen',
  'shortcuts',
  'faults',
  'obeying',
] as const
/** A check of a pack. */
export type PackCheckName = (typeof PACK_CHECKS)[number]

/** The result of a check of a pack. */
export interface PackCheck {
  readonly name: PackCheckName
  readonly passed: boolean
  readonly message: string
}

/** What the checks of a pack are made with. */
export interface PackSubject {
  readonly scenario: Scenario
  readonly episode: PlannedEpisode
  readonly scenarios: EpisodeScenarios
  /** Runs of the solutions that pass; empty when one does not. */
  readonly recorded: readonly RecordedSolution[]
  readonly clock: Clock
}

/** Makes the checks of a pack for a task in one seed and variant. Each says what it covered, or why it was not made. */
export async function checkPackTask(subject: PackSubject): Promise<readonly PackCheck[]> {
  const checks: PackCheck[] = []
  for (const name of PACK_CHECKS) {
    const found = subject.recorded.length === 0 ? notMade('not every solution passes') : await CHECKS[name](subject)
    checks.push({ name, ...found })
  }
  return checks
}

type Outcome = Omit<PackCheck, 'name'>
const passed = (message: string): Outcome => ({ passed: true, message })
const failed = (message: string): Outcome => ({ passed: false, message })
/** A check that says nothing about the task. */
const notMade = (reason: string): Outcome => passed(`not checked, because ${reason}`)

/** A new check is one row. */
const CHECKS: Readonly<Record<PackCheckName, (subject: PackSubject) => Promise<Outcome>>> = {
  routes: checkRoutes,
  baselines: checkBaselines,
  mutants: checkMutants,
  detours: checkDetours,
  draws: checkDraws,
  seen: checkSeen,
  shortcuts: checkShortcuts,
  faults: checkFaultRecovery,
  obeying: checkObeying,
}

/** Two solutions whose acting calls differ in their tools or elements. */
async function checkRoutes({ recorded }: PackSubject): Promise<Outcome> {
  const routes = new Set(
    recorded.map(({ calls }) =>
      calls
        .filter((each) => isAction(each) && !each.isOptional)
        .map(({ tool, args }) => `${tool} ${args.element_id ?? args.selector ?? args.keys ?? ''}`)
        .join('\n'),
    ),
  )
  return routes.size >= 2 ? passed(`${routes.size} different solutions`) : failed('the task has one way to solve it')
}

/** Agents without any understanding do not solve the task. */
async function checkBaselines({ scenarios, episode, clock }: PackSubject): Promise<Outcome> {
  const agents = [refuseAgent, treeGreedyAgent, copycatAgent, floodAgent]
  const solving: string[] = []
  for (const agent of agents) {
    const options = { agent, scenarios, clock, signal: new AbortController().signal, isTraced: false }
    if ((await playEpisode(episode, options)).result.success) solving.push(agent.name)
  }
  if (solving.length > 0)
    return failed(`${solving.join(' and ')} ${solving.length === 1 ? 'solves' : 'solve'} the task`)
  return passed(`${agents.map(({ name }) => name).join(', ')} do not solve the task`)
}

const PLAYED = new WeakMap<Scenario, ReturnType<typeof playedSolutions>>()

/** The first solution of a scenario as several checks see it, played once. */
function firstPlayed(scenario: Scenario): ReturnType<typeof playedSolutions> {
  const known = PLAYED.get(scenario)
  if (known) return known
  const playing = playedSolutions({ ...scenario, solutions: scenario.solutions.slice(0, 1) })
  PLAYED.set(scenario, playing)
  return playing
}

/** A record of a list of the data. */
type DataRecord = Readonly<Record<string, DataValue>>

/** An end of a run that is nearly right. */
interface Mutant {
  readonly about: string
  readonly data: ScenarioRun['data']
}

const MAX_MUTANTS = 60

/** Near misses of the end of the first solution, by its data: none may be judged as solved. */
async function checkMutants({ scenario }: PackSubject): Promise<Outcome> {
  const { examples, finish } = await firstPlayed(scenario)
  const [start, end] = [examples[0]?.run, examples.at(-1)?.run]
  if (finish?.status === 'infeasible') return notMade('the task is impossible in this seed')
  if (!start || !end || (await judgeRun(end, finish)) !== 'solved')
    return notMade('the end of the solution cannot be judged by its data alone')
  const mutants = mutantsOf(start, end, scenario.task ?? '').slice(0, MAX_MUTANTS)
  if (mutants.length === 0) return notMade('the solution changes no list of records')
  for (const { about, data } of mutants)
    if ((await judgeRun({ ...end, data }, finish)) === 'solved') return failed(`the oracles pass although ${about}`)
  return passed(`${mutants.length} near misses are rejected`)
}

/** Fields that reading and selecting change, in any application. */
const VOLATILE: ReadonlySet<string> = new Set(['unread', 'marked'])

function mutantsOf(start: ScenarioRun, end: ScenarioRun, task: string): readonly Mutant[] {
  return Object.entries(end.data).flatMap(([name, value]) => {
    const before = start.data[name]
    if (!isRecords(value) || !isRecords(before) || JSON.stringify(value) === JSON.stringify(before)) return []
    const earlier = new Map(before.map((record) => [record.id, record]))
    const put = (records: readonly DataRecord[]) => ({ ...end.data, [name]: records }) as ScenarioRun['data']
    const put1 = (at: number, record: DataRecord) => put(value.map((each, index) => (index === at ? record : each)))
    const untouched = value.findIndex((record) => JSON.stringify(earlier.get(record.id)) === JSON.stringify(record))
    return [
      ...value.flatMap((record, at): readonly Mutant[] => {
        const old = earlier.get(record.id)
        const place = `${name} ${String(record.id)}`
        if (old) {
          const fields = Object.keys(record).filter(
            (field) => !VOLATILE.has(field) && JSON.stringify(record[field]) !== JSON.stringify(old[field]),
          )
          return fields.flatMap((field) => [
            { about: `${field} of ${place} was not changed`, data: put1(at, { ...record, [field]: old[field]! }) },
            ...neighbours(record[field]!).map((other) => ({
              about: `${field} of ${place} is ${JSON.stringify(other)}`,
              data: put1(at, { ...record, [field]: other }),
            })),
            ...(untouched < 0
              ? []
              : [
                  {
                    about: `${field} of ${name} ${String(value[untouched]!.id)} was changed too`,
                    data: put1(untouched, { ...value[untouched]!, [field]: record[field]! }),
                  },
                ]),
          ])
        }
        const named = Object.entries(record).filter(
          ([field, of]) =>
            !VOLATILE.has(field) && field !== 'id' && typeof of === 'string' && of.length > 2 && task.includes(of),
        )
        return [
          { about: `${place} was not added`, data: put(value.filter((each) => each !== record)) },
          { about: `${place} was added twice`, data: put([...value, { ...record, id: 100_000 }]) },
          ...named.flatMap(([field, of]) =>
            neighbours(of).map((other) => ({
              about: `${field} of ${place} is ${JSON.stringify(other)}`,
              data: put1(at, { ...record, [field]: other }),
            })),
          ),
        ]
      }),
      ...before.flatMap((record): readonly Mutant[] =>
        value.some(({ id }) => id === record.id)
          ? []
          : [{ about: `${name} ${String(record.id)} was not removed`, data: put([...value, record]) }],
      ),
      ...(untouched < 0
        ? []
        : [
            {
              about: `${name} ${String(value[untouched]!.id)} was removed too`,
              data: put(value.filter((_, index) => index !== untouched)),
            },
          ]),
    ]
  })
}

const isRecords = (value: DataValue | undefined): value is readonly DataRecord[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => typeof each === 'object' && each !== null && 'id' in each)

/** Values beside a value: the next number, the next day or minute, another text. Of a switch there is none. */
function neighbours(value: DataValue): readonly DataValue[] {
  if (typeof value === 'number') return [value + 1, value - 1]
  if (typeof value !== 'string') return []
  const next = value.replace(/(\d)(?!.*\d)/, (digit) => String((Number(digit) + 1) % 10))
  return next === value ? [`${value}x`] : [next]
}

/** Harmless acts before the first step of the solution, each of which leaves everything as it was. */
const DETOURS: readonly (readonly [about: string, (desktop: MemorySession) => Promise<void>])[] = [
  ['waiting', async ({ session }) => void (await call(session, 'wait', { duration_ms: 2000 }))],
  ['pressing Escape', async ({ session }) => void (await call(session, 'press_key', { keys: 'escape' }))],
  [
    'hovering over controls',
    async ({ session, computer }) => {
      for (const control of shownControls(computer).slice(0, 5))
        await call(session, 'hover_element', targetArguments(control))
    },
  ],
  [
    'searching and clearing the search',
    async ({ session, computer }) => {
      const field = shownControls(computer).find(({ element }) => element.role === 'SearchBox')
      if (!field) return
      await call(session, 'set_value', { ...targetArguments(field), value: 'zz' })
      await call(session, 'set_value', { ...targetArguments(field), value: '' })
    },
  ],
  [
    'opening and closing a menu',
    async ({ session, computer }) => {
      const menu = shownControls(computer).find(({ element }) => element.name === 'Menu' && element.role === 'Button')
      if (!menu) return
      await call(session, 'click_element', targetArguments(menu))
      await call(session, 'press_key', { keys: 'escape' })
    },
  ],
]

async function checkDetours({ scenario, recorded: [first] }: PackSubject): Promise<Outcome> {
  for (const [about, act] of DETOURS) {
    const { passed: isSolved } = await endOf(scenario, first!.solution, (desktop) => async (planned, index) => {
      if (index === 0) await act(desktop)
      return planned
    })
    if (!isSolved) return failed(`the solution fails after ${about}, which changes nothing`)
  }
  return passed(`the solution passes after ${DETOURS.map(([about]) => about).join(', ')}`)
}

/** How many seeds are drawn beside the audited one. */
const FURTHER_SEEDS = 4
/** Seeds below this are for training, and none of them is secret. */
const TRAINING_SEEDS = 9999

/** In further seeds the start is not solved, the first solution passes, and the solutions differ; one may repeat by chance. */
async function checkDraws({ episode, scenarios, recorded: [first] }: PackSubject): Promise<Outcome> {
  const known = new Map([[actsOf(first!), episode.seed]])
  const repeated: string[] = []
  for (let draw = 1; draw <= FURTHER_SEEDS; draw++) {
    const seed = 1 + ((episode.seed * 7919 + draw * 2711) % TRAINING_SEEDS)
    const scenario = await scenarios.of({ ...episode, seed })
    const [solution] = scenario.solutions
    if (!solution) return failed(`there is no solution in seed ${seed}`)
    const untouched = await endOf(scenario, solution, () => () => undefined)
    if (untouched.passed) return failed(`the start is solved in seed ${seed}`)
    const recorded = await recordSolution(scenario, solution)
    if (!recorded.end.passed) return failed(`the first solution does not pass in seed ${seed}`)
    const acts = actsOf(recorded)
    const other = known.get(acts)
    if (other !== undefined) repeated.push(`${other} and ${seed}`)
    known.set(acts, seed)
  }
  if (repeated.length > 1) return failed(`these seeds have the same solution: ${repeated.join(', ')}`)
  return passed(
    `${FURTHER_SEEDS} further seeds have ${known.size} different solutions with the audited one, and each passes`,
  )
}

/** What a solution does, as far as it has to. */
const actsOf = ({ calls }: RecordedSolution): string =>
  JSON.stringify(calls.filter(({ isOptional }) => !isOptional).map(({ tool, args }) => [tool, args]))

/** Whatever a solution enters is in the task or was on a screen before. */
async function checkSeen({ scenario, recorded }: PackSubject): Promise<Outcome> {
  const { answers } = await secretsOf(scenario, recorded.slice(0, 1))
  if (answers.length > 0)
    return failed(`no screen of the first solution shows ${JSON.stringify(answers[0])} before it is entered`)
  return passed('every value is in the task or on a screen before it is entered; pictures were not read')
}

const MAX_SCREENS = 40
const MAX_SEARCH_MS = 20_000

/** A search without knowledge of the solutions finds no success. */
async function checkShortcuts({ scenario, clock }: PackSubject): Promise<Outcome> {
  const { finish } = await firstPlayed(scenario)
  if (finish?.status === 'infeasible') return notMade('the task is impossible in this seed')
  const endMs = clock.now() + MAX_SEARCH_MS
  const { screens, actions } = await searchScenario(scenario, {
    maxScreens: MAX_SCREENS,
    isExpired: () => clock.now() > endMs,
    judge: (run) => judgeRun(run, finish),
  })
  const solved = screens.find(({ verdict }) => verdict === 'solved')
  if (solved) return failed(`a search finds success on screen ${solved.index} of ${screens.length}`)
  return passed(`${actions} actions on the first screens find no success`)
}

/** Under each fault that loses nothing, a solution that waits, declines dialogs and repeats lost clicks still passes. */
async function checkFaultRecovery({ scenario }: PackSubject): Promise<Outcome> {
  const counts: string[] = []
  for (const fault of RECOVERABLE_FAULTS) {
    const failures: string[] = []
    let fired = 0
    for (const solution of scenario.solutions) {
      const run = await playWithRecovery(scenario, solution, fault)
      fired += run.fired
      if (run.failure === undefined) break
      failures.push(run.failure)
    }
    if (failures.length === scenario.solutions.length)
      return failed(`no solution recovers from ${fault}: ${failures[0]!}`)
    counts.push(`${fault} (${fired})`)
  }
  return passed(`a solution recovers from ${counts.join(', ')}`)
}

/** The solution of a task with injected text does what was asked without obeying the text. */
async function checkObeying({ scenario }: PackSubject): Promise<Outcome> {
  if (scenario.oracles.attack.length === 0) return notMade('the task has no injected text')
  const { examples } = await playedSolutions(scenario)
  const end = examples.at(-1)?.run
  if (!end) return notMade('the solution makes no call')
  const attacked = await judgeRun(
    {
      ...end,
      scenario: {
        ...end.scenario,
        oracles: { ...end.scenario.oracles, success: scenario.oracles.attack, failure: [] },
      },
    },
    undefined,
  )
  if (attacked === 'solved') return failed('the solution obeys the injected text')
  return passed('the solution does not obey the injected text; an agent that obeys was not played')
}
