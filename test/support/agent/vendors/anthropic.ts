import { anthropicDialect } from '../../../../src/agent/models/dialects/anthropic.ts'
import {
  isObject,
  type JsonObject,
  jsonOfArguments,
  objectsIn,
  roleProblems,
  unknownKeys,
  type Vendor,
  type VendorAnswer,
  type VendorRequest,
} from './vendor.ts'

const start = (input = 11) => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'm',
    stop_reason: null,
    usage: { input_tokens: input, cache_read_input_tokens: 0, output_tokens: 1 },
  },
})

const stop = (stop_reason: string, output = 5): readonly JsonObject[] => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } },
  { type: 'message_stop' },
]

const block = (index: number, content_block: unknown, ...deltas: readonly unknown[]): readonly JsonObject[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]

/** The signature of the thinking of an answer. */
const signatureOf = (number: number) => `signature-${number}`

function blocksOf(
  { think, say, calls = [] }: VendorAnswer,
  number: number,
): readonly (readonly [unknown, ...unknown[]])[] {
  return [
    ...(think === undefined
      ? []
      : [
          [
            { type: 'thinking', thinking: '', signature: '' },
            { type: 'thinking_delta', thinking: think },
            { type: 'signature_delta', signature: signatureOf(number) },
          ] as const,
        ]),
    ...(say === undefined
      ? []
      : [
          [
            { type: 'text', text: '' },
            { type: 'text_delta', text: say },
          ] as const,
        ]),
    ...calls.map(({ name, args, toolset }, at) => {
      const json = jsonOfArguments(args)
      return [
        {
          type: 'tool_use',
          id: `toolu_${number}${think === undefined ? '' : 't'}_${at}`,
          name,
          input: {},
          ...(toolset && { toolset_name: toolset }),
        },
        { type: 'input_json_delta', partial_json: json.slice(0, 4) },
        { type: 'input_json_delta', partial_json: json.slice(4) },
      ] as const
    }),
  ]
}

