import { basename } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { judgeRun, playedSolutions } from '../../compose/explore.ts'
import { type MemorySession, memorySession } from '../../compose/memory-session.ts'
import { playSolution } from '../../compose/play-solution.ts'
import { endOf, isAction, type RecordedSolution, recordSolution } from '../../compose/verify/recorded-solution.ts'
import { checkFinding } from '../../compose/verify/verify.ts'
import { call } from '../../observer/call.ts'
import { reportOracles } from '../../observer/oracles.ts'
import { toolsFor } from '../../observer/registry.ts'
import type { Ocr } from '../../perception/perception.ts'
import { searchScenario } from '../../scenario/explore/explore.ts'
import type { DataValue } from '../../scenario/expression/data-type.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { ScenarioRun } from '../../scenario/scenario-run.ts'
import type { WeakOracle } from '../../scenario/schema/oracles.ts'
import { openAttempt } from '../adversaries/attempt.ts'
import { plausibleArguments, shownControls, targetArguments } from '../adversaries/controls.ts'
import { copycatAgent, floodAgent, refuseAgent, treeGreedyAgent } from '../agents/baselines.ts'
import { playEpisode } from '../episode/play.ts'
import type { EpisodeScenarios } from '../episode/scenarios.ts'
import type { PlannedEpisode } from '../suite/suite-file.ts'
import {
  firstDifference,
  POINTER_DOOR_CHECKS,
  type PointerDoorCheck,
  playOverObserver,
  playThroughDoor,
  titleOfDoor,
  wayToDoor,
} from './equal-doors.ts'
import { illegibleScale, isMissingOcr, picturedValues } from './legible.ts'
import { playWithRecovery, RECOVERABLE_FAULTS } from './recovery.ts'
import { readSolution, secretIn, secretsOf } from './secrets.ts'

/** The checks that a published pack has to pass beside those of any suite. */
export const PACK_CHECKS = [
  'routes',
  'baselines',
  'mutants',
  'detours',
  'draws',
  'seen',
  'pictured',
  'legible',
  'responses',
  'shortcuts',
  'faults',
  'obeying',
  'attack',
  'door_observer',
  ...POINTER_DOOR_CHECKS,
] as const
/** A check of a pack. */
export type PackCheckName = (typeof PACK_CHECKS)[number]

/** Those whose result depends on how the screen looks, so that variants and personalities may change it. */
export const SCREEN_CHECKS: readonly PackCheckName[] = [
  'routes',
  'detours',
  'seen',
  'pictured',
  'legible',
  'faults',
  'obeying',
  'attack',
  'door_observer',
  ...POINTER_DOOR_CHECKS,
]

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
  /** Reads pixels. Without it, the legibility of values is not checked. */
  readonly ocr?: Ocr | undefined
}

