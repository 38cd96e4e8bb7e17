import * as z from 'zod'
import { Fault } from '../../../base/fault.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { roleKind, rolesWith } from '../../../desktop/model/role.ts'
import {
  BROWSER_PAGE,
  type BrowserTree,
  browserIn,
  closeButtonOf,
  elementIn,
  TAB_PREFIX,
} from '../../../observer/browser-tabs.ts'
import { pageToolResultText, pageToolsText } from '../../../observer/page-tool-text.ts'
import type { DesktopSession } from '../../../observer/session/session.ts'
import { type PictureBudget, sizeWithin } from '../../../observer/tools/capture.ts'
import type { WireElement } from '../../../observer/wire.ts'
import type { ModelScreen } from '../screen.ts'
import {
  type Acknowledgement,
  callStep,
  runActions,
  type StepCaller,
  type StepsOutcome,
  type ToolStep,
} from '../steps.ts'

/** The browser of a desktop as tools of the observer show it, and its page as text with refs. */

/** The browser at a moment. */
export interface ShownBrowser extends BrowserTree {
  readonly window: string
  readonly isActive: boolean
}

interface ListedWindow {
  readonly uid: string
  readonly focused?: boolean
}

/** Looks at the browser. Throws the fault of a tool, and `WindowGone` if no window shows one. */
async function lookAtBrowser(caller: StepCaller, raw: unknown): Promise<ShownBrowser> {
  const look = async (tool: string, args: object) => {
    const { body, fault } = await callStep(caller, tool, args as ToolStep['args'], raw)
    if (fault) throw fault
    return body
  }
  const { windows } = await look('list_windows', {})
  for (const { uid, focused = false } of windows as readonly ListedWindow[]) {
    const { tree } = await look('get_window_structure', { window_uid: uid })
    const browser = tree ? browserIn(tree as WireElement) : undefined
    if (browser) return { window: uid, isActive: focused, ...browser }
  }
  throw new Fault('WindowGone', 'no window of this desktop is a browser')
}

/** The part of the screen that shows the page, and the size of its screenshots. */
export function pageScreen({ page }: ShownBrowser, budget: PictureBudget, pointer?: boolean): ModelScreen {
  const area: Rect = page.bounds
  return { area, size: sizeWithin(area, budget), budget, pointer }
}

/** The step that takes a screenshot of the page. */
export const pageScreenshot = ({ area, size, pointer }: ModelScreen): ToolStep => ({
  tool: 'capture_screen',
  args: { region: area, max_width: size.width, max_height: size.height, ...(pointer && { pointer }) },
})

/** The steps before an action: the browser in front, and a tab of it. Throws `BadRequest` for an unknown tab. */
function stepsToTab({ window, isActive, tabs }: ShownBrowser, tab: string | null | undefined): ToolStep[] {
  const front = isActive ? [] : [{ tool: 'bring_to_foreground', args: { window_uid: window } }]
  if (tab === undefined || tab === null) return front
  const known = tabs.find(({ id }) => id === tab)
  if (!known)
    throw new Fault(
      'BadRequest',
      `there is no tab ${JSON.stringify(tab)}; open are ${tabs.map(({ id }) => id).join(', ')}`,
    )
  return known.active ? front : [...front, clickOn(window, `${TAB_PREFIX}${tab}`)]
}

/** The step that clicks an element of the browser. */
export const clickOn = (window: string, element: string): ToolStep => ({
  tool: 'click_element',
  args: { window_uid: window, element_id: element },
})

const HISTORY: Readonly<Record<string, string>> = { back: 'alt+left', forward: 'alt+right', reload: 'f5' }

/** The step that closes a tab. */
export const closeTab = (window: string, tab: string): ToolStep => clickOn(window, closeButtonOf(tab))

/** The steps that load an address, as a person does. Throws `BadRequest` for a text that is none. */
export function stepsToLoad(url: string): readonly ToolStep[] {
  const keys = HISTORY[url]
  if (keys !== undefined) return [{ tool: 'press_keys', args: { keys } }]
  if (url.trim() === '' || /\p{Cc}/u.test(url))
    throw new Fault('BadRequest', 'url: expected an address', { field: 'url' })
  return [
    { tool: 'press_keys', args: { keys: 'ctrl+l' } },
    { tool: 'type_text', args: { text: `${url}\n` } },
  ]
}

