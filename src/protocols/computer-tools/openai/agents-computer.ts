import type { Fault } from '../../../base/fault.ts'
import type { ComputerToolOptions } from '../dialect.ts'
import { modelScreen } from '../screen.ts'
import { takeScreenshot } from '../steps.ts'
import { type ComputerTarget, sessionIn } from '../target.ts'
import { OPENAI_BUDGET, OPENAI_PLATFORMS } from './definition.ts'
import { NO_PICTURE, runOpenAiActions } from './run.ts'

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

/** Options of a computer for OpenAI's Agents SDK. */
export interface OpenAiAgentsOptions extends ComputerToolOptions {
  /** Whether screenshots show the pointer. By default they do not. */
  readonly pointer?: boolean | undefined
  /**
   * Receives why an action failed. The SDK has no field for it: the model only gets the next screenshot. An error that is
   * thrown here makes the SDK send no screenshot.
   */
  readonly onFailure?: (fault: Fault) => void
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
  { display, pointer, onFailure }: OpenAiAgentsOptions = {},
): Promise<OpenAiAgentsComputer> {
  const session = sessionIn(target)
  const screen = { ...(await modelScreen(session, OPENAI_BUDGET, display)), pointer }
  const caller = { session, audience: 'harness' as const, door: 'openai' }
  const act = async (type: string, fields: object = {}): Promise<void> => {
    const action = { type, ...fields }
    const { fault } = await runOpenAiActions(caller, { action }, screen, JSON.stringify(action))
    if (fault) onFailure?.(fault)
  }
  return {
    environment: OPENAI_PLATFORMS[session.computer.info.platform] ?? 'ubuntu',
    dimensions: [screen.size.width, screen.size.height],
    screenshot: async () => (await takeScreenshot(caller, screen, { type: 'screenshot' }))?.data ?? NO_PICTURE,
    click: (x, y, button) => act('click', { x, y, button }),
    doubleClick: (x, y) => act('double_click', { x, y }),
    scroll: (x, y, scroll_x, scroll_y) => act('scroll', { x, y, scroll_x, scroll_y }),
    type: (text) => act('type', { text }),
    wait: () => act('wait'),
    move: (x, y) => act('move', { x, y }),
    keypress: (keys) => act('keypress', { keys }),
    drag: (path) => act('drag', { path: path.map(([x, y]) => ({ x, y })) }),
  }
}
