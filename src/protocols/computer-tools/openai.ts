import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import type { DesktopSession } from '../../observer/session/session.ts'
import type { PictureBudget } from '../../observer/tools/capture.ts'
import {
  type ComputerCallOptions,
  type ComputerCallResult,
  type ComputerDialect,
  type ComputerDriverOptions,
  type ComputerTarget,
  callAcknowledged,
  sessionIn,
} from './dialect.ts'
import { MAX_ACTIONS, readModifiers, readPart, toChords, unknownName, withoutNullFields } from './input.ts'
import { callRemote, isRemote, type RemoteDesktop } from './remote.ts'
import { type ModelScreen, modelScreen, type PixelSize, scaleToScreen, toScreenPoint } from './screen.ts'
import {
  type Acknowledgement,
  faultOf,
  hasDone,
  type NeededConfirmation,
  runActions,
  type StepCaller,
  type StepsOutcome,
  type ToolStep,
  type TranslatedAction,
  takeScreenshot,
} from './steps.ts'

/** The translation of one action of OpenAI's computer tool. */
export interface OpenAiAction {
  readonly input: z.ZodObject
  readonly steps: (input: never, screen: ModelScreen) => readonly ToolStep[]
}

/** Gives `steps` of an action the type of its input. */
const action = <Fields extends z.ZodRawShape>(
  fields: Fields,
  steps: (input: z.infer<z.ZodObject<Fields>>, screen: ModelScreen) => readonly ToolStep[],
): OpenAiAction => ({ input: z.strictObject({ type: z.string(), ...fields }), steps: steps as OpenAiAction['steps'] })

const MAX_PATH_POINTS = 1000
const MAX_SCROLL_PX = 120_000
/** `wait` has no duration; this is the time that harnesses commonly choose. */
const WAIT_MS = 1000

const point = { x: z.number(), y: z.number() }
const Keys = z.array(z.string().min(1)).min(1).max(MAX_ACTIONS)
const held = { keys: z.array(z.string().min(1)).max(4).optional().describe('Modifiers to hold meanwhile') }
const Pixels = z.number().min(-MAX_SCROLL_PX).max(MAX_SCROLL_PX)
const BUTTONS = { left: 'left', right: 'right', wheel: 'middle', back: 'back', forward: 'forward' } as const

/** Every action by its type. */
export const OPENAI_ACTIONS: ReadonlyMap<string, OpenAiAction> = new Map<string, OpenAiAction>([
  [
    'click',
    action(
      { ...point, ...held, button: z.enum(['left', 'right', 'wheel', 'back', 'forward']).default('left') },
      ({ x, y, keys, button }, screen) => {
        const at = toScreenPoint(screen, { x, y }, 'click')
        return [
          { tool: 'mouse_click', args: { button: BUTTONS[button], modifiers: readModifiers(keys, 'keys'), ...at } },
        ]
      },
    ),
  ],
  [
    'double_click',
    action({ ...point, ...held }, ({ x, y, keys }, screen) => {
      const at = toScreenPoint(screen, { x, y }, 'double_click')
      return [{ tool: 'mouse_click', args: { count: 2, modifiers: readModifiers(keys, 'keys'), ...at } }]
    }),
  ],
  [
    'drag',
    action({ ...held, path: z.array(z.object(point)).min(2).max(MAX_PATH_POINTS) }, ({ path, keys }, screen) => {
      const points = path.map((at, index) => toScreenPoint(screen, at, `path.${index}`))
      return [{ tool: 'mouse_drag', args: { path: points, modifiers: readModifiers(keys, 'keys') } }]
    }),
  ],
  [
    'keypress',
    action({ keys: Keys }, ({ keys }) =>
      toChords(keys).map((chord) => ({ tool: 'press_keys', args: { keys: chord } })),
    ),
  ],
  [
    'move',
    action({ ...point, ...held }, ({ x, y, keys }, screen) => {
      const modifiers = readModifiers(keys, 'keys')
      return [
        ...modifiers.map((key) => ({ tool: 'key_down', args: { key } })),
        { tool: 'move_pointer', args: { ...toScreenPoint(screen, { x, y }, 'move') } },
        ...modifiers.map((key) => ({ tool: 'key_up', args: { key }, cleanup: true as const })),
      ]
    }),
  ],
  ['screenshot', action({}, () => [])],
  [
    'scroll',
    action({ ...point, ...held, scroll_x: Pixels.default(0), scroll_y: Pixels.default(0) }, (input, screen) => {
      const delta = scaleToScreen(screen, { x: input.scroll_x, y: input.scroll_y })
      const at = toScreenPoint(screen, { x: input.x, y: input.y }, 'scroll')
      const modifiers = readModifiers(input.keys, 'keys')
      return [{ tool: 'mouse_scroll', args: { delta_x: delta.x, delta_y: delta.y, unit: 'pixels', modifiers, ...at } }]
    }),
  ],
  ['type', action({ text: z.string() }, ({ text }) => [{ tool: 'type_text', args: { text } }])],
  ['wait', action({}, () => [{ tool: 'wait', args: { duration_ms: WAIT_MS } }])],
])

