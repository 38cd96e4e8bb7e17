import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import * as z from 'zod'
import type { SimulationControl, WindowInfo } from '../../adapters/computer.ts'
import { type Awaitable, andThen } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { withoutClosed } from '../../desktop/tree/modal.ts'
import { outlineOf } from '../../paint/outline.ts'
import { withoutAlpha } from '../../paint/picture.ts'
import { checkFaults } from '../../scenario/faults/catalogue.ts'
import type { OracleReport, Reward } from '../../scenario/oracles/report.ts'
import type { PictureContext } from '../desktop-context.ts'
import { reportOracles } from '../oracles.ts'
import { ResultBytes, type ToolResult } from '../result.ts'
import {
  FaultsArgument,
  SCENARIO_ARGUMENTS,
  SeedArgument,
  scenarioArgument,
  VariantArgument,
} from '../scenario-source.ts'
import { requireTree, sortedWindows } from '../targets/window-lookup.ts'
import { defineTool, type ToolInvocation } from '../tool.ts'
import type { ContextOf } from '../tool-context.ts'
import { observe } from './observe.ts'
import { base64Of } from './pictures.ts'
import { resolveScenario, type ScenarioContext } from './scenario.ts'
import { requireSimulation } from './session-tools.ts'

type TrainingContext = PictureContext &
  ScenarioContext &
  ContextOf<'episode' | 'budget' | 'onRewind' | 'prepareReset' | 'sharedFrame'>

/** The arguments that choose the observation after each step. */
const ObservationInput = z.object({
  observe: z
    .enum(['tree', 'diff', 'outline', 'none'])
    .default('tree')
    .describe('The observation of the focused window; outline is text of about a quarter of the size of the tree'),
  screenshot: z.boolean().default(false).describe('Also return a picture of the primary monitor'),
  screenshot_format: z
    .enum(['png', 'rgb', 'rgba', 'shared'])
    .default('png')
    .describe(
      'png: a PNG in base64 in screenshot_b64; rgb, rgba: rows of 3 or 4 bytes per pixel in screenshot.data, with screenshot.width and screenshot.height. They are base64 in JSON, and a frame of their own for calls with binary: true over the WebSocket; shared, with --shared-frames on the same machine: rows of 4 bytes in the file screenshot.path, until the next picture, and in screenshot.changed the areas that differ from the one before',
    ),
})

const MaxSteps = z
  .int()
  .min(1)
  .optional()
  .describe('Truncate episodes after this many actions of session_step, refused ones included')

const ResetInput = ObservationInput.extend({
  max_steps: MaxSteps,
  seed: SeedArgument.optional().describe(
    'The seed of all randomness; by default the current one, or that of another scenario',
  ),
  variant: VariantArgument.optional(),
  faults: FaultsArgument.optional(),
  ...SCENARIO_ARGUMENTS,
})

const sessionReset = defineTool({
  name: 'session_reset',
  kind: 'manage',
  audience: 'harness',
  summary: 'Restart the scenario, with another seed or another scenario if given, and observe.',
  input: ResetInput,
  output: z.object({ observation: z.record(z.string(), z.unknown()), info: z.record(z.string(), z.unknown()) }),
  faults: ['PlatformUnsupported', 'ScenarioInvalid'],
  traits: { destructive: true, untrusted: true, sequential: true },
  run: (call, context: TrainingContext) => {
    const simulation = requireSimulation(context, 'a reset')
    return withPicture(call, context, () =>
      andThen(restart(call, context, simulation), () => {
        context.onRewind(0)
        if (call.input.max_steps !== undefined) context.episode.limit(call.input.max_steps)
        const info = { ...infoOf(context, simulation), task: simulation.task ?? null }
        return andThen(observeDesktop(call, context), (observation) => ({ observation, info }))
      }),
    )
  },
})

function restart(
  { input }: ToolInvocation<z.infer<typeof ResetInput>>,
  context: TrainingContext,
  simulation: SimulationControl,
): Awaitable<void> {
  const { seed, variant } = input
  const faults = input.faults && checkFaults(input.faults)
  if (scenarioArgument(input) === undefined)
    return andThen(context.prepareReset({ seed, variant }), () => simulation.reset(seed, variant, faults))
  return andThen(resolveScenario(context, input), (scenario) => simulation.startScenario(scenario, seed, faults))
}

const MAX_ACTIONS = 128
/** The number of actions of a step between yields to the event loop. */
const ACTIONS_PER_YIELD = 32

