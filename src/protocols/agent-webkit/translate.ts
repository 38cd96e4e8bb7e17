import { ASK_USER } from '../../agent/engine-tools.ts'
import {
  type AgentEvent,
  type Answers,
  QuestionForm,
  questionId,
  readAnswers,
  type ToolCallArguments,
} from '../../agent/events.ts'
import { type Attachment, readAttachments, withNotes } from '../../agent/history/attachments.ts'
import { PERMISSION_MODES, type PermissionRule, type Permissions } from '../../agent/profiles.ts'
import type { UserInput } from '../../agent/run/run-context.ts'
import { toText } from '../../base/strings.ts'
import type { Component, ContentBlock, Inbound, Questions, WireEvent } from './wire.ts'

/** A command to a session. */
export type Command =
  | { readonly type: 'send'; readonly input: UserInput }
  | { readonly type: 'interrupt' }
  | {
      readonly type: 'decide'
      readonly id: string
      readonly allowed: boolean
      readonly message?: string
      readonly interrupt: boolean
      readonly args?: ToolCallArguments
      readonly updates: readonly PermissionUpdate[]
    }
  | { readonly type: 'answer'; readonly id: string; readonly answers: unknown }
  | { readonly type: 'set_mode'; readonly mode: string }
  | { readonly type: 'set_model'; readonly model: string | undefined }
  | { readonly type: 'stop_task'; readonly id: string }

type PermissionUpdate = Readonly<Record<string, unknown>>

/** Translates a client message into a command. */
export function fromWire(message: Inbound): Command {
  switch (message.type) {
    case 'user_message':
      return { type: 'send', input: inputOf(message.content) }
    case 'interrupt':
      return { type: 'interrupt' }
    case 'permission_response': {
      const allowed = message.behavior === 'allow'
      return {
        type: 'decide',
        id: message.correlation_id,
        allowed,
        ...(message.message ? { message: message.message } : {}),
        // The document forbids it with an approval. If a client sends both, the approval counts.
        interrupt: !allowed && message.interrupt === true,
        ...(message.updated_input ? { args: message.updated_input } : {}),
        updates: message.updated_permissions ?? [],
      }
    }
    case 'question_response':
      return { type: 'answer', id: message.correlation_id, answers: message.answers }
    case 'set_permission_mode':
      return { type: 'set_mode', mode: message.mode }
    case 'set_model':
      return { type: 'set_model', model: message.model ?? undefined }
    case 'stop_task':
      return { type: 'stop_task', id: message.task_id }
  }
}

function inputOf(content: string | readonly ContentBlock[]): UserInput {
  if (typeof content === 'string') return { text: content }
  const texts: string[] = []
  const files: Attachment[] = []
  for (const block of content) {
    if (block.type === 'text') texts.push(block.text)
    if (block.type === 'image') files.push({ mimeType: block.source.media_type, base64: block.source.data })
  }
  const text = texts.join('\n')
  const { images, notes } = readAttachments(files)
  const modelText = withNotes(text, notes)
  return { text, images, ...(modelText !== undefined && { modelText }) }
}

/** The permissions after the updates of an approval. */
export const applyPermissionUpdates = (permissions: Permissions, updates: readonly PermissionUpdate[]): Permissions =>
  updates.reduce(updatePermission, permissions)

/** An update of an unknown type has no effect. */
function updatePermission(permissions: Permissions, update: PermissionUpdate): Permissions {
  if (update.type === 'setMode') {
    const mode = PERMISSION_MODES.find((known) => known === update.mode)
    return mode === undefined ? permissions : { ...permissions, mode }
  }
  const { behavior: decision } = update
  if (decision !== 'allow' && decision !== 'deny' && decision !== 'ask') return permissions
  const rules = rulesOf(update.rules, decision)
  const isSame = (one: PermissionRule) => rules.some(({ tool, target }) => tool === one.tool && target === one.target)
  const isKept = (one: PermissionRule) => one.decision !== decision
  switch (update.type) {
    case 'addRules':
      return { ...permissions, rules: limited([...permissions.rules, ...rules]) }
    case 'replaceRules':
      return { ...permissions, rules: limited([...permissions.rules.filter(isKept), ...rules]) }
    case 'removeRules':
      return { ...permissions, rules: permissions.rules.filter((one) => isKept(one) || !isSame(one)) }
    default:
      return permissions
  }
}

const MAX_RULES = 1000
const MAX_CONTENT_LENGTH = 200
const limited = (rules: readonly PermissionRule[]) => rules.slice(-MAX_RULES)

