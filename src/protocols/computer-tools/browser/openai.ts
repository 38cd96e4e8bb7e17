import * as z from 'zod'
import { Fault } from '../../../base/fault.ts'
import type { OpenTab } from '../../../observer/browser-tabs.ts'
import type { ToolResult } from '../../../observer/result.ts'
import type { DesktopSession } from '../../../observer/session/session.ts'
import { noteText } from '../../../observer/sights.ts'
import type { ComputerCallOptions, ComputerCallResult, ComputerDialect } from '../dialect.ts'
import { readModifiers, readPart, toChords, unknownName } from '../input.ts'
import { openAiError } from '../openai.ts'
import { type ModelScreen, toScreenPoint, toScreenRegion } from '../screen.ts'
import { faultOf, pictureOf, type StepCaller, type ToolStep } from '../steps.ts'
import {
  actInBrowser,
  closeTab,
  describePage,
  elementOfRef,
  findOnPage,
  PAGE_TOOL_CALLS,
  pageScreen,
  pageScreenshot,
  type ShownBrowser,
  stepsToFill,
  stepsToLoad,
  textOfPage,
} from './page.ts'

/** The functions of the browser helper of OpenAI's SDK, each with this before its name. */
const PREFIX = 'browser_'

/** A call of a function, as the Responses API has it. */
const FunctionCall = z.looseObject({
  type: z.literal('function_call'),
  call_id: z.string().min(1).max(500),
  name: z.string(),
  arguments: z.string().max(1_000_000),
})
type FunctionCall = z.infer<typeof FunctionCall>

/** The item that answers a call. Its text is JSON: `ok`, `result`, `error` and the tabs. */
export interface OpenAiBrowserOutput {
  type: 'function_call_output'
  call_id: string
  output: ({ type: 'input_text'; text: string } | { type: 'input_image'; image_url: string; detail: 'original' })[]
}

/** A function in a request to the API. */
export interface OpenAiBrowserFunction {
  type: 'function'
  name: string
  description: string
  parameters: object
  strict: true
}

interface CallContext {
  readonly caller: StepCaller
  readonly browser: ShownBrowser
  readonly screen: ModelScreen
}

/** What a function does, and its result for the model. */
interface BrowserFunction {
  readonly about: string
  readonly input: z.ZodObject
  readonly steps: (input: never, context: CallContext) => readonly ToolStep[]
  readonly result?: (input: never, context: CallContext, results: readonly ToolResult[]) => unknown
}

const TAB = z.string().nullable().describe('The id of a tab; the active one by default')

const define = <Fields extends z.ZodRawShape>(
  about: string,
  fields: Fields,
  steps: (input: z.infer<z.ZodObject<Fields>>, context: CallContext) => readonly ToolStep[],
  result?: (input: z.infer<z.ZodObject<Fields>>, context: CallContext, results: readonly ToolResult[]) => unknown,
): BrowserFunction => ({
  about,
  input: z.strictObject(fields),
  steps: steps as BrowserFunction['steps'],
  ...(result && { result: result as NonNullable<BrowserFunction['result']> }),
})

const NOTHING = (): readonly ToolStep[] => []
const tab_id = TAB
const target = z.string().min(1).describe('The ref of an element, from read_page or find')
const filter = z.enum(['all', 'interactive'])
const x = z.int().min(0)
const y = z.int().min(0)
const keys = z.array(z.string().min(1)).max(8)

const onElement =
  (tool: string, more: object = {}) =>
  ({ target: ref }: { readonly target: string }, { caller, browser }: CallContext): readonly ToolStep[] => [
    {
      tool,
      args: { window_uid: browser.window, element_id: elementOfRef(caller.session, browser, ref).id, ...more },
    },
  ]

const WHEEL = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const

const centre = ({ area }: ModelScreen) => ({
  x: area.x + Math.floor(area.width / 2),
  y: area.y + Math.floor(area.height / 2),
})

