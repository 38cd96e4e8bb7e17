import * as z from 'zod'
import { Fault } from '../../../base/fault.ts'
import type { OpenTab } from '../../../observer/browser-tabs.ts'
import type { ToolResult } from '../../../observer/result.ts'
import type { DesktopSession } from '../../../observer/session/session.ts'
import { noteText } from '../../../observer/sights.ts'
import type { WireElement } from '../../../observer/wire.ts'
import { ANTHROPIC_ACTIONS } from '../anthropic/actions.ts'
import {
  type AnthropicImage,
  AnthropicRequest,
  type AnthropicText,
  type AnthropicToolUse,
  anthropicBudget,
  anthropicError,
  NOT_EXECUTED,
  readToolUses,
} from '../anthropic/dialect.ts'
import type { ComputerCallOptions, ComputerCallResult, ComputerDialect } from '../dialect.ts'
import { readPart, Seconds, unknownName, withoutNullFields } from '../input.ts'
import type { ModelScreen } from '../screen.ts'
import { faultOf, pictureOf, type StepCaller, type StepsOutcome, type ToolStep } from '../steps.ts'
import {
  actInBrowser,
  closeTab,
  describePage,
  elementOfRef,
  findOnPage,
  PAGE_TOOL_CALLS,
  type PageToolCall,
  pageScreen,
  pageScreenshot,
  type ShownBrowser,
  stepsToFill,
  stepsToLoad,
  textOfPage,
} from './page.ts'

/** The version of Anthropic's browser toolset. */
export const ANTHROPIC_BROWSER = 'browser_toolset_20260801'

/** The open tabs after a call. */
export interface BrowserStateBlock {
  type: 'browser_state'
  tabs: { tab_id: string; title: string; url: string; active: boolean }[]
  state_changes?: { type: 'tab_opened'; tab_id: string }[]
}

/** The `tool_result` block that answers a call of the browser toolset. */
export interface AnthropicBrowserResult {
  type: 'tool_result'
  tool_use_id: string
  /** Absent for a tool of its own, beside the toolset. */
  toolset_name?: 'browser'
  content: (AnthropicText | AnthropicImage | BrowserStateBlock)[]
  is_error?: true
}

/** Where a call is made. */
interface MemberContext {
  readonly caller: StepCaller
  readonly browser: ShownBrowser
  readonly screen: ModelScreen
}

/** What a member does, and what the model reads. */
interface Member {
  readonly input: z.ZodObject
  readonly steps: (input: never, context: MemberContext) => readonly ToolStep[]
  /** The text for the model, from the browser after the call. Undefined for a picture, or for the tabs alone. */
  readonly text?: (input: never, context: MemberContext, results: readonly ToolResult[]) => string
}

const member = <Fields extends z.ZodRawShape>(
  fields: Fields,
  steps: (input: z.infer<z.ZodObject<Fields>>, context: MemberContext) => readonly ToolStep[],
  text?: (input: z.infer<z.ZodObject<Fields>>, context: MemberContext, results: readonly ToolResult[]) => string,
): Member => ({
  input: z.strictObject({ ...fields, tab_id: z.string().optional() }),
  steps: steps as Member['steps'],
  ...(text && { text: text as NonNullable<Member['text']> }),
})

const NOTHING = (): readonly ToolStep[] => []

const Coordinate = z.strictObject({ type: z.literal('coordinate'), x: z.number(), y: z.number() })
const Ref = z.strictObject({ type: z.literal('ref'), ref: z.string() })
const Target = z.discriminatedUnion('type', [Coordinate, Ref])

/** The steps of an action of the computer tool, with coordinates in the page. */
const asComputer = (name: string, input: object, { screen }: MemberContext): readonly ToolStep[] => {
  const action = ANTHROPIC_ACTIONS.get(name)!
  return action.steps(readPart(action.input, input, name) as never, screen)
}

const pair = ({ x, y }: z.infer<typeof Coordinate>): readonly [number, number] => [x, y]

const refIn = ({ caller, browser }: MemberContext, ref: string): WireElement =>
  elementOfRef(caller.session, browser, ref)