/** A safety check of a `computer_call`, which a person acknowledges. */
export const OpenAiSafetyCheck = z.looseObject({
  id: z.string().min(1).max(500),
  code: z.string().nullish(),
  message: z.string().nullish(),
})
interface OpenAiSafetyCheck {
  id: string
  code?: string | null
  message?: string | null
}

const SafetyChecks = z.array(OpenAiSafetyCheck).max(MAX_ACTIONS).nullish()
const Action = z.looseObject({ type: z.string() })

/** A `computer_call` item of OpenAI's Responses API, with the checks that a person has acknowledged. */
export const OpenAiComputerCall = z.looseObject({
  type: z.literal('computer_call'),
  call_id: z.string().min(1).max(500),
  action: Action.nullish().describe('The action of a call of computer_use_preview'),
  actions: z.array(Action).max(MAX_ACTIONS).nullish().describe('The actions of a call of computer'),
  pending_safety_checks: SafetyChecks,
  acknowledged_safety_checks: SafetyChecks.describe('The checks that a person has acknowledged'),
})
type OpenAiComputerCall = z.infer<typeof OpenAiComputerCall>

/** The `computer_call_output` item that answers a `computer_call`. */
export interface OpenAiCallOutput {
  type: 'computer_call_output'
  call_id: string
  output: { type: 'computer_screenshot'; image_url: string; detail: 'original' }
  /** The pending checks of the call that were acknowledged. */
  acknowledged_safety_checks?: OpenAiSafetyCheck[]
}

const OpenAiCallOutputSchema = z.object({
  type: z.literal('computer_call_output'),
  call_id: z.string(),
  output: z.object({
    type: z.literal('computer_screenshot'),
    image_url: z.string().describe('A data URL of a PNG'),
    detail: z.literal('original'),
  }),
  acknowledged_safety_checks: z.array(OpenAiSafetyCheck).optional(),
})

/** The versions of OpenAI's computer tool, the newest last. */
const OPENAI_VERSIONS = ['computer_use_preview', 'computer'] as const
type OpenAiVersion = (typeof OPENAI_VERSIONS)[number]

/** The largest screenshot that the models take without scaling. */
const OPENAI_BUDGET: PictureBudget = { max_pixels: 10_240_000 }

/** An entry of `tools` in a request to OpenAI's Responses API. */
export type OpenAiToolDefinition =
  | { type: 'computer' }
  | {
      type: 'computer_use_preview'
      display_width: number
      display_height: number
      environment: 'linux' | 'mac' | 'windows'
    }

/** The names of platforms in OpenAI's dialect. All others are Linux. */
const OPENAI_PLATFORMS: Readonly<Record<string, 'mac' | 'windows'>> = { Darwin: 'mac', Windows: 'windows' }

/** The entry of `tools` for a version. */
const openAiDefinition = (
  version: OpenAiVersion,
  { width, height }: PixelSize,
  platform: string,
): OpenAiToolDefinition =>
  version === 'computer'
    ? { type: version }
    : {
        type: version,
        display_width: width,
        display_height: height,
        environment: OPENAI_PLATFORMS[platform] ?? 'linux',
      }

const OpenAiToolDefinitionSchema = z.object({
  type: z.enum(OPENAI_VERSIONS),
  display_width: z.int().optional(),
  display_height: z.int().optional(),
  environment: z.enum(['linux', 'mac', 'windows']).optional(),
})

const DATA_URL = 'data:image/png;base64,'

/** A picture of one transparent pixel, for a call whose screenshot is refused. */
const NO_PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg=='

/**
 * Executes a `computer_call`: its actions in order up to the first failure, then a screenshot. The item has no field for an
 * error, so that a failure is in `fault` only.
 */