/** A text as a pattern that matches it alone. */
const escaped = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')

/** Every function of the helper that a desktop has, by its name without the prefix. */
export const OPENAI_BROWSER_FUNCTIONS: ReadonlyMap<string, BrowserFunction> = new Map<string, BrowserFunction>([
  ['navigate', define('Load an address.', { url: z.string().min(1).max(2048), tab_id }, ({ url }) => stepsToLoad(url))],
  [
    'read_page',
    define('Read the elements of the page and their refs.', { tab_id, filter }, NOTHING, (input, { caller, browser }) =>
      describePage(caller.session, browser, { filter: input.filter }).join('\n'),
    ),
  ],
  ['get_page_text', define('Read the text of the page.', { tab_id }, NOTHING, (_, { browser }) => textOfPage(browser))],
  [
    'find',
    define('Find elements by words.', { query: z.string().min(1), tab_id }, NOTHING, ({ query }, { caller, browser }) =>
      findOnPage(caller.session, browser, query).join('\n'),
    ),
  ],
  ['click', define('Click an element.', { target, tab_id }, onElement('click_element'))],
  ['hover', define('Move the pointer to an element.', { target, tab_id }, onElement('hover_element'))],
  ['scroll_to', define('Scroll an element into view.', { target, tab_id }, onElement('hover_element'))],
  [
    'type',
    define(
      'Fill a field, or type where the focus is.',
      { text: z.string(), target: target.nullable(), tab_id },
      ({ text, target: ref }, { caller, browser }) =>
        ref === null
          ? [{ tool: 'type_text', args: { text } }]
          : stepsToFill(browser.window, elementOfRef(caller.session, browser, ref), text),
    ),
  ],
  [
    'key',
    define('Press keys together.', { keys: keys.min(1), tab_id }, (input) =>
      toChords(input.keys).map((chord) => ({ tool: 'press_keys', args: { keys: chord } })),
    ),
  ],
  [
    'hold_keys',
    define(
      'Hold keys.',
      { tab_id, keys: keys.min(1), duration_ms: z.int().min(1).max(3000) },
      ({ keys: held, duration_ms }) => [{ tool: 'hold_key', args: { keys: toChords(held)[0]!, duration_ms } }],
    ),
  ],
  [
    'scroll',
    define(
      'Scroll the page by clicks of the wheel.',
      { direction: z.enum(['up', 'down', 'left', 'right']), amount: z.int().min(0).max(1000), tab_id },
      ({ direction, amount }, { screen }) => {
        const [across, down] = WHEEL[direction]
        return [{ tool: 'mouse_scroll', args: { delta_x: across * amount, delta_y: down * amount, ...centre(screen) } }]
      },
    ),
  ],
  [
    'wait_for',
    define(
      'Wait until the page shows a text.',
      { text: z.string().min(1).max(256), timeout_ms: z.int().min(1).max(30_000), tab_id },
      ({ text, timeout_ms }, { browser }) => [
        {
          tool: 'wait_for',
          args: { any_of: [{ type: 'text_visible', regex: escaped(text) }], timeout_ms, window_uid: browser.window },
        },
      ],
    ),
  ],
  [
    'select_option',
    define(
      'Choose an option of a list.',
      { target, values: z.array(z.string()).min(1).max(1), tab_id },
      (input, context) => onElement('select_option', { option_name: input.values[0] })(input, context),
    ),
  ],
  [
    'set_checked',
    define('Check a box, or clear it.', { tab_id, target, checked: z.boolean() }, (input, { caller, browser }) =>
      stepsToFill(browser.window, elementOfRef(caller.session, browser, input.target), input.checked),
    ),
  ],
  [
    'click_at',
    define(
      'Click a point of the page.',
      {
        ...{ tab_id, x, y },
        button: z.enum(['left', 'right', 'middle']),
        click_count: z.int().min(1).max(3),
        keys,
      },
      ({ button, click_count: count, keys: held, ...at }, { screen }) => {
        const modifiers = readModifiers(held, 'keys')
        return [{ tool: 'mouse_click', args: { button, count, modifiers, ...toScreenPoint(screen, at, 'click_at') } }]
      },
    ),
  ],
  [
    'hover_at',
    define('Move the pointer to a point of the page.', { tab_id, x, y }, (at, { screen }) => [
      { tool: 'move_pointer', args: { ...toScreenPoint(screen, at, 'hover_at') } },
    ]),
  ],
  [
    'drag_path',
    define(
      'Drag along points of the page.',
      { tab_id, path: z.array(z.strictObject({ x, y })).min(2).max(100), keys },
      ({ path, keys: held }, { screen }) => [
        {
          tool: 'mouse_drag',
          args: {
            path: path.map((at) => toScreenPoint(screen, at, 'path')),
            modifiers: readModifiers(held, 'keys'),
          },
        },
      ],
    ),
  ],
  ['screenshot', define('Take a picture of the page.', { tab_id }, (_, { screen }) => [pageScreenshot(screen)])],
  [
    'zoom',
    define(
      'Take a picture of a part of the page: x0, y0, x1, y1.',
      { tab_id, region: z.array(z.int().min(0)).length(4) },
      ({ region }, { screen }) => {
        const { width: max_width, height: max_height } = screen.size
        return [
          { tool: 'capture_screen', args: { region: toScreenRegion(screen, region, 'region'), max_width, max_height } },
        ]
      },
    ),
  ],
  [
    'new_tab',
    define('Open a tab, also with an address.', { url: z.string().max(2048).nullable() }, ({ url }) => [
      { tool: 'press_keys', args: { keys: 'ctrl+t' } },
      ...(url === null ? [] : stepsToLoad(url)),
    ]),
  ],
  ['list_tabs', define('List the tabs.', {}, NOTHING, (_, { browser }) => stateOf(browser))],
  ['switch_tab', define('Show a tab.', { tab_id: z.string() }, NOTHING)],
  [
    'close_tab',
    define('Close a tab.', { tab_id: z.string() }, ({ tab_id: id }, { browser }) => [closeTab(browser.window, id)]),
  ],
])