function rulesOf(rules: unknown, decision: PermissionRule['decision']): PermissionRule[] {
  if (!Array.isArray(rules)) return []
  return rules.flatMap((rule: { toolName?: unknown; ruleContent?: unknown } | null): PermissionRule[] => {
    const { toolName: tool, ruleContent: content } = rule ?? {}
    if (typeof tool !== 'string' || tool === '') return []
    if (typeof content !== 'string' || content === '') return [{ tool, decision }]
    // Too long for a pattern. To stay safe, an allow rule is dropped, and any other rule covers the whole tool.
    if (content.length > MAX_CONTENT_LENGTH) return decision === 'allow' ? [] : [{ tool, decision }]
    return [{ tool, decision, target: patternOf(content) }]
  })
}

/** The pattern of a rule: a whole text, or a prefix if it ends in `*` or `:*`. */
function patternOf(content: string): string {
  const [, beginning] = /^(.*?):?\*$/s.exec(content) ?? []
  const literal = (text: string) =>
    text.replace(/[^A-Za-z0-9_]/gu, (character) => `\\x{${character.codePointAt(0)!.toString(16)}}`)
  return beginning === undefined ? `^${literal(content)}$` : `^${literal(beginning)}`
}

/**
 * Converts the answers of a client, keyed by question id. Clients send `[{question, selectedOptions}]` or, like the tool,
 * answers keyed by question. Anything else is passed on unchanged.
 */
export function toAnswers(form: QuestionForm, given: unknown): { readonly answers: unknown; readonly text: string } {
  if (typeof given !== 'object' || given === null) return { answers: given, text: String(given) }
  const entries = Array.isArray(given) ? selections(given) : Object.entries(given)
  const answers = Object.fromEntries(entries.map(([name, answer]) => [idOf(form, name), answer])) as Answers
  return { answers, text: readAnswers(form, answers) }
}

const selections = (items: readonly { question?: unknown; selectedOptions?: unknown }[]) =>
  items.flatMap((item): readonly (readonly [string, readonly string[]])[] =>
    Array.isArray(item?.selectedOptions) ? [[toText(item.question), item.selectedOptions.map(toText)]] : [],
  )

/** The id of the question with a text. Any other name is returned unchanged. */
function idOf(form: QuestionForm, name: string): string {
  const index = form.questions.findIndex(({ question }) => question === name)
  return index < 0 ? name : questionId(form, index)
}

/** The document's name for the tool that asks the user. */
const ASK_USER_QUESTION = 'AskUserQuestion'

/** The session state that a translation needs. */
export interface WireContext {
  readonly sessionId: string
  /** The model the client asked for when the turn began. */
  readonly model: string | undefined
}

/** The deltas of an unfinished thought. */
export interface OpenThought {
  readonly messageId: string
  readonly text: string
}

/**
 * Returns the thought that is still open after an event, and its delta once it ends. The thought is sent as one block, because
 * clients join only text deltas and append any other delta to the message as a separate block.
 */
export function trackThinking(
  thought: OpenThought | undefined,
  event: AgentEvent,
): readonly [OpenThought | undefined, WireEvent[]] {
  if (event.subagent) return [thought, []]
  if (event.type === 'thinking_delta')
    return [{ messageId: event.messageId, text: (thought?.text ?? '') + event.text }, []]
  const isOver = event.type === 'text_delta' || event.type === 'tool_call_start' || event.type === 'message_end'
  if (!thought || !isOver) return [thought, []]
  const delta = { type: 'thinking' as const, thinking: thought.text }
  return [undefined, [{ event: 'message_delta', data: { message_id: thought.messageId, delta } }]]
}

/** Translates an event. Messages of a nested agent are not sent; its permission requests and questions are. */
export function toWire(event: AgentEvent, { sessionId, model }: WireContext): readonly WireEvent[] {
  switch (event.type) {
    case 'permission_request':
      return [
        {
          event: 'permission_request',
          data: {
            correlation_id: event.requestId,
            tool_name: event.tool,
            input: event.args,
            context: {
              tool_use_id: event.requestId,
              title: event.description,
              ...(event.details ? { description: event.details } : {}),
            },
          },
        },
      ]
    case 'question':
      return [
        { event: 'ask_user_question', data: { correlation_id: event.requestId, questions: questionsOf(event.form) } },
      ]
    case 'hook_request':
      return [
        {
          event: 'hook_decision_request',
          data: { correlation_id: event.requestId, hook_event: event.hook, hook_input: event.input },
        },
      ]
    case 'server_status':
      return [{ event: 'mcp_status_change', data: { server_name: event.server, status: event.status } }]
    case 'error':
      return [{ event: 'error', data: { code: errorCode(event.code), message: event.message } }]
    case 'run_ended':
      return [{ event: 'result', data: resultOf(event, sessionId) }]
  }
  if (event.subagent) return []
  switch (event.type) {
    case 'text_delta':
      return [
        { event: 'message_delta', data: { message_id: event.messageId, delta: { type: 'text', text: event.text } } },
      ]
    case 'tool_call_delta':
      return [
        {
          event: 'message_delta',
          data: {
            message_id: event.messageId,
            delta: {
              type: 'input_json_delta',
              tool_use_id: event.callId,
              name: toolName(event.tool),
              partial_json: event.json,
            },
          },
        },
      ]
    case 'message_end':
      return messageEvents(event, model)
    case 'tool_result':
      return [
        {
          event: 'tool_result',
          data: { tool_use_id: event.callId, output: event.output ?? event.text, is_error: !event.ok },
        },
      ]
    case 'plan':
    case 'run_started':
    case 'message_start':
    case 'thinking_delta':
    case 'tool_call_start':
    case 'tool_call_end':
    case 'permission_decided':
    case 'question_answered':
    case 'tool_started':
    case 'profile_switched':
    case 'usage':
    case 'disconnect':
    case 'context_compressed':
      return []
  }
}