async function runOpenAi(
  caller: StepCaller,
  body: unknown,
  { display, pointer, acknowledged }: ComputerCallOptions,
): Promise<ComputerCallResult<OpenAiCallOutput>> {
  const toolCall = readPart(OpenAiComputerCall, body)
  const { acknowledged_safety_checks: checks, ...asSent } = toolCall
  const known = [...(Array.isArray(acknowledged) ? acknowledged : []), ...(checks ?? []).map(({ id }) => id)]
  const actions = readActions(toolCall)
  const screen = { ...(await modelScreen(caller.session, OPENAI_BUDGET, display)), pointer }
  const pending = (toolCall.pending_safety_checks ?? []).map(toCheck)
  const unacknowledged = pending.filter(({ id }) => !known.includes(id))
  const outcome =
    acknowledged !== true && unacknowledged.length > 0
      ? waitingFor(unacknowledged)
      : await runTranslated(caller, actions, screen, JSON.stringify(asSent), acknowledged === true || known)
  const { type, call_id } = toolCall
  const picture = await takeScreenshot(caller, screen, hasDone(outcome) ? { type, call_id } : asSent)
  const passed = pending.filter(({ id }) => acknowledged === true || known.includes(id))
  return {
    output: {
      type: 'computer_call_output',
      call_id,
      output: {
        type: 'computer_screenshot',
        image_url: DATA_URL + (picture?.data ?? NO_PICTURE),
        detail: 'original',
      },
      ...(passed.length > 0 && { acknowledged_safety_checks: passed }),
    },
    ...(outcome.fault && { fault: outcome.fault }),
    ...(outcome.confirmation && { confirmation: outcome.confirmation }),
  }
}

const toCheck = (check: z.infer<typeof OpenAiSafetyCheck>): OpenAiSafetyCheck => ({
  id: check.id,
  code: check.code ?? null,
  message: check.message ?? null,
})

/** An action and its parsed input. */
interface ReadAction {
  readonly raw: unknown
  readonly steps: (screen: ModelScreen) => TranslatedAction['steps']
}

/** The actions of a call. Throws `BadRequest` for an unknown type and for fields that do not fit. */
function readActions({ actions, action }: Pick<OpenAiComputerCall, 'action' | 'actions'>): readonly ReadAction[] {
  const all = actions ?? (action ? [action] : undefined)
  if (!all) throw new Fault('BadRequest', 'actions: is missing; a computer_call has actions, or one action')
  return all.map((raw, index) => {
    const definition = OPENAI_ACTIONS.get(raw.type)
    if (!definition) throw unknownName('action', raw.type, [...OPENAI_ACTIONS.keys()])
    const input = readPart(definition.input, withoutNullFields(raw), actions ? `actions.${index}` : 'action') as never
    return { raw, steps: (screen) => definition.steps(input, screen) }
  })
}

/** Executes actions without a call around them. An unknown type and fields that do not fit are the fault of the outcome. */
async function runOpenAiActions(
  caller: StepCaller,
  given: Pick<OpenAiComputerCall, 'action' | 'actions'>,
  screen: ModelScreen,
  key: string,
  acknowledged: Acknowledgement,
): Promise<StepsOutcome> {
  const read = await faultOf(() => readActions(given))
  if ('fault' in read) return { results: [], fault: read.fault }
  return runTranslated(caller, read.value, screen, key, acknowledged)
}

/** Executes the actions that can be translated. The first that cannot, such as a click outside of the screen, fails. */
async function runTranslated(
  caller: StepCaller,
  actions: readonly ReadAction[],
  screen: ModelScreen,
  key: string,
  acknowledged: Acknowledgement,
): Promise<StepsOutcome> {
  const translated: TranslatedAction[] = []
  let failed: Fault | undefined
  for (const { raw, steps } of actions) {
    const found = await faultOf(() => steps(screen))
    if ('fault' in found) {
      failed = found.fault
      break
    }
    translated.push({ raw, steps: found.value })
  }
  const outcome = await runActions(caller, translated, key, acknowledged)
  return outcome.fault || !failed ? outcome : { ...outcome, fault: failed }
}

