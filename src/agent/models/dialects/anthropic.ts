import * as z from 'zod'
import type { ImageContent } from '../../history/history.ts'
import {
  AnswerCalls,
  type AnswerDelta,
  type AnswerEnd,
  type AnswerReader,
  AnswerText,
  type AnswerUsage,
  failureInAnswer,
  ModelFailure,
  modelRefusal,
  readPiece,
  type StreamedCall,
} from '../answer.ts'
import { type ModelDialect, type ModelPrompt, type PromptTurn, promptTurns, systemTextOf } from '../dialect.ts'

/** The version of the API that `anthropic-version` names. */
const VERSION = '2023-06-01'
/** The most tokens of one answer, which the API requires in every request. */
const MAX_ANSWER_TOKENS = 8192

/** Anthropic's Messages API. */
export const anthropicDialect: ModelDialect = {
  name: 'anthropic',
  defaultUrl: 'https://api.anthropic.com',
  exampleUrl: 'http://127.0.0.1:8080',
  urlVariable: 'ANTHROPIC_BASE_URL',
  keyVariable: 'ANTHROPIC_API_KEY',
  pastedPaths: ['/v1/messages', '/v1'],
  path: () => '/v1/messages',
  headers: (key) => ({ 'anthropic-version': VERSION, ...(key !== undefined && { 'x-api-key': key }) }),
  body: ({ model, systemPrompt, context, tools }: ModelPrompt) => {
    const system = systemTextOf(systemPrompt, context)
    return {
      model,
      max_tokens: MAX_ANSWER_TOKENS,
      stream: true,
      ...(system !== '' && { system }),
      messages: mergeRoles(promptTurns(context, 'anthropic').flatMap(anthropicMessages)),
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, input, native }) =>
          native?.dialect === 'anthropic' ? native.definition : { name, description, input_schema: { ...input } },
        ),
      }),
    }
  },
  openReader: () => new AnthropicReader(),
}

type Block = Readonly<Record<string, unknown>> & { readonly type: string }
interface AnthropicMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Block[]
}

/** Text blocks must not be empty. */
const textBlocks = (text: string): readonly Block[] => (text.trim() === '' ? [] : [{ type: 'text', text }])

const imageBlocks = (images: readonly ImageContent[]): readonly Block[] =>
  images.map(({ mimeType, base64 }) => ({
    type: 'image',
    source: { type: 'base64', media_type: mimeType, data: base64 },
  }))

/** The results of all calls of an answer belong to the one message that follows it. */
function anthropicMessages(turn: PromptTurn): AnthropicMessage[] {
  if (turn.role === 'user') return [{ role: 'user', content: [...imageBlocks(turn.images), ...textBlocks(turn.text)] }]
  const { text, calls, native } = turn
  const uses: readonly Block[] = calls.map(({ id, tool, args }) => ({ type: 'tool_use', id, name: tool, input: args }))
  const written = (native as readonly Block[] | undefined) ?? [...textBlocks(text), ...uses]
  const toolsets = new Map(written.map(({ id, toolset_name }) => [id, toolset_name]))
  const results = calls.map(({ id, result }) => {
    const content = [...textBlocks(result.text), ...imageBlocks(result.images)]
    return {
      type: 'tool_result',
      tool_use_id: id,
      // A call of a toolset repeats its name.
      ...(toolsets.get(id) != null && { toolset_name: toolsets.get(id) }),
      ...(content.length > 0 && { content }),
      ...(!result.ok && { is_error: true }),
    }
  })
  return [
    { role: 'assistant', content: written },
    { role: 'user', content: results },
  ]
}

/** Joins neighbours of one role and drops empty messages. A conversation must begin with a user message. */
function mergeRoles(messages: readonly AnthropicMessage[]): readonly AnthropicMessage[] {
  const merged: AnthropicMessage[] = []
  for (const message of messages.filter(({ content }) => content.length > 0)) {
    const last = merged.at(-1)
    if (last?.role === message.role)
      merged[merged.length - 1] = { ...last, content: [...last.content, ...message.content] }
    else merged.push(message)
  }
  if (merged[0]?.role === 'assistant')
    merged.unshift({ role: 'user', content: [{ type: 'text', text: '(Continued.)' }] })
  return merged
}

const Text = z.string().nullish().catch(undefined)
const tokens = z.int().min(0).nullish().catch(undefined)

const Usage = z
  .looseObject({
    input_tokens: tokens,
    cache_creation_input_tokens: tokens,
    cache_read_input_tokens: tokens,
    output_tokens: tokens,
  })
  .nullish()
  .catch(undefined)

const ContentBlock = z.looseObject({
  type: z.string(),
  text: Text,
  thinking: Text,
  signature: Text,
  id: Text,
  name: Text,
  input: z.record(z.string(), z.unknown()).nullish().catch(undefined),
})
type ContentBlock = z.infer<typeof ContentBlock>

/** An event of a stream, or a whole message. */
const StreamEvent = z.looseObject({
  type: z.string(),
  index: z.int().min(0).nullish(),
  content_block: ContentBlock.nullish(),
  delta: z
    .looseObject({
      type: Text,
      text: Text,
      thinking: Text,
      signature: Text,
      partial_json: Text,
      stop_reason: Text,
    })
    .nullish(),
  message: z.looseObject({ usage: Usage }).nullish(),
  usage: Usage,
  error: z.unknown().optional(),
  content: z.array(ContentBlock).nullish(),
  stop_reason: Text,
})

