import type { PerformResult } from '../adapters/computer.ts'
import type { SyntheticComputer } from '../adapters/synthetic/synthetic.ts'
import { memorySession } from '../compose/memory-session.ts'
import { playSolution } from '../compose/play-solution.ts'
import type { Action } from '../desktop/input/action.ts'
import { findTool } from '../observer/registry.ts'
import { isToolArguments, type ToolResult } from '../observer/result.ts'
import type { TraceRow } from '../observer/trace/trace-row.ts'
import { type DescribedFiring, describeChange } from '../scenario/describe.ts'
import { screenKey } from '../scenario/explore/explore.ts'
import type { FiredFault } from '../scenario/faults/fault-kind.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { ScenarioRun } from '../scenario/scenario-run.ts'
import type { ElementPlace, ScreenPoint } from '../viewer/model/element.ts'
import type { FiredEntry, ViewerStep } from '../viewer/model/recording.ts'
import type { TableWriter } from './tables.ts'

/** What is known of a step from its replay. */
export interface ReplayedStep extends Pick<ViewerStep, 'fired' | 'held'> {
  readonly meant: ViewerStep['meant'] | undefined
  readonly body: ToolResult | undefined
  readonly actions: readonly WatchedAction[]
}

/** A row of a trace as a step of a recording, which ends that many milliseconds after its start. */
export function viewerStep(
  row: TraceRow,
  number: number,
  endMs: number,
  tables: TableWriter,
  replayed?: ReplayedStep,
): ViewerStep {
  const { tool, args, caller, result_summary: summary, door_call: door } = row
  const { code } = (summary.error ?? {}) as { readonly code?: unknown }
  const message = (replayed?.body?.error as { readonly message?: unknown } | undefined)?.message
  const hit = replayed?.actions.find((action) => action.hit)?.hit ?? targetOf(summary)
  const { held = [], meant, fired = [] } = replayed ?? {}
  return {
    number,
    tool,
    args: tables.value(args),
    caller: typeof caller === 'string' ? caller : 'unknown',
    acts: findTool(tool)?.kind === 'act' || tool === 'finish',
    ...(typeof row.ts === 'string' && { wallTime: row.ts }),
    startMs: Math.max(0, endMs - numberOr0(row.desktop_duration_ms)),
    endMs,
    ...(typeof row.duration_ms === 'number' && { wallMs: row.duration_ms }),
    result: tables.value(replayed?.body ? resultShown(replayed.body, summary) : summary),
    ok: summary.ok !== false,
    ...(typeof summary.changed === 'boolean' && { changed: summary.changed }),
    ...(typeof code === 'string' && { error: { code, ...(typeof message === 'string' && { message }) } }),
    ...(replayed ? pointsOf(replayed.actions) : pointGiven(args)),
    ...(hit && { hit }),
    ...(meant && { meant }),
    ...(held.length > 0 && { held }),
    fired,
    ...(typeof door?.door === 'string' && { dialect: { door: door.door, call: tables.value(door.call) } }),
  }
}

/** A field of a row that another program may have written. */
const numberOr0 = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** The pointer's place in the first action that has one, and the way of a drag. */
function pointsOf(actions: readonly WatchedAction[]): Pick<ViewerStep, 'point' | 'path'> {
  for (const { action } of actions) {
    if (action.type === 'drag') return { point: action.from, path: [action.from, ...(action.through ?? []), action.to] }
    const at = pointOf(action)
    if (at) return { point: { x: at.x, y: at.y } }
  }
  return {}
}

const pointOf = (action: Action): ScreenPoint | undefined => ('at' in action ? action.at : undefined)

/** The point in the arguments of a call that was not made again. */
function pointGiven({ x, y }: TraceRow['args']): Pick<ViewerStep, 'point'> {
  return typeof x === 'number' && typeof y === 'number' ? { point: { x, y } } : {}
}

function targetOf({ target }: TraceRow['result_summary']): ElementPlace | undefined {
  if (!isToolArguments(target)) return undefined
  const { window_uid: window, element_id: element } = target
  return typeof window === 'string' && typeof element === 'string' ? { window, element } : undefined
}

const MAX_FIELD_CHARACTERS = 4000

/** Fields of results that the recording shows elsewhere: pictures and trees. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['data', 'image', 'tree', 'elements', 'windows'])

/** The result without pictures and trees. Long fields are left out. */
function resultShown(body: ToolResult, summary: TraceRow['result_summary']): ToolResult {
  const shown = Object.entries(body).filter(
    ([key, value]) => !SHOWN_ELSEWHERE.has(key) && (JSON.stringify(value) ?? '').length <= MAX_FIELD_CHARACTERS,
  )
  return { ...summary, ...Object.fromEntries(shown) }
}

/** An action that a computer performed. */
interface WatchedAction {
  /** In pixels of the screen. */
  readonly action: Action
  /** The element that received it. */
  readonly hit: ElementPlace | undefined
  /** Undefined if the desktop refused it. */
  readonly via: PerformResult['via'] | undefined
}

