import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerContext } from '../../client/flow.ts'
import { problemOf, readJson } from '../../client/validate.ts'
import { findOperation } from '../../contract/contract.ts'
import { shorten } from '../../probe/frame.ts'
import { observerContract } from '../contract.ts'
import type { DesktopServer } from './acting-flows.ts'
import { errorResponse, type ToolResponse, toolError } from './screen.ts'
import { type Arguments, ScriptedDesktop } from './scripted-desktop.ts'

const PREFIX = 'observer-client'

/** The tools behind the endpoints; `POST /api/action` names its tool in the body. */
const TOOLS: Readonly<Record<string, string>> = {
  'GET /api/windows': 'list_windows',
  'GET /api/structure': 'get_element_tree',
  'GET /api/description': 'get_screen_description',
  'GET /api/sketch': 'get_screen_sketch',
  'GET /api/screenshot': 'get_screenshot',
  'GET /api/observe': 'observe',
  'GET /api/find_element': 'find_element',
  'GET /api/capabilities': 'get_capabilities',
  'GET /api/monitors': 'get_monitors',
  'GET /api/budget_status': 'get_budget_status',
  'GET /api/redaction_status': 'get_redaction_status',
  'POST /api/element/click': 'click_element',
  'POST /api/element/focus': 'focus_element',
  'POST /api/element/invoke': 'invoke_element',
  'POST /api/element/set_value': 'set_value',
  'POST /api/element/select': 'select_option',
  'POST /api/element/right_click': 'right_click_element',
  'POST /api/element/double_click': 'double_click_element',
  'POST /api/element/key': 'key_into_element',
  'POST /api/element/clear_text': 'clear_text',
  'POST /api/element/click_and_observe': 'click_element_and_observe',
  'POST /api/type_and_observe': 'type_and_observe',
  'POST /api/key_and_observe': 'press_key_and_observe',
  'POST /api/hover': 'hover_at',
  'POST /api/drag': 'drag',
  'POST /api/wait_for': 'wait_for',
  'POST /api/wait_idle': 'wait_idle',
  'POST /api/propose_action': 'propose_action',
}

const ACTIONS: Readonly<Record<string, string>> = {
  click_at: 'click_at',
  type: 'type_text',
  key: 'press_key',
  scroll: 'scroll',
}

const HEALTH = 'GET /api/healthz'
const READY = { uptime_s: 1, step_count: 0, adapter: 'mock', version: '2.0' }

/** A scripted observer over REST. */
export class ObserverServer implements DesktopServer {
  readonly desk: ScriptedDesktop
  private readonly context: ServerContext
  /** How often healthz still answers 503. */
  unreadyPolls = 0
  private requests = 0
  private hasPolled = false

  constructor(context: ServerContext) {
    this.context = context
    this.desk = new ScriptedDesktop(context, PREFIX)
  }

  get reached(): boolean {
    return this.desk.acts > 0
  }

  /** Whether the client has requested the health of a server that was not ready. */
  get polled(): boolean {
    return this.hasPolled
  }

  started(): Promise<void> {
    return this.context.flowContext.waitForStart('send a request', () => this.requests > 0 || undefined)
  }

  conclude(): void {}

  request(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { flowContext } = this.context
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server')
    const method = request.method ?? ''
    const title = `${method} ${pathname}`
    flowContext.recorder.add({
      direction: 'received',
      channel: 'http',
      title: `${method} ${request.url}`,
      text: shorten(body),
    })
    const answer = ({ status, body: json }: ToolResponse) => {
      const text = JSON.stringify(json)
      flowContext.recorder.add({
        direction: 'sent',
        channel: 'http',
        title: `${status} to ${title}`,
        text: shorten(text),
      })
      const limited = status === 429 ? { 'retry-after': '1' } : {}
      response.writeHead(status, { 'content-type': 'application/json', ...limited }).end(text)
      flowContext.notifyChange()
    }
    this.requests++
    this.desk.lastCallAt = performance.now()
    void this.reply(method, pathname, Object.fromEntries(searchParams), body).then(answer)
    flowContext.notifyChange()
  }

  private async reply(method: string, path: string, query: Arguments, body: string): Promise<ToolResponse> {
    const name = findOperation(observerContract, method, path)
    const known = name === undefined ? `${method} ${path} is not in the document` : undefined
    if (!this.rule('request:known', known)) return errorResponse(toolError('BadRequest', 'there is no such endpoint'))
    const operation = name!
    if (operation === HEALTH) return this.health()
    if (this.hasPolled && this.unreadyPolls > 0)
      this.rule('ready:waits', `${operation} was sent while healthz answered 503`)
    const schema = observerContract.operations[operation]!.body
    if (!schema) return this.call(operation, query)
    const json = readJson(body)
    const found = json.problem ?? problemOf(schema, json.value)
    if (!this.rule('request:shape', found && `${operation}: ${found}`))
      return errorResponse(toolError('BadRequest', found!))
    return this.call(operation, json.value as Arguments)
  }

  private async call(operation: string, given: Arguments): Promise<ToolResponse> {
    const { action, ...rest } = given
    const tool = operation === 'POST /api/action' ? ACTIONS[String(action)] : TOOLS[operation]
    const reply = tool === undefined ? undefined : await this.desk.call(tool, tool in TOOLS ? given : rest)
    return reply ?? errorResponse(toolError('PlatformUnsupported', `${operation} is not part of this scripted desktop`))
  }

  private health(): ToolResponse {
    if (this.unreadyPolls === 0) {
      if (this.hasPolled) this.rule('ready:waits', undefined)
      return this.desk.success(READY)
    }
    this.unreadyPolls--
    this.hasPolled = true
    return { status: 503, body: { error: 'starting' } }
  }

  private rule(rule: string, found: string | undefined): boolean {
    return this.context.flowContext.assess(`${PREFIX}:${rule}`, found)
  }
}