/** Functions for tools of the page, where the operator offers these. `arguments` is JSON, since strict functions know no other records. */
const PAGE_FUNCTIONS: ReadonlyMap<string, BrowserFunction> = new Map<string, BrowserFunction>([
  [
    'webmcp_list',
    define(
      PAGE_TOOL_CALLS.webmcp_list.about,
      { tab_id },
      () => [{ tool: 'webmcp_list', args: {} }],
      (_, __, results) => PAGE_TOOL_CALLS.webmcp_list.text(results.at(-1)!),
    ),
  ],
  [
    'webmcp_call',
    define(
      PAGE_TOOL_CALLS.webmcp_call.about,
      { name: z.string(), arguments: z.string().nullable().describe('Its arguments as JSON'), tab_id },
      ({ name, arguments: json }) => [{ tool: 'webmcp_call', args: { name, arguments: readJson(json ?? '{}') } }],
      (_, __, results) => PAGE_TOOL_CALLS.webmcp_call.text(results.at(-1)!),
    ),
  ],
])

const functionsFor = ({ context }: DesktopSession): ReadonlyMap<string, BrowserFunction> =>
  context.settings.page_tools ? new Map([...OPENAI_BROWSER_FUNCTIONS, ...PAGE_FUNCTIONS]) : OPENAI_BROWSER_FUNCTIONS

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('BadRequest', 'arguments: expected JSON', { field: 'arguments' })
  }
}

const stateOf = ({ tabs }: ShownBrowser): { readonly tabs: readonly OpenTab[] } => ({ tabs })

/** Pictures that models of OpenAI take. */
const BUDGET = { max_width: 2048, max_height: 2048 }