const click = (name: string, onElement: (target: ToolStep['args']) => ToolStep, done: string): Member =>
  member(
    { target: Target, modifiers: z.string().optional() },
    ({ target, modifiers }, context) => {
      if (target.type === 'coordinate') {
        const coordinate = pair(target)
        return asComputer(name, { coordinate, ...(modifiers !== undefined && { text: modifiers }) }, context)
      }
      if (modifiers !== undefined)
        throw new Fault('BadRequest', 'modifiers: hold them with a coordinate', { field: 'modifiers' })
      return [onElement({ window_uid: context.browser.window, element_id: refIn(context, target.ref).id })]
    },
    () => done,
  )

/** A member that is the action of the computer tool with the same name. */
const sameAsComputer = <Fields extends z.ZodRawShape>(name: string, fields: Fields): Member =>
  member(
    fields,
    ({ tab_id: _, ...input }: Record<string, unknown>, context) => asComputer(name, input, context),
    ({ tab_id: _, ...input }: Record<string, unknown>, { screen }) =>
      ANTHROPIC_ACTIONS.get(name)!.line?.(input as never, {}, screen) ?? '',
  )

const inTool =
  (tool: string, more: object = {}) =>
  (target: ToolStep['args']): ToolStep => ({
    tool,
    args: { ...target, ...more },
  })

/** Every member of the toolset that a desktop has. */
export const ANTHROPIC_BROWSER_MEMBERS: ReadonlyMap<string, Member> = new Map<string, Member>([
  [
    'navigate',
    member(
      { url: z.string().min(1).max(2048) },
      ({ url }) => stepsToLoad(url),
      (_, { browser }) => {
        const { url = '', title = '' } = activeTab(browser) ?? {}
        return `Navigated to ${url} — ${title}`
      },
    ),
  ],
  ['screenshot', member({}, (_, { screen }) => [pageScreenshot(screen)])],
  [
    'zoom',
    member({ region: z.array(z.number()).length(4) }, ({ region }, context) => asComputer('zoom', { region }, context)),
  ],
  ['left_click', click('left_click', inTool('click_element'), 'Clicked.')],
  ['right_click', click('right_click', inTool('click_element', { button: 'right' }), 'Right-clicked.')],
  ['middle_click', click('middle_click', inTool('click_element', { button: 'middle' }), 'Middle-clicked.')],
  ['double_click', click('double_click', inTool('click_element', { count: 2 }), 'Double-clicked.')],
  ['triple_click', click('triple_click', inTool('click_element', { count: 3 }), 'Triple-clicked.')],
  [
    'hover',
    member(
      { target: Target },
      ({ target }, context) =>
        target.type === 'coordinate'
          ? asComputer('mouse_move', { coordinate: pair(target) }, context)
          : [
              inTool('hover_element')({
                window_uid: context.browser.window,
                element_id: refIn(context, target.ref).id,
              }),
            ],
      () => 'Hovered.',
    ),
  ],
  [
    'mouse_move',
    member(
      { target: Coordinate },
      ({ target }, context) => asComputer('mouse_move', { coordinate: pair(target) }, context),
      () => 'Moved the mouse.',
    ),
  ],
  ['left_mouse_down', sameAsComputer('left_mouse_down', {})],
  ['left_mouse_up', sameAsComputer('left_mouse_up', {})],
  [
    'left_click_drag',
    member(
      { from: Coordinate, target: Coordinate },
      ({ from, target }, context) =>
        asComputer('left_click_drag', { start_coordinate: pair(from), coordinate: pair(target) }, context),
      () => 'Dragged.',
    ),
  ],
  [
    'scroll',
    member(
      {
        target: Coordinate,
        scroll_direction: z.enum(['up', 'down', 'left', 'right']),
        scroll_amount: z.number().min(0).max(1000).default(3),
      },
      ({ target, scroll_direction, scroll_amount }, context) =>
        asComputer('scroll', { coordinate: pair(target), scroll_direction, scroll_amount }, context),
      ({ scroll_direction }) => `Scrolled ${scroll_direction}.`,
    ),
  ],
  [
    'scroll_to',
    member(
      { target: Ref },
      ({ target: { ref } }, context) => [
        inTool('hover_element')({ window_uid: context.browser.window, element_id: refIn(context, ref).id }),
      ],
      ({ target: { ref } }) => `Scrolled to ${ref}.`,
    ),
  ],
  ['type', sameAsComputer('type', { text: z.string() })],
  ['key', sameAsComputer('key', { text: z.string().min(1).max(1000), repeat: z.int().min(1).max(100).optional() })],
  ['hold_key', sameAsComputer('hold_key', { text: z.string().min(1), duration: Seconds })],
  ['wait', sameAsComputer('wait', { duration: Seconds })],
  [
    'form_input',
    member(
      { target: Ref, value: z.union([z.string(), z.number(), z.boolean()]) },
      ({ target, value }, context) => stepsToFill(context.browser.window, refIn(context, target.ref), value),
      ({ target: { ref } }) => `Set the value of ${ref}.`,
    ),
  ],
  [
    'read_page',
    member(
      {
        filter: z.enum(['all', 'interactive']).optional(),
        depth: z.int().min(1).max(100).optional(),
        ref: z.string().optional(),
      },
      NOTHING,
      ({ filter, depth, ref }, context) =>
        describePage(context.caller.session, context.browser, {
          filter,
          depth,
          ...(ref !== undefined && { from: refIn(context, ref) }),
        }).join('\n') || 'The page is empty.',
    ),
  ],
  [
    'find',
    member(
      { query: z.string().min(1).max(1000) },
      NOTHING,
      ({ query }, { caller, browser }) =>
        findOnPage(caller.session, browser, query).join('\n') || `Nothing on this page has the words ${query}.`,
    ),
  ],
  ['get_page_text', member({}, NOTHING, (_, { browser }) => textOfPage(browser))],
  ['new_tab', member({}, () => [{ tool: 'press_keys', args: { keys: 'ctrl+t' } }])],
  ['list_tabs', member({}, NOTHING)],
  ['switch_tab', member({ tab_id: z.string() }, NOTHING)],
  ['close_tab', member({ tab_id: z.string() }, ({ tab_id }, { browser }) => [closeTab(browser.window, tab_id)])],
])

