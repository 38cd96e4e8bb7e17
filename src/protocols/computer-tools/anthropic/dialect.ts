import * as z from 'zod'
import { Fault, type FaultCode } from '../../../base/fault.ts'
import type { DesktopSession } from '../../../observer/session/session.ts'
import type { PictureBudget } from '../../../observer/tools/capture.ts'
import {
  type ComputerCallOptions,
  type ComputerCallResult,
  type ComputerDialect,
  type ComputerDriverOptions,
  type ComputerTarget,
  callAcknowledged,
  sessionIn,
} from '../dialect.ts'
import { MAX_VENDOR_CALLS, readPart, unknownName, withoutNullFields } from '../input.ts'
import { callRemote, isRemote, type RemoteDesktop } from '../remote.ts'
import { type ModelScreen, modelScreen, type PixelSize, toScreenshotPoint } from '../screen.ts'
import { faultOf, pictureOf, runActions, type StepCaller, type StepsOutcome, takeScreenshot } from '../steps.ts'
import { ANTHROPIC_ACTIONS, type AnthropicAction } from './actions.ts'

/** A `tool_use` block of Anthropic's Messages API, of the single tool or of the toolset. */
export const AnthropicToolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().min(1).max(500),
  name: z.string(),
  input: z.unknown().optional(),
  toolset_name: z.string().nullish(),
})
export type AnthropicToolUse = z.infer<typeof AnthropicToolUse>

/** One call, several calls, or the message of a model that contains them. */
export const AnthropicRequest = z.union([
  AnthropicToolUse,
  z.array(z.looseObject({ type: z.string() })),
  z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) }),
])

/** Text for the model. */
export interface AnthropicText {
  type: 'text'
  text: string
}

/** A screenshot for the model. */
export interface AnthropicImage {
  type: 'image'
  source: { type: 'base64'; media_type: 'image/png'; data: string }
}

/** The `tool_result` block that answers a `tool_use` block. */
export interface AnthropicToolResult {
  type: 'tool_result'
  tool_use_id: string
  /** Repeated from calls of the toolset. */
  toolset_name?: string
  content: (AnthropicText | AnthropicImage)[]
  is_error?: true
}

const AnthropicToolResultSchema = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  toolset_name: z.string().optional(),
  content: z.array(z.looseObject({ type: z.enum(['text', 'image']) })),
  is_error: z.literal(true).optional(),
})

/** The versions of Anthropic's computer tool, the newest last. */
export const ANTHROPIC_VERSIONS = [
  'computer_20241022',
  'computer_20250124',
  'computer_20251124',
  'computer_toolset_20260801',
] as const
type AnthropicVersion = (typeof ANTHROPIC_VERSIONS)[number]

/** The name of the toolset in its calls. */
export const ANTHROPIC_TOOLSET = 'computer'

/** An entry of `tools` in a request to Anthropic's API. */
export type AnthropicToolDefinition =
  | { type: 'computer_20241022'; name: 'computer'; display_width_px: number; display_height_px: number }
  | { type: 'computer_20250124'; name: 'computer'; display_width_px: number; display_height_px: number }
  | {
      type: 'computer_20251124'
      name: 'computer'
      display_width_px: number
      display_height_px: number
      enable_zoom: boolean
    }
  | { type: 'computer_toolset_20260801' }

/** The entry of `tools` for a version. */
function anthropicDefinition(version: AnthropicVersion, { width, height }: PixelSize): AnthropicToolDefinition {
  if (version === 'computer_toolset_20260801') return { type: version }
  const entry = { name: 'computer' as const, display_width_px: width, display_height_px: height }
  return version === 'computer_20251124' ? { type: version, ...entry, enable_zoom: true } : { type: version, ...entry }
}

/** The names of a version's actions. */
export const anthropicActionNames = (version: AnthropicVersion | undefined): readonly string[] => {
  const dated = version === undefined || version === 'computer_toolset_20260801' ? Infinity : Number(version.slice(9))
  return [...ANTHROPIC_ACTIONS].flatMap(([name, { since }]) => (since <= dated ? [name] : []))
}

/** The models of the toolset take larger pictures than those of the single tool before it. */
export const anthropicBudget = (version: AnthropicVersion): PictureBudget =>
  version === 'computer_toolset_20260801'
    ? { max_width: 2576, max_height: 2576 }
    : { max_width: 1568, max_height: 1568, max_pixels: 1_150_000 }