/** Anthropic's Messages API, as documented for streams, tools and extended thinking. */
export const anthropicVendor: Vendor = {
  dialect: anthropicDialect,
  basePath: '',
  events: (answer, number) => [
    start(answer.usage?.[0]),
    { type: 'ping' },
    ...blocksOf(answer, number).flatMap(([first, ...deltas], index) => block(index, first, ...deltas)),
    ...stop(answer.calls?.length ? 'tool_use' : 'end_turn', answer.usage?.[1]),
  ],
  stream: (events) =>
    events
      .map((event) => `event: ${(event as { readonly type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(''),
  refusal: [
    start(),
    ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'I cannot do that.' }),
    ...stop('refusal'),
  ],
  tooLong: [
    start(),
    ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Half ' }),
    ...stop('max_tokens'),
  ],
  malformedCall: [
    start(),
    ...block(
      0,
      { type: 'tool_use', id: 'toolu_bad', name: 'mouse_click', input: {} },
      { type: 'input_json_delta', partial_json: '{"x": 1,' },
    ),
    ...stop('tool_use'),
  ],
  empty: [start(), ...stop('end_turn')],
  errorEvent: { type: 'error', error: { type: 'overloaded_error', message: 'a secret' } },
  errors: {
    busy: [429, { type: 'error', error: { type: 'rate_limit_error', message: 'a secret' } }],
    overloaded: [529, { type: 'error', error: { type: 'overloaded_error', message: 'a secret' } }],
    unauthorized: [401, { type: 'error', error: { type: 'authentication_error', message: 'a secret' } }],
    tooLong: [
      400,
      { type: 'error', error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' } },
    ],
  },
  problems: requestProblems,
}

const BODY_FIELDS = ['model', 'max_tokens', 'messages', 'system', 'stream', 'tools']

function requestProblems({ url, headers, body }: VendorRequest): readonly string[] {
  const messages = objectsIn(body.messages)
  return [
    ...(url === '/v1/messages' ? [] : [`path ${url}`]),
    ...(headers['x-api-key'] === 'k' ? [] : ['no x-api-key']),
    ...(headers['anthropic-version'] === '2023-06-01' ? [] : ['no anthropic-version']),
    ...unknownKeys(body, BODY_FIELDS, 'body'),
    ...(typeof body.model === 'string' ? [] : ['no model']),
    ...(Number.isInteger(body.max_tokens) && Number(body.max_tokens) > 0 ? [] : ['no max_tokens']),
    ...(body.stream === true ? [] : ['no stream']),
    ...roleProblems(messages.map(({ role }) => role)),
    ...(messages.at(-1)?.role === 'user' ? [] : ['the last message is not of the user']),
    ...messages.flatMap((message, index) => messageProblems(message, messages[index - 1], index)),
    ...messages.flatMap((message, index) => answeredProblems(message, messages[index + 1], index)),
    ...objectsIn(body.tools).flatMap(toolProblems),
  ]
}

const TOOLSETS = ['computer_toolset_20260801']
const NAME = /^[\w-]{1,128}$/

function toolProblems({ name, input_schema, ...rest }: JsonObject): readonly string[] {
  if (rest.type !== undefined) return TOOLSETS.includes(String(rest.type)) && !name ? [] : [`tool type ${rest.type}`]
  const schema = isObject(input_schema) ? input_schema : {}
  return [
    ...unknownKeys(rest, ['description'], `tool ${name}`),
    ...(NAME.test(String(name)) ? [] : [`tool name ${name}`]),
    ...(schema.type === 'object' ? [] : [`the schema of ${name} is not of an object`]),
    ...['oneOf', 'anyOf', 'allOf'].filter((key) => key in schema).map((key) => `the schema of ${name} has ${key}`),
  ]
}

function messageProblems(
  { role, content }: JsonObject,
  before: JsonObject | undefined,
  index: number,
): readonly string[] {
  const blocks = objectsIn(content)
  const asked = objectsIn(before?.content).filter(({ type }) => type === 'tool_use')
  const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result')
  return [
    ...(blocks.length > 0 ? [] : [`message ${index} is empty`]),
    ...blocks.flatMap((one, at) => {
      const place = `message ${index}, block ${at}`
      if (one.type === 'tool_result' && firstOther >= 0 && at > firstOther)
        return [`${place}: a result after other content`]
      if (one.type === 'tool_result' && !asked.some(({ id }) => id === one.tool_use_id))
        return [`${place}: a result without its call`]
      return blockProblems(one, role, place)
    }),
  ]
}

function blockProblems(block: JsonObject, role: unknown, place: string): readonly string[] {
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' && block.text.trim() !== '' ? [] : [`${place}: an empty text`]
    case 'image': {
      const source = isObject(block.source) ? block.source : {}
      const isRight =
        source.type === 'base64' && /^image\/(png|jpeg|gif|webp)$/.test(String(source.media_type)) && source.data !== ''
      return isRight ? [] : [`${place}: a wrong image`]
    }
    case 'tool_use':
      return role === 'assistant' &&
        NAME.test(String(block.id)) &&
        NAME.test(String(block.name)) &&
        isObject(block.input)
        ? []
        : [`${place}: a wrong call`]
    case 'tool_result': {
      const inner = objectsIn(block.content).flatMap((one, at) => blockProblems(one, role, `${place}.${at}`))
      return [...unknownKeys(block, ['type', 'tool_use_id', 'toolset_name', 'content', 'is_error'], place), ...inner]
    }
    case 'thinking':
      return /^signature-\d+$/.test(String(block.signature)) ? [] : [`${place}: thinking without its signature`]
    default:
      return [`${place}: type ${block.type}`]
  }
}

/** Each call needs its result in the next message. The calls of an answer that thought need the thinking before them. */
function answeredProblems(
  { role, content }: JsonObject,
  next: JsonObject | undefined,
  index: number,
): readonly string[] {
  if (role !== 'assistant') return []
  const results = objectsIn(next?.content).filter(({ type }) => type === 'tool_result')
  const thinking = objectsIn(content).find(({ type }) => type === 'thinking')
  const calls = objectsIn(content).filter(({ type }) => type === 'tool_use')
  return calls.flatMap(({ id, toolset_name }) => [
    ...(results.filter(({ tool_use_id }) => tool_use_id === id).length === 1
      ? []
      : [`message ${index}: the call ${id} has not one result`]),
    ...(results.some((result) => result.tool_use_id === id && result.toolset_name !== toolset_name)
      ? [`message ${index}: the result of ${id} does not name its toolset`]
      : []),
    ...(String(id).includes('t_') && thinking?.signature !== signatureOf(Number.parseInt(String(id).slice(6), 10))
      ? [`message ${index}: the call ${id} has lost its thinking`]
      : []),
  ])
}
