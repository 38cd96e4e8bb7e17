import type OpenAI from 'openai'
import { Fault } from '../../base/fault.ts'
import type { Context, Image, Message } from '../history.ts'
import type { ToolDescription } from '../toolbox.ts'
import type { CallRequest, CallResult, Model, Outcome, Request, Step } from './model.ts'

/** A model behind an endpoint that speaks OpenAI's chat completions. The key comes from the environment, never from a file. */
export interface OpenAiOptions {
  readonly baseUrl?: string
  readonly key: string
  /** Used when neither the client nor the profile names one. */
  readonly model: string
  /** How often the model may be asked in one run. */
  readonly turnLimit?: number
  readonly retries?: number
}

const TURN_LIMIT = 25
const RETRIES = 2
/** Profiles that name no model of their own carry this name. */
const UNNAMED = 'scripted'

type Param = OpenAI.ChatCompletionMessageParam

/** One answer of the endpoint, put together from its pieces. */
interface Answer {
  readonly text: string
  readonly calls: readonly MadeCall[]
}

interface MadeCall {
  readonly id: string
  readonly name: string
  readonly pieces: readonly string[]
}

export function openAiModel(options: OpenAiOptions): Model {
  const turnLimit = options.turnLimit ?? TURN_LIMIT
  let client: Promise<OpenAI> | undefined
  const connect = async () => {
    const { OpenAI } = await import('openai')
    return new OpenAI({
      apiKey: options.key,
      maxRetries: options.retries ?? RETRIES,
      ...(options.baseUrl === undefined ? {} : { baseURL: options.baseUrl }),
    })
  }

  return {
    name: options.model,
    async *run(request) {
      client ??= connect()
      const openai = await client
      const messages = promptOf(request)
      for (let turn = 0; turn < turnLimit; turn++) {
        const answer = yield* ask(openai, nameOf(request, options), messages, request)
        if (answer.calls.length === 0) return
        messages.push(spoken(answer))
        const calls = answer.calls.map(requested)
        const outcome: Outcome = yield { do: 'call', calls: calls.map(({ call }) => call) }
        for (const [index, { id, problem }] of calls.entries())
          messages.push(replied(id, outcome.results[index], problem))
        messages.push(...shown(outcome.results.flatMap(({ images }) => images ?? [])))
      }
      yield { do: 'say', text: `(Stopped after ${turnLimit} rounds of tool calls without an answer.)`, closing: true }
    },
  }
}

const nameOf = ({ model, profile }: Request, options: OpenAiOptions): string =>
  model ?? (profile.model === UNNAMED ? options.model : profile.model)

/** Asks once, and tells thoughts and text as they come. */
async function* ask(
  openai: OpenAI,
  model: string,
  messages: readonly Param[],
  { tools, signal }: Request,
): AsyncGenerator<Step, Answer, Outcome> {
  const stream = await openai.chat.completions
    .create(
      {
        model,
        messages: [...messages],
        stream: true,
        stream_options: { include_usage: true },
        ...(tools.length === 0 ? {} : { tools: tools.map(offered) }),
      },
      // A signal of its own, since the client never takes its listener off.
      { signal: AbortSignal.any([signal]) },
    )
    .catch(unreachable)
  let text = ''
  const calls: { id: string; name: string; pieces: string[] }[] = []
  for await (const chunk of told(stream)) {
    const { usage } = chunk
    if (usage) yield { do: 'use', inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens }
    const delta = chunk.choices[0]?.delta
    if (!delta) continue
    const thought = thoughtIn(delta)
    if (thought !== '') yield { do: 'think', text: thought }
    if (delta.content) {
      text += delta.content
      yield { do: 'say', text: delta.content }
    }
    for (const piece of delta.tool_calls ?? []) {
      const call = calls[piece.index] ?? { id: piece.id ?? `call_${piece.index}`, name: '', pieces: [] }
      calls[piece.index] = call
      call.name += piece.function?.name ?? ''
      if (piece.function?.arguments) call.pieces.push(piece.function.arguments)
    }
  }
  return { text, calls: calls.filter((call) => call !== undefined) }
}

