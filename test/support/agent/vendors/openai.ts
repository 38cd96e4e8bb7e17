import { openAiDialect } from '../../../../src/agent/models/dialects/openai.ts'
import {
  completionChunk,
  finishChunk,
  reasoningChunk,
  textChunks,
  toolCallChunks,
  usageChunk,
} from '../model-endpoint.ts'
import {
  dataEvents,
  isObject,
  type JsonObject,
  jsonOfArguments,
  objectsIn,
  unknownKeys,
  type Vendor,
  type VendorRequest,
} from './vendor.ts'

/** OpenAI's chat completions, as documented for streams and functions. */
export const openAiVendor: Vendor = {
  dialect: openAiDialect,
  basePath: '/v1',
  events: ({ think, say, calls = [], usage = [11, 5] }, number) => [
    ...(think === undefined ? [] : [reasoningChunk(think)]),
    ...(say === undefined ? [] : textChunks(...say)),
    ...calls.flatMap(({ name, args }, at) => {
      const json = jsonOfArguments(args)
      return toolCallChunks(at, `call_${number}_${at}`, name, json.slice(0, 4), json.slice(4))
    }),
    finishChunk(calls.length > 0 ? 'tool_calls' : 'stop'),
    usageChunk(...usage),
  ],
  stream: (events) => `${dataEvents(events)}data: [DONE]\n\n`,
  refusal: [completionChunk({ refusal: 'I cannot do that.' }), finishChunk('stop')],
  tooLong: [...textChunks('Half '), finishChunk('length')],
  malformedCall: [...toolCallChunks(0, 'call_bad', 'mouse_click', '{"x": 1,'), finishChunk('tool_calls')],
  empty: [finishChunk('stop')],
  errorEvent: { error: { message: 'a secret' } },
  errors: {
    busy: [429, { error: { message: 'a secret', code: 'rate_limit_exceeded' } }],
    overloaded: [503, { error: { message: 'a secret' } }],
    unauthorized: [401, { error: { message: 'a secret', code: 'invalid_api_key' } }],
    tooLong: [400, { error: { message: 'a secret', code: 'context_length_exceeded' } }],
  },
  problems: requestProblems,
}

function requestProblems({ url, headers, body }: VendorRequest): readonly string[] {
  const messages = objectsIn(body.messages)
  return [
    ...(url === '/v1/chat/completions' ? [] : [`path ${url}`]),
    ...(headers.authorization === 'Bearer k' ? [] : ['no authorization']),
    ...unknownKeys(body, ['model', 'messages', 'stream', 'stream_options', 'tools'], 'body'),
    ...(typeof body.model === 'string' ? [] : ['no model']),
    ...messages.flatMap((message, index) => messageProblems(message, messages, index)),
    ...objectsIn(body.tools).flatMap(toolProblems),
  ]
}

function toolProblems({ type, function: definition }: JsonObject): readonly string[] {
  const { name, parameters } = isObject(definition) ? definition : {}
  return [
    ...(type === 'function' && /^[\w-]{1,64}$/.test(String(name)) ? [] : [`tool ${name}`]),
    ...(isObject(parameters) && parameters.type === 'object' ? [] : [`the schema of ${name} is not of an object`]),
  ]
}

const KNOWN_ROLES = ['system', 'user', 'assistant', 'tool']

function messageProblems(message: JsonObject, messages: readonly JsonObject[], index: number): readonly string[] {
  const { role, content, tool_calls } = message
  if (!KNOWN_ROLES.includes(String(role))) return [`message ${index} has the role ${role}`]
  const calls = objectsIn(tool_calls)
  const answers = messages.slice(index + 1, index + 1 + calls.length)
  const isAnswered = calls.every(
    ({ id }) => answers.filter((one) => one.role === 'tool' && one.tool_call_id === id).length === 1,
  )
  return [
    ...(isAnswered ? [] : [`message ${index}: the next messages do not answer its calls`]),
    ...(role !== 'assistant' && content == null ? [`message ${index} is empty`] : []),
    ...objectsIn(content)
      .filter(({ type }) => type === 'image_url' && role !== 'user')
      .map(() => `message ${index}: an image of the role ${role}`),
  ]
}
