import { windieosContract } from '../../windieos/contract.ts'
import {
  type AnyJson,
  changeStatus,
  defineSabotages,
  onMessage,
  onSuccess,
  repeatMessages,
  type SabotageBehavior,
  swapWithNext,
} from '../behaviors.ts'

const answer = onSuccess(windieosContract)

/** Changes every message of a turn. */
const inTurn = (change: (message: AnyJson) => void): SabotageBehavior => ({
  changeMessages: () => (message) => {
    if (message.turn_ref !== undefined) change(message)
    return [message]
  },
})

const refused = (from: number, to: number, path: string): SabotageBehavior =>
  changeStatus(from, to, (request) => request.path.startsWith(path))

/** Faults of WindieOS backends with correct shapes. */
export const windieosSabotages = defineSabotages('windieos', {
  'gives every install one token': [
    'install:register',
    answer('POST /api/install/register', (json) => {
      json.install_token = 'token'
    }),
  ],
  'needs an operating system': [
    'install:system',
    {
      changeResponse: (response, request) => {
        if (request.path === '/api/install/register' && !request.body.includes('Linux')) response.status = 422
      },
    },
  ],
  'says another dimension': [
    'embedding:one',
    answer('POST /api/embeddings/', (json) => {
      json.dimension++
    }),
  ],
  'names another space': [
    'embedding:space embedding:health',
    answer('POST /api/embeddings/', (json) => {
      json.embedding_space_version = 'other:space:1'
    }),
  ],
  'embeds by chance': [
    'embedding:same',
    answer('POST /api/embeddings/', (json) => {
      json.embedding = json.embedding.map(() => Math.random())
    }),
  ],
  'embeds everything the same': [
    'embedding:same',
    answer('POST /api/embeddings/', (json) => {
      json.embedding = json.embedding.map(() => 1)
    }),
  ],
  'takes texts of any length': [
    'embedding:limits',
    {
      changeRequest: (request) => {
        if (request.path === '/api/embeddings/' && request.body.length > 8200)
          request.body = Buffer.from('{"text":"a"}')
      },
    },
  ],
  'sums up for anybody': [
    'semantic:default-user',
    {
      changeRequest: (request) => {
        request.body = Buffer.from(request.body.toString('latin1').replaceAll('default_user', 'somebody'), 'latin1')
      },
    },
  ],
  'counts one byte too many': [
    'artifact:round',
    answer('POST /api/artifacts/', (json) => {
      json.size_bytes++
    }),
  ],
  'digests something else': [
    'artifact:round',
    answer('POST /api/artifacts/', (json) => {
      json.sha256 = '0'.repeat(64)
    }),
  ],
  'calls every artifact a JPEG': [
    'artifact:round artifact:kinds',
    {
      changeResponse: (response, request) => {
        if (request.method === 'GET' && request.path.startsWith('/api/artifacts/'))
          response.headers['content-type'] = 'image/jpeg'
      },
    },
  ],
  'answers 400 for unknown artifacts': ['artifact:unknown', refused(404, 400, '/api/artifacts/')],
  'creates artifacts with 201': ['artifact:status', refused(200, 201, '/api/artifacts/')],
  'answers 500 for two images': ['image:source', refused(422, 500, '/api/sdk/ocr')],
  'answers 422 for unknown images': ['image:unknown', refused(404, 422, '/api/sdk/ocr')],
  'shifts the boxes it reads': [
    'ocr:run',
    answer('POST /api/sdk/ocr/run', (json) => {
      for (const row of json.results) row.bbox.x += 2000
    }),
  ],
  'centres elsewhere': [
    'ocr:run',
    answer('POST /api/sdk/ocr/run', (json) => {
      for (const row of json.results) row.center.x += 20
    }),
  ],
  'gives all candidates one id': [
    'ocr:run',
    answer('POST /api/sdk/ocr/run', (json) => {
      for (const row of json.results) row.candidate_id = 'ocr_1'
    }),
  ],
  'finds below the threshold': [
    'ocr:find',
    answer('POST /api/sdk/ocr/find-text', (json) => {
      for (const row of json.matches) row.score = 0.1
    }),
  ],
  'finds nothing': [
    'ocr:find',
    answer('POST /api/sdk/ocr/find-text', (json) => {
      json.matches = []
    }),
  ],
  'ranks backwards': [
    'ocr:candidates',
    answer('POST /api/sdk/ocr/find-text-candidates', (json) => {
      json.matches.reverse()
      if (json.matches.length > 1) json.matches[0].score = 0
    }),
  ],
  'resolves something else': [
    'ocr:resolve',
    answer('POST /api/sdk/ocr/resolve-text', (json) => {
      json.match.bbox.x -= 300
      json.match.center.x -= 300
    }),
  ],
  'calls ambiguity missing': ['ocr:ambiguous', changeStatus(409, 404)],
  'hides the choices': [
    'ocr:choices',
    {
      changeResponse: (response) => {
        if (response.status === 409) response.json = { detail: 'ambiguous' }
      },
    },
  ],
  'resolves candidates elsewhere': [
    'ocr:candidate',
    answer('POST /api/sdk/ocr/resolve-candidate', (json) => {
      json.match.center.y += 9
    }),
  ],
  'calls unknown candidates bad': ['ocr:candidate-unknown', refused(404, 400, '/api/sdk/ocr/resolve-candidate')],
  'names no query': [
    'ocr:matches',
    answer('POST /api/sdk/ocr/find-text', (json) => {
      delete json.query
    }),
  ],
  'describes the whole image': [
    'vision:crop',
    answer('POST /api/sdk/vision/describe', (json) => {
      json.image.width += 600
    }),
  ],
  'calls unknown tools bad': ['introspection:unknown-tool', refused(404, 400, '/api/sdk/tool-capabilities')],
  'lists a model twice': [
    'introspection:catalog',
    answer('GET /api/sdk/models', (json) => {
      json.models.push(json.models[0])
    }),
  ],
  'shows the model another tool': [
    'introspection:pruned',
    answer('GET /api/sdk/tool-schemas', (json) => {
      json.provider_tool_schemas.push({ type: 'function', name: 'unheard_of', parameters: {} })
    }),
  ],
  'knows no tool by its name': ['introspection:tools', refused(200, 404, '/api/sdk/tool-capabilities')],
  'inspects without errors': [
    'ocr:inspect',
    answer('POST /api/sdk/ocr/inspect', (json) => {
      json.resolution_error = null
    }),
  ],
  'counts no annotations': [
    'ocr:overlay vision:overlay',
    answer('POST /api/sdk/ocr/overlay', (json) => {
      json.annotation_count = 0
    }),
  ],
  'locates by 500': ['vision:locate', refused(503, 500, '/api/sdk/vision')],
  'ignores overrides': [
    'introspection:models',
    {
      changeRequest: (request) => {
        request.path = request.path.replace(/^\/api\/sdk\/models\?.*/, '/api/sdk/models')
      },
    },
  ],
  'lists a tool twice': [
    'introspection:tools',
    answer('GET /api/sdk/tool-schemas', (json) => {
      json.canonical_tool_schemas.push(json.canonical_tool_schemas[0])
    }),
  ],
  'previews another prompt': [
    'introspection:prompt',
    answer('POST /api/sdk/prompt-preview', (json) => {
      json.system_prompt += '.'
    }),
  ],
  'counts tokens and fails': [
    'introspection:preview',
    answer('POST /api/sdk/prompt-preview', (json) => {
      json.token_count_error = 'no'
    }),
  ],
  'plans in another order': [
    'introspection:plan',
    answer('POST /api/sdk/query-plan', (json) => {
      json.transparency_events.reverse()
    }),
  ],
  'runs without a key': [
    'runs:key',
    {
      changeRequest: (request) => {
        if (request.path.startsWith('/api/runs')) request.headers['x-windie-runs-key'] = 'conformance-runs'
      },
    },
  ],
  'takes any number of runs': ['runs:cap', changeStatus(409, 200)],
  'gives a run out twice': ['runs:once', twice()],
  'answers 403 to a wrong key': ['runs:key-status', refused(401, 403, '/api/runs')],
  'gives no run out': [
    'runs:story',
    answer('POST /api/runs/workers/heartbeat', (json) => {
      json.assigned_run = null
    }),
  ],
  'writes no heartbeats down': [
    'runs:heartbeats',
    answer('GET /api/runs/{run_id}/events', (json) => {
      for (const one of json.events) if (one.event_type === 'worker-heartbeat') one.event_type = 'beat'
    }),
  ],
  'tells workers nothing': [
    'runs:control',
    answer('POST /api/runs/workers/heartbeat', (json) => {
      json.control_commands = []
    }),
  ],
  'repeats a number': [
    'runs:events',
    answer('GET /api/runs/{run_id}/events', (json) => {
      if (json.events.length > 1) json.events[1].seq = json.events[0].seq
    }),
  ],
  'never completes a run': [
    'runs:states',
    answer('GET /api/runs/{run_id}', (json) => {
      if (json.run.status === 'completed') json.run.status = 'running'
    }),
  ],
  'delivers commands twice': ['runs:once', again('control_commands')],
  'counts more than it stopped': [
    'runs:stop-all',
    answer('POST /api/runs/stop-all', (json) => {
      json.count++
    }),
  ],
  'numbers events from 2': [
    'runs:numbers',
    answer('GET /api/runs/{run_id}/events', (json) => {
      for (const one of json.events) one.seq++
      if (json.events.length > 0) json.next_after_seq++
    }),
  ],
  'answers 422 for unknown runs': ['runs:unknown', refused(404, 422, '/api/runs')],
  'closes with 1011': ['handshake:first', { changeCloseCode: (code) => (code === 1008 ? 1011 : code) }],
  'accepts every tool': [
    'manifest:judged',
    onMessage('client-tool-manifest', (message) => {
      message.payload.accepted.push(
        ...message.payload.rejected
          .splice(0)
          .map((one: AnyJson) => ({ name: one.name, description: 'x', execution_target: 'local_runtime' })),
      )
    }),
  ],
  'judges no manifest': ['manifest:judged', repeatMessages('client-tool-manifest', 0)],
  'answers under another id': [
    'envelope:echo',
    { changeMessages: () => (message) => [{ ...message, id: `other-${String(message.id)}` }] },
  ],
  'refuses in silence': ['envelope:payload envelope:malformed', repeatMessages('error', 0)],
  'never completes': ['query:stream', repeatMessages('streaming-complete', 0)],
  'completes twice': ['query:stream', repeatMessages('streaming-complete', 2)],
  'streams nothing': ['query:stream', repeatMessages('streaming-response', 0)],
  'is not transparent': ['query:transparency', repeatMessages('system-prompt', 0)],
  'is transparent in another order': ['query:transparency', swapWithNext('system-prompt')],
  'shows another answer': [
    'query:whole',
    onMessage('assistant-message-full', (message) => {
      message.payload.content += '.'
    }),
  ],
  'forgets the conversation': ['query:identity', inTurn((message) => delete message.conversation_ref)],
  'names another turn': [
    'query:identity',
    inTurn((message) => {
      message.turn_ref = 'other'
    }),
  ],
  'counts events from 0': [
    'query:identity',
    inTurn((message) => {
      message.sequence--
    }),
  ],
  'skips a number': [
    'query:identity',
    inTurn((message) => {
      if (message.sequence > 3) message.sequence++
    }),
  ],
  'gives all events one id': [
    'query:identity',
    inTurn((message) => {
      message.event_id = 'event'
    }),
  ],
  'goes on counting in the next turn': ['query:second', goesOn()],
  'hides its thoughts': ['query:thought', repeatMessages('llm-thought', 0)],
  'counts no visible output': [
    'query:tokens',
    onMessage('token-count', (message) => {
      message.payload.output_tokens_total = message.payload.visible_output_tokens - 1
    }),
  ],
  'adds up wrongly': [
    'query:token-sums',
    onMessage('token-count', (message) => {
      message.payload.total_tokens++
    }),
  ],
  'tells internal codes': [
    'query:codes',
    onMessage('error', (message) => {
      message.payload.message = `LLM_ERROR: ${message.payload.message}`
    }),
  ],
  'puts side answers into the conversation': [
    'query:side',
    {
      changeMessages: () => (message) => [
        message.type === 'models-listed' ? { ...message, conversation_ref: 'conv' } : message,
      ],
    },
  ],
  'never calls': ['tool:call', repeatMessages('tool-call', 0)],
  'calls under another id': [
    'tool:call',
    onMessage('tool-call', (message) => {
      message.payload.request_id = 'other'
    }),
  ],
  'hides what its tools say': ['tool:backend', repeatMessages('tool-output', 0)],
  'calls its tools failed': [
    'tool:backend',
    onMessage('tool-output', (message) => {
      message.payload.success = false
    }),
  ],
  'bundles one tool': [
    'tool:bundle',
    onMessage('tool-bundle', (message) => {
      message.payload.tools.length = 1
    }),
  ],
  'lists no models': ['settings:models', repeatMessages('models-listed', 0)],
  'loads half the settings': [
    'settings:load',
    onMessage('settings-loaded', (message) => {
      delete message.payload.config.wakeword_enabled
    }),
  ],
  'says it updated nothing': [
    'settings:update',
    onMessage('settings-updated', (message) => {
      message.payload.updated_keys = []
    }),
  ],
  'shows old settings': [
    'settings:update',
    onMessage('settings-loaded', (message) => {
      message.payload.config.wakeword_enabled = true
    }),
  ],
  'tells its secrets': [
    'settings:secret',
    onMessage('settings-loaded', (message) => {
      for (const one of Object.values(message.payload.config.provider_api_keys) as AnyJson[]) one.api_key = 'sk-1'
    }),
  ],
  'refuses settings in other words': [
    'settings:invalid',
    onMessage('error', (message) => {
      message.payload.message = 'no'
    }),
  ],
  'greets before it is there': ['wakeword:greeting', swapWithNext('wakeword-activated')],
  'greets in other words': [
    'wakeword:same',
    onMessage('wakeword-greeting', (message) => {
      message.payload.text += '!'
    }),
  ],
  'greets in silence': ['wakeword:speech', repeatMessages('audio-chunk', 0)],
  'completes what was stopped': [
    'stop:query',
    {
      changeMessages: () => (message) =>
        message.type === 'stop-query-ack'
          ? [message, { id: 'late', type: 'streaming-complete', payload: {} }]
          : [message],
    },
  ],
  'compacts in secret': [
    'stop:compact',
    { changeMessages: () => (message) => (String(message.type).startsWith('context-compaction') ? [] : [message]) },
  ],
  'hears without an end': ['transcription:speech', repeatMessages('utterance_end', 0)],
  'is never final': [
    'transcription:speech',
    onMessage('realtime', (message) => {
      message.is_final = false
    }),
  ],
  'knows everybody by one id': [
    'transcription:status',
    onMessage('status', (message) => {
      message.client_id = 'client'
    }),
  ],
})

/** The first run that is given out is given out again. */
function twice(): SabotageBehavior {
  let first: unknown
  return answer('POST /api/runs/workers/heartbeat', (json) => {
    first ??= json.assigned_run
    json.assigned_run ??= first
  })
}

/** Restores earlier entries of a list. */
function again(key: string): SabotageBehavior {
  let last: readonly unknown[] = []
  return answer('POST /api/runs/workers/heartbeat', (json) => {
    const now = json[key]
    if (now.length === 0) json[key] = last
    last = now
  })
}

function goesOn(): SabotageBehavior {
  let first: unknown
  return inTurn((message) => {
    first ??= message.turn_ref
    if (message.turn_ref !== first) message.sequence += 10
  })
}
