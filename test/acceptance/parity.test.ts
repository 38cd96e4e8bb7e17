import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { FastifyInstance } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createFastifyApp } from '../../src/compose/rest-app.ts'
import { ALL_TOOLS } from '../../src/observer/registry.ts'
import { observerMcp } from '../../src/protocols/observer-mcp/connection.ts'
import { TOOL_ROUTES } from '../../src/protocols/observer-rest/routes.ts'
import { openDesktop, type TestDesktop } from '../../src/testing.ts'

// Every tool returns the same over its own route, the generic route and MCP.

const LOGIN = readFileSync(new URL('../../scenarios/login.yaml', import.meta.url), 'utf8')

type Answer = Readonly<Record<string, unknown>>
type Wire = (tool: string, args: Answer) => Promise<Answer>

/** Arguments for each tool. A function receives the results so far, by tool. */
type Args = Answer | ((before: Readonly<Record<string, Answer>>) => Answer)

/** A session in which every tool is called once, with arguments that are valid at that point. */
const CALLS: readonly (readonly [tool: string, args: Args])[] = [
  ['get_capabilities', {}],
  ['get_monitors', {}],
  ['get_budget_status', {}],
  ['session_info', {}],
  ['finish', { text: '42' }],
  ['get_redaction_status', {}],
  ['trace_start', { label: 'parity' }],
  ['trace_status', {}],
  ['list_windows', {}],
  ['observe_window', { window_index: 0 }],
  ['get_window_structure', { roles: ['Edit', 'Button'], max_nodes: 2 }],
  ['find_element', { selector: 'Edit' }],
  ['snapshot', {}],
  ['propose_action', { action: 'click_element', args: { element_id: 'u' } }],
  ['click_element', { selector: 'Edit "Username"', count: 1 }],
  ['type_text', { text: 'ali' }],
  ['press_key', { keys: 'end' }],
  ['type_and_observe', { text: 'x', wait_after_ms: 10 }],
  ['press_key_and_observe', { keys: 'backspace', wait_after_ms: 10 }],
  ['clear_text', { element_id: 'u' }],
  ['set_value', { element_id: 'u', value: 'alice' }],
  ['key_into_element', { element_id: 'u', keys: 'home' }],
  ['focus_element', { element_id: 'p' }],
  ['select_option', { element_id: 'u', option_index: 0 }],
  ['hover_at', { x: 250, y: 250 }],
  ['hover_element', { element_id: 'btn' }],
  ['scroll', { x: 250, y: 250, clicks: 2 }],
  ['drag', { from: { x: 300, y: 500 }, to: { x: 310, y: 500 } }],
  ['get_pointer', {}],
  ['move_pointer', { x: 320, y: 505 }],
  ['mouse_down', { x: 300, y: 500 }],
  ['mouse_up', { x: 310, y: 500, button: 'left' }],
  ['mouse_click', { count: 2, modifiers: ['shift'] }],
  [
    'mouse_drag',
    {
      path: [
        { x: 300, y: 500 },
        { x: 310, y: 510 },
        { x: 320, y: 500 },
      ],
      duration_ms: 100,
    },
  ],
  ['mouse_scroll', { x: 250, y: 250, delta_x: 60, delta_y: 240, unit: 'pixels' }],
  ['key_down', { key: 'Shift_L' }],
  ['key_up', { key: 'SHIFT' }],
  ['hold_key', { keys: 'shift', duration_ms: 100 }],
  ['press_keys', { keys: 'End', repeat: 2 }],
  ['wait', { duration_ms: 250 }],
  ['set_clipboard', { text: 'copied' }],
  ['get_clipboard', {}],
  ['write_disk_file', { path: '/home/user/a.txt', content: 'eA==', encoding: 'base64' }],
  ['read_disk_file', { path: '/home/user/a.txt' }],
  ['list_disk_files', { path: '/home' }],
  [
    'capture_screen',
    { region: { x: 0, y: 0, width: 200, height: 100 }, max_width: 100, format: 'jpeg', pointer: true },
  ],
  ['right_click_at', { x: 500, y: 500 }],
  ['double_click_at', { x: 500, y: 500 }],
  ['click_at', { x: 500, y: 500, button: 'middle' }],
  ['right_click_element', { element_id: 'root' }],
  ['double_click_element', { element_id: 'u' }],
  ['bring_to_foreground', { window_uid: 'mock:app' }],
  ['get_screen_description', { max_tokens: 50 }],
  ['get_screen_outline', { window_index: 0 }],
  ['get_screen_sketch', { grid_width: 40, grid_height: 12, structured: true }],
  ['get_ocr', { element_id: 'btn' }],
  ['get_screenshot', { window_uid: 'mock:app' }],
  ['get_screenshot_cropped', { element_id: 'btn', padding_px: 4 }],
  ['get_full_screenshot', {}],
  ['get_annotations', { window_uid: 'mock:app', picture: 'marks' }],
  ['get_visible_areas', { window_index: 0 }],
  ['wait_for', { any_of: [{ type: 'text_visible', regex: 'never' }], timeout_ms: 100 }],
  ['wait_idle', { quiet_ms: 100 }],
  ['webmcp_list', {}],
  ['webmcp_call', { name: 'search' }],
  ['snapshot_get', ({ snapshot }) => ({ snapshot_id: snapshot!.snapshot_id })],
  ['snapshot_diff', ({ snapshot }) => ({ a: snapshot!.snapshot_id, b: snapshot!.snapshot_id, format: 'json-patch' })],
  ['snapshot_drop', ({ snapshot }) => ({ snapshot_id: snapshot!.snapshot_id })],
  ['assert_state', { predicate: [{ kind: 'value_equals', selector: '*[id="u"]', expected: 'alice' }] }],
  ['invoke_element', { element_id: 'btn' }],
  ['click_element_and_observe', { element_id: 'btn', dry_run: true }],
  ['trace_stop', {}],
  ['replay_start', ({ trace_stop }) => ({ path: trace_stop!.path, mode: 'verify' })],
  ['replay_step', ({ replay_start }) => ({ replay_id: replay_start!.replay_id })],
  ['replay_status', ({ replay_start }) => ({ replay_id: replay_start!.replay_id })],
  ['replay_stop', ({ replay_start }) => ({ replay_id: replay_start!.replay_id })],
  ['load_scenario', { path: 'login.yaml' }],
  ['session_step', { action: { tool: 'click_element', args: { element_id: 'u' } }, observe: 'diff' }],
  ['session_advance', { ms: 100 }],
  ['session_rewind', { to_step: 0 }],
  ['session_reset', { seed: 5 }],
  ['session_fork', {}],
]