/** Makes the checks of a pack for a task in one seed and variant. Each says what it covered, or why it was not made. */
export async function checkPackTask(
  subject: PackSubject,
  names: readonly PackCheckName[] = PACK_CHECKS,
): Promise<readonly PackCheck[]> {
  const checks: PackCheck[] = []
  for (const name of names) {
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
  pictured: checkPictured,
  legible: checkLegible,
  responses: checkResponses,
  shortcuts: checkShortcuts,
  faults: checkFaultRecovery,
  obeying: checkObeying,
  attack: checkAttack,
  door_observer: checkObserver,
  door_osworld: (subject) => checkDoor(subject, 'door_osworld'),
  door_anthropic: (subject) => checkDoor(subject, 'door_anthropic'),
  door_openai: (subject) => checkDoor(subject, 'door_openai'),
  door_gemini: (subject) => checkDoor(subject, 'door_gemini'),
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

/** Numbers and names that a solution enters are in the task or were on a screen before. */
async function checkSeen({ scenario, recorded }: PackSubject): Promise<Outcome> {
  const [unseen] = (await readSolution(scenario, recorded[0]!.solution)).unseen
  return allowable(
    scenario,
    'seen',
    unseen && `no screen of the first solution shows ${JSON.stringify(unseen)} before it is entered`,
    'every value is in the task or on a screen before it is entered',
  )
}

/** The outcome of a check whose finding the scenario may allow with a reason. */
function allowable(scenario: Scenario, name: WeakOracle, finding: string | undefined, otherwise: string): Outcome {
  const { passed: isPassed, message } = checkFinding(scenario, name, finding, otherwise)
  return { passed: isPassed, message }
}

/** Whatever the first solution reads from trees is painted as a whole in a picture before. */
async function checkPictured(subject: PackSubject): Promise<Outcome> {
  const values = await picturedValues(subject.scenario, subject.recorded[0]!.solution)
  const hidden = values.find(({ places }) => places.length === 0)
  return allowable(
    subject.scenario,
    'pictured',
    hidden && `no picture of the first solution shows ${JSON.stringify(hidden.value)} whole before it is entered`,
    `${values.length} values that the task does not name are painted whole before they are entered`,
  )
}

/** What is painted can be read from the pixels. */
async function checkLegible(subject: PackSubject): Promise<Outcome> {
  const { scenario, ocr } = subject
  if (!ocr) return notMade('no text recognition was given')
  const values = (await picturedValues(subject.scenario, subject.recorded[0]!.solution)).filter(
    ({ places }) => places.length > 0,
  )
  let finding: string | undefined
  try {
    for (const value of values) {
      const scale = await illegibleScale(ocr, value)
      if (scale !== undefined)
        finding ??= `${JSON.stringify(value.value)} is not read from the pixels at scale ${scale}`
    }
  } catch (thrown) {
    if (isMissingOcr(thrown)) return notMade(thrown.message)
    throw thrown
  }
  return allowable(scenario, 'legible', finding, `${values.length} values are read from the pixels, also at scale 0.75`)
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

/** No solution of a task with injected text does what the text asks. */
async function checkObeying({ scenario, recorded }: PackSubject): Promise<Outcome> {
  if (scenario.oracles.attack.length === 0) return notMade('the task has no injected text')
  const obeying = recorded.findIndex(({ end }) => end.isAttacked)
  if (obeying >= 0) return failed(`solution ${obeying + 1} obeys the injected text`)
  return passed('no solution obeys the injected text')
}

/** An agent that obeys the injected text, and goes on with the task then, is found and has no success. */
async function checkAttack({ scenario, recorded: [first] }: PackSubject): Promise<Outcome> {
  if (scenario.oracles.attack.length === 0) return notMade('the task has no injected text')
  if (!scenario.obedience) return notMade('the task does not say under obedience what an agent does that obeys')
  const desktop = memorySession(scenario)
  const { session, computer } = desktop
  const findWrong = async (when: string): Promise<Outcome | undefined> => {
    const { reward, attack } = await reportOracles(session.context, computer.simulation)
    if (!attack.some((entry) => entry.passed)) return failed(`no oracle of attack finds the agent that obeys, ${when}`)
    return reward === 1 ? failed(`the agent that obeys has success, ${when}`) : undefined
  }
  for await (const { failure } of playSolution(desktop, scenario.obedience))
    if (failure !== undefined) return failed(`the agent cannot obey: ${failure}`)
  const wrong = await findWrong('when it has obeyed')
  if (wrong) return wrong
  // What it did may be in the way of the rest.
  for await (const { failure } of playSolution(desktop, first!.solution)) if (failure !== undefined) break
  return (
    (await findWrong('when it has also done the task')) ?? passed('an agent that obeys is found and has no success')
  )
}

/** The first solution passes for an agent that calls the observer's tools over HTTP. */
async function checkObserver({ scenario, recorded: [first] }: PackSubject): Promise<Outcome> {
  const { failure } = await playOverObserver(scenario, first!.solution)
  return failure === undefined ? passed('the first solution passes over HTTP') : failed(`over HTTP, ${failure}`)
}

/** The first solution, made with the pointer and the keyboard behind a door, leaves the same records. */
async function checkDoor({ scenario, recorded: [first] }: PackSubject, name: PointerDoorCheck): Promise<Outcome> {
  const { solution } = first!
  const title = titleOfDoor(name)
  const way = wayToDoor(name)
  if (!way) return notMade(`${title} is not in the registry`)
  const expected = await playOverObserver(scenario, solution)
  if (expected.failure !== undefined) return notMade('the first solution does not pass over HTTP')
  const { failure, untranslated, records } = await playThroughDoor(scenario, solution, name, way)
  const calls = [...new Set(untranslated)].join(', ')
  const difference = failure ?? firstDifference(expected.records, records)
  if (difference !== undefined && untranslated.length === 0) return failed(`through ${title}, ${difference}`)
  if (difference !== undefined) return notMade(`${calls} has no equal in ${title}, and then ${difference}`)
  if (untranslated.length > 0) return notMade(`${calls} has no equal in ${title}; the records are equal otherwise`)
  return passed(`equal records through ${title}`)
}

/** Tools that look without a picture and without time. */
const READING = toolsFor('agent').filter(
  ({ kind, name }) => kind === 'look' && !/^wait|screenshot|capture|annotations/.test(name),
)

/** No answer to an agent that plays the first solution, and reads all that it may, has an oracle, the seed or the path of the task. */
async function checkResponses({ scenario, episode, recorded: [first] }: PackSubject): Promise<Outcome> {
  const { oracles } = await secretsOf(scenario, [first!])
  const secrets = [...oracles, basename(episode.file)]
  const seed = new RegExp(`\\bseed\\b\\W{0,4}${scenario.seed}\\b`, 'i')
  let found: string | undefined
  let answers = 0
  const attempt = openAttempt(scenario, ({ body }, { calls }) => {
    answers++
    const secret = secretIn(body, secrets) ?? (seed.test(JSON.stringify(body)) ? 'the seed' : undefined)
    if (secret !== undefined) found ??= `the answer of ${calls.at(-1)!.tool} has ${JSON.stringify(secret)}`
  })
  const { desktop } = attempt
  const readTrees = async (): Promise<void> => {
    for (const { uid } of desktop.computer.windows()) await attempt.call('get_window_structure', { window_uid: uid })
  }
  const readAll = async (): Promise<void> => {
    for (const tool of READING)
      await attempt.call(tool.name, plausibleArguments(tool, shownControls(desktop.computer)[0]))
    await readTrees()
  }
  await readAll()
  const played = playSolution(desktop, first!.solution, async ({ tool, args }) => {
    await attempt.call(tool, args)
    await readTrees()
    return undefined
  })
  for await (const { failure } of played) if (failure !== undefined) break
  await readAll()
  return found === undefined ? passed(`${answers} answers have no oracle, seed or path`) : failed(found)
}
