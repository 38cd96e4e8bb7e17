import { Fault } from '../../../base/fault.ts'
import type { ComputerToolOptions } from '../dialect.ts'
import { toScreenshotPoint } from '../screen.ts'
import { pictureOf } from '../steps.ts'
import { type ComputerTarget, sessionIn } from '../target.ts'
import { executeToolUse } from './run.ts'

/** Options of a toolset besides those of the SDK's class. */
export interface AnthropicToolsetOptions {
  /** The size of screenshots, in pixels. By default that of the screen, at most 2576 on each side. */
  readonly display?: ComputerToolOptions['display']
  /** Whether screenshots show the pointer. By default they do not. */
  readonly pointer?: boolean | undefined
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
 * The SDK requires a `confirm` function for the keyboard. On a synthetic desktop the default confirms everything.
 * @param Base The class `BetaAbstractComputerToolset20260801` of `@anthropic-ai/sdk/helpers/beta/toolsets`.
 * @param target A session, a test desktop or a testbed.
 * @param options The options of the class, such as `confirm` and `configs`, and the size of screenshots.
 * @example
 * import { BetaAbstractComputerToolset20260801 } from '@anthropic-ai/sdk/helpers/beta/toolsets'
 * const computer = createAnthropicToolset(BetaAbstractComputerToolset20260801, openDesktop({ scenario: 'login' }))
 * const runner = client.beta.messages.toolRunner({ model, max_tokens: 4096, messages, tools: [computer] })
 */
export function createAnthropicToolset<Options extends object, Toolset extends object>(
  Base: abstract new (options?: Options) => Toolset,
  target: ComputerTarget,
  options: Options & AnthropicToolsetOptions = {} as Options,
): Toolset {
  const session = sessionIn(target)
  const { display, pointer, ...given } = options
  const execute = async ({ toolUse, signal }: ToolsetCall, name: string, input: unknown): Promise<unknown> => {
    const id = toolUse?.id ?? name
    const call = { type: 'tool_use' as const, id, name, toolset_name: 'computer', input }
    const caller = { session, audience: 'harness' as const, door: 'anthropic', ...(signal && { watch: { signal } }) }
    const { outcome, screen } = await executeToolUse(caller, call, undefined, { display, pointer })
    const { fault, results } = outcome
    if (fault) throw new Fault(fault.code, fault.message, fault.context)
    const last = results.at(-1) ?? {}
    const picture = pictureOf(last)
    if (picture) return { data: picture.data, mediaType: 'image/png' }
    return name === 'cursor_position' ? toScreenshotPoint(screen, { x: Number(last.x), y: Number(last.y) }) : undefined
  }
  const Served = class extends (Base as unknown as new (options: object) => object) {
    /** Every member of the toolset. */
    execute(context: ToolsetCall, name: string, input: unknown): Promise<unknown> {
      return execute(context, name, input)
    }
  }
  const confirm = session.computer.info.synthetic ? { confirm: () => true } : {}
  return new Served({ ...confirm, ...given }) as Toolset
}
