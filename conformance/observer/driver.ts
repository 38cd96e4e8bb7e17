import assert from 'node:assert/strict'
import * as z from 'zod'
import { assertStatus, fail, NotOffered, notOffered } from '../probe/failure.ts'
import type { HttpProbe, HttpResponse } from '../probe/http.ts'
import type { TestContext } from '../suite/test-context.ts'
import { initialize, type McpPeer } from './mcp-driver.ts'
import {
  Capabilities,
  CODES,
  type Code,
  FoundElement,
  Health,
  type Node,
  Observation,
  Receipt,
  Refusal,
  ScenarioLoaded,
  Structure,
  type Window,
  Windows,
} from './shapes.ts'
import { nodesOf, type Placed, place } from './tree.ts'

/** A query string; parameters without a value are left out. */
export function toQuery(parameters: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** Parses the body of a response that must be a success. */
export function parseSuccess<T>(answer: HttpResponse, shape: z.ZodType<T>): T {
  assertStatus(answer, 200)
  return answer.json(shape)
}

/** Fails unless the response is a version 2 error with this code and its status; returns the error. */
export function assertRefusal(answer: HttpResponse, code: Code): z.infer<typeof Refusal>['error'] {
  const details = `${answer.what} answers ${answer.status}: ${answer.text.slice(0, 500)}`
  assertStatus(answer, CODES[code], code)
  const { error } = answer.json(Refusal)
  assert.equal(error.code, code, details)
  return error
}

/**
 * Shows a scenario of the profile from its start. For a server without scenarios, such as a real desktop, it posts
 * `{"scenario": name}` to the profile's `stage` address, which answers 200 when the screen is ready.
 */
export async function showScenario(context: TestContext, name = 'desk'): Promise<void> {
  if (!context.profile.has('stage')) return void (await loadScenario(context, name))
  const reply = await fetch(context.profile.known('stage', z.url()), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scenario: name }),
  })
  if (!reply.ok) fail(`prerequisite: the stage answers ${reply.status} for "${name}": ${await reply.text()}`)
}

/** Optional capabilities, by their names in the capabilities response. */
export type Capability = 'drag' | 'ocr' | 'occlusion_detection' | 'redaction' | 'replay' | 'scenarios' | 'tracing'

/** Ends the check as not offered unless the server announces the capability. */
export async function requireCapability(http: HttpProbe, capability: Capability): Promise<void> {
  const { supports } = parseSuccess(await http.get('/api/capabilities'), Capabilities)
  if (supports[capability] !== true) notOffered(`capabilities do not announce ${capability}`)
}

/** A check that is not offered unless the server announces the capability. */
export const ifOffered =
  (capability: Capability, check: (context: TestContext) => Promise<void>) =>
  async (context: TestContext): Promise<void> => {
    await requireCapability(context.http, capability)
    await check(context)
  }

/** The checks whose effect on the screen is undone when they end. */
const undone = new WeakSet<TestContext>()

/** Shows the desk again when a check ends, because later checks use the screen as they find it. */
function showDeskAtEnd(context: TestContext): void {
  if (undone.has(context)) return
  undone.add(context)
  const { http } = context
  context.onEnd(() =>
    http
      .post('/api/scenario/load', { path: pathOf(context, 'desk') }, { timeoutMs: UNDOING_MS })
      .catch(() => undefined),
  )
}

/** Milliseconds that a server may take to show the desk again. */
const UNDOING_MS = 5000

/** Shows the desk before the first check, so that none of them depends on which ran before. */
export async function prepare(context: TestContext): Promise<void> {
  if (context.target.url !== undefined && context.profile.has('scenarios')) await showScenario(context)
}

/** Loads a scenario of the profile. */
export async function loadScenario(context: TestContext, name = 'desk'): Promise<z.infer<typeof ScenarioLoaded>> {
  const { http, profile } = context
  if (!profile.has('scenarios')) {
    if (profile.has('stage')) notOffered('the stage of the profile shows the desk only')
    await requireCapability(http, 'scenarios')
  }
  const path = pathOf(context, name)
  showDeskAtEnd(context)
  const answer = await http.post('/api/scenario/load', { path })
  if (answer.status !== 200) await requireCapability(http, 'scenarios')
  return parseSuccess(answer, ScenarioLoaded)
}

function pathOf({ profile }: TestContext, name: string): string {
  const paths = profile.known('scenarios', z.record(z.string(), z.string()))
  return paths[name] ?? beside(paths.desk, name)
}

/** The suite's scenarios are in one folder, so a profile need not name all of them. */
function beside(desktop: string | undefined, name: string): string {
  if (desktop === undefined || !/desk\.ya?ml$/.test(desktop))
    fail(`prerequisite: the profile knows no scenario "${name}"`)
  return desktop.replace(/desk(?=\.ya?ml$)/, name)
}

