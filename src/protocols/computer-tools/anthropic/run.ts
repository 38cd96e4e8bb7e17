import { Fault } from '../../../base/fault.ts'
import type { ComputerCallOptions, ComputerCallResult } from '../dialect.ts'
import { MAX_VENDOR_CALLS, readPart, unknownName, withoutNullFields } from '../input.ts'
import { type ModelScreen, modelScreen } from '../screen.ts'
import { faultOf, pictureOf, runActions, type StepCaller, type StepsOutcome, takeScreenshot } from '../steps.ts'
import { ANTHROPIC_ACTIONS, type AnthropicAction } from './actions.ts'
import { ANTHROPIC_TOOLSET, type AnthropicVersion, anthropicActionNames, anthropicBudget } from './definition.ts'
import { AnthropicRequest, type AnthropicText, type AnthropicToolResult, AnthropicToolUse } from './wire.ts'

type Content = AnthropicToolResult['content']

/** Executes `tool_use` blocks in order. After the first failure the others are answered as not executed. */
export async function runAnthropic(
  caller: StepCaller,
  body: unknown,
  options: ComputerCallOptions,
): Promise<ComputerCallResult<AnthropicToolResult | AnthropicToolResult[]>> {
  const { calls, several } = readCalls(body)
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

const NOT_EXECUTED = 'Not executed: an earlier computer action in this turn failed.'

/** The calls of a request. Blocks of other kinds and calls of other tools in a message are not answered. */
function readCalls(body: unknown): { readonly calls: readonly AnthropicToolUse[]; readonly several: boolean } {
  if (!Array.isArray(body) && (body as { content?: unknown } | null | undefined)?.content === undefined) {
    const toolUse = readPart(AnthropicToolUse, body)
    if (isComputerCall(toolUse)) return { calls: [toolUse], several: false }
    throw new Fault(
      'BadRequest',
      `name: ${JSON.stringify(toolUse.name.slice(0, 100))} is not "computer", and toolset_name is not "computer"`,
      { field: 'name' },
    )
  }
  const request = readPart(AnthropicRequest, body)
  const blocks = Array.isArray(request) ? request : (request.content as readonly { readonly type: string }[])
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map((block) => readPart(AnthropicToolUse, block))
    .filter(isComputerCall)
  if (calls.length === 0) throw new Fault('BadRequest', 'there is no tool_use block of the computer tool')
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
export async function executeToolUse(
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