const AnthropicToolDefinitionSchema = z.object({
  type: z.enum(ANTHROPIC_VERSIONS),
  name: z.literal('computer').optional(),
  display_width_px: z.int().optional(),
  display_height_px: z.int().optional(),
  enable_zoom: z.boolean().optional(),
})

const TYPES: Partial<Record<FaultCode, string>> = {
  Unauthorized: 'authentication_error',
  PermissionDenied: 'permission_error',
  SessionNotFound: 'not_found_error',
  TooLarge: 'request_too_large',
  RateLimited: 'rate_limit_error',
  Busy: 'overloaded_error',
  Internal: 'api_error',
  StorageFailed: 'api_error',
}

/** The body of an HTTP error of Anthropic's API. */
export const anthropicError = ({ code, message }: Fault) => ({
  type: 'error',
  error: { type: TYPES[code] ?? 'invalid_request_error', message },
})

type Content = AnthropicToolResult['content']

/** Executes `tool_use` blocks in order. After the first failure the others are answered as not executed. */
async function runAnthropic(
  caller: StepCaller,
  body: unknown,
  options: ComputerCallOptions,
): Promise<ComputerCallResult<AnthropicToolResult | AnthropicToolResult[]>> {
  const { calls, several } = readToolUses(body, 'computer', isComputerCall)
  const version = options.version as AnthropicVersion | undefined
  const results: AnthropicToolResult[] = []
  let failed: StepsOutcome | undefined
  for (const toolUse of calls) {
    if (failed) {
      results.push(toolResult(toolUse, [text(NOT_EXECUTED)], true))
      continue
    }
    const { result, outcome } = await runToolUse(caller, toolUse, version, options)
    results.push(result)
    if (outcome.fault) failed = outcome
  }
  return {
    output: several ? results : results[0]!,
    ...(failed?.fault && { fault: failed.fault }),
    ...(failed?.confirmation && { confirmation: failed.confirmation }),
  }
}

/** Answers the calls after a failure. */
export const NOT_EXECUTED = 'Not executed: an earlier computer action in this turn failed.'

/** The calls of a request. Blocks of other kinds and calls of other tools in a message are not answered. */
export function readToolUses(
  body: unknown,
  tool: string,
  isMeant: (toolUse: AnthropicToolUse) => boolean,
): { readonly calls: readonly AnthropicToolUse[]; readonly several: boolean } {
  if (!Array.isArray(body) && (body as { content?: unknown } | null | undefined)?.content === undefined) {
    const toolUse = readPart(AnthropicToolUse, body)
    if (isMeant(toolUse)) return { calls: [toolUse], several: false }
    throw new Fault(
      'BadRequest',
      `name: ${JSON.stringify(toolUse.name.slice(0, 100))} is not "${tool}", and toolset_name is not "${tool}"`,
      { field: 'name' },
    )
  }
  const request = readPart(AnthropicRequest, body)
  const blocks = Array.isArray(request) ? request : (request.content as readonly { readonly type: string }[])
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map((block) => readPart(AnthropicToolUse, block))
    .filter(isMeant)
  if (calls.length === 0) throw new Fault('BadRequest', `there is no tool_use block of the ${tool} tool`)
  if (calls.length > MAX_VENDOR_CALLS)
    throw new Fault('BadRequest', `send at most ${MAX_VENDOR_CALLS} tool_use blocks at once`)
  return { calls, several: true }
}

const isComputerCall = ({ name, toolset_name }: AnthropicToolUse): boolean =>
  toolset_name === ANTHROPIC_TOOLSET || ((toolset_name ?? undefined) === undefined && name === 'computer')

/** What became of one call. */
interface ToolUseOutcome {
  readonly outcome: StepsOutcome
  readonly screen: ModelScreen
  /** The line for the model. Undefined for pictures and after a failure. */
  readonly line?: string | undefined
  /** Whether it only looked. */
  readonly looks: boolean
}