type MessageEnd = Extract<AgentEvent, { type: 'message_end' }>

const STOP_REASONS = { end: 'end_turn', calls: 'tool_use', stopped: null } as const

function messageEvents(
  { messageId, thinking, text, calls, because }: MessageEnd,
  model: string | undefined,
): readonly WireEvent[] {
  const uses = calls.map(({ id, tool, args }) => ({ id, name: toolName(tool), input: inputOfCall(tool, args) }))
  const content = [
    ...(thinking === '' ? [] : [{ type: 'thinking' as const, thinking }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...uses.map((use) => ({ type: 'tool_use' as const, ...use })),
  ]
  if (content.length === 0) return []
  const message = {
    id: messageId,
    role: 'assistant' as const,
    content,
    model: model ?? null,
    stop_reason: STOP_REASONS[because],
  }
  return [
    { event: 'message_complete', data: { message_id: messageId, message } },
    ...uses.map(({ id, name, input }) => ({
      event: 'tool_use' as const,
      data: { message_id: messageId, tool_use_id: id, tool_name: name, input },
    })),
  ]
}

const toolName = (tool: string): string => (tool === ASK_USER ? ASK_USER_QUESTION : tool)

function inputOfCall(tool: string, args: ToolCallArguments): Record<string, unknown> {
  const form = tool === ASK_USER ? QuestionForm.safeParse(args) : undefined
  return form?.success ? questionsOf(form.data) : { ...args }
}

function questionsOf(form: QuestionForm): Questions {
  const questions = form.questions.map(({ question, header, type, options }) => ({
    question,
    ...(header === undefined ? {} : { header }),
    multiSelect: type === 'multiple',
    options: options.map(({ label, description }) => ({
      label,
      ...(description === undefined ? {} : { description }),
    })),
  }))
  return { questions }
}

const SUBTYPES = { finished: 'success', stopped: 'interrupted', failed: 'error_during_execution' } as const

function resultOf(end: Extract<AgentEvent, { type: 'run_ended' }>, sessionId: string) {
  return {
    session_id: sessionId,
    subtype: SUBTYPES[end.outcome],
    // The cost of this turn alone, because clients add the costs up.
    total_cost_usd: end.usage.costUsd,
    is_error: end.outcome === 'failed',
    duration_ms: end.durationMs,
    num_turns: end.turns,
    usage: { input_tokens: end.usage.inputTokens, output_tokens: end.usage.outputTokens },
    result: end.text,
  }
}

/** The events that end a turn whose server stopped, so that no client waits for it. */
export const interruptedEvents = (sessionId: string): readonly WireEvent[] => [
  { event: 'error', data: { code: 'query_failed', message: 'the server was restarted during the turn' } },
  {
    event: 'result',
    data: {
      session_id: sessionId,
      subtype: 'error_during_execution',
      total_cost_usd: 0,
      is_error: true,
      duration_ms: 0,
      num_turns: 0,
      usage: { input_tokens: 0, output_tokens: 0 },
      result: '',
    },
  },
]

/** Internal errors use the code that clients know. */
const errorCode = (code: string): string => (code === 'Internal' ? 'query_failed' : code)

/** The component list (`GET /genui/schema`) in the format of the client's component registry. */
export function genuiSchema(components: readonly Component[]) {
  return {
    version: '1.0',
    server_name: 'genui',
    prefix: 'render_',
    tools: components.map(({ name, description, schema }) => ({
      name: `mcp__genui__render_${name}`,
      short_name: name,
      raw_tool_name: `render_${name}`,
      description,
      schema,
    })),
  }
}