/** Tools beside the toolset, for tools of the page, where the operator offers these. */
const PAGE_TOOLS: ReadonlyMap<string, Member> = new Map(
  Object.entries(PAGE_TOOL_CALLS).map(([name, { input, text }]) => [
    name,
    member(
      input.shape,
      ({ tab_id: _, ...args }: Record<string, unknown>) => [{ tool: name, args }],
      (_, __, results) => text(results.at(-1)!),
    ),
  ]),
)

const isPageTool = ({ session }: StepCaller, { name, toolset_name }: AnthropicToolUse): boolean =>
  (toolset_name ?? undefined) === undefined && PAGE_TOOLS.has(name) && session.context.settings.page_tools

const activeTab = ({ tabs }: ShownBrowser): OpenTab | undefined => tabs.find(({ active }) => active)

/** Executes `tool_use` blocks of the toolset in order. After the first failure the others are answered as not executed. */
async function runBrowser(
  caller: StepCaller,
  body: unknown,
  options: ComputerCallOptions,
): Promise<ComputerCallResult<AnthropicBrowserResult | AnthropicBrowserResult[]>> {
  const { calls, several } = readToolUses(
    body,
    'browser',
    (toolUse) => toolUse.toolset_name === 'browser' || isPageTool(caller, toolUse),
  )
  const results: AnthropicBrowserResult[] = []
  let failed: StepsOutcome | undefined
  for (const toolUse of calls) {
    if (failed) {
      results.push(errorResult(toolUse, NOT_EXECUTED))
      continue
    }
    const done = await faultOf(() => runMember(caller, toolUse, options))
    const outcome = 'fault' in done ? { results: [], fault: done.fault } : done.value.outcome
    if (outcome.fault) failed = outcome
    results.push(
      'value' in done && !outcome.fault
        ? { ...resultOf(toolUse), content: done.value.content }
        : errorResult(toolUse, `Error: ${outcome.fault!.message}`),
    )
  }
  return {
    output: several ? results : results[0]!,
    ...(failed?.fault && { fault: failed.fault }),
    ...(failed?.confirmation && { confirmation: failed.confirmation }),
  }
}

const resultOf = ({ id, toolset_name }: AnthropicToolUse) => ({
  type: 'tool_result' as const,
  tool_use_id: id,
  ...(toolset_name === 'browser' && { toolset_name: 'browser' as const }),
})

const errorResult = (toolUse: AnthropicToolUse, text: string): AnthropicBrowserResult => ({
  ...resultOf(toolUse),
  content: [{ type: 'text', text }],
  is_error: true,
})

