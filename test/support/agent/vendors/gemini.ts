import { geminiDialect } from '../../../../src/agent/models/dialects/gemini.ts'
import {
  dataEvents,
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

const piece = (parts: readonly unknown[], finishReason?: string, usage: VendorAnswer['usage'] = [11, 5]) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason !== undefined && { finishReason }) }],
  usageMetadata: { promptTokenCount: usage[0], candidatesTokenCount: usage[1], totalTokenCount: usage[0] + usage[1] },
  modelVersion: 'm',
})

/** Arguments that are not an object arrive as the finish reason of a malformed call, since the API sends objects only. */
const argumentsOf = (args: Parameters<typeof jsonOfArguments>[0]) => JSON.parse(jsonOfArguments(args))

/** Google's Gemini API, as documented for streams, functions and thought signatures. */
export const geminiVendor: Vendor = {
  dialect: geminiDialect,
  basePath: '',
  events: ({ think, say, calls = [], usage }, number) => [
    ...(think === undefined ? [] : [piece([{ text: think, thought: true }], undefined, usage)]),
    ...(say === undefined ? [] : [...say].map((letter) => piece([{ text: letter }], undefined, usage))),
    // Of parallel calls only the first has a signature.
    ...calls.map(({ name, args }, at) =>
      piece(
        [
          {
            functionCall: { name, args: argumentsOf(args), ...(number % 2 === 0 && { id: `call-${number}-${at}` }) },
            ...(at === 0 && { thoughtSignature: `signature-${number}` }),
          },
        ],
        undefined,
        usage,
      ),
    ),
    piece([{ text: '' }], 'STOP', usage),
  ],
  stream: dataEvents,
  refusal: [
    {
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
      usageMetadata: { promptTokenCount: 11, totalTokenCount: 11 },
      modelVersion: 'm',
    },
  ],
  tooLong: [piece([{ text: 'Half ' }]), piece([], 'MAX_TOKENS')],
  malformedCall: [{ candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', index: 0 }], modelVersion: 'm' }],
  empty: [piece([], 'STOP')],
  errorEvent: { error: { code: 503, message: 'a secret', status: 'UNAVAILABLE' } },
  errors: {
    busy: [
      429,
      {
        error: {
          code: 429,
          message: 'a secret',
          status: 'RESOURCE_EXHAUSTED',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }],
        },
      },
    ],
    overloaded: [503, { error: { code: 503, message: 'a secret', status: 'UNAVAILABLE' } }],
    unauthorized: [
      400,
      {
        error: { code: 400, message: 'a secret', status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] },
      },
    ],
    tooLong: [
      400,
      {
        error: {
          code: 400,
          message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
  },
  problems: requestProblems,
}

function requestProblems({ url, headers, body }: VendorRequest): readonly string[] {
  const contents = objectsIn(body.contents)
  const declarations = objectsIn(body.tools).flatMap((tool) => objectsIn(tool.functionDeclarations))
  return [
    ...(/^\/v1beta\/models\/[\w.-]+:streamGenerateContent\?alt=sse$/.test(url) ? [] : [`path ${url}`]),
    ...(headers['x-goog-api-key'] === 'k' ? [] : ['no x-goog-api-key']),
    ...unknownKeys(body, ['contents', 'systemInstruction', 'tools'], 'body'),
    ...roleProblems(contents.map(({ role }) => role)),
    ...(contents.at(-1)?.role === 'user' ? [] : ['the last content is not of the user']),
    ...contents.flatMap((content, index) => contentProblems(content, contents[index + 1], index)),
    ...declarations.flatMap(declarationProblems),
  ]
}

function declarationProblems({ name, parametersJsonSchema, ...rest }: JsonObject): readonly string[] {
  const schema = isObject(parametersJsonSchema) ? parametersJsonSchema : {}
  return [
    ...unknownKeys(rest, ['description'], `function ${name}`),
    ...(/^[\w.:-]{1,64}$/.test(String(name)) ? [] : [`function name ${name}`]),
    ...(schema.type === 'object' ? [] : [`the schema of ${name} is not of an object`]),
    ...('$schema' in schema ? [`the schema of ${name} names its dialect`] : []),
  ]
}

const PART_KINDS = ['text', 'inlineData', 'functionCall', 'functionResponse']

function contentProblems({ role, parts }: JsonObject, next: JsonObject | undefined, index: number): readonly string[] {
  const list = objectsIn(parts)
  const calls = list.filter((part) => 'functionCall' in part)
  const called = calls.map(({ functionCall }) => functionCall as JsonObject)
  const responses = objectsIn(next?.parts)
    .filter((part) => 'functionResponse' in part)
    .map(({ functionResponse }) => functionResponse as JsonObject)
  const isUnanswered =
    called.length !== responses.length ||
    called.some(({ name, id }, at) => responses[at]?.name !== name || responses[at]?.id !== id)
  return [
    ...(list.length > 0 ? [] : [`content ${index} is empty`]),
    ...list
      .filter((part) => PART_KINDS.filter((kind) => kind in part).length !== 1)
      .map((part) => `content ${index}: a part with ${Object.keys(part).join(', ')}`),
    ...list.flatMap(({ functionResponse }) =>
      functionResponse === undefined || isObject((functionResponse as JsonObject).response)
        ? []
        : [`content ${index}: a response that is not an object`],
    ),
    ...(role === 'model' && isUnanswered ? [`content ${index}: the next content does not answer its calls`] : []),
    ...(calls[0] !== undefined && !/^signature-\d+$/.test(String(calls[0].thoughtSignature))
      ? [`content ${index}: a call without its signature`]
      : []),
  ]
}