const desk = () => openDesktop({ scenario: LOGIN, files: { 'login.yaml': LOGIN } })

async function overMcp({ session }: TestDesktop): Promise<Wire> {
  const [here, there] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'parity', version: '0' })
  await Promise.all([observerMcp({ session, name: 'x', version: '1' }).connect(there), client.connect(here)])
  const { tools } = await client.listTools()
  return async (name, args) => {
    const hasPicture = 'inline' in (tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {})
    const result = await client.callTool({ name, arguments: { ...args, ...(hasPicture && { inline: true }) } })
    const [first] = result.content as { text: string }[]
    return withoutImages((result.structuredContent as Answer | undefined) ?? JSON.parse(first!.text)) as Answer
  }
}

/** Leaves out what only MCP has: descriptions of image content. */
const withoutImages = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_key, value) => {
    if (typeof value?.image?.sha256 !== 'string') return value
    const { image: _, ...rest } = value
    return rest
  })

async function overTheGenericRoute(played: TestDesktop): Promise<Wire> {
  const app = await createFastifyApp(played)
  return async (tool, payload) => (await app.inject({ method: 'POST', url: `/api/tool/${tool}`, payload })).json()
}

/** The own route of each tool. Tools without one are called by the generic route. */
async function overItsOwnRoute(played: TestDesktop): Promise<Wire> {
  const app = await createFastifyApp(played)
  return async (tool, args) => {
    const row = TOOL_ROUTES.find(([, , name]) => name === tool)
    if (!row) return ownAnswer(app, tool, args)
    const [method, pattern] = row
    const url = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(args[name])))
    if (method === 'POST') return (await app.inject({ method, url, payload: args })).json()
    return (await app.inject({ method, url: `${url}?${queryOf(args)}` })).json()
  }
}

/** Routes that serve two tools. */
async function ownAnswer(app: FastifyInstance, tool: string, args: Answer): Promise<Answer> {
  const acts: Readonly<Record<string, Answer>> = {
    click_at: { action: 'click_at', ...args },
    scroll: { action: 'scroll', ...args },
    type_text: { action: 'type', value: args.text },
    press_key: { action: 'key', value: args.keys },
  }
  const url = tool.startsWith('hover') ? '/api/hover' : acts[tool] ? '/api/action' : `/api/tool/${tool}`
  return (await app.inject({ method: 'POST', url, payload: { ...(acts[tool] ?? args) } })).json()
}

const queryOf = (args: Answer): string =>
  new URLSearchParams(Object.entries(args).map(([key, value]): [string, string] => [key, String(value)])).toString()

/** The whole session over one transport. */
async function play(wire: Wire): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {}
  for (const [tool, args] of CALLS) answers[tool] = await wire(tool, typeof args === 'function' ? args(answers) : args)
  return answers
}

/** A result in the form that all transports share: traces alone name the caller, and legacy errors are unified. */
function common({ code, error_detail, ...answer }: Answer): Answer {
  return error_detail === undefined
    ? { ...(code !== undefined && { code }), ...answer }
    : { ...answer, error: error_detail }
}

describe('parity', () => {
  it('calls every tool', () => {
    const called = CALLS.map(([tool]) => tool)
    expect(ALL_TOOLS.map(({ name }) => name).filter((name) => !called.includes(name))).toEqual([])
  })

  it('[OB10] returns the same results, valid by their schemas, over the generic route, own routes and MCP', async () => {
    const generic = await play(await overTheGenericRoute(desk()))
    const own = await play(await overItsOwnRoute(desk()))
    const mcp = await play(await overMcp(desk()))
    for (const [tool] of CALLS) {
      expect([tool, common(own[tool]!)]).toEqual([tool, generic[tool]])
      expect([tool, mcp[tool]]).toEqual([tool, generic[tool]])
    }
    const refused = CALLS.filter(([tool]) => generic[tool]!.ok !== true).map(([tool]) => tool)
    expect(refused).toEqual(['select_option', 'wait_for', 'webmcp_list', 'webmcp_call', 'session_fork'])
  })
})
