import { Fault } from '../../base/fault.ts'
import type { OpenTab } from '../../observer/browser-tabs.ts'
import type { AnthropicBrowserResult, BrowserStateBlock } from './browser/anthropic.ts'
import { OPENAI_BROWSER_FUNCTIONS, type OpenAiBrowserOutput } from './browser/openai.ts'
import { type ComputerDriverOptions, type ComputerTarget, callAcknowledged, sessionIn } from './dialect.ts'
import { callRemote, isRemote, type RemoteDesktop } from './remote.ts'
import { runVendorCall } from './vendors.ts'

/** Drivers of the browser toolsets in the SDKs of Anthropic and OpenAI. */

/** Options of a driver for a browser. Its pictures have the size of the page. */
export type BrowserDriverOptions = Omit<ComputerDriverOptions, 'display'>

type BrowserVendor = 'anthropic-browser' | 'openai-browser'

/** Sends a call to the browser of a desktop, and returns the answer. Throws the fault of a call that failed. */
type SendCall<Output> = (call: object, signal: AbortSignal | null | undefined) => Promise<Output>

function senderTo<Output>(
  target: ComputerTarget | RemoteDesktop,
  vendor: BrowserVendor,
  { pointer, acknowledge }: BrowserDriverOptions,
): SendCall<Output> {
  const session = isRemote(target) ? undefined : sessionIn(target)
  return async (call, signal) => {
    const { output, fault } = await callAcknowledged({ acknowledge }, async (acknowledged) => {
      const options = { pointer, acknowledged }
      if (!session) return callRemote<unknown>(target as RemoteDesktop, vendor, call, options, signal)
      const caller = { session, audience: 'harness' as const, ...(signal && { watch: { signal } }) }
      return runVendorCall(caller, vendor, call, options)
    })
    if (fault) throw new Fault(fault.code, fault.message, fault.context)
    return output as Output
  }
}

/** What the SDK of Anthropic passes with a call. */
interface BrowserCallContext {
  readonly toolUse?: { readonly id: string } | undefined
  readonly signal?: AbortSignal | null | undefined
}

/** The open tabs, and what the last call changed. */
export interface AnthropicBrowserState {
  tabs: BrowserStateBlock['tabs']
  state_changes?: BrowserStateBlock['state_changes']
}

/** The options of the toolset class of the SDK that this function fills in. */
interface BrowserToolsetFilled {
  readonly browserState: (context: BrowserCallContext) => Promise<AnthropicBrowserState>
}

/**
 * Creates the browser toolset of Anthropic's SDK that acts in the browser of a desktop. Members that need a real page (scripts, console,
 * network, files) stay disabled.
 * @param Base The class `BetaAbstractBrowserToolset20260801` of `@anthropic-ai/sdk/helpers/beta/toolsets`.
 * @param target A session, a test desktop or a testbed, or the address of a running server.
 * @param options The options of the class but `browserState`, such as `confirm`, `urlPolicy` and `configs`.
 * @example
 * import { BetaAbstractBrowserToolset20260801 } from '@anthropic-ai/sdk/helpers/beta/toolsets'
 * const browser = createAnthropicBrowserToolset(BetaAbstractBrowserToolset20260801, openDesktop({ scenario: 'web' }))
 * const runner = client.beta.messages.toolRunner({ model, max_tokens: 4096, messages, tools: [browser] })
 */
export function createAnthropicBrowserToolset<Options extends object, Toolset extends object>(
  Base: abstract new (options: Options) => Toolset,
  target: ComputerTarget | RemoteDesktop,
  options: Omit<Options, keyof BrowserToolsetFilled> & BrowserDriverOptions = {} as Options,
): Toolset {
  const { pointer, acknowledge, ...given } = options
  const send = senderTo<AnthropicBrowserResult>(target, 'anthropic-browser', { pointer, acknowledge })
  let changes: AnthropicBrowserState['state_changes']
  const ask = async ({ toolUse, signal }: BrowserCallContext, name: string, input: unknown) => {
    const call = { type: 'tool_use', id: toolUse?.id ?? name, name, toolset_name: 'browser', input }
    const { content } = await send(call, signal)
    const state = content.find((part) => part.type === 'browser_state')!
    if (state.state_changes) changes = [...(changes ?? []), ...state.state_changes]
    return { content, state }
  }
  const Served = class extends (Base as unknown as new (options: object) => object) {
    /** Every member of the toolset. */
    async execute(context: BrowserCallContext, name: string, input: unknown): Promise<unknown> {
      const { content, state } = await ask(context, name, input)
      return memberResult(name, content, state.tabs)
    }
  }
  const browserState: BrowserToolsetFilled['browserState'] = async ({ signal }) => {
    const { state } = await ask({ signal }, 'list_tabs', {})
    const reported = { tabs: state.tabs, ...(changes && { state_changes: changes }) }
    changes = undefined
    return reported
  }
  return new Served({ ...given, browserState }) as Toolset
}