/** Loads a scenario of the suite that the server may refuse. */
export async function tryLoadScenario(context: TestContext, name: string): Promise<HttpResponse> {
  await loadScenario(context)
  return context.http.send({
    method: 'POST',
    path: '/api/scenario/load',
    raw: JSON.stringify({ path: pathOf(context, name) }),
    deliberate: true,
  })
}

export const getWindows = async (http: HttpProbe): Promise<readonly Window[]> =>
  parseSuccess(await http.get('/api/windows'), Windows).windows

/** The focused window, the default of actions without a window. */
export async function getFrontWindow(http: HttpProbe): Promise<Window> {
  const windows = await getWindows(http)
  return windows.find((window) => window.focused) ?? windows[0] ?? fail('prerequisite: there is no window')
}

export type WindowTree = z.infer<typeof Structure> & { readonly tree: Node }

/** A window's whole tree. */
export async function getTree(http: HttpProbe, parameters: Parameters<typeof toQuery>[0] = {}): Promise<WindowTree> {
  const answer = await http.get(`/api/structure${toQuery({ depth: MAX_TREE_DEPTH, ...parameters })}`)
  const structure = parseSuccess(answer, Structure)
  return { ...structure, tree: structure.tree ?? fail(`${answer.what} has no tree`) }
}
/** Deeper than any tree; servers reduce it to their limit. */
const MAX_TREE_DEPTH = 64

export const findElement = async (
  http: HttpProbe,
  selector: string,
  window_uid?: string,
): Promise<z.infer<typeof FoundElement>> =>
  parseSuccess(await http.get(`/api/find_element${toQuery({ selector, window_uid })}`), FoundElement)

/** The value of the element of that name in the focused window. */
export const getValue = async (http: HttpProbe, name: string): Promise<string | null> =>
  (await getElementByName(http, name)).value

/** Performs an element action, which must succeed. */
export const actOnElement = async (http: HttpProbe, action: string, body: unknown): Promise<Receipt> =>
  parseSuccess(await http.post(`/api/element/${action}`, body), Receipt)

/** The one element of that name in the focused window. */
export async function getElementByName(http: HttpProbe, name: string): Promise<Node> {
  const { tree } = await getTree(http)
  return nodesOf(tree).find((node) => node.name === name) ?? fail(`prerequisite: no element is named "${name}"`)
}

export async function observe(http: HttpProbe, parameters: Parameters<typeof toQuery>[0] = {}): Promise<Observation> {
  return parseSuccess(await http.get(`/api/observe${toQuery({ depth: MAX_TREE_DEPTH, ...parameters })}`), Observation)
}

/** A full observation. */
export async function observeFull(http: HttpProbe, parameters: Parameters<typeof toQuery>[0] = {}) {
  const seen = await observe(http, parameters)
  if (seen.format !== 'full') fail(`the answer is ${seen.format} instead of full`)
  return seen
}

/**
 * Changes the value of the field Name by the simplest documented means: a click, and typed text that triggers a
 * reaction of the scenario. It does not depend on the built-in behavior of a mock server.
 */
export async function fillNameField(http: HttpProbe, text = 'Ada'): Promise<void> {
  await actOnElement(http, 'click', { selector: 'Edit[name="Name"]' })
  parseSuccess(
    await http.post('/api/action', { action: 'type', value: text }),
    z.looseObject({ success: z.literal(true) }),
  )
}

/** Roles and names that a selector can spell without any escape. */
export const isPlain = (node: Node) => /^\w+$/.test(node.role) && /^[\w .:,-]{1,60}$/.test(node.name)

/** Loads the suite's scenario when the profile has one, else uses the current screen. */
export async function anyTree(
  context: TestContext,
): Promise<{ readonly uid: string; readonly placed: readonly Placed[] }> {
  if (context.profile.has('scenarios')) await showScenario(context)
  const { window_uid } = await getFrontWindow(context.http)
  return { uid: window_uid, placed: place((await getTree(context.http, { window_uid })).tree) }
}

/** A few nodes of a tree that pass, chosen by the seed. */
export function chooseNodes(
  { random }: TestContext,
  placed: readonly Placed[],
  passes: (one: Placed) => boolean,
  count = 4,
): readonly Placed[] {
  const chosen = random.shuffle(placed.filter(passes)).slice(0, count)
  return chosen.length > 0 ? chosen : fail('prerequisite: no element of the screen is suitable')
}

/** Whether this is an observer at all. */
export async function handshake(context: TestContext): Promise<void> {
  if (context.target.url === undefined) return greetMcp(await context.ownMcp())
  parseSuccess(await context.http.get('/api/healthz'), Health)
}

/** Fails unless the process is an MCP server of any revision. */
async function greetMcp(mcp: McpPeer): Promise<void> {
  try {
    await initialize(mcp)
  } catch (error) {
    if (!(error instanceof NotOffered)) throw error
  }
}