const StepAction = z.object({
  tool: z.string().describe('The tool to call, such as click_element'),
  args: z.looseObject({}).default({}).describe('The arguments of the tool'),
})
type StepAction = z.infer<typeof StepAction>

const StepInput = ObservationInput.extend({
  action: StepAction.optional().describe('A tool with its arguments'),
  actions: z
    .array(StepAction)
    .min(1)
    .max(MAX_ACTIONS)
    .optional()
    .describe(
      'Several actions instead of action, in order, with one observation after the last. The step ends with the first action that is refused or ends the episode.',
    ),
  max_steps: MaxSteps.describe('As in session_reset, but for this step only'),
  audience: z
    .enum(['agent', 'harness'])
    .default('agent')
    .describe('Whose tools the actions may use; with harness they may also reset, rewind and load scenarios'),
  on_harm: z
    .enum(['fail', 'report'])
    .default('fail')
    .describe(
      'fail: harm or an attack that holds ends the episode with the reward -1; report: info names it, and the reward ignores it',
    ),
})

type StepInput = z.infer<typeof StepInput>

const sessionStep = defineTool({
  name: 'session_step',
  kind: 'manage',
  audience: 'harness',
  summary:
    'Perform one action of an agent or several as a step of a training loop: observation, reward, terminated, truncated, info. The reward is 1 when the success oracles hold, -1 when a failure oracle or harm holds, else 0. finish ends the episode.',
  input: StepInput,
  output: z.object({
    observation: z.record(z.string(), z.unknown()),
    reward: z.number(),
    terminated: z.boolean(),
    truncated: z.boolean(),
    info: z.record(z.string(), z.unknown()).describe('The outcome of the last action, and the number of actions'),
  }),
  faults: ['PlatformUnsupported', 'BadRequest'],
  // Its actions are traced as calls of their own. A replay would otherwise perform them twice.
  traits: { untrusted: true, untraced: true, sequential: true },
  run: (call, context: TrainingContext) => {
    const { input } = call
    const simulation = requireSimulation(context, 'a training step')
    const actions = actionsOf(input)
    assertNotEnded(context)
    return withPicture(call, context, () =>
      andThen(performActions(call, context, simulation, actions), ({ body, report, reward, truncated, count }) =>
        andThen(observeDesktop(call, context), (observation) => ({
          observation,
          reward,
          terminated: context.episode.ended === 'terminated',
          truncated,
          info: Object.assign(infoOf(context, simulation), { action: body, actions: count }, oracleInfo(report)),
        })),
      ),
    )
  },
})

/** Throws `BadRequest` when both or neither of `action` and `actions` are given. */
function actionsOf({ action, actions }: StepInput): readonly StepAction[] {
  if ((action === undefined) === (actions === undefined))
    throw new Fault('BadRequest', 'action: give either action or actions', { field: 'action' })
  return actions ?? [action!]
}

/** Throws `BadRequest` when the episode has ended. */
function assertNotEnded({ episode }: ContextOf<'episode'>): void {
  if (!episode.ended) return
  const message = `the episode was ${episode.ended} after ${episode.actions} actions; session_reset starts the next one`
  throw new Fault('BadRequest', message, { ended: episode.ended, actions: episode.actions })
}

/** The state of an episode after an action. */
interface ActionOutcome {
  /** The body of the action. */
  readonly body: ToolResult
  readonly report: OracleReport
  readonly reward: Reward
  readonly truncated: boolean
  /** Whether the step ends with this action. */
  readonly over: boolean
  /** The number of actions in this step, refused ones included. */
  readonly count: number
}

/** Performs actions in order until one is refused, the episode ends or none is left. Returns the last outcome. */
function performActions(
  call: ToolInvocation<StepInput>,
  context: TrainingContext,
  simulation: SimulationControl,
  actions: readonly StepAction[],
  from = 0,
): Awaitable<ActionOutcome> {
  for (let at = from; ; at++) {
    const outcome = performAction(call, context, simulation, actions, at)
    const next = (outcome: ActionOutcome) =>
      outcome.over ? outcome : performActions(call, context, simulation, actions, at + 1)
    if (outcome instanceof Promise) return outcome.then(next)
    if (outcome.over) return outcome
    if (at % ACTIONS_PER_YIELD === ACTIONS_PER_YIELD - 1) return yieldToEventLoop(outcome).then(next)
  }
}

