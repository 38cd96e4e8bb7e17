import { Fault } from '../../base/fault.ts'
import { filesOf, windowByUid } from '../../desktop/model/desktop.ts'
import { isFile, isFolder, readFile } from '../../desktop/model/files.ts'
import { conditionHolds, evaluateLive, type LocalNames } from '../data/scope.ts'
import { STRING } from '../expression/data-type.ts'
import { liveContext, scopeOf } from '../live-context.ts'
import { latenessOf } from '../oracle-kinds.ts'
import { type Finding, failed } from '../predicate.ts'
import { type CourseEntry, type ScenarioRun, timesHappened } from '../scenario-run.ts'
import type { CourseOracle, Oracle, RunOracle, SeenOracle } from '../schema/oracles.ts'
import { evaluateChanges } from './changes.ts'
import { evaluateOracle } from './oracle.ts'
import type { RunFindings, ScenarioView } from './report.ts'

type RunEvaluator<Kind extends RunOracle> = (oracle: Kind, run: ScenarioRun) => Finding

/** A new kind is one row. */
const RUN_EVALUATORS: { readonly [Kind in RunOracle['kind']]: RunEvaluator<Extract<RunOracle, { kind: Kind }>> } = {
  expression: ({ expression }, run) => evaluateCondition(expression, run),
  changes: evaluateChanges,
  event: (oracle, run) => {
    const { name, where, min, max } = oracle
    const count = where === undefined ? timesHappened(run.log, name) : entryOf(oracle, run).count
    const least = min ?? (max === undefined ? 1 : 0)
    return { passed: count >= least && count <= (max ?? count), observed: { count } }
  },
  at_most: (oracle, run) => {
    const { event, where } = oracle
    const count = where === undefined ? timesHappened(run.log, event) : entryOf(oracle, run).count
    return { passed: count <= oracle.count, observed: { count } }
  },
  before: unbroken,
  never: unbroken,
}

const isRunOracle = (oracle: Oracle): oracle is RunOracle => Object.hasOwn(RUN_EVALUATORS, oracle.kind)

/** The oracles that are followed along a run, with the parts of others. */
export const courseOraclesIn = (oracles: readonly Oracle[]): readonly CourseOracle[] => oracles.flatMap(followedIn)

/** The oracles about what the agent has observed, with the parts of others. */
export const seenOraclesIn = (oracles: readonly Oracle[]): readonly SeenOracle[] =>
  oracles.flatMap((oracle) => {
    if (oracle.kind === 'seen') return [oracle]
    return oracle.kind === 'all' || oracle.kind === 'any' || oracle.kind === 'not' ? seenOraclesIn(oracle.of) : []
  })

function followedIn(oracle: Oracle): readonly CourseOracle[] {
  if (!isRunOracle(oracle)) return 'of' in oracle ? courseOraclesIn(oracle.of) : []
  switch (oracle.kind) {
    case 'never':
      return [oracle, ...courseOraclesIn([oracle.of])]
    case 'before':
      return [oracle]
    case 'event':
    case 'at_most':
      // The log counts events by their name.
      return oracle.where === undefined ? [] : [oracle]
    case 'expression':
    case 'changes':
      return []
  }
}

/** Evaluates oracles on a run as it is at each moment. */
export const runFindings = (run: () => ScenarioRun): RunFindings => ({
  onRun: (oracle) => (RUN_EVALUATORS[oracle.kind] as RunEvaluator<RunOracle>)(oracle, run()),
  onAnswer: ({ expression = 'true' }, answer) =>
    evaluateCondition(expression, run(), { types: { answer: STRING }, values: { answer } }),
  heldAtStart: (condition) => {
    const now = run()
    const scope = scopeOf(now)
    return conditionHolds(scope, condition, { ...liveContext(now), data: scope.initial, screen: undefined })
  },
})

const NOTHING_SEEN: CourseEntry = { count: 0, brokenAtMs: undefined, why: undefined }

const entryOf = (oracle: CourseOracle, { scenario, course }: ScenarioRun): CourseEntry =>
  course?.[scenario.oracles.course.indexOf(oracle)] ?? NOTHING_SEEN

function unbroken(oracle: CourseOracle, run: ScenarioRun): Finding {
  const { brokenAtMs, why } = entryOf(oracle, run)
  if (brokenAtMs === undefined) return { passed: true, observed: { broken: false } }
  return failed({ broken: true, at_ms: brokenAtMs - run.startedAtMs, why })
}

function evaluateCondition(expression: string, run: ScenarioRun, locals?: LocalNames): Finding {
  const result = evaluateLive(scopeOf(run), expression, liveContext(run), locals)
  if ('message' in result) throw new Fault('BadRequest', `${expression}: ${result.message}`)
  return { passed: result.value === true, observed: { value: result.value } }
}

/** A run as oracles see it, without pictures. It answers at once. */
export const runView = (run: ScenarioRun): ScenarioView => {
  const { desktop } = run
  return {
    windows: () =>
      desktop.windows
        .filter(({ state }) => state !== 'minimized')
        .map(({ uid, title }) => ({ uid, title, focused: uid === desktop.active })),
    tree: (uid) => {
      const window = windowByUid(desktop, uid)
      return window && window.state !== 'minimized' ? window.tree : undefined
    },
    file: (path) => {
      const files = filesOf(desktop)
      return isFile(files, path) ? readFile(files, path) : isFolder(files, path) ? null : undefined
    },
    clipboard: () => desktop.clipboard,
    ...runFindings(() => run),
  }
}

const startFindings = new WeakMap<ScenarioRun, readonly boolean[]>()

/**
 * Whether each success entry holds on the first run of a scenario. An entry that needs a picture counts as one that does,
 * because the start is judged without pictures.
 * @param view The first run as oracles see it.
 */
export function successAtStart(firstRun: ScenarioRun, view: ScenarioView): readonly boolean[] {
  const known = startFindings.get(firstRun)
  if (known) return known
  const found = firstRun.scenario.oracles.success.map((oracle) => {
    if (needsPicture(oracle)) return true
    const result = evaluateOracle(oracle, view)
    return result instanceof Promise || result.passed
  })
  startFindings.set(firstRun, found)
  return found
}

function needsPicture(oracle: Oracle): boolean {
  if (oracle.kind === 'all' || oracle.kind === 'any' || oracle.kind === 'not') return oracle.of.some(needsPicture)
  return latenessOf(oracle) === 'picture'
}