/** The outcome of a call whose own safety checks nobody has acknowledged. */
function waitingFor(checks: readonly OpenAiSafetyCheck[]): StepsOutcome {
  const message = checks.map(({ code, message }) => message ?? code ?? 'a safety check').join('; ')
  const id = checks.map((check) => check.id).join(',')
  const confirmation: NeededConfirmation = { id, message, checks }
  return {
    results: [],
    fault: new Fault('ConfirmationRequired', `acknowledge the safety checks: ${message}`),
    confirmation,
  }
}

/** OpenAI: `computer_call` items, `computer_call_output` items as answers. */
export const openAiComputer: ComputerDialect<OpenAiCallOutput, OpenAiToolDefinition> = {
  versions: OPENAI_VERSIONS,
  run: runOpenAi,
  define: async (session, options) => {
    const { size } = await modelScreen(session, OPENAI_BUDGET, options.display)
    const version = (options.version ?? OPENAI_VERSIONS.at(-1)!) as OpenAiVersion
    return openAiDefinition(version, size, session.computer.info.platform)
  },
  errorOf: openAiError,
  pendingOf: ({ id, message, checks }, fault) => ({
    ...openAiError(fault),
    pending_safety_checks: checks ?? [{ id, code: 'confirmation_required', message }],
  }),
  wire: { request: OpenAiComputerCall, response: OpenAiCallOutputSchema, definition: OpenAiToolDefinitionSchema },
}

/** The body of an HTTP error of OpenAI's API. */
export function openAiError({ code, message }: Fault) {
  const isServer = code === 'Internal' || code === 'StorageFailed'
  return { error: { message, type: isServer ? 'server_error' : 'invalid_request_error', param: null, code } }
}

/** A button in the dialect of OpenAI; `wheel` is the middle one. */
type AgentsButton = 'left' | 'right' | 'wheel' | 'back' | 'forward'

/** A `Computer` of OpenAI's Agents SDK. Coordinates are pixels of its screenshots. */
export interface OpenAiAgentsComputer {
  environment: 'mac' | 'windows' | 'ubuntu'
  /** Width and height of screenshots. */
  dimensions: [number, number]
  /** Base64 data of a PNG. */
  screenshot(): Promise<string>
  click(x: number, y: number, button: AgentsButton): Promise<void>
  doubleClick(x: number, y: number): Promise<void>
  /** Scrolls by pixels, positive to the right and down. */
  scroll(x: number, y: number, scrollX: number, scrollY: number): Promise<void>
  type(text: string): Promise<void>
  /** Lets a second pass. */
  wait(): Promise<void>
  move(x: number, y: number): Promise<void>
  keypress(keys: string[]): Promise<void>
  drag(path: [number, number][]): Promise<void>
}

/** Options of a computer or a driver for an SDK of OpenAI. */
export interface OpenAiComputerOptions extends ComputerDriverOptions {
  /**
   * Receives why an action failed. OpenAI has no field for it: the model only gets the next screenshot. An error that is
   * thrown here ends the call without a screenshot.
   */
  readonly onFailure?: ((fault: Fault) => void) | undefined
}

/** Executes actions for an SDK of OpenAI. */
interface OpenAiHands {
  readonly act: (action: OpenAiDriverAction, signal?: AbortSignal | undefined) => Promise<void>
  /** Base64 data of a PNG. */
  readonly look: (signal?: AbortSignal | undefined) => Promise<string>
}

function localHands(session: DesktopSession, options: OpenAiComputerOptions): OpenAiHands {
  const { display, pointer, onFailure } = options
  const callerWith = (signal: AbortSignal | undefined): StepCaller => {
    return { session, audience: 'harness', door: 'openai', ...(signal && { watch: { signal } }) }
  }
  const screenOf = async () => ({ ...(await modelScreen(session, OPENAI_BUDGET, display)), pointer })
  return {
    act: async (action, signal) => {
      const screen = await screenOf()
      const { fault } = await callAcknowledged(options, (acknowledged) =>
        runOpenAiActions(callerWith(signal), { action }, screen, JSON.stringify(action), acknowledged),
      )
      if (fault) onFailure?.(fault)
    },
    look: async (signal) =>
      (await takeScreenshot(callerWith(signal), await screenOf(), { type: 'screenshot' }))?.data ?? NO_PICTURE,
  }
}