/** A call that acts in the browser. */
interface BrowserCall {
  /** The call as it was sent, for the trace, and without what it may have typed. */
  readonly raw: object
  readonly bare: object
  readonly tab?: string | null | undefined
  readonly steps: (browser: ShownBrowser) => readonly ToolStep[]
  readonly acknowledged: Acknowledgement | undefined
}

/** The browser before and after a call, and what became of its steps. */
interface BrowserOutcome {
  readonly before: ShownBrowser
  readonly after: ShownBrowser
  readonly outcome: StepsOutcome
}

/** Executes the steps of a call in its tab. Throws the fault of a look, and `BadRequest` if the call does not fit the page. */
export async function actInBrowser(
  caller: StepCaller,
  { raw, bare, tab, steps, acknowledged }: BrowserCall,
): Promise<BrowserOutcome> {
  const before = await lookAtBrowser(caller, raw)
  const all = [...stepsToTab(before, tab), ...steps(before)]
  const outcome = await runActions(caller, [{ raw, steps: all }], JSON.stringify(raw), acknowledged)
  const after = outcome.fault || all.length === 0 ? before : await lookAtBrowser(caller, bare)
  return { before, after, outcome }
}

/** The refs of a session: each names an element of a page by its id, in the order in which elements were read. */
const refsOf = new WeakMap<DesktopSession, Map<string, string>>()

/** The most elements that a session has refs for. */
const MAX_REFS = 50_000

/** What a ref names: an element on the page with this address in this tab. */
function nameOf({ tabs }: ShownBrowser, element: string): string {
  const shown = tabs.find(({ active }) => active)
  return JSON.stringify([shown?.id, shown?.url, element])
}

function refFor(session: DesktopSession, browser: ShownBrowser, id: string): string {
  const element = nameOf(browser, id)
  const refs = refsOf.get(session) ?? new Map<string, string>()
  refsOf.set(session, refs)
  const ref = refs.get(element) ?? `ref_${Math.min(refs.size, MAX_REFS) + 1}`
  if (refs.size < MAX_REFS) refs.set(element, ref)
  return ref
}

/** The element of the page that a ref names. Throws `ElementNotFound`. */
export function elementOfRef(session: DesktopSession, browser: ShownBrowser, ref: string): WireElement {
  const [name] = [...(refsOf.get(session) ?? [])].find(([, known]) => known === ref) ?? []
  const id = name === undefined ? undefined : (JSON.parse(name) as readonly string[])[2]!
  const isHere = id !== undefined && nameOf(browser, id) === name
  const shown = [browser.page, ...(browser.dialog ? [browser.dialog] : [])]
  const element = isHere ? shown.map((tree) => elementIn(tree, id)).find((found) => found) : undefined
  if (!element) throw new Fault('ElementNotFound', `${ref.slice(0, 100)} is not on this page; read it again`)
  return element
}

const INTERACTIVE = rolesWith('tabStop')
const SILENT: ReadonlySet<string> = new Set(['pane', 'tooltip'])

const isInteractive = ({ role, id }: WireElement): boolean =>
  id !== BROWSER_PAGE &&
  (INTERACTIVE.has(roleKind(role)) || ['listitem', 'menuitem', 'treeitem'].includes(roleKind(role)))

/** What of a page is read. */
export interface PageReading {
  readonly filter?: 'all' | 'interactive' | null | undefined
  /** The levels below the page that are read. */
  readonly depth?: number | null | undefined
  /** Where it begins; the page by default. */
  readonly from?: WireElement | undefined
  /** Only elements that fit. */
  readonly fits?: (element: WireElement) => boolean
}

const DEPTH = 15

