import type { Fault } from '../../../base/fault.ts'
import type { ToolArguments, ToolResult } from '../../../observer/result.ts'
import type { CommandFile, CommandRequest } from '../contract.ts'
import type { DeskSession } from '../desk-session.ts'
import { CommandError, type ErrorCode } from './envelope.ts'
import { type DeskState, findRef, identify, type NamedRef, type NamedSession } from './snapshots.ts'
import { type DeskNode, deskNodeOf } from './tree.ts'
import type { EnvelopeVersion } from './versions.ts'

type Values = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** What a command works with. */
export interface DeskCall {
  readonly desk: DeskSession
  readonly args: Values
  readonly globals: Values
  readonly state: DeskState
  readonly session: NamedSession
  readonly version: string
  readonly rules: EnvelopeVersion
  readonly home: string
  /** The variables of the caller that the contract reads. */
  readonly environment: CommandRequest['environment']
  readonly files: CommandFile[]
}

/** A command: returns the `data` of its envelope. */
export type DeskCommand = (call: DeskCall) => Promise<unknown>

export const textArg = ({ args }: DeskCall, name: string): string | undefined =>
  typeof args[name] === 'string' ? args[name] : undefined

export const numberArg = ({ args }: DeskCall, name: string): number | undefined =>
  typeof args[name] === 'number' ? args[name] : undefined

/** A window as `list_windows` returns it. */
export interface ListedWindow {
  readonly title: string
  readonly process: string
  readonly pid: number
  readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  readonly focused: boolean
  readonly window_uid: string
  readonly popup_of?: string
}

export const nameOfApp = ({ process }: Pick<ListedWindow, 'process'>): string => process.replace(/\.exe$/i, '')

export const windowId = (uid: string): string => `w-${uid.replace(/[^A-Za-z0-9]+/g, '-')}`

/** The windows without menus and lists. */
export async function listedWindows({ desk }: Pick<DeskCall, 'desk'>): Promise<readonly ListedWindow[]> {
  const { windows } = await callTool(desk, 'list_windows')
  return (windows as readonly ListedWindow[]).filter(({ popup_of }) => popup_of === undefined)
}

const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** The window that `--window-id`, `--app` or `--title` names; the focused one without them. */
export async function chooseWindow(call: DeskCall, byDefault = true): Promise<ListedWindow> {
  const [id, app, title] = [textArg(call, 'window_id'), textArg(call, 'app'), textArg(call, 'title')]
  const windows = await listedWindows(call)
  if (id !== undefined) {
    const found = windows.find(({ window_uid }) => windowId(window_uid) === id)
    if (found) return found
    throw new CommandError('WINDOW_NOT_FOUND', `Window '${id}' not found`, { delivery: 'not_delivered' })
  }
  const named =
    app === undefined ? windows : windows.filter((window) => sameText(nameOfApp(window), nameOfApp({ process: app })))
  if (app !== undefined && named.length === 0)
    throw new CommandError('APP_NOT_FOUND', `Application '${app}' is not running`, {
      delivery: 'not_delivered',
      suggestion: `Running applications: ${[...new Set(windows.map(nameOfApp))].join(', ')}`,
    })
  const titled =
    title === undefined ? named : named.filter((window) => window.title.toLowerCase().includes(title.toLowerCase()))
  const [first] = titled
  if (!first || (!byDefault && app === undefined && title === undefined))
    throw new CommandError('WINDOW_NOT_FOUND', 'No window matches', { delivery: 'not_delivered' })
  return first
}