/** What members return that are no plain actions. */
const RESULTS: Readonly<Record<string, 'page' | 'picture' | 'text' | 'tab' | 'tabs'>> = {
  navigate: 'page',
  screenshot: 'picture',
  zoom: 'picture',
  read_page: 'text',
  find: 'text',
  get_page_text: 'text',
  new_tab: 'tab',
  switch_tab: 'tab',
  list_tabs: 'tabs',
}

/** The result of a member, as the class of the SDK wants it: it writes the lines for the model itself. */
function memberResult(
  name: string,
  content: AnthropicBrowserResult['content'],
  tabs: BrowserStateBlock['tabs'],
): unknown {
  const active = tabs.find((tab) => tab.active)
  switch (RESULTS[name]) {
    case 'page':
      return { url: active?.url ?? '', title: active?.title ?? '' }
    case 'picture': {
      const picture = content.find((part) => part.type === 'image')
      return picture && { data: picture.source.data, mediaType: 'image/png' }
    }
    case 'text':
      return content.find((part) => part.type === 'text')?.text ?? ''
    case 'tab':
      return active
    case 'tabs':
      return tabs
    case undefined:
      return undefined
  }
}

/** The address of an empty tab, since OpenAI's helper refuses a tab without one. */
const EMPTY_TAB = 'about:blank'

/** What OpenAI's browser helper passes with a call. */
interface BrowserDriverCall {
  readonly signal: AbortSignal | undefined
}

/** A picture for OpenAI's browser helper. */
interface OpenAiPicture {
  type: 'input_image'
  image_url: string
  detail: 'original'
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK declares the arguments of each member; they are validated on arrival.
type OpenAiBrowserMember<Result> = (args: any, options: BrowserDriverCall) => Promise<Result>

type OpenAiActionName =
  | 'click'
  | 'click_at'
  | 'close_tab'
  | 'drag_path'
  | 'hold_keys'
  | 'hover'
  | 'hover_at'
  | 'key'
  | 'navigate'
  | 'new_tab'
  | 'scroll'
  | 'scroll_to'
  | 'select_option'
  | 'set_checked'
  | 'switch_tab'
  | 'type'
  | 'wait_for'

/** A driver of the `BrowserToolset` in `openai/helpers/browser`. Coordinates are pixels of the page. */
export type OpenAiBrowserDriver = {
  [Member in OpenAiActionName]: OpenAiBrowserMember<undefined>
} & {
  [Member in 'read_page' | 'get_page_text' | 'find']: OpenAiBrowserMember<string>
} & {
  [Member in 'screenshot' | 'zoom']: OpenAiBrowserMember<OpenAiPicture>
} & {
  /** The open tabs. */
  state(options?: { readonly signal: AbortSignal | undefined }): Promise<{ tabs: OpenTab[] }>
}

/** Options of a driver for OpenAI's browser helper. */
export interface OpenAiBrowserOptions extends BrowserDriverOptions {
  /** The class `BrowserError` of `openai/helpers/browser`. With it the model reads why a call failed. */
  readonly BrowserError?: (new (message: string) => Error) | undefined
}

/**
 * Creates a driver of OpenAI's `BrowserToolset` that acts in the browser of a desktop.
 * @param target A session, a test desktop or a testbed, or the address of a running server.
 * @param options The class of errors that the model may read, and what is asked when the operator's rules stop a call.
 * @example
 * import { BrowserError, BrowserToolset } from 'openai/helpers/browser'
 * const driver = createOpenAiBrowserDriver(openDesktop({ scenario: 'web' }), { BrowserError })
 * const browser = new BrowserToolset(driver, { confirm: () => true, urlPolicy: () => true })
 */
export function createOpenAiBrowserDriver(
  target: ComputerTarget | RemoteDesktop,
  { BrowserError, ...options }: OpenAiBrowserOptions = {},
): OpenAiBrowserDriver {
  const send = senderTo<OpenAiBrowserOutput>(target, 'openai-browser', options)
  const ask = async (member: string, args: object, signal: AbortSignal | undefined) => {
    const call = { type: 'function_call', call_id: member, name: `browser_${member}`, arguments: JSON.stringify(args) }
    const { output } = await send(call, signal)
    const [said, picture] = output
    return { ...JSON.parse(said?.type === 'input_text' ? said.text : '{}'), picture }
  }
  const members = [...OPENAI_BROWSER_FUNCTIONS.keys()].filter((member) => member !== 'list_tabs')
  const act = (member: string): OpenAiBrowserMember<unknown> =>
    async function perform(args, { signal }) {
      try {
        const { result, picture } = await ask(member, args, signal)
        return picture ?? result
      } catch (error) {
        throw BrowserError && error instanceof Fault ? new BrowserError(error.message) : error
      }
    }
  return {
    ...Object.fromEntries(members.map((member) => [member, act(member)])),
    state: async (given) => {
      const { state } = await ask('list_tabs', {}, given?.signal)
      return { tabs: (state.tabs as OpenTab[]).map((tab) => ({ ...tab, url: tab.url || EMPTY_TAB })) }
    },
  } as OpenAiBrowserDriver
}
