import { type AgentEvent, type Answers, type QuestionForm, questionId, readAnswers } from '../../agent/events.ts'
import { readAttachments, withNotes } from '../../agent/history/attachments.ts'
import type { ChatMessage } from '../../agent/history/history.ts'
import type { UserInput } from '../../agent/run/run-context.ts'
import type { Chat, HistoryMessage, Outgoing, Questionnaire } from './wire.ts'

/** The options that a translation needs. */
export interface WireContext {
  readonly sessionKey: string
  /** Whether argument deltas and the end of a tool call are sent. */
  readonly callDetails: boolean
  /** Whether requests include their session key. The document's do not. */
  readonly namedRequests: boolean
  /** Whether a cancelled run ends with `done`. */
  readonly doneAfterCancel: boolean
}

/** Translates an event. Messages of a nested agent are not sent; its permission requests and questions are. */
export function toWire(event: AgentEvent, context: WireContext): Outgoing | undefined {
  const { sessionKey } = context
  const named = context.namedRequests ? { sessionKey } : {}
  switch (event.type) {
    case 'permission_request':
      return {
        type: 'permission_request',
        requestId: event.requestId,
        description: event.description,
        ...(event.details === undefined ? {} : { details: event.details }),
        ...named,
      }
    case 'hook_request':
      return { type: 'permission_request', requestId: event.requestId, description: `Hook: ${event.hook}`, ...named }
    case 'question':
      return { type: 'questionnaire_request', requestId: event.requestId, data: questionnaireOf(event.form), ...named }
    case 'error':
      // Clients treat every error as the end of the run, so an error that the run survives is not sent.
      return event.fatal ? { type: 'error', sessionKey, error: event.message } : undefined
    case 'run_ended': {
      if (event.outcome === 'failed' || (event.outcome === 'stopped' && !context.doneAfterCancel)) return undefined
      const { inputTokens, outputTokens } = event.usage
      return { type: 'done', sessionKey, usage: { inputTokens, outputTokens } }
    }
  }
  if (event.subagent) return undefined
  switch (event.type) {
    case 'thinking_delta':
      return { type: 'thinking_delta', sessionKey, text: event.text }
    case 'text_delta':
      return { type: 'text_delta', sessionKey, text: event.text }
    case 'tool_call_start':
      return { type: 'tool_call_start', sessionKey, toolCallId: event.callId, toolName: event.tool }
    case 'tool_call_delta':
      if (!context.callDetails) return undefined
      return { type: 'tool_call_delta', sessionKey, toolCallId: event.callId, toolName: event.tool, text: event.json }
    case 'tool_call_end':
      if (!context.callDetails) return undefined
      return { type: 'tool_call_end', sessionKey, toolCallId: event.callId, toolName: event.tool }
    case 'tool_result':
      return {
        type: 'tool_result',
        sessionKey,
        toolCallId: event.callId,
        toolName: event.tool,
        toolArgs: { ...event.args },
        content: event.text,
        isError: !event.ok,
      }
    case 'plan':
    case 'run_started':
    case 'message_start':
    case 'message_end':
    case 'permission_decided':
    case 'question_answered':
    case 'tool_started':
    case 'profile_switched':
    case 'usage':
    case 'server_status':
    case 'disconnect':
    case 'context_compressed':
      return undefined
  }
}

function questionnaireOf(form: QuestionForm): Questionnaire {
  const { title, description } = form
  const questions = form.questions.map(({ question, type, options, required, placeholder, allow_other }, index) => ({
    id: questionId(form, index),
    question,
    type,
    ...(options.length === 0
      ? {}
      : { options: options.map((option) => ({ ...option, value: option.value ?? option.label })) }),
    ...(required === undefined ? {} : { required }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(allow_other === undefined ? {} : { allowOther: allow_other }),
  }))
  return { title, ...(description === undefined ? {} : { description }), questions }
}

/**
 * Converts the answers to a questionnaire. Anything but an object with text values counts as unanswered, and so does an answer
 * that a question does not offer.
 */
export function toAnswers(
  form: QuestionForm,
  responses: unknown,
): { readonly answers: Answers; readonly text: string } {
  const given = typeof responses === 'object' && responses !== null ? responses : {}
  const questions = new Map(form.questions.map((question, index) => [questionId(form, index), question]))
  const answers: Answers = Object.fromEntries(
    Object.entries(given).filter(
      ([id, answer]) =>
        [answer].flat().every((one) => typeof one === 'string') && mayAnswer(questions.get(id), [answer].flat()),
    ),
  )
  return { answers, text: readAnswers(form, answers) }
}

/** Whether a question takes the answers: one or several of its options, unless it has none or allows others. */
function mayAnswer(question: QuestionForm['questions'][number] | undefined, given: readonly unknown[]): boolean {
  if (!question) return false
  if (question.type === 'single' && given.length > 1) return false
  if (question.options.length === 0 || question.allow_other || !['single', 'multiple'].includes(question.type))
    return true
  return given.every((one) => question.options.some(({ value, label }) => (value ?? label) === one))
}

/** Converts a chat into engine input. `references` is the text of the referenced files for the model. */
export function inputOf(chat: Chat, references: string): UserInput {
  const { images, notes } = readAttachments(chat.attachments ?? [])
  const modelText = withNotes(chat.message, references === '' ? notes : [...notes, references])
  return { text: chat.message, images, ...(modelText !== undefined && { modelText }) }
}

const MAX_TITLE_CHARACTERS = 80

/** The title of a conversation: the beginning of the first user message, cut between characters. */
export function conversationTitle(messages: readonly ChatMessage[]): string {
  const first = messages.find((message) => message.role === 'user')?.text ?? ''
  return [...first.slice(0, 2 * MAX_TITLE_CHARACTERS)].slice(0, MAX_TITLE_CHARACTERS).join('')
}

/** Converts a message for the history of the user interface. */
export function toHistoryMessage(message: ChatMessage): HistoryMessage {
  switch (message.role) {
    case 'user': {
      if (!message.images?.length) return { role: 'user', content: message.text }
      const images = message.images.map(({ mimeType, base64 }) => ({ type: 'image', mimeType, base64 }))
      return { role: 'user', content: [{ type: 'text', text: message.text }, ...images] }
    }
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.thinking ? [{ type: 'thinking', text: message.thinking }] : []),
          ...(message.text === '' ? [] : [{ type: 'text', text: message.text }]),
          ...message.calls.map((call) => ({
            type: 'tool_use',
            toolCallId: call.id,
            toolName: call.tool,
            toolArguments: call.args,
          })),
        ],
      }
    case 'tool': {
      const { callId, tool, text, ok } = message
      return {
        role: 'tool',
        content: [{ type: 'tool_result', toolCallId: callId, toolName: tool, text, isError: !ok }],
      }
    }
  }
}