interface MemberOutcome {
  readonly outcome: StepsOutcome
  readonly content: AnthropicBrowserResult['content']
}

async function runMember(
  caller: StepCaller,
  toolUse: AnthropicToolUse,
  { pointer, acknowledged }: ComputerCallOptions,
): Promise<MemberOutcome> {
  const known = (isPageTool(caller, toolUse) ? PAGE_TOOLS : ANTHROPIC_BROWSER_MEMBERS).get(toolUse.name)
  if (!known) throw unknownName('member', toolUse.name, [...ANTHROPIC_BROWSER_MEMBERS.keys()])
  const input = readPart(known.input, withoutNullFields(toolUse.input ?? {}), toolUse.name) as never
  const contextOf = (browser: ShownBrowser): MemberContext => ({
    caller,
    browser,
    screen: pageScreen(browser, anthropicBudget('computer_toolset_20260801'), pointer),
  })
  const { type, id, name } = toolUse
  const { before, after, outcome } = await actInBrowser(caller, {
    raw: toolUse,
    bare: { type, id, name },
    tab: (input as { tab_id?: string }).tab_id,
    steps: (browser) => known.steps(input, contextOf(browser)),
    acknowledged,
  })
  if (outcome.fault) return { outcome, content: [] }
  const content: MemberOutcome['content'] = []
  const text = known.text?.(input, contextOf(after), outcome.results)
  if (text !== undefined) {
    await noteText(caller.session.context, text)
    content.push({ type: 'text', text })
  }
  const picture = picturesOf(name, outcome.results)
  if (picture) content.push({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture } })
  return { outcome, content: [...content, stateOf(before, after)] }
}

const picturesOf = (name: string, results: readonly ToolResult[]): string | undefined =>
  name === 'screenshot' || name === 'zoom' ? pictureOf(results.at(-1))?.data : undefined

function stateOf({ tabs: before }: ShownBrowser, { tabs }: ShownBrowser): BrowserStateBlock {
  const opened = tabs.filter(({ id }) => !before.some((tab) => tab.id === id))
  return {
    type: 'browser_state',
    tabs: tabs.map(({ id, ...tab }) => ({ tab_id: id, ...tab })),
    ...(opened.length > 0 && { state_changes: opened.map(({ id }) => ({ type: 'tab_opened', tab_id: id })) }),
  }
}

const ResultSchema = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  toolset_name: z.literal('browser').optional(),
  content: z.array(z.looseObject({ type: z.enum(['text', 'image', 'browser_state']) })),
  is_error: z.literal(true).optional(),
})

/** The toolset in a request to Anthropic's API. */
interface ToolsetEntry {
  type: typeof ANTHROPIC_BROWSER
}

/** A tool for tools of the page, beside the toolset. */
interface PageToolEntry {
  name: string
  description: string
  input_schema: object
}

/** The entry of `tools` in a request to Anthropic's API, or several where the operator offers tools of pages. */
export type AnthropicBrowserDefinition = ToolsetEntry | (ToolsetEntry | PageToolEntry)[]

function defineBrowser({ context }: DesktopSession): AnthropicBrowserDefinition {
  const toolset = { type: ANTHROPIC_BROWSER } as const
  if (!context.settings.page_tools) return toolset
  return [
    toolset,
    ...[...PAGE_TOOLS].map(([name, { input }]) => {
      const { $schema: _, ...input_schema } = z.toJSONSchema(input)
      return { name, description: PAGE_TOOL_CALLS[name as PageToolCall].about, input_schema }
    }),
  ]
}

/** Anthropic: calls of the browser toolset, which act in the page of a window with `browser`. */
export const anthropicBrowser: ComputerDialect<
  AnthropicBrowserResult | AnthropicBrowserResult[],
  AnthropicBrowserDefinition
> = {
  versions: [ANTHROPIC_BROWSER],
  run: runBrowser,
  define: async (session) => defineBrowser(session),
  errorOf: anthropicError,
  wire: {
    request: AnthropicRequest,
    response: ResultSchema.or(ResultSchema.array()),
    definition: z.looseObject({ type: z.literal(ANTHROPIC_BROWSER) }).or(z.array(z.looseObject({}))),
  },
}