/** Executes one call of the single tool or of a member of the toolset. */
async function executeToolUse(
  caller: StepCaller,
  toolUse: AnthropicToolUse,
  version: AnthropicVersion | undefined,
  { display, pointer, acknowledged }: ComputerCallOptions,
): Promise<ToolUseOutcome> {
  const isMember = toolUse.toolset_name === ANTHROPIC_TOOLSET
  const sizedAs = version ?? (isMember ? 'computer_toolset_20260801' : 'computer_20251124')
  const screen = { ...(await modelScreen(caller.session, anthropicBudget(sizedAs), display)), pointer }
  const translated = await faultOf(() => translate(caller, toolUse, version, screen))
  if ('fault' in translated) return { outcome: { results: [], fault: translated.fault }, screen, looks: true }
  const { action, input, steps } = translated.value
  const outcome = await runActions(caller, [{ raw: toolUse, steps }], JSON.stringify(toolUse), acknowledged)
  const line = outcome.fault ? undefined : action.line?.(input, outcome.results.at(-1) ?? {}, screen)
  return { outcome, screen, line, looks: action.looks ?? false }
}

async function runToolUse(
  caller: StepCaller,
  toolUse: AnthropicToolUse,
  version: AnthropicVersion | undefined,
  options: ComputerCallOptions,
): Promise<{ readonly result: AnthropicToolResult; readonly outcome: StepsOutcome }> {
  const { outcome, screen, line, looks } = await executeToolUse(caller, toolUse, version, options)
  if (outcome.fault) {
    const result = toolResult(toolUse, [text(`Error: ${outcome.fault.message}`)], true)
    return { result, outcome }
  }
  const wanted = options.screenshot ?? (toolUse.toolset_name !== ANTHROPIC_TOOLSET && !looks)
  const picture =
    line === undefined
      ? pictureOf(outcome.results.at(-1))
      : wanted && (await takeScreenshot(caller, screen, withoutInput(toolUse)))
  const content: Content = line === undefined ? [] : [text(line)]
  if (picture) content.push({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture.data } })
  return { result: toolResult(toolUse, content, false), outcome }
}

/** The steps of a call. Throws `BadRequest` for an unknown action and for input that does not fit. */
async function translate(
  { session }: StepCaller,
  toolUse: AnthropicToolUse,
  version: AnthropicVersion | undefined,
  screen: ModelScreen,
) {
  const isMember = toolUse.toolset_name === ANTHROPIC_TOOLSET
  const { action: named, ...rest } = (toolUse.input ?? {}) as { action?: unknown }
  const name = isMember ? toolUse.name : named
  const known = anthropicActionNames(version)
  if (typeof name !== 'string')
    throw new Fault('BadRequest', `action: name one of ${known.join(', ')}`, { field: 'action' })
  const action = known.includes(name) ? ANTHROPIC_ACTIONS.get(name) : undefined
  if (!action) throw unknownName('action', name, known)
  const schema = (isMember && action.memberInput) || action.input
  const input = readPart(schema, withoutNullFields(isMember ? (toolUse.input ?? {}) : rest), name) as never
  const here = action.startsHere?.(input) ? (await session.computer.pointer()).at : undefined
  return { action: action as AnthropicAction, input, steps: action.steps(input, { ...screen, here }) }
}

/** What the trace says of the screenshot after a call, without what the call may have typed. */
const withoutInput = ({ type, id, name }: AnthropicToolUse) => ({ type, id, name })

const text = (line: string): AnthropicText => ({ type: 'text', text: line })

const toolResult = (
  { id, toolset_name }: AnthropicToolUse,
  content: Content,
  isError: boolean,
): AnthropicToolResult => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(toolset_name && { toolset_name }),
  content,
  ...(isError && { is_error: true as const }),
})

/** Anthropic: `tool_use` blocks of the single tool and of the toolset, `tool_result` blocks as answers. */
export const anthropicComputer: ComputerDialect<AnthropicToolResult | AnthropicToolResult[], AnthropicToolDefinition> =
  {
    versions: ANTHROPIC_VERSIONS,
    run: runAnthropic,
    define: async (session, options) => {
      const version = (options.version ?? ANTHROPIC_VERSIONS.at(-1)!) as AnthropicVersion
      const { size } = await modelScreen(session, anthropicBudget(version), options.display)
      return anthropicDefinition(version, size)
    },
    errorOf: anthropicError,
    wire: {
      request: AnthropicRequest,
      response: AnthropicToolResultSchema.or(AnthropicToolResultSchema.array()),
      definition: AnthropicToolDefinitionSchema,
    },
  }