/** The tree of a window with its open menus and lists, as it is now. Undefined if the window is closed. */
export async function treeOf({ desk }: Pick<DeskCall, 'desk'>, uid: string): Promise<DeskNode | undefined> {
  const { windows } = await callTool(desk, 'list_windows')
  const all = windows as readonly ListedWindow[]
  if (!all.some(({ window_uid }) => window_uid === uid)) return undefined
  const main = await observed(desk, uid)
  const popups: DeskNode[] = []
  for (const popup of all.filter(({ popup_of }) => popup_of === uid)) {
    const tree = await observed(desk, popup.window_uid).catch(() => undefined)
    if (tree) popups.push(tree)
  }
  return popups.length === 0 ? main : { ...main, children: [...main.children, ...popups] }
}

async function observed(desk: DeskSession, uid: string): Promise<DeskNode> {
  await callTool(desk, 'observe_window', { window_uid: uid })
  const tree = desk.session.context.trees.knownTree(uid)
  if (!tree) throw new CommandError('APP_UNRESPONSIVE', 'The window gave no elements', { delivery: 'not_delivered' })
  return deskNodeOf(tree, uid)
}

/** Requires the tree of a window. */
export async function requireTree(call: Pick<DeskCall, 'desk'>, uid: string): Promise<DeskNode> {
  const tree = await treeOf(call, uid)
  if (tree) return tree
  throw new CommandError('WINDOW_NOT_FOUND', 'The window is closed', { delivery: 'not_delivered' })
}

/** A ref and the element that it names now. */
export interface ResolvedRef extends NamedRef {
  readonly ref: string
  readonly node: DeskNode
}

export const namedRef = (call: DeskCall, ref: string): NamedRef =>
  findRef(call.state, call.session, ref, textArg(call, 'snapshot'), call.rules)

/** Resolves a ref by identifying its element again. */
export async function resolveRef(call: DeskCall, ref: string): Promise<ResolvedRef> {
  const named = namedRef(call, ref)
  const tree = await treeOf(call, named.entry.windowUid)
  if (!tree) throw new CommandError('STALE_REF', 'The window of the ref is closed', { delivery: 'not_delivered' })
  const { snapshot, number } = named
  return { ...named, ref: `@${snapshot.id}:e${number}`, node: identify(named.entry, tree) }
}

/** Calls a tool. A refusal becomes the error of agent-desktop. */
export async function callTool(
  desk: DeskSession,
  tool: string,
  args: ToolArguments = {},
  sent?: readonly string[],
): Promise<ToolResult> {
  const { body, fault } = await desk.attempt(tool, args, sent)
  if (fault) throw commandError(fault)
  return body
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  ElementNotFound: 'ELEMENT_NOT_FOUND',
  ElementOccluded: 'ACTION_FAILED',
  ElementDisabled: 'ACTION_FAILED',
  WindowOccluded: 'ACTION_FAILED',
  WindowGone: 'WINDOW_NOT_FOUND',
  Timeout: 'APP_UNRESPONSIVE',
  PatternUnsupported: 'ACTION_NOT_SUPPORTED',
  RateLimited: 'ACTION_FAILED',
  BudgetExceeded: 'PERM_DENIED',
  PermissionDenied: 'PERM_DENIED',
  ConfirmationRequired: 'POLICY_DENIED',
  ConfirmationInvalid: 'POLICY_DENIED',
  PlatformUnsupported: 'PLATFORM_NOT_SUPPORTED',
  BadRequest: 'INVALID_ARGS',
  Busy: 'APP_UNRESPONSIVE',
}

/** A fault of a tool, none of which has been delivered. */
export const commandError = ({ code, message }: Fault): CommandError =>
  new CommandError(CODES[code] ?? 'INTERNAL', message, {
    delivery: code === 'Internal' ? 'unknown' : 'not_delivered',
    platformDetail: code,
  })

/** The clock of the desktop, in milliseconds. */
export const nowMs = ({ desk }: Pick<DeskCall, 'desk'>): number => desk.session.context.clock.now()

/** Real back-off code divides by the time that passed: it is never 0. */
export const elapsedSince = (call: Pick<DeskCall, 'desk'>, startedMs: number): number =>
  Math.max(1, Math.round(nowMs(call) - startedMs))