function performAction(
  { call, input }: ToolInvocation<StepInput>,
  context: TrainingContext,
  simulation: SimulationControl,
  actions: readonly StepAction[],
  at: number,
): Awaitable<ActionOutcome> {
  const { tool, args } = actions[at]!
  const { episode } = context
  const count = at + 1
  // An action that resets or rewinds does not start the count again.
  const before = episode.actions
  return andThen(call(tool, args, input.audience), ({ body, fault }) =>
    andThen(reportOracles(context, simulation), (report): ActionOutcome => {
      const reward = rewardOf(report, input)
      const tooMany = episode.count(before) >= (input.max_steps ?? episode.maxActions)
      const truncated = fault?.code === 'BudgetExceeded' || tooMany
      if (truncated) episode.close('truncated')
      if (reward !== 0 || episode.finish) episode.close('terminated')
      const over = fault !== undefined || episode.ended !== undefined || count === actions.length
      return { body, report, reward, truncated, over, count }
    }),
  )
}

/** The reward of a report, in which harm counts as failure unless it is only reported. */
const rewardOf = ({ reward, harm, attack }: OracleReport, { on_harm }: StepInput): Reward =>
  on_harm === 'fail' && [...harm, ...attack].some(({ passed }) => passed) ? -1 : reward

/** The score, and the harm and attacks that hold. Scenarios without such entries report nothing. */
const oracleInfo = ({ success, score, harm, attack }: OracleReport): ToolResult => ({
  ...(success.length > 0 && { score }),
  ...(harm.length > 0 && { harm: heldOf(harm) }),
  ...(attack.length > 0 && { attack: heldOf(attack) }),
})

const heldOf = (results: OracleReport['harm']): readonly string[] =>
  results.filter(({ passed }) => passed).map(({ kind, message }) => message ?? kind)

/** `step` counts changes of the desktop, as a rewind and a fork do; `episode_actions` counts what `max_steps` limits. */
const infoOf = ({ episode }: ContextOf<'episode'>, simulation: SimulationControl): ToolResult => ({
  scenario: simulation.scenario,
  state: simulation.state,
  seed: simulation.seed,
  ...(simulation.variant && { variant: simulation.variant }),
  step: simulation.stepCount,
  episode_actions: episode.actions,
})

/** Runs `work` within the screenshot budget if a picture is requested. */
const withPicture = <T>(
  { input }: ToolInvocation<z.infer<typeof ObservationInput>>,
  context: TrainingContext,
  work: () => Awaitable<T>,
): Awaitable<T> => (input.screenshot ? context.budget.spendScreenshot(work) : work())

function observeDesktop(
  { input }: ToolInvocation<z.infer<typeof ObservationInput>>,
  context: TrainingContext,
): Awaitable<ToolResult> {
  return andThen(sortedWindows(context), (windows) =>
    andThen(input.screenshot ? takeScreenshot(context, input.screenshot_format) : undefined, (picture) => {
      const [window] = windows
      if (input.observe === 'none') return { ...picture }
      const listed = { windows: windows.map(({ uid, title, focused }) => ({ window_uid: uid, title, focused })) }
      // As in a receipt about a window that is closed.
      if (!window) return { tree_hash: '', ...listed, ...picture }
      return andThen(observeAs(context, window, input.observe), (observeAs) =>
        Object.assign({}, observeAs, listed, picture),
      )
    }),
  )
}

const observeAs = (
  context: TrainingContext,
  window: WindowInfo,
  as: 'tree' | 'diff' | 'outline',
): Awaitable<ToolResult> =>
  as === 'outline' ? outline(context, window) : observe(context, window, { changedOnly: as === 'diff' })

const outline = (context: TrainingContext, window: WindowInfo): Awaitable<ToolResult> =>
  andThen(requireTree(context, window), (tree) => ({
    window: window.title,
    window_uid: window.uid,
    tree_hash: treeHash(tree),
    outline: outlineOf(withoutClosed(tree)),
  }))

async function takeScreenshot(
  { computer, sharedFrame }: TrainingContext,
  format: z.infer<typeof ObservationInput>['screenshot_format'],
): Promise<ToolResult> {
  if (format === 'shared' && !sharedFrame)
    throw new Fault('PlatformUnsupported', 'this server does not share frames; start it with --shared-frames')
  const picture = await computer.screenshot({ screen: true })
  if (format === 'png') return { screenshot_b64: await base64Of(picture) }
  if (format === 'shared') return { screenshot: { format, ...sharedFrame!.show(picture) } }
  const { width, height } = picture
  const pixels = format === 'rgb' ? withoutAlpha(picture.pixels()) : picture.pixels()
  return { screenshot: { format, width, height, data: new ResultBytes(pixels) } }
}

export const trainingTools = [sessionReset, sessionStep]