/** Endpoints that show their reasoning put it beside the content, under one of two names. */
function thoughtIn(delta: object): string {
  const { reasoning_content, reasoning } = delta as {
    readonly reasoning_content?: unknown
    readonly reasoning?: unknown
  }
  return [reasoning_content, reasoning].find((value) => typeof value === 'string') ?? ''
}

/** A stream that breaks off is the endpoint's failure, not a bug of ours. */
async function* told<T>(stream: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* stream
  } catch (thrown) {
    unreachable(thrown)
  }
}

/** Says what became of the endpoint, without what was sent to it. */
function unreachable(thrown: unknown): never {
  const status = (thrown as { readonly status?: unknown }).status
  const reason = typeof status === 'number' ? `answered ${status}` : 'could not be reached'
  throw new Fault('Timeout', `the model's endpoint ${reason}`)
}

const offered = ({ name, description, input }: ToolDescription): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters: { ...input } },
})

/** A call as the engine makes it. Arguments that are no JSON object go as none, and the model is told of the problem. */
function requested({ id, name, pieces }: MadeCall): { id: string; call: CallRequest; problem: string | undefined } {
  const args = parse(pieces.join(''))
  if (args) return { id, call: { tool: name, args, pieces }, problem: undefined }
  return { id, call: { tool: name, args: {} }, problem: 'the arguments were not a JSON object, so none were used' }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const spoken = ({ text, calls }: Answer): Param => ({
  role: 'assistant',
  content: text === '' ? null : text,
  tool_calls: calls.map(({ id, name, pieces }) => ({
    id,
    type: 'function',
    function: { name, arguments: pieces.join('') || '{}' },
  })),
})

const replied = (id: string, result: CallResult | undefined, problem: string | undefined): Param => ({
  role: 'tool',
  tool_call_id: id,
  content: [problem, result?.text].filter((text) => text !== undefined).join('\n'),
})

/** Endpoints take pictures from people only, behind the results of all calls. */
const shown = (images: readonly Image[]): readonly Param[] =>
  images.length === 0 ? [] : [asked('What the tools show:', images)]

/** The conversation so far. */
function promptOf({ context, profile, text, images }: Request): Param[] {
  const system = [profile.system_prompt, context.summary?.text].filter((part) => part !== undefined).join('\n\n')
  const before = context.messages.slice(0, -1)
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...pastOf(before),
    asked(text, images),
  ]
}

/** What a person says, and shows. */
function asked(text: string, images: readonly Image[]): Param {
  if (images.length === 0) return { role: 'user', content: text }
  const pictures = images.map(({ mimeType, base64 }) => ({
    type: 'image_url' as const,
    image_url: { url: `data:${mimeType};base64,${base64}` },
  }))
  return { role: 'user', content: [{ type: 'text', text }, ...pictures] }
}

/** Past messages. Endpoints refuse a call without a result, which then gets an empty one, and a result without its call. */
function pastOf(messages: Context['messages']): Param[] {
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : [])))
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []))
  const made = new Set(calls.map(({ id }) => id))
  return messages.flatMap((message, index): Param[] => {
    const lost = message.role === 'assistant' ? message.calls.filter((call) => !answered.has(call.id)) : []
    const isStray = message.role === 'tool' && !made.has(message.callId)
    return [
      isStray ? asked(`${message.tool}: ${message.text}`, []) : past(message),
      ...lost.map((call): Param => ({ role: 'tool', tool_call_id: call.id, content: '' })),
      ...(messages[index + 1]?.role === 'tool' ? [] : shown(picturesUpTo(messages, index))),
    ]
  })
}

/** The pictures of the results that end at a message. */
function picturesUpTo(messages: Context['messages'], index: number): readonly Image[] {
  const message = messages[index]
  return message?.role === 'tool' ? [...picturesUpTo(messages, index - 1), ...(message.images ?? [])] : []
}

function past(message: Message): Param {
  switch (message.role) {
    case 'user':
      return asked(message.modelText ?? message.text, message.images ?? [])
    case 'assistant':
      return {
        role: 'assistant',
        content: message.text === '' ? null : message.text,
        ...(message.calls.length === 0
          ? {}
          : {
              tool_calls: message.calls.map(({ id, tool, args }) => ({
                id,
                type: 'function' as const,
                function: { name: tool, arguments: JSON.stringify(args) },
              })),
            }),
      }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text }
  }
}
