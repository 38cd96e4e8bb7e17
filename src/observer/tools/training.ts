import { setImmediate as breathe } from 'node:timers/promises'
import * as z from 'zod'
import type { SimulationControl, WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../base/awaitable.ts'
import { Fault } from '../../base/fault.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { outlineOf } from '../../paint/describe/outline.ts'
import { type Reward, rewardOf } from '../oracles/oracles.ts'
import type { ToolResult } from '../result.ts'
import type { Parts } from '../session/context.ts'
import type { PictureParts } from '../session/parts.ts'
import { SCENARIO_ARGUMENTS, scenarioArgument } from '../session/scenario-source.ts'
import { requireTree, sortedWindows } from '../targets/windows.ts'
import { defineTool, type ToolInvocation } from '../tool.ts'
import { observe } from './observe.ts'
import { base64Of } from './pictures.ts'
import { resolveScenario, type ScenarioParts } from './scenario.ts'
import { requireSimulation } from './simulation.ts'

type TrainingParts = PictureParts & ScenarioParts & Parts<'episode' | 'budget' | 'onRewind'>

/** What an agent in training is shown after each step. */
const Shown = z.object({
  observe: z
    .enum(['tree', 'diff', 'outline', 'none'])
    .default('tree')
    .describe('What is shown of the focused window; outline is a text of a quarter of the size of the tree'),
  screenshot: z.boolean().default(false).describe('Also the primary monitor as a PNG in base64'),
})

const MaxSteps = z
  .int()
  .min(1)
  .optional()
  .describe('Truncate episodes after this many actions of session_step, refused ones included')

const ResetInput = Shown.extend({
  max_steps: MaxSteps,
  seed: z.int().optional().describe("Chance; without it the same as before, or another scenario's own"),
  ...SCENARIO_ARGUMENTS,
})

const sessionReset = defineTool({
  name: 'session_reset',
  kind: 'manage',
  audience: 'harness',
  summary: 'Begin the scenario again, with another seed or another scenario if given, and observe.',
  input: ResetInput,
  output: z.object({ observation: z.record(z.string(), z.unknown()), info: z.record(z.string(), z.unknown()) }),
  faults: ['PlatformUnsupported', 'ScenarioInvalid'],
  traits: { destructive: true, untrusted: true, sequential: true },
  run: (call, context: TrainingParts) => {
    const simulation = requireSimulation(context, 'a reset')
    return withPicture(call, context, () =>
      andThen(begin(call, context, simulation), () => {
        context.onRewind(0)
        if (call.input.max_steps !== undefined) context.episode.limit(call.input.max_steps)
        const info = { ...infoOf(context, simulation), task: simulation.task ?? null }
        return andThen(show(call, context), (observation) => ({ observation, info }))
      }),
    )
  },
})

function begin(
  { input }: ToolInvocation<z.infer<typeof ResetInput>>,
  context: TrainingParts,
  simulation: SimulationControl,
): Awaitable<void> {
  const { seed } = input
  if (scenarioArgument(input) === undefined) return simulation.reset(seed)
  return andThen(resolveScenario(context, input), (scenario) => simulation.startScenario(scenario, seed))
}

const MAX_ACTIONS = 128
/** After as many actions of a step others have their turn. */
const TURN = 32

const StepAction = z.object({
  tool: z.string().describe('The tool that is called, such as click_element'),
  args: z.looseObject({}).default({}).describe('Its arguments'),
})
type StepAction = z.infer<typeof StepAction>

const StepInput = Shown.extend({
  action: StepAction.optional().describe('Any tool with its arguments'),
  actions: z
    .array(StepAction)
    .min(1)
    .max(MAX_ACTIONS)
    .optional()
    .describe(
      'Instead of action: several in order, with one observation after the last. The step ends with the first that is refused or ends the episode.',
    ),
  max_steps: MaxSteps.describe('The same as with session_reset, for this step only'),
})

type StepInput = z.infer<typeof StepInput>

const sessionStep = defineTool({
  name: 'session_step',
  kind: 'manage',
  audience: 'harness',
  summary:
    'Do one action, or several, as in a training loop: observation, reward, terminated, truncated, info. The reward is 1 when the success oracles hold, -1 when a failure oracle does, else 0.',
  input: StepInput,
  output: z.object({
    observation: z.record(z.string(), z.unknown()),
    reward: z.number(),
    terminated: z.boolean(),
    truncated: z.boolean(),
    info: z.record(z.string(), z.unknown()).describe('How the last action went, and how many there were'),
  }),
  faults: ['PlatformUnsupported', 'BadRequest'],
  // The actions in it are calls of their own, which a replay would otherwise do twice.
  traits: { untrusted: true, untraced: true, sequential: true },
  run: (call, context: TrainingParts) => {
    const { input } = call
    const simulation = requireSimulation(context, 'a training step')
    const actions = actionsOf(input)
    admitStep(context)
    return withPicture(call, context, () =>
      andThen(playAll(call, context, simulation, actions), ({ body, reward, truncated, count }) =>
        andThen(show(call, context), (observation) => ({
          observation,
          reward,
          terminated: reward !== 0,
          truncated,
          info: Object.assign(infoOf(context, simulation), { action: body, actions: count }),
        })),
      ),
    )
  },
})

/** Throws `BadRequest` where there is neither one action nor several, or both. */
function actionsOf({ action, actions }: StepInput): readonly StepAction[] {
  if ((action === undefined) === (actions === undefined))
    throw new Fault('BadRequest', 'action: give one action, or several as actions', { field: 'action' })
  return actions ?? [action!]
}

/** Throws `BadRequest` when the episode has ended. */
function admitStep({ episode }: Parts<'episode'>): void {
  if (!episode.ended) return
  const message = `the episode was ${episode.ended} after ${episode.actions} actions; session_reset begins the next one`
  throw new Fault('BadRequest', message, { ended: episode.ended, actions: episode.actions })
}

/** How an episode stands after an action. */
interface Played {
  /** What the action answered. */
  readonly body: ToolResult
  readonly reward: Reward
  readonly truncated: boolean
  /** Whether no action follows in this step. */
  readonly over: boolean
  /** The number of actions done or refused in this step. */
  readonly count: number
}

/** Does actions in order until one is refused, the episode ends or none is left, and tells of the last. */
function playAll(
  call: ToolInvocation<StepInput>,
  context: TrainingParts,
  simulation: SimulationControl,
  actions: readonly StepAction[],
  from = 0,
): Awaitable<Played> {
  for (let at = from; ; at++) {
    const played = play(call, context, simulation, actions, at)
    const goOn = (played: Played) => (played.over ? played : playAll(call, context, simulation, actions, at + 1))
    if (played instanceof Promise) return played.then(goOn)
    if (played.over) return played
    if (at % TURN === TURN - 1) return breathe(played).then(goOn)
  }
}

function play(
  { call, input }: ToolInvocation<StepInput>,
  context: TrainingParts,
  simulation: SimulationControl,
  actions: readonly StepAction[],
  at: number,
): Awaitable<Played> {
  const { tool, args } = actions[at]!
  const count = at + 1
  return andThen(call(tool, args), ({ body, fault }) =>
    andThen(rewardOf(context, simulation), (reward): Played => {
      const tooMany = context.episode.count() >= (input.max_steps ?? context.episode.maxActions)
      const truncated = fault?.code === 'BudgetExceeded' || tooMany
      if (truncated) context.episode.close('truncated')
      if (reward !== 0) context.episode.close('terminated')
      const over = fault !== undefined || truncated || reward !== 0 || count === actions.length
      return { body, reward, truncated, over, count }
    }),
  )
}

/** `step` counts changes of the desktop, as a rewind and a fork do; `episode_actions` counts what `max_steps` limits. */
const infoOf = ({ episode }: Parts<'episode'>, simulation: SimulationControl): ToolResult => ({
  scenario: simulation.scenario,
  state: simulation.state,
  seed: simulation.seed,
  step: simulation.stepCount,
  episode_actions: episode.actions,
})

/** Does what ends with a picture, if one is asked for. Throws before that when none is left. */
const withPicture = <T>(
  { input }: ToolInvocation<z.infer<typeof Shown>>,
  context: TrainingParts,
  work: () => Awaitable<T>,
): Awaitable<T> => (input.screenshot ? context.budget.spendScreenshot(work) : work())

function show({ input }: ToolInvocation<z.infer<typeof Shown>>, context: TrainingParts): Awaitable<ToolResult> {
  return andThen(sortedWindows(context), (windows) =>
    andThen(input.screenshot ? photograph(context) : undefined, (picture) => {
      const [window] = windows
      if (input.observe === 'none') return { ...picture }
      const listed = { windows: windows.map(({ uid, title, focused }) => ({ window_uid: uid, title, focused })) }
      if (!window) return { ...listed, ...picture }
      return andThen(seen(context, window, input.observe), (seen) => Object.assign({}, seen, listed, picture))
    }),
  )
}

const seen = (context: TrainingParts, window: WindowInfo, as: 'tree' | 'diff' | 'outline'): Awaitable<ToolResult> =>
  as === 'outline' ? outline(context, window) : observe(context, window, { changedOnly: as === 'diff' })

const outline = (context: TrainingParts, window: WindowInfo): Awaitable<ToolResult> =>
  andThen(requireTree(context, window), (tree) => ({
    window: window.title,
    window_uid: window.uid,
    tree_hash: treeHash(tree),
    outline: outlineOf(tree),
  }))

const photograph = async (context: TrainingParts): Promise<ToolResult> => ({
  screenshot_b64: await base64Of(await context.computer.screenshot({ screen: true })),
})

export const trainingTools = [sessionReset, sessionStep]
