import { createModelClient } from '../agent/models/model-client.ts'
import { realClock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import type { EnvironmentVariables } from '../base/host.ts'
import { call } from '../observer/call.ts'
import type { DesktopSession } from '../observer/session/session.ts'
import { ANTHROPIC_TOOLSET, anthropicBudget } from '../protocols/computer-tools/anthropic/dialect.ts'
import { runVendorCall } from '../protocols/computer-tools/vendors.ts'
import { runAgent } from '../reference-agent/agent.ts'
import { type AgentDesktop, refusalText, remoteDesktop, sessionDesktop } from '../reference-agent/desktop.ts'
import type { NativeTools, ObservationMode } from '../reference-agent/offered-tools.ts'
import type { AgentRunEvent, AgentRunResult } from '../reference-agent/report.ts'
import type { AuthoredFaults } from '../scenario/faults/catalogue.ts'
import type { VariantChoices } from '../scenario/variants/axis.ts'
import { AGENT_TRACING } from './memory-session.ts'
import {
  costOf,
  type ModelFlags,
  type ModelPrice,
  modelPrice,
  modelSettings,
  type PriceFlags,
} from './model-settings.ts'
import { createTestbed } from './testbed.ts'

export { DIALECT_NAMES } from '../agent/models/model-client.ts'
export { OBSERVATION_MODES, type ObservationMode } from '../reference-agent/offered-tools.ts'
export type { AgentRunEvent, AgentRunResult } from '../reference-agent/report.ts'
export { formatAgentEvent } from '../reference-agent/report.ts'

/** A run of the reference agent, on a scenario or on the desktop of a server. */
export interface ReferenceAgentRun extends ModelFlags, PriceFlags {
  /** A path, or a name of the gallery. */
  readonly scenario?: string | undefined
  /** The URL of an observer, instead of a scenario. */
  readonly desktop?: string | undefined
  /** By default the task of the scenario. */
  readonly task?: string | undefined
  readonly seed?: number | undefined
  readonly variant?: VariantChoices | undefined
  readonly faults?: AuthoredFaults | undefined
  readonly observe: ObservationMode
  /** Offer the vendor's own computer tool. */
  readonly nativeTools?: boolean | undefined
  readonly maxSteps: number
  readonly maxTokens: number
  readonly maxScreenshots: number
  /** The context window of the model, in tokens. */
  readonly maxContextTokens: number
  /** The folder of the trace. */
  readonly traceFolder?: string | undefined
  readonly environment: EnvironmentVariables
  readonly signal: AbortSignal
  readonly report: (event: AgentRunEvent) => void
}

/** The result of a run, with what the model cost. */
export interface PricedResult extends AgentRunResult {
  /** In US dollars. Null when the operator gives no price. */
  readonly costUsd: number | null
}

/** The result of a run, and the judgement of the scenario. */
export interface JudgedRun extends PricedResult {
  /** 1: the success oracles hold; -1: a failure oracle holds; else 0. Null without a scenario. */
  readonly reward: number | null
  readonly score: number | null
  readonly trace: string | null
}

/**
 * Runs the reference agent.
 * @throws A `Fault` `BadRequest` for wrong settings, and `ScenarioInvalid` for a scenario that cannot be loaded.
 */
export async function runReferenceAgent(run: ReferenceAgentRun): Promise<JudgedRun> {
  const settings = modelSettings(run.environment, run)
  if (!settings) throw new Fault('BadRequest', 'name the model with --model, or in BACKLOT_MODEL')
  const price = modelPrice(run.environment, run)
  if (run.nativeTools) assertNative(settings.dialect.name, run.observe)
  if (run.desktop !== undefined) {
    const { task, desktop } = run
    if (!task) throw new Fault('BadRequest', '--desktop needs the task: use --task')
    assertDesktopUrl(desktop)
    const remote = remoteDesktop(desktop, run.signal, run.environment.BACKLOT_TOKEN?.trim() || undefined)
    const { ok, body } = await remote.call('list_windows', {})
    if (!ok) {
      const { code } = (body.error ?? {}) as { readonly code?: unknown }
      const reason =
        code === 'Unauthorized' ? 'BACKLOT_TOKEN must be the token of the server' : refusalText({ ok, body })
      throw new Fault('BadRequest', `--desktop ${desktop}: ${reason}`)
    }
    return { ...(await act(run, remote, task)), reward: null, score: null, trace: null }
  }
  const { scenario, seed, variant, faults, traceFolder } = run
  await using testbed = await createTestbed({
    scenario,
    seed,
    variant,
    faults,
    tools: 'agent',
    env: run.environment,
    ...(traceFolder !== undefined && { config: { tracing: { ...AGENT_TRACING, dir: traceFolder } } }),
  })
  const { session } = testbed
  const task = run.task ?? session.computer.simulation?.task
  if (!task) throw new Fault('BadRequest', 'the scenario has no task: use --task')
  if (traceFolder !== undefined) await required(call(session, 'trace_start', { label: `agent ${settings.model}` }))
  const native = run.nativeTools ? nativeToolsOf(settings.dialect.name, session) : undefined
  const report = writeModelTurns(session, run.report, price)
  const result = await act({ ...run, native, report }, sessionDesktop(session), task)
  const trace = traceFolder === undefined ? null : String((await required(call(session, 'trace_stop', {}))).path)
  const { reward, score } = await required(call(session, 'session_info', {}))
  return { ...result, reward: reward as number | null, score: score as number | null, trace }

  async function act(
    options: ReferenceAgentRun & { readonly native?: NativeTools | undefined },
    desktop: AgentDesktop,
    task: string,
  ): Promise<PricedResult> {
    const clock = realClock()
    // A request has the newest screenshots only, so the client need not drop any.
    const client = createModelClient({ ...settings!, clock, maxImages: options.maxScreenshots })
    const result = await runAgent({ ...options, task, desktop, client, clock, model: settings!.model })
    return { ...result, costUsd: costOf(price, result) ?? null }
  }
}

/** What the reference agent plays with on a session that another program opened. */
export interface SessionRun extends ModelFlags {
  readonly task: string
  readonly maxSteps: number
  readonly maxTokens: number
  readonly environment: EnvironmentVariables
  readonly signal: AbortSignal
  readonly report: (event: AgentRunEvent) => void
}

/** The defaults of the limits of a run. */
export const AGENT_LIMITS = { maxSteps: 40, maxTokens: 500_000, maxScreenshots: 3, maxContextTokens: 100_000 } as const

/**
 * Runs the reference agent on a session, with its screenshots and elements.
 * @throws A `Fault` `BadRequest` for wrong settings of the model.
 */
export async function runOnSession(session: DesktopSession, run: SessionRun): Promise<PricedResult> {
  const settings = modelSettings(run.environment, run)
  if (!settings) throw new Fault('BadRequest', 'name the model in BACKLOT_MODEL')
  const clock = realClock()
  const client = createModelClient({ ...settings, clock, maxImages: AGENT_LIMITS.maxScreenshots })
  const desktop = sessionDesktop(session)
  const price = modelPrice(run.environment)
  const report = writeModelTurns(session, run.report, price)
  const parts = { report, desktop, client, clock, model: settings.model }
  const result = await runAgent({ ...AGENT_LIMITS, ...run, ...parts, observe: 'both' })
  return { ...result, costUsd: costOf(price, result) ?? null }
}

/** Throws `BadRequest` for an address that cannot take a path. The message does not repeat credentials. */
function assertDesktopUrl(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const complain = (problem: string) =>
    new Fault('BadRequest', `--desktop must be the URL of an observer, such as http://127.0.0.1:5001${problem}`)
  if (!url || !/^https?:$/.test(url.protocol)) throw complain('')
  if (url.username || url.password) throw complain(', without a user and a password; the token goes into BACKLOT_TOKEN')
  if (url.search || url.hash) throw complain(', without anything after ? or #')
}

async function required(outcome: ReturnType<typeof call>) {
  const { body, fault } = await outcome
  if (fault) throw fault
  return body
}

/** The turn of a model that is being collected. */
interface OpenTurn {
  /** The rows of the trace before it. */
  readonly after: number
  readonly step: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly latencyMs: number
  readonly calls: { readonly tool: string; readonly args: unknown }[]
  readonly message: string
  readonly reasoning: string
}

/**
 * Writes each turn of the model of the reference agent into `model.jsonl` beside the active trace of a session.
 * @param price The price of the model. Without it, the lines have no cost.
 * @returns A listener of the events of a run, which passes them on to `report`.
 */
export function writeModelTurns(
  { context: { tracing } }: DesktopSession,
  report: (event: AgentRunEvent) => void,
  price?: ModelPrice,
): (event: AgentRunEvent) => void {
  if (!tracing.active) return report
  let model = ''
  let said = { message: '', reasoning: '' }
  let turn: OpenTurn | undefined
  // A turn is written after its calls, when the trace knows the texts that it hides.
  const write = () => {
    if (!turn) return
    const { after, step, inputTokens, outputTokens, latencyMs, message, reasoning, calls } = turn
    const texts = { ...(message !== '' && { message }), ...(reasoning !== '' && { reasoning }) }
    const costUsd = costOf(price, turn)
    turn = undefined
    const used = { input_tokens: inputTokens, output_tokens: outputTokens, latency_ms: latencyMs }
    const cost = costUsd === undefined ? {} : { cost_usd: costUsd }
    tracing.note('model', { after, turn: step, model, ...texts, calls, ...used, ...cost })
  }
  return (event) => {
    if (event.type === 'task') model = event.model
    if (event.type === 'thought') said = { ...said, reasoning: said.reasoning + event.text }
    if (event.type === 'text') said = { ...said, message: said.message + event.text }
    if (event.type === 'thought' || event.type === 'end') write()
    if (event.type === 'usage') {
      write()
      const { step, inputTokens, outputTokens, latencyMs } = event
      turn = { after: tracing.rows, step, inputTokens, outputTokens, latencyMs, calls: [], ...said }
      said = { message: '', reasoning: '' }
    }
    if (event.type === 'call') turn?.calls.push({ tool: event.tool, args: event.args })
    report(event)
  }
}

const TOOLSET = 'computer_toolset_20260801'
const MAX_ID_CHARACTERS = 100

/** Throws `BadRequest` if the dialect has no computer tool, or if the model would not see what it points at. */
function assertNative(dialect: string, observe: ObservationMode): void {
  if (dialect !== 'anthropic')
    throw new Fault(
      'BadRequest',
      `--native-tools needs --dialect anthropic, not ${dialect}: its API has no computer tool here`,
    )
  if (observe === 'tree') throw new Fault('BadRequest', '--native-tools needs screenshots: use --observe both')
}

/** The computer toolset of Anthropic, on the desktop of a session. */
function nativeToolsOf(dialect: string, session: DesktopSession): NativeTools {
  return {
    tool: {
      name: ANTHROPIC_TOOLSET,
      description: '',
      input: { type: 'object' },
      native: { dialect, definition: { type: TOOLSET } },
    },
    pictureLimits: anthropicBudget(TOOLSET),
    run: async ({ id, tool, args }) => {
      // The door limits the length of ids, which endpoints choose.
      const toolUse = {
        type: 'tool_use',
        id: id.slice(0, MAX_ID_CHARACTERS) || tool,
        name: tool,
        input: args,
        toolset_name: ANTHROPIC_TOOLSET,
      }
      const { output, fault } = await runVendorCall({ session, audience: 'agent' }, 'anthropic', toolUse, {
        version: TOOLSET,
      })
      const parts = [output].flat().flatMap(({ content }) => content)
      const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
      const images = parts.flatMap((part) =>
        part.type === 'image' ? [{ mimeType: part.source.media_type, base64: part.source.data }] : [],
      )
      // The agent shows the screen after each answer anyway.
      return { ok: fault === undefined, text, ...(tool !== 'screenshot' && images.length > 0 && { images }) }
    },
  }
}
