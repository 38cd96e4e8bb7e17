import type { ServerResponse } from 'node:http'
import {
  completionChunk,
  finishChunk,
  reasoningChunk,
  streamChunks,
  textChunks,
  toolCallChunks,
} from './model-endpoint.ts'

/** A behaviour of an endpoint, and the expected outcome of a run with it. */
export interface EndpointBehaviour {
  readonly reply: (response: ServerResponse) => unknown
  /** The number of replies of this kind before it answers "Back.". Unlimited by default. */
  readonly times?: number
  /** The code of the error that ends the run. Undefined for a run that is answered. */
  readonly fails?: string
  /** The expected error message. */
  readonly message?: RegExp
  /** The expected answer, or a pattern of it. */
  readonly text?: string
  /** The arguments of the executed calls. */
  readonly calls?: readonly unknown[]
  /** The pauses of the client before the run ends, in milliseconds. */
  readonly waits?: readonly number[]
}

/** The timeouts of the client of these endpoints, which differ from each other and from its pauses. */
export const TEST_TIMEOUTS = {
  connectMs: 10_000,
  firstMs: 20_000,
  betweenMs: 40_000,
  closeMs: 2000,
  wholeMs: 9_000_000,
}

const head = (response: ServerResponse, type = 'text/event-stream', status = 200) =>
  response.writeHead(status, { 'content-type': type })

const send = (response: ServerResponse, chunks: readonly unknown[]) => {
  for (const one of chunks) response.write(`data: ${JSON.stringify(one)}\n\n`)
  return response
}

const open = (response: ServerResponse, ...chunks: readonly unknown[]) => send(head(response), chunks)