/** Executes a call of a function. */
async function runFunction(
  caller: StepCaller,
  body: unknown,
  { pointer, acknowledged }: ComputerCallOptions,
): Promise<ComputerCallResult<OpenAiBrowserOutput>> {
  const call = readPart(FunctionCall, body)
  const done = await faultOf(async () => {
    const member = call.name.startsWith(PREFIX) ? call.name.slice(PREFIX.length) : ''
    const all = functionsFor(caller.session)
    const known = all.get(member)
    if (!known)
      throw unknownName(
        'function',
        call.name,
        [...all.keys()].map((name) => PREFIX + name),
      )
    const input = readArguments(call, known)
    const contextOf = (browser: ShownBrowser): CallContext => ({
      caller,
      browser,
      screen: pageScreen(browser, BUDGET, pointer),
    })
    const { type, call_id, name } = call
    const { after, outcome } = await actInBrowser(caller, {
      raw: call,
      bare: { type, call_id, name },
      tab: (input as { tab_id?: string | null }).tab_id,
      steps: (browser) => known.steps(input, contextOf(browser)),
      acknowledged,
    })
    const result = outcome.fault ? undefined : known.result?.(input, contextOf(after), outcome.results)
    if (typeof result === 'string') await noteText(caller.session.context, result)
    const isPicture = member === 'screenshot' || member === 'zoom'
    return { after, outcome, result, picture: isPicture ? pictureOf(outcome.results.at(-1)) : undefined }
  })
  if ('fault' in done) return { output: answer(call, { ok: false, error: done.fault.message }), fault: done.fault }
  const { after, outcome, result, picture } = done.value
  const { fault, confirmation } = outcome
  const said = fault ? { ok: false, error: fault.message } : { ok: true, ...(result !== undefined && { result }) }
  return {
    output: answer(call, { ...said, state: stateOf(after) }, picture?.data),
    ...(fault && { fault }),
    ...(confirmation && { confirmation }),
  }
}

/** The arguments of a call. Those that may be null may be left out. */
function readArguments(call: FunctionCall, { input }: BrowserFunction): never {
  const given = readJson(call.arguments)
  const isRecord = typeof given === 'object' && given !== null && !Array.isArray(given)
  const absent = Object.entries(input.shape).flatMap(([name, field]) =>
    field instanceof z.ZodNullable ? [[name, null] as const] : [],
  )
  return readPart(input, isRecord ? { ...Object.fromEntries(absent), ...(given as object) } : given, call.name) as never
}

const answer = ({ call_id }: FunctionCall, said: object, picture?: string): OpenAiBrowserOutput => ({
  type: 'function_call_output',
  call_id,
  output: [
    { type: 'input_text', text: JSON.stringify(said) },
    ...(picture === undefined
      ? []
      : [{ type: 'input_image' as const, image_url: `data:image/png;base64,${picture}`, detail: 'original' as const }]),
  ],
})

const functions = (session: DesktopSession): OpenAiBrowserFunction[] =>
  [...functionsFor(session)].map(([name, { about, input }]) => {
    const { $schema: _, ...parameters } = z.toJSONSchema(input)
    return { type: 'function', name: PREFIX + name, description: about, parameters, strict: true }
  })

/** OpenAI: calls of the functions of the SDK's browser helper, which act in the page of a window with `browser`. */
export const openAiBrowser: ComputerDialect<OpenAiBrowserOutput, OpenAiBrowserFunction[]> = {
  versions: ['browser'],
  run: runFunction,
  define: async (session) => functions(session),
  errorOf: openAiError,
  wire: {
    request: FunctionCall,
    response: z.object({
      type: z.literal('function_call_output'),
      call_id: z.string(),
      output: z.array(z.looseObject({ type: z.enum(['input_text', 'input_image']) })),
    }),
    definition: z.array(z.looseObject({ type: z.literal('function'), name: z.string() })),
  },
}
