import { Fault } from '../base/fault.ts'
import { type CallOptions, call } from '../observer/call.ts'
import type { CallArguments, ToolInput, ToolOutput, ToolReply } from '../observer/registry.ts'
import type { ToolResult } from '../observer/result.ts'
import type { DesktopSession } from '../observer/session/session.ts'
import type { CocoDocument } from '../paint/annotations/coco.ts'

/** Drives a session in tests and scripts. Every action is a tool call and passes all gates. */
export interface Driver {
  /** Calls a tool and returns its result. Throws the `Fault` of a call that fails. */
  call<Name extends string>(tool: Name, ...args: CallArguments<Name>): Promise<ToolOutput<Name>>
  /** Calls a tool and returns the whole reply, also when the call fails. */
  tryCall<Name extends string>(tool: Name, ...args: CallArguments<Name>): Promise<ToolReply<Name>>
  /** Locates an element in the focused window, or in the window whose title contains `window`. */
  locator(selector: string, window?: string): Locator
  /** Types into the focused element. */
  type(text: string): Promise<ToolResult>
  /** Presses a chord such as `ctrl+s` in the focused element. */
  press(keys: string): Promise<ToolResult>
  /**
   * Waits until an element appears, for 5000 ms by default. Throws a `Fault` `Timeout`.
   * A synthetic desktop advances its virtual clock instead of waiting.
   */
  waitForSelector(selector: string, timeoutMs?: number): Promise<ToolResult>
  /** Returns a PNG of the primary monitor. With `marks`, clickable elements have numbered frames: the ids of `annotations()`. */
  screenshot(options?: { readonly marks?: boolean }): Promise<Buffer>
  /** Returns the boxes and masks of the elements on the primary monitor and its texts, as COCO JSON. Needs a synthetic desktop. */
  annotations(): Promise<CocoDocument>
}

/** An element of a desktop. Each action resolves the selector again and throws the `Fault` of an action that fails. */
export interface Locator {
  click(): Promise<ToolResult>
  doubleClick(): Promise<ToolResult>
  rightClick(): Promise<ToolResult>
  hover(): Promise<ToolResult>
  focus(): Promise<ToolResult>
  /** Activates the element through its accessibility action, without the pointer. */
  invoke(): Promise<ToolResult>
  /** Clicks the element, then types. */
  type(text: string): Promise<ToolResult>
  /** Focuses the element, then presses a chord such as `ctrl+s`. */
  press(keys: string): Promise<ToolResult>
  /** Replaces the value. */
  fill(value: string): Promise<ToolResult>
  /** Empties the value. */
  clear(): Promise<ToolResult>
  /** Selects an option by its name or its index, counted from 0. */
  selectOption(option: string | number): Promise<ToolResult>
}

const DEFAULT_TIMEOUT_MS = 5000

/**
 * Creates a driver for a session. Each of its actions is a tool call and passes all gates.
 * @param session A session, such as `testbed.session`.
 * @param options With `audience: 'agent'`, the tools of the harness are refused.
 * @example
 * const driver = createDriver(testbed.session)
 * await driver.locator('Button "Save"').click()
 */
export function createDriver(session: DesktopSession, options: Pick<CallOptions, 'audience' | 'caller'> = {}): Driver {
  const act = async <Name extends string>(tool: Name, ...[args]: CallArguments<Name>): Promise<ToolOutput<Name>> => {
    const { body, fault } = await call(session, tool, (args ?? {}) as ToolInput<Name>, options)
    if (fault) throw new Fault(fault.code, `${tool}: ${fault.message}`, fault.context)
    return body as ToolOutput<Name>
  }
  const type = (text: string) => act('type_text', { text })
  const press = (keys: string) => act('press_key', { keys })

  return {
    call: act,
    tryCall: async <Name extends string>(tool: Name, ...[args]: CallArguments<Name>) =>
      (await call(session, tool, args as ToolInput<Name>, options)).body as ToolReply<Name>,
    type,
    press,
    waitForSelector: (selector, timeout_ms = DEFAULT_TIMEOUT_MS) =>
      act('wait_for', { any_of: [{ type: 'element_appears', selector }], timeout_ms }),
    screenshot: async ({ marks = false } = {}) =>
      Buffer.from(
        marks ? (await act('get_annotations', { picture: 'marks' })).picture!.data : (await act('get_screenshot')).data,
        'base64',
      ),
    annotations: async () => {
      const { images, annotations, categories, texts } = await act('get_annotations')
      return { images, annotations, categories, texts } as CocoDocument
    },
    locator(selector, window) {
      const target = { selector, ...(window !== undefined && { window_title: window }) }
      const on = (tool: string, args: object = {}) => act(tool, { ...target, ...args })
      return {
        click: () => on('click_element'),
        doubleClick: () => on('double_click_element'),
        rightClick: () => on('right_click_element'),
        hover: () => on('hover_element'),
        focus: () => on('focus_element'),
        invoke: () => on('invoke_element'),
        press: (keys) => on('key_into_element', { keys }),
        fill: (value) => on('set_value', { value }),
        clear: () => on('clear_text'),
        selectOption: (option) =>
          on('select_option', typeof option === 'number' ? { option_index: option } : { option_name: option }),
        type: async (text) => {
          await on('click_element')
          return type(text)
        },
      }
    },
  }
}