const status =
  (code: number, body: unknown = { error: { message: 'a secret' } }, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** Writes one text repeatedly until the reader disconnects. */
function endlessly(response: ServerResponse, text: string): void {
  const write = () => {
    while (!response.destroyed) if (!response.write(text)) break
    if (!response.destroyed) response.once('drain', write)
  }
  write()
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`

const completion = (message: unknown, finish_reason: string | null = 'stop') => ({
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message, finish_reason }],
  usage: { prompt_tokens: 5, completion_tokens: 2 },
})

const look = (args: string) => ({ type: 'function', function: { name: 'look', arguments: args } })
const tooLong = {
  error: { code: 'context_length_exceeded', message: "This model's maximum context length is 8 tokens." },
}

/** A first response that calls tools, for behaviours that end with "Back.". */
const calls = (...deltas: readonly unknown[]) => ({
  reply: streamChunks(...deltas.map((delta) => completionChunk({ tool_calls: delta })), finishChunk('tool_calls')),
  times: 1,
  text: 'Back.',
})

type BehaviourGroup = 'complete' | 'calls' | 'separateCalls' | 'unusable' | 'tooLarge' | 'statuses' | 'timeouts'

/** Responses of an endpoint, grouped by the rules of the agent that they test. */
export const ENDPOINT_BEHAVIOURS: Readonly<Record<BehaviourGroup, Readonly<Record<string, EndpointBehaviour>>>> = {
  complete: {
    'a stream': { reply: streamChunks(...textChunks('Hel', 'lo'), finishChunk('stop')), text: 'Hello' },
    'a stream without [DONE]': {
      reply: (response) => open(response, ...textChunks('Hello'), finishChunk('stop')).end(),
      text: 'Hello',
    },
    'a stream with [DONE] alone': { reply: streamChunks(...textChunks('Hello')), text: 'Hello' },
    'a finished stream that stays open': {
      reply: (response) => open(response, ...textChunks('Hello'), finishChunk('stop')),
      text: 'Hello',
      waits: [2000],
    },
    'comments and carriage returns': {
      reply: (response) =>
        head(response).end(
          `: wait\r\n\r\n${data(textChunks('Hello')[0]).replaceAll('\n', '\r\n')}: wait\r\ndata: [DONE]\r\n\r\n`,
        ),
      text: 'Hello',
    },
    'a completion that is not streamed': {
      reply: status(200, completion({ role: 'assistant', content: 'Hello' })),
      text: 'Hello',
    },
    'a completion with calls that is not streamed': {
      reply: status(200, completion({ content: null, tool_calls: [{ id: 'a', ...look('{"at":1}') }] }, 'tool_calls')),
      times: 1,
      text: 'Back.',
      calls: [{ at: 1 }],
    },
    'content in parts': {
      reply: streamChunks(completionChunk({ content: [{ type: 'text', text: 'Hello' }] }), finishChunk('stop')),
      text: 'Hello',
    },
    'characters cut between two chunks': {
      reply: (response) => {
        const bytes = Buffer.from(data(textChunks('Grüße 😀')[0]) + data(finishChunk('stop')))
        const cut = bytes.indexOf(0xf0) + 2
        head(response).write(bytes.subarray(0, cut), () => setImmediate(() => response.end(bytes.subarray(cut))))
      },
      text: 'Grüße 😀',
    },
    'busy once': { reply: status(429), times: 1, text: 'Back.', waits: [500] },
    'busy until later': { reply: status(429, {}, { 'retry-after': '30' }), times: 1, text: 'Back.', waits: [30_000] },
    'busy until a date': {
      reply: status(429, {}, { date: 'Mon, 23 Nov 2026 10:00:00 GMT', 'retry-after': 'Mon, 23 Nov 2026 10:00:09 GMT' }),
      times: 1,
      text: 'Back.',
      waits: [9000],
    },
    'broken once': { reply: status(503), times: 1, text: 'Back.', waits: [500] },
    'context too long once': { reply: status(400, tooLong), times: 1, text: 'Back.' },
    'context too long once, in the stream': { reply: streamChunks(tooLong), times: 1, text: 'Back.' },
    'hung up once': { reply: (response) => response.destroy(), times: 1, text: 'Back.', waits: [500] },
  },
  calls: {
    'a name with every piece': {
      ...calls([{ index: 0, id: 'a', ...look('{"at"') }], [{ index: 0, id: 'a', ...look(':1}') }]),
      calls: [{ at: 1 }],
    },
    'an index beyond reason': { ...calls([{ index: 99_999_999, id: 'a', ...look('{"at":1}') }]), calls: [{ at: 1 }] },
    'arguments as an object': {
      ...calls([{ index: 0, id: 'a', function: { name: 'look', arguments: { at: 1 } } }]),
      calls: [{ at: 1 }],
    },
    'no arguments': { ...calls([{ index: 0, id: 'a', function: { name: 'look' } }]), calls: [{}] },
    'unfinished arguments': { ...calls([{ index: 0, id: 'a', ...look('{"scenario": ') }]), calls: [] },
    'arguments that are not an object': { ...calls([{ index: 0, id: 'a', ...look('[1]') }]), calls: [] },
    'arguments nested too deeply': {
      ...calls([{ index: 0, id: 'a', ...look(`{"a":${'['.repeat(9999)}${']'.repeat(9999)}}`) }]),
      calls: [],
    },
    'a call without a name': { ...calls([{ index: 0, id: 'a', function: { arguments: '{}' } }]), calls: [] },
  },
  separateCalls: {
    'calls without an index': {
      ...calls([{ id: 'a', ...look('{"at":1}') }], [{ id: 'b', ...look('{"at":2}') }]),
      calls: [{ at: 1 }, { at: 2 }],
    },
    'calls without an index or an id': {
      ...calls([look('{"at":1}')], [look('{"at":2}')]),
      calls: [{ at: 1 }, { at: 2 }],
    },
    'calls in pieces without an index': {
      ...calls([{ id: 'a', ...look('{"at"') }], [{ function: { arguments: ':1}' } }]),
      calls: [{ at: 1 }],
    },
    'two calls under one index': {
      ...calls([{ index: 0, id: 'a', ...look('{"at":1}') }], [{ index: 0, id: 'b', ...look('{"at":2}') }]),
      calls: [{ at: 1 }, { at: 2 }],
    },
    'two calls under one index without ids': {
      ...calls([{ index: 0, ...look('{"at":1}') }], [{ index: 0, ...look('{"at":2}') }]),
      calls: [{ at: 1 }, { at: 2 }],
    },
    'two calls under one id': {
      ...calls([
        { index: 0, id: 'a', ...look('{"at":1}') },
        { index: 1, id: 'a', ...look('{"at":2}') },
      ]),
      calls: [{ at: 1 }, { at: 2 }],
    },
  },
  unusable: {
    'a stream cut in its text': {
      reply: (response) => open(response, ...textChunks('Half ')).end(),
      fails: 'model_cut_off',
      text: 'Half ',
    },
    'a connection that breaks': {
      reply: (response) => open(response, ...textChunks('Half ')).write('data: {', () => response.destroy()),
      fails: 'model_cut_off',
      text: 'Half ',
    },
    'a stream cut in a piece': {
      reply: (response) => open(response, ...textChunks('Half ')).end('data: {"choices":[{"del'),
      fails: 'model_cut_off',
      text: 'Half ',
    },
    'a stream cut in a call': {
      reply: (response) => open(response, ...toolCallChunks(0, 'a', 'look', '{"at":')).end(),
      fails: 'model_cut_off',
      calls: [],
    },
    'a stream cut behind a call': {
      reply: (response) => open(response, ...toolCallChunks(0, 'a', 'look', '{"at":1}')).end(),
      fails: 'model_cut_off',
      calls: [],
    },
    'an error in the middle': {
      reply: (response) => open(response, ...textChunks('Half '), { error: { message: 'a secret' } }).end(),
      fails: 'model_unavailable',
      message: /reported an error/,
      text: 'Half ',
    },
    'an error with status 200': { reply: status(200, { error: { message: 'a secret' } }), fails: 'model_unavailable' },
    'a web page': {
      reply: (response) => head(response, 'text/html').end('<!doctype html><p>Log in</p>'),
      fails: 'model_bad_answer',
      message: /web page/,
    },
    'text that is neither': {
      reply: (response) => head(response, 'text/plain').end('ready\n'),
      fails: 'model_bad_answer',
    },
    garbage: {
      reply: (response) => open(response, ...textChunks('Half ')).end('data: }garbage{\n\n'),
      fails: 'model_bad_answer',
      text: 'Half ',
    },
    'JSON that is not a completion': { reply: status(200, { hello: 'world' }), fails: 'model_bad_answer' },
    'broken JSON': {
      reply: (response) => head(response, 'application/json').end('{"choices": ['),
      fails: 'model_bad_answer',
    },
    'a choice that is null': {
      reply: streamChunks({ choices: [null] }),
      fails: 'model_bad_answer',
      message: /malformed/,
    },
    'a piece that is null': { reply: streamChunks(null), fails: 'model_bad_answer' },
    'nothing at all': { reply: (response) => head(response).end(), fails: 'model_empty', message: /nothing was sent/ },
    'nothing but [DONE]': { reply: streamChunks(), fails: 'model_empty', message: /nothing was sent/ },
    'no content': { reply: (response) => response.writeHead(204).end(), fails: 'model_empty' },
    'a list in place of a completion': {
      reply: status(200, [completion({ content: 'Hello' })]),
      fails: 'model_bad_answer',
    },
    'an empty answer': { reply: streamChunks(finishChunk('stop')), fails: 'model_empty' },
    'thoughts alone': { reply: streamChunks(reasoningChunk('Hm.'), finishChunk('stop')), fails: 'model_empty' },
    'calls that are none': {
      reply: streamChunks(completionChunk({ tool_calls: [] }), finishChunk('tool_calls')),
      fails: 'model_empty',
    },
    'an answer that is too long': {
      reply: streamChunks(...textChunks('Half '), finishChunk('length')),
      fails: 'model_length',
      text: 'Half ',
    },
    'a call that is too long': {
      reply: streamChunks(...toolCallChunks(0, 'a', 'look', '{"at":1}'), finishChunk('length')),
      fails: 'model_length',
      calls: [],
    },
    'filtered content': {
      reply: streamChunks(...textChunks('Half '), finishChunk('content_filter')),
      fails: 'model_content_filter',
      text: 'Half ',
    },
    'a refusal': {
      reply: streamChunks(
        completionChunk({ refusal: 'I cannot ' }),
        completionChunk({ refusal: 'do that.' }),
        finishChunk('stop'),
      ),
      fails: 'model_refusal',
      message: /I cannot do that\./,
    },
    'a refusal that is not streamed': {
      reply: status(200, completion({ content: null, refusal: 'No.' })),
      fails: 'model_refusal',
      message: /No\./,
    },
  },
  tooLarge: {
    'endless arguments': {
      reply: (response) => {
        open(response, ...toolCallChunks(0, 'a', 'look', '{"at":"'))
        endlessly(
          response,
          data(completionChunk({ tool_calls: [{ index: 0, function: { arguments: 'x'.repeat(4096) } }] })),
        )
      },
      fails: 'model_too_large',
      calls: [],
    },
    'endless text': {
      reply: (response) => endlessly(head(response), data(textChunks('word '.repeat(1000))[0])),
      fails: 'model_too_large',
    },
    'an endless piece': {
      reply: (response) => {
        head(response).write('data: "')
        endlessly(response, 'x'.repeat(65_536))
      },
      fails: 'model_too_large',
    },
    'an endless completion': {
      reply: (response) => {
        head(response, 'application/json').write('{"id": "')
        endlessly(response, 'x'.repeat(65_536))
      },
      fails: 'model_too_large',
    },
    'endless comments': {
      reply: (response) => endlessly(head(response), `: ${'x'.repeat(65_536)}\n`),
      fails: 'model_too_large',
    },
    'calls without end': {
      reply: (response) =>
        open(
          response,
          ...Array.from({ length: 100 }, (_, at) => toolCallChunks(at, `c${at}`, 'look', '{}')).flat(),
          finishChunk('tool_calls'),
        ).end(),
      fails: 'model_too_large',
      calls: [],
    },
  },
  statuses: {
    'a bad request': { reply: status(400), fails: 'model_bad_request', message: /400/ },
    'no key': { reply: status(401), fails: 'model_unauthorized', message: /401/ },
    forbidden: { reply: status(403), fails: 'model_unauthorized', message: /403/ },
    'no such model': { reply: status(404), fails: 'model_bad_request', message: /404/ },
    'always busy': { reply: status(429), fails: 'model_rate_limited', message: /429/, waits: [500, 1000] },
    'busy for an hour': {
      reply: status(429, {}, { 'retry-after': '3600' }),
      fails: 'model_rate_limited',
      message: /it answered 429, for 3600 s$/,
    },
    'elsewhere, where the key is not sent': {
      reply: status(307, {}, { location: '/elsewhere' }),
      times: 1,
      fails: 'model_bad_request',
      message: /307/,
    },
    'always broken': { reply: status(500), fails: 'model_unavailable', message: /500/, waits: [500, 1000] },
    'an endless error': {
      reply: (response) => endlessly(head(response, 'text/plain', 400), 'x'.repeat(65_536)),
      fails: 'model_bad_request',
    },
    'context too long': { reply: status(400, tooLong), fails: 'model_context_length' },
  },
  timeouts: {
    'hangs before it answers': { reply: () => {}, fails: 'model_timeout', message: /begin to answer/, waits: [10_000] },
    'hangs before the first piece': {
      reply: (response) => head(response).flushHeaders(),
      fails: 'model_timeout',
      message: /sent nothing/,
      waits: [20_000],
    },
    'hangs between pieces': {
      reply: (response) => open(response, ...textChunks('Half ')),
      fails: 'model_timeout',
      message: /fell silent/,
      text: 'Half ',
      waits: [40_000],
    },
  },
}