/** The stop reasons that are failures. All others end the answer normally. */
const BROKEN_STOPS = {
  max_tokens: 'model_length',
  model_context_window_exceeded: 'model_length',
} as const

/** A block of the answer. Calls are completed from the arguments at the end. */
interface OpenBlock {
  /** The fields of the block as received, without those that arrive in pieces. */
  readonly fields: Block
  text: string
  signature: string
  readonly call: StreamedCall | undefined
}

class AnthropicReader implements AnswerReader {
  #stop: string | undefined
  #hasBegun = false
  #hasEnded = false
  #input = 0
  #output: number | undefined
  readonly #said = new AnswerText()
  readonly #calls = new AnswerCalls()
  readonly #blocks = new Map<number, OpenBlock>()

  get text(): string {
    return this.#said.text
  }

  get usage(): AnswerUsage | undefined {
    return this.#output === undefined ? undefined : { inputTokens: this.#input, outputTokens: this.#output }
  }

  get finished(): boolean {
    return this.#stop !== undefined
  }

  add(value: unknown): AnswerDelta {
    const event = readPiece(StreamEvent, value, 'event')
    this.#count(event.message?.usage ?? event.usage)
    switch (event.type) {
      case 'error':
        throw failureInAnswer(event.error, !this.#said.isEmpty)
      case 'message_start':
        this.#hasBegun = true
        return this.#said.add({})
      case 'message':
        return this.#addWhole(event.content ?? [], event.stop_reason ?? undefined)
      case 'content_block_start':
        return event.content_block ? this.#open(event.index ?? this.#blocks.size, event.content_block) : NOTHING
      case 'content_block_delta':
        return this.#extend(event.index ?? this.#blocks.size - 1, event.delta ?? {})
      case 'message_delta':
        this.#stop = event.delta?.stop_reason ?? this.#stop
        return NOTHING
      case 'message_stop':
        this.#hasEnded = true
        return NOTHING
      default:
        // The vendor may add events, such as `ping`.
        return NOTHING
    }
  }

  end(done: boolean): AnswerEnd {
    const stop = this.#stop
    if (stop === 'refusal') throw modelRefusal(this.text)
    if (stop !== undefined && Object.hasOwn(BROKEN_STOPS, stop))
      throw new ModelFailure(BROKEN_STOPS[stop as keyof typeof BROKEN_STOPS])
    if (!this.#hasBegun && this.#blocks.size === 0) {
      if (done || stop !== undefined) throw new ModelFailure('model_bad_answer', 'nothing of it was a message')
      throw new ModelFailure('model_empty', 'nothing was sent')
    }
    if (stop === undefined && !this.#hasEnded) throw new ModelFailure('model_cut_off')
    const calls = this.#calls.read()
    const paused = stop === 'pause_turn'
    if (calls.length === 0 && this.text.trim() === '' && !paused) throw new ModelFailure('model_empty')
    return { calls, paused, native: this.#native(calls) }
  }

  #addWhole(content: readonly ContentBlock[], stop: string | undefined): AnswerDelta {
    this.#hasBegun = true
    this.#hasEnded = true
    this.#stop = stop
    const parts = content.map((block, index) => this.#open(index, block))
    return { thought: parts.map(({ thought }) => thought).join(''), text: parts.map(({ text }) => text).join('') }
  }

  #open(index: number, block: ContentBlock): AnswerDelta {
    const { text, thinking, signature, input, ...fields } = block
    const json = input && Object.keys(input).length > 0 ? [JSON.stringify(input)] : []
    const call =
      block.type === 'tool_use'
        ? this.#calls.open({ id: block.id || undefined, name: block.name ?? '', pieces: json })
        : undefined
    this.#blocks.set(index, { fields, text: text ?? thinking ?? '', signature: signature ?? '', call })
    return this.#said.add({ text: text ?? '', thought: thinking ?? '' })
  }

  #extend(index: number, delta: NonNullable<z.infer<typeof StreamEvent>['delta']>): AnswerDelta {
    const block = this.#blocks.get(index)
    if (!block) throw new ModelFailure('model_bad_answer', 'it sent a piece of a block that has not begun')
    block.text += delta.text ?? delta.thinking ?? ''
    block.signature += delta.signature ?? ''
    if (block.call && delta.partial_json) this.#calls.append(block.call, delta.partial_json)
    return this.#said.add({ text: delta.text ?? '', thought: delta.thinking ?? '' })
  }

  /** A report repeats what it does not change. Cached tokens are part of the input. */
  #count(usage: z.infer<typeof Usage>): void {
    if (!usage) return
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage
    if (input_tokens != null)
      this.#input = input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0)
    this.#output = output_tokens ?? this.#output
  }

  /** The blocks as the model wrote them: its thinking must be sent back unchanged before its calls. */
  #native(calls: AnswerEnd['calls']): readonly Block[] {
    return [...this.#blocks.values()].flatMap(({ fields, text, signature, call }): readonly Block[] => {
      if (call) {
        const { id, tool, args } = calls[this.#calls.list.indexOf(call)]!
        const { toolset_name } = fields
        return [{ type: 'tool_use', id, name: tool, input: args, ...(toolset_name != null && { toolset_name }) }]
      }
      if (fields.type === 'text') return textBlocks(text)
      if (fields.type === 'thinking') return [{ type: 'thinking', thinking: text, signature }]
      return [fields]
    })
  }
}

const NOTHING: AnswerDelta = { thought: '', text: '' }