/** What the SDK passes about a call. */
interface ToolsetCall {
  readonly toolUse?: { readonly id?: string } | undefined
  readonly signal?: AbortSignal | null | undefined
}

/**
 * Creates a computer toolset of Anthropic's SDK that drives a desktop. It serves all members. Coordinates are pixels of its
 * screenshots; a call that fails throws its reason, which the SDK reports to the model.
 *
 * The SDK asks its `confirm` function before each call. On a synthetic desktop of this process the default confirms everything.
 * @param Base The class `BetaAbstractComputerToolset20260801` of `@anthropic-ai/sdk/helpers/beta/toolsets`.
 * @param target A session, a test desktop or a testbed, or the address of a running server.
 * @param options The options of the class, such as `confirm` and `configs`, and the size of screenshots.
 * @example
 * import { BetaAbstractComputerToolset20260801 } from '@anthropic-ai/sdk/helpers/beta/toolsets'
 * const computer = createAnthropicToolset(BetaAbstractComputerToolset20260801, openDesktop({ scenario: 'login' }))
 * const runner = client.beta.messages.toolRunner({ model, max_tokens: 4096, messages, tools: [computer] })
 */
export function createAnthropicToolset<Options extends object, Toolset extends object>(
  Base: abstract new (options?: Options) => Toolset,
  target: ComputerTarget | RemoteDesktop,
  options: Options & ComputerDriverOptions = {} as Options,
): Toolset {
  const { display, pointer, acknowledge, ...given } = options
  const execute = isRemote(target) ? remoteMember(target, options) : localMember(sessionIn(target), options)
  const Served = class extends (Base as unknown as new (options: object) => object) {
    /** Every member of the toolset. */
    execute({ toolUse, signal }: ToolsetCall, name: string, input: unknown): Promise<unknown> {
      const call = { type: 'tool_use' as const, id: toolUse?.id ?? name, name, toolset_name: ANTHROPIC_TOOLSET, input }
      return execute(call, signal)
    }
  }
  const isSynthetic = !isRemote(target) && sessionIn(target).computer.info.synthetic
  return new Served({ ...(isSynthetic && { confirm: () => true }), ...given }) as Toolset
}

/** Executes a call of a member: nothing, a point or a picture, as the SDK wants it. Throws the reason of a failure. */
type ToolsetMember = (call: AnthropicToolUse, signal: ToolsetCall['signal']) => Promise<unknown>

const localMember =
  (session: DesktopSession, options: ComputerDriverOptions): ToolsetMember =>
  async (call, signal) => {
    const { display, pointer } = options
    const caller = { session, audience: 'harness' as const, door: 'anthropic', ...(signal && { watch: { signal } }) }
    const { screen, outcome } = await callAcknowledged(options, async (acknowledged) => {
      const done = await executeToolUse(caller, call, undefined, { display, pointer, acknowledged })
      return { ...done, ...(done.outcome.confirmation && { confirmation: done.outcome.confirmation }) }
    })
    const { fault, results } = outcome
    if (fault) throw new Fault(fault.code, fault.message, fault.context)
    const last = results.at(-1) ?? {}
    const picture = pictureOf(last)
    if (picture) return { data: picture.data, mediaType: 'image/png' }
    const isPoint = call.name === 'cursor_position'
    return isPoint ? toScreenshotPoint(screen, { x: Number(last.x), y: Number(last.y) }) : undefined
  }

const remoteMember =
  (desktop: RemoteDesktop, options: ComputerDriverOptions): ToolsetMember =>
  async (call, signal) => {
    const { fault, output } = await callAcknowledged(options, (acknowledged) =>
      callRemote<AnthropicToolResult>(desktop, 'anthropic', call, { ...options, acknowledged }, signal),
    )
    if (fault) throw fault
    const [answer] = output.content
    if (answer?.type === 'image') return { data: answer.source.data, mediaType: 'image/png' }
    const point = call.name === 'cursor_position' && /^X=(\d+),Y=(\d+)$/.exec(answer?.text ?? '')
    return point ? { x: Number(point[1]), y: Number(point[2]) } : undefined
  }
