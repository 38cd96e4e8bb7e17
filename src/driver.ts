import { Fault } from './base/fault.ts'
import { call } from './observer/call.ts'
import type { ToolResult } from './observer/result.ts'
import type { Session } from './observer/session/session.ts'
import type { CallArguments, ToolInput, ToolOutput, ToolReply } from './observer/tool-types.ts'

/** A hand on a desktop, for tests and scripts: every move is a tool call, through all gates. */
export interface Driver {
  /** The answer of a tool; throws the `Fault` of a call that is refused. */
  do<Name extends string>(tool: Name, ...args: CallArguments<Name>): Promise<ToolOutput<Name>>
  /** The whole answer, also of a refusal. */
  ask<Name extends string>(tool: Name, ...args: CallArguments<Name>): Promise<ToolReply<Name>>
  /** An element of the focused window, or of the one whose title holds `window`. */
  on(selector: string, window?: string): Part
  /** Types where the keyboard is. */
  type(text: string): Promise<ToolResult>
  /** Presses a chord such as `ctrl+s` where the keyboard is. */
  press(keys: string): Promise<ToolResult>
  /** Waits until an element is there; throws `Timeout`. On a synthetic desktop this takes no real time. */
  until(selector: string, timeoutMs?: number): Promise<ToolResult>
  /** The PNG of the primary monitor. */
  screenshot(): Promise<Buffer>
}

/** An element, looked for anew each time that something is done to it. */
export interface Part {
  click(): Promise<ToolResult>
  doubleClick(): Promise<ToolResult>
  rightClick(): Promise<ToolResult>
  hover(): Promise<ToolResult>
  focus(): Promise<ToolResult>
  invoke(): Promise<ToolResult>
  /** Clicks it, then types. */
  type(text: string): Promise<ToolResult>
  press(keys: string): Promise<ToolResult>
  /** Replaces its value. */
  set(value: string): Promise<ToolResult>
  clear(): Promise<ToolResult>
  /** Takes an option by its name, or by its place from 0. */
  choose(option: string | number): Promise<ToolResult>
}

const PATIENCE_MS = 5000

/**
 * Creates a driver of a session, for tests and scripts. Each of its calls is a tool call through all gates.
 * @param session A session, such as that of a testbed.
 * @example
 * const driver = drive(testbed.session)
 * await driver.on('Button "Save"').click()
 */
export function drive(session: Session): Driver {
  const act = async <Name extends string>(tool: Name, ...[args]: CallArguments<Name>): Promise<ToolOutput<Name>> => {
    const { body, fault } = await call(session, tool, (args ?? {}) as ToolInput<Name>)
    if (fault) throw new Fault(fault.code, `${tool}: ${fault.message}`, fault.context)
    return body as ToolOutput<Name>
  }
  const type = (text: string) => act('type_text', { text })
  const press = (keys: string) => act('press_key', { keys })

  return {
    do: act,
    ask: async <Name extends string>(tool: Name, ...[args]: CallArguments<Name>) =>
      (await call(session, tool, args as ToolInput<Name>)).body as ToolReply<Name>,
    type,
    press,
    until: (selector, timeout_ms = PATIENCE_MS) =>
      act('wait_for', { any_of: [{ type: 'element_appears', selector }], timeout_ms }),
    screenshot: async () => Buffer.from((await act('get_screenshot')).data, 'base64'),
    on(selector, window) {
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
        set: (value) => on('set_value', { value }),
        clear: () => on('clear_text'),
        choose: (option) =>
          on('select_option', typeof option === 'number' ? { option_index: option } : { option_name: option }),
        type: async (text) => {
          await on('click_element')
          return type(text)
        },
      }
    },
  }
}
