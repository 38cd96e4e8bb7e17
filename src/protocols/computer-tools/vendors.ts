import type { DesktopSession } from '../../observer/session/session.ts'
import type { Audience, CallWatch } from '../../observer/tool.ts'
import { type AnthropicToolDefinition, type AnthropicToolResult, anthropicComputer } from './anthropic/dialect.ts'
import { type AnthropicBrowserDefinition, type AnthropicBrowserResult, anthropicBrowser } from './browser/anthropic.ts'
import { type OpenAiBrowserFunction, type OpenAiBrowserOutput, openAiBrowser } from './browser/openai.ts'
import {
  type ComputerCallOptions,
  type ComputerCallResult,
  type ComputerDialect,
  type ComputerTarget,
  type ComputerToolOptions,
  sessionIn,
} from './dialect.ts'
import { type GeminiOutput, type GeminiToolDefinition, geminiComputer } from './gemini/dialect.ts'
import { assertShallow, unknownName } from './input.ts'
import { type OpenAiCallOutput, type OpenAiToolDefinition, openAiComputer } from './openai.ts'

/** The computer tools of model vendors. A vendor is a folder and its line here. */
export const COMPUTER_DIALECTS: {
  readonly [Vendor in ComputerVendor]: ComputerDialect<ComputerOutputs[Vendor], ComputerDefinitions[Vendor]>
} = {
  anthropic: anthropicComputer,
  openai: openAiComputer,
  gemini: geminiComputer,
  'anthropic-browser': anthropicBrowser,
  'openai-browser': openAiBrowser,
}

/** The names of all vendors. */
export const COMPUTER_VENDORS = Object.keys(COMPUTER_DIALECTS) as readonly ComputerVendor[]

/** Throws `BadRequest` for an unknown vendor. */
function assertVendor(name: string): asserts name is ComputerVendor {
  if (!(COMPUTER_VENDORS as readonly string[]).includes(name)) throw unknownName('vendor', name, COMPUTER_VENDORS)
}

/** What a model gets as the answer to a call, by vendor. An array for a request with several calls. */
export interface ComputerOutputs {
  readonly anthropic: AnthropicToolResult | AnthropicToolResult[]
  readonly openai: OpenAiCallOutput
  readonly gemini: GeminiOutput
  readonly 'anthropic-browser': AnthropicBrowserResult | AnthropicBrowserResult[]
  readonly 'openai-browser': OpenAiBrowserOutput
}

/** The computer tool in a request to the vendor's API, by vendor. */
export interface ComputerDefinitions {
  readonly anthropic: AnthropicToolDefinition
  readonly openai: OpenAiToolDefinition
  readonly gemini: GeminiToolDefinition
  readonly 'anthropic-browser': AnthropicBrowserDefinition
  readonly 'openai-browser': OpenAiBrowserFunction[]
}

/** A vendor whose computer tool is served. */
export type ComputerVendor = keyof ComputerOutputs

/** Who sends a call over a wire. */
export interface VendorCaller {
  readonly session: DesktopSession
  readonly audience: Audience
  readonly watch?: CallWatch | undefined
}

/** Executes a request in a vendor's dialect on behalf of a caller. Throws `BadRequest` for a request that is none. */
export async function runVendorCall<Vendor extends ComputerVendor>(
  caller: VendorCaller,
  vendor: Vendor,
  body: unknown,
  options: ComputerCallOptions,
): Promise<ComputerCallResult<ComputerOutputs[Vendor]>> {
  assertShallow(body)
  return dialectFor(vendor, options).run({ ...caller, door: vendor }, body, options)
}

/** The dialect of a vendor. Throws `BadRequest` for an unknown vendor or version. */
function dialectFor<Vendor extends ComputerVendor>(vendor: Vendor, { version }: ComputerToolOptions) {
  assertVendor(vendor)
  const dialect = COMPUTER_DIALECTS[vendor]
  if (version !== undefined && !dialect.versions.includes(version))
    throw unknownName('version', version, dialect.versions)
  return dialect as unknown as ComputerDialect<ComputerOutputs[Vendor], ComputerDefinitions[Vendor]>
}

/**
 * Executes what a model sent to its vendor's computer tool. Every action passes all gates. A call that fails has a `fault`,
 * and its `output` tells the model.
 * @param target A session, a test desktop or a testbed.
 * @param vendor The vendor of the model.
 * @param toolCall One call, or several in the shape of the vendor's API.
 * @param options The version of the tool, the size of screenshots, and confirmations.
 * @throws A `Fault` `BadRequest` when it is not a call of the vendor's computer tool.
 * @example
 * const input = { action: 'left_click', coordinate: [320, 212] }
 * const { output } = await runComputerCall(desktop, 'anthropic', { type: 'tool_use', id: 'a', name: 'computer', input })
 */
export const runComputerCall = async <Vendor extends ComputerVendor>(
  target: ComputerTarget,
  vendor: Vendor,
  toolCall: unknown,
  options: ComputerCallOptions = {},
): Promise<ComputerCallResult<ComputerOutputs[Vendor]>> =>
  runVendorCall({ session: sessionIn(target), audience: 'harness' }, vendor, toolCall, options)

/**
 * Describes a desktop as a vendor's computer tool, for the `tools` of a request to its API.
 * @param target A session, a test desktop or a testbed.
 * @param vendor The vendor of the model.
 * @param options The version of the tool, and the size of screenshots.
 * @throws A `Fault` `BadRequest` for an unknown version, or a size that does not have the shape of the screen.
 * @example
 * const tool = await computerTool(desktop, 'anthropic', { version: 'computer_20251124' })
 */
export const computerTool = async <Vendor extends ComputerVendor>(
  target: ComputerTarget,
  vendor: Vendor,
  options: ComputerToolOptions = {},
): Promise<ComputerDefinitions[Vendor]> => dialectFor(vendor, options).define(sessionIn(target), options)