/** The elements of a page, a line each: role, name, ref, value and states. */
export function describePage(
  session: DesktopSession,
  browser: ShownBrowser,
  { filter = 'all', depth, from, fits }: PageReading,
): readonly string[] {
  const { page, dialog } = browser
  const lines: string[] = []
  const visit = (element: WireElement, level: number): void => {
    if (element.hidden || roleKind(element.role) === 'tooltip') return
    const isShown =
      (filter === 'interactive'
        ? isInteractive(element)
        : element.name !== '' || !SILENT.has(roleKind(element.role))) &&
      (fits?.(element) ?? true)
    if (isShown) lines.push(`${'  '.repeat(fits ? 0 : level)}${lineOf(session, browser, element)}`)
    if (level < (depth ?? DEPTH)) for (const child of element.children) visit(child, level + (isShown ? 1 : 0))
  }
  for (const child of from ? [from] : [...(dialog ? [dialog] : []), ...page.children]) visit(child, 0)
  return lines
}

function lineOf(session: DesktopSession, browser: ShownBrowser, element: WireElement): string {
  const { role, name, value, enabled, focused, selected, expanded, value_now: now } = element
  const states = [
    ...(enabled ? [] : ['disabled']),
    ...(focused ? ['focused'] : []),
    ...(selected ? ['selected'] : []),
    ...(expanded === undefined ? [] : [expanded ? 'expanded' : 'collapsed']),
  ]
  const content = value ?? (now === undefined ? undefined : String(now))
  return [
    role.toLowerCase(),
    JSON.stringify(name),
    `[${refFor(session, browser, element.id)}]`,
    ...(content === undefined || content === name ? [] : [`value=${JSON.stringify(content)}`]),
    ...states,
  ].join(' ')
}

/** The lines of the elements whose role, name or value have all words of a query. */
export function findOnPage(session: DesktopSession, browser: ShownBrowser, query: string): readonly string[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const fits = ({ role, name, value }: WireElement) => {
    const text = `${role} ${name} ${value ?? ''}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return describePage(session, browser, { fits }).slice(0, MAX_FOUND)
}

const MAX_FOUND = 20

/** The visible text of a page: its title, and the name or value of each element. */
export function textOfPage({ page, dialog }: ShownBrowser): string {
  const lines: string[] = []
  const visit = ({ role, name, value, hidden, children }: WireElement): void => {
    if (hidden || roleKind(role) === 'tooltip') return
    const text = name !== '' && roleKind(role) !== 'pane' ? name : (value ?? '')
    if (text !== '' && lines.at(-1) !== text) lines.push(text)
    for (const child of children) visit(child)
  }
  for (const child of [...(dialog ? [dialog] : []), ...page.children]) visit(child)
  return [page.name, ...lines].join('\n')
}

/** The step that gives a field, check box or list the value of a form. */
export function stepsToFill(
  window: string,
  element: WireElement,
  value: string | number | boolean,
): readonly ToolStep[] {
  const { id, role, selected = false } = element
  const target = { window_uid: window, element_id: id }
  if (typeof value === 'boolean') {
    if (!CHECKED.has(roleKind(role)))
      throw new Fault('BadRequest', `value: ${JSON.stringify(element.name)} is no check box or radio button`)
    return selected === value ? [] : [clickOn(window, id)]
  }
  return CHOOSES.has(roleKind(role))
    ? [{ tool: 'select_option', args: { ...target, option_name: String(value) } }]
    : [{ tool: 'set_value', args: { ...target, value: String(value) } }]
}

/** The tools of the observer for tools of the page, as the functions of a model. */
export const PAGE_TOOL_CALLS = {
  webmcp_list: {
    about: 'List the tools that the page registers (WebMCP).',
    input: z.strictObject({}),
    text: pageToolsText,
  },
  webmcp_call: {
    about: 'Call a tool that the page registers.',
    input: z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }),
    text: pageToolResultText,
  },
} as const

export type PageToolCall = keyof typeof PAGE_TOOL_CALLS

const CHECKED: ReadonlySet<string> = new Set(['checkbox', 'radio', 'toggle'])
const CHOOSES: ReadonlySet<string> = new Set(['combo', 'list'])