function remoteHands(desktop: RemoteDesktop, options: OpenAiComputerOptions): OpenAiHands {
  const run = (action: OpenAiDriverAction, signal: AbortSignal | undefined) => {
    const call = { type: 'computer_call', call_id: `call_${action.type}`, actions: [action] }
    return callAcknowledged(options, (acknowledged) =>
      callRemote<OpenAiCallOutput>(desktop, 'openai', call, { ...options, acknowledged }, signal),
    )
  }
  return {
    act: async (action, signal) => {
      const { fault } = await run(action, signal)
      if (fault) options.onFailure?.(fault)
    },
    look: async (signal) => (await run({ type: 'screenshot' }, signal)).output.output.image_url.slice(DATA_URL.length),
  }
}

/**
 * Creates a `Computer` of OpenAI's Agents SDK that drives a desktop.
 * @param target A session, a test desktop or a testbed.
 * @param options The size of screenshots, and the function that receives failures.
 * @example
 * import { Agent, computerTool } from '@openai/agents'
 * const computer = await createOpenAiComputer(openDesktop({ scenario: 'login' }))
 * const agent = new Agent({ name: 'clerk', tools: [computerTool({ computer })] })
 */
export async function createOpenAiComputer(
  target: ComputerTarget,
  options: OpenAiComputerOptions = {},
): Promise<OpenAiAgentsComputer> {
  const session = sessionIn(target)
  const { size } = await modelScreen(session, OPENAI_BUDGET, options.display)
  const { act, look } = localHands(session, options)
  return {
    environment: OPENAI_PLATFORMS[session.computer.info.platform] ?? 'ubuntu',
    dimensions: [size.width, size.height],
    screenshot: () => look(),
    click: (x, y, button) => act({ type: 'click', x, y, button }),
    doubleClick: (x, y) => act({ type: 'double_click', x, y }),
    scroll: (x, y, scroll_x, scroll_y) => act({ type: 'scroll', x, y, scroll_x, scroll_y }),
    type: (text) => act({ type: 'type', text }),
    wait: () => act({ type: 'wait' }),
    move: (x, y) => act({ type: 'move', x, y }),
    keypress: (keys) => act({ type: 'keypress', keys }),
    drag: (path) => act({ type: 'drag', path: path.map(([x, y]) => ({ x, y })) }),
  }
}

/** An action in the dialect of OpenAI, such as `{"type": "click", "button": "left", "x": 320, "y": 212}`. */
export interface OpenAiDriverAction {
  readonly type: string
  readonly [field: string]: unknown
}

type OpenAiDriverMethod = (action: { readonly type: string }, options: OpenAiDriverCall) => Promise<void>

/** What the SDK passes with an action. */
interface OpenAiDriverCall {
  readonly signal: AbortSignal | undefined
}

/** A driver of the `ComputerToolset` in `openai/helpers/computer`. Coordinates are pixels of its screenshots. */
export interface OpenAiDriver {
  click: OpenAiDriverMethod
  double_click: OpenAiDriverMethod
  drag: OpenAiDriverMethod
  keypress: OpenAiDriverMethod
  move: OpenAiDriverMethod
  scroll: OpenAiDriverMethod
  type: OpenAiDriverMethod
  /** Lets a second pass. */
  wait: OpenAiDriverMethod
  screenshot(options: OpenAiDriverCall): Promise<{ type: 'computer_screenshot'; image_url: string; detail: 'original' }>
}

/**
 * Creates a driver of OpenAI's `ComputerToolset` that drives a desktop.
 * @param target A session, a test desktop or a testbed, or the address of a running server.
 * @param options The size of screenshots, and the function that receives failures.
 * @example
 * import { ComputerToolset } from 'openai/helpers/computer'
 * const computer = new ComputerToolset(createOpenAiDriver(openDesktop({ scenario: 'login' })))
 * const response = await computer.run(new OpenAI(), { model, input: 'Sign in as alice.' })
 */
export function createOpenAiDriver(
  target: ComputerTarget | RemoteDesktop,
  options: OpenAiComputerOptions = {},
): OpenAiDriver {
  const { act, look } = isRemote(target) ? remoteHands(target, options) : localHands(sessionIn(target), options)
  const perform: OpenAiDriverMethod = (action, { signal }) => act(action as OpenAiDriverAction, signal)
  return {
    click: perform,
    double_click: perform,
    drag: perform,
    keypress: perform,
    move: perform,
    scroll: perform,
    type: perform,
    wait: perform,
    screenshot: async ({ signal }) => {
      return { type: 'computer_screenshot', image_url: DATA_URL + (await look(signal)), detail: 'original' }
    },
  }
}