/** Notes each action that a computer performs from now on. The returned function takes the actions since it was called last. */
export function watchActions(computer: SyntheticComputer): () => readonly WatchedAction[] {
  let watched: WatchedAction[] = []
  const perform = computer.perform.bind(computer)
  computer.perform = (action) => {
    const [first] = computer.preview([action])
    const hit = first && { window: first.window, element: first.element }
    try {
      const result = perform(action)
      watched.push({ action, hit, via: result.via })
      return result
    } catch (thrown) {
      watched.push({ action, hit, via: undefined })
      throw thrown
    }
  }
  return () => {
    const taken = watched
    watched = []
    return taken
  }
}

/** Notes what changes of a run make happen from now on. The returned function takes what happened since it was called last. */
export function watchFired(computer: SyntheticComputer): () => readonly DescribedFiring[] {
  let fired: DescribedFiring[] = []
  computer.watch({
    onAction: () => {},
    // Faults have entries of their own, also those that no action meets.
    onChange: (before, after, parts) =>
      fired.push(...describeChange(before, after, parts).filter(({ kind }) => kind !== 'fault')),
  })
  return () => {
    // Timers that are due fire when the run is read.
    void computer.run
    const taken = fired
    fired = []
    return taken
  }
}

/** What happened in a scenario during a step, in words: faults, built-in behaviour, and what changes of the run made happen. */
export const firedBetween = (
  before: ScenarioRun,
  after: ScenarioRun,
  actions: readonly WatchedAction[],
  changes: readonly DescribedFiring[],
): readonly FiredEntry[] => [
  ...plannedFaults(before, after),
  ...faultsSince(before.faults?.fired ?? [], after.faults?.fired ?? []),
  ...builtIn(actions),
  ...changes,
]

function plannedFaults(before: ScenarioRun, after: ScenarioRun): readonly FiredEntry[] {
  return after.scenario.faults.flatMap(({ on, times, skip, code }, index): readonly FiredEntry[] => {
    const [first, last] = [before.faultCalls[index] ?? 0, after.faultCalls[index] ?? 0]
    return last > first && first >= skip && first < skip + times
      ? [{ kind: 'fault', text: `faults[${index}]: ${code} of ${on.tool}` }]
      : []
  })
}

const faultsSince = (before: readonly FiredFault[], after: readonly FiredFault[]): readonly FiredEntry[] =>
  after.slice(before.length > after.length ? 0 : before.length).map(({ fault }) => ({ kind: 'fault', text: fault }))

/** What the desktop did by itself, where no reaction took the place of it. */
const builtIn = (actions: readonly WatchedAction[]): readonly FiredEntry[] =>
  actions
    .filter(({ via }) => via === 'behaviour')
    .map(({ action, hit }) => ({ kind: 'behaviour', text: hit ? `${action.type} ${hit.element}` : action.type }))

/** A call of the solution that acts on an element. */
interface GuideStep {
  readonly tool: string
  /** The screen before it. */
  readonly screen: string
  readonly hit: ElementPlace
}

/** Knows what the first solution does next at each place of a run. */
export interface SolutionGuide {
  /** The element that the solution acts on next on this screen. Undefined where the run has left its way. */
  next(run: ScenarioRun): ElementPlace | undefined
  /** Notes a call of the run. */
  took(tool: string, hit: ElementPlace | undefined): void
}

/** Plays the first solution of a scenario on a desktop of its own, to guide a run through it. */
export async function guideOf(scenario: Scenario, seed: number): Promise<SolutionGuide> {
  const steps = await stepsOfSolution(scenario, seed)
  /** The number of the solution's steps that the run has taken. */
  let taken = 0
  return {
    next: (run) => {
      const screen = screenKey(run)
      if (steps[taken]?.screen !== screen) {
        const there = steps.findIndex((step, index) => index > taken && step.screen === screen)
        const before = there < 0 ? steps.findIndex((step) => step.screen === screen) : there
        if (before < 0) return undefined
        taken = before
      }
      return steps[taken]!.hit
    },
    took: (tool, hit) => {
      const planned = steps[taken]
      if (planned && planned.tool === tool && isSamePlace(planned.hit, hit)) taken++
    },
  }
}

async function stepsOfSolution(scenario: Scenario, seed: number): Promise<readonly GuideStep[]> {
  const desktop = memorySession(scenario, { seed })
  const takeActions = watchActions(desktop.computer)
  const steps: GuideStep[] = []
  let screen = screenKey(desktop.computer.run)
  for await (const { tool, fault } of playSolution(desktop, scenario.solutions[0])) {
    const hit = takeActions().find((action) => action.hit)?.hit
    if (!fault && hit && findTool(tool)?.kind === 'act') steps.push({ tool, screen, hit })
    screen = screenKey(desktop.computer.run)
  }
  await desktop.session.close()
  return steps
}

const isSamePlace = (a: ElementPlace, b: ElementPlace | undefined): boolean =>
  b !== undefined && a.window === b.window && a.element === b.element
