import { windieosContract } from '../../windieos/contract.ts'
import {
  type AnyJson,
  changeStatus,
  closeOnFrame,
  defineSabotages,
  onClientMessage,
  onMessage,
  onSuccess,
  refuseLargeBodies,
  repeatMessages,
  type SabotageBehavior,
} from '../behaviors.ts'

const answer = onSuccess(windieosContract)

const refused = (from: number, to: number, path: string): SabotageBehavior =>
  changeStatus(from, to, (request) => request.path.startsWith(path))

/** Answers matching messages with an error; the server does not receive them. */
const refuses = (fits: (message: AnyJson) => boolean): SabotageBehavior =>
  onClientMessage((message, { sendToClient }) => {
    if (!fits(message)) return
    sendToClient({ id: message.id, type: 'error', payload: { message: 'no' }, turn_ref: message.id })
    return false
  })

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const TEN_MB = 10 * 1024 * 1024
const MAX_FILE_BYTES = 25 * 1024 * 1024

/** Faults in validation, authentication and limits. */
export const windieosEdgeSabotages = defineSabotages('windieos', {
  'knows UUIDs only': ['envelope:ids', refuses(({ id }) => id !== undefined && !UUID.test(id))],
  'takes keys that nobody documents': ['envelope:unknown-key', dropsUnknownKeys()],
  'hangs up at what is no JSON': [
    'envelope:stays',
    closeOnFrame(1011, ({ data }, message) => message === undefined && data.length < 100),
  ],
  'sends messages without an id': [
    'envelope:server-ids',
    onMessage('models-listed', (message) => {
      message.id = ''
    }),
  ],
  'hangs up at a large message': ['limit:stays', closeOnFrame(1009, ({ data }) => data.length > TEN_MB)],
  'passes over large messages': [
    'limit:message',
    { interceptSocket: () => ({ fromClient: (one) => (one.data.length > TEN_MB ? [] : [one]) }) },
  ],
  'takes ten tasks': ['limit:tasks', tenTasks()],
  'refuses user_id': [
    'envelope:user-id',
    refuses(({ type, user_id }) => type !== 'handshake' && user_id === 'anybody'),
  ],
  'counts its messages': ['envelope:uuid', onMessage('token-count', (message) => Object.assign(message, { id: '7' }))],
  'knows six keys of a query': ['query:sdk-keys', refuses(({ payload }) => 'revision_id' in (payload ?? {}))],
  'loses a piece of a long answer': ['query:slow', losesLate('streaming-response')],
  'keeps back the end of several megabytes': ['query:stalled query:slow', losesLate('streaming-complete')],
  'fails ever after': ['query:after-failure', failsEverAfter()],
  'takes no inline screenshots': [
    'tool:inline',
    refuses(({ type, payload }) => type === 'tool-result' && payload?.data?.screenshot !== undefined),
  ],
  'calls each tool of a bundle too': [
    'tool:only-bundle',
    {
      changeMessages: () => (message) =>
        message.type === 'tool-bundle'
          ? [message, { ...message, type: 'tool-call', payload: { tool_name: 'a', parameters: {}, request_id: 'r' } }]
          : [message],
    },
  ],
  'judges a manifest nobody sent': [
    'manifest:none',
    {
      changeMessages: () => (message) =>
        message.type === 'remote-tool-catalog'
          ? [message, { id: 'manifest', type: 'client-tool-manifest', payload: { accepted: [], rejected: [] } }]
          : [message],
    },
  ],
  'lets nobody in under no name': ['handshake:empty-user', names('somebody')],
  'hangs up at a huge handshake': [
    'handshake:huge',
    closeOnFrame(1009, ({ data }) => data.length > TEN_MB && data.subarray(0, 100).includes('handshake')),
  ],
  'hides who needs a token': ['handshake:token', { changeCloseCode: () => undefined }],
  'counts limits in characters': ['semantic:bytes', changeStatus(422, 200, ({ body }) => body.includes('éé'))],
  'calls what is over a limit bad': ['limit:status', changeStatus(422, 400)],
  'takes any number of tasks': ['limit:more-tasks', repeatMessages('error', 0)],
  'knows an install by another name': [
    'install:me',
    answer('GET /api/install/me', (json) => {
      json.user_id = 'other'
    }),
  ],
  'answers 403 without a token': ['auth:status', changeStatus(401, 403)],
  'answers 404 without a token': ['auth:missing', changeStatus(401, 404)],
  'believes every claim': ['auth:foreign', refused(403, 200, '/api/')],
  'shows artifacts to everybody': ['auth:artifacts', lendsToken()],
  'embeds without a key': [
    'embed:key',
    {
      changeRequest: (request) => {
        if (request.path === '/embed') request.headers['x-windie-embedding-key'] = 'conformance-embedding'
      },
    },
  ],
  'does not say how long embedding took': [
    'embed:answer',
    {
      changeResponse: (response, request) => {
        if (request.path === '/embed') delete (response.json as AnyJson)?.service_time_ms
      },
    },
  ],
  'embeds any number of texts': ['embed:limits', changeStatus(422, 200, ({ path }) => path === '/embed')],
  'sums up any number of conversations': ['semantic:summary', refused(422, 200, '/api/semantic/summarize')],
  'gives titles of any length': [
    'semantic:title',
    answer('POST /api/semantic/title', (json) => {
      json.title = json.title.padEnd(201, '.')
    }),
  ],
  'is never ready to sum up': ['semantic:health', refused(200, 503, '/api/semantic/health')],
  'calls a missing file a bad request': ['artifact:no-file', refused(422, 400, '/api/artifacts/')],
  'calls a large file a bad request': ['artifact:size', refuseLargeBodies(MAX_FILE_BYTES, 400)],
  'does not trim regions': [
    'vision:describe',
    answer('POST /api/sdk/vision/describe', (json) => {
      if (json.region) json.region.width = 300
    }),
  ],
  'knows no screenshots': ['query:full', refuses(({ payload }) => 'screenshot_refs' in (payload ?? {}))],
  'mixes turns': ['query:serial', mixes()],
  'ends failures well': [
    'query:failure',
    {
      changeMessages: () => (message) => [
        message.type === 'error' ? { ...message, type: 'streaming-complete', payload: {} } : message,
      ],
    },
  ],
  'accepts queries in silence': ['query:accepted', repeatMessages('query-accepted', 0)],
  'says that a history is back': [
    'rehydrate:silent',
    onClientMessage((message, { sendToClient }) => {
      if (message.type === 'rehydrate-conversation') sendToClient({ id: message.id, type: 'rehydrated', payload: {} })
    }),
  ],
  'puts any history back': [
    'rehydrate:failure',
    onClientMessage((message) => {
      if (message.type === 'rehydrate-conversation') message.payload = { ...message.payload, messages: [] }
    }),
  ],
  'creates in silence': [
    'runs:create',
    answer('POST /api/runs/', (json) => {
      json.events = []
    }),
  ],
  'runs at once': [
    'runs:states',
    answer('POST /api/runs/', (json) => {
      json.run.status = 'running'
    }),
  ],
  'knows no agents': [
    'handshake:plain',
    closeOnFrame(1008, (_, message) => message?.agent_definition?.tools?.mode === 'client_only'),
  ],
  'takes removed fields': [
    'handshake:removed',
    onClientMessage((message) => {
      if (message.type !== 'handshake') return
      for (const field of ['operating_system', 'available_tools', 'available_coordinate_methods']) delete message[field]
    }),
  ],
  'hangs up at a large handshake': [
    'handshake:large',
    closeOnFrame(1009, ({ data }, message) => message?.type === 'handshake' && data.length > 64 * 1024),
  ],
  'is deaf right after the handshake': ['handshake:at-once', deafAtFirst()],
  'shakes hands in silence again': ['handshake:again', shakesOnce()],
  'closes with 4401 without a token': [
    'handshake:token-code',
    { changeCloseCode: (code) => (code === 1008 ? 4401 : code) },
  ],
  'hangs up at a claim': ['handshake:claim', closeOnFrame(1008, (_, message) => message?.user_id === 'somebody-else')],
  'takes names of any length': [
    'manifest:name',
    onMessage('client-tool-manifest', ({ payload }) => {
      for (const { name } of payload.rejected)
        if (name.length > 96) payload.accepted.push({ name, description: 'x', execution_target: 'local_runtime' })
    }),
  ],
  'has an empty catalog': [
    'manifest:catalog',
    onMessage('remote-tool-catalog', ({ payload }) => {
      payload.remote_tools = []
    }),
  ],
  'gives up when a tool fails': [
    'tool:failure',
    refuses(({ type, payload }) => type === 'tool-result' && payload?.success === false),
  ],
  'complains of unknown results': [
    'tool:unknown',
    refuses(({ type, payload }) => type === 'tool-result' && /^[a-z]{16}$/.test(payload?.request_id)),
  ],
  'is over after starting over': [
    'transcription:over',
    closeOnFrame(1000, (_, message) => message?.type === 'start_over'),
  ],
  'hangs up at frames without sense': [
    'transcription:malformed',
    closeOnFrame(1003, ({ data, binary }) => binary && data.length < 10),
  ],
})

/** Accepts ten queries per socket. */
function tenTasks(): SabotageBehavior {
  return {
    interceptSocket: (wire) => {
      let count = 0
      return refuses(({ type }) => type === 'query' && ++count > 10).interceptSocket?.(wire) ?? {}
    },
  }
}

/** Loses messages of a type once several megabytes went over a socket. */
function losesLate(type: string): SabotageBehavior {
  return {
    changeMessages: () => {
      let bytes = 0
      return (message) => {
        bytes += JSON.stringify(message).length
        return bytes > 1_500_000 && message.type === type ? [] : [message]
      }
    },
  }
}

/** Answers every query after one that failed with an error. */
function failsEverAfter(): SabotageBehavior {
  return {
    interceptSocket: (wire) => {
      let hasFailed = false
      const { fromClient } = refuses(({ type }) => type === 'query' && hasFailed).interceptSocket?.(wire) ?? {}
      return {
        ...(fromClient && { fromClient }),
        fromServer: (message) => {
          hasFailed ||= message.type === 'error'
          return [message]
        },
      }
    },
  }
}

/** Assigns an id to clients without one. */
function names(user_id: string): SabotageBehavior {
  return onClientMessage((message) => {
    if (message.type === 'handshake' && message.user_id === '') message.user_id = user_id
  })
}

function dropsUnknownKeys(): SabotageBehavior {
  return onClientMessage((message) => {
    if (message.type !== 'list-models') return
    for (const key of Object.keys(message))
      if (!['id', 'type', 'payload', 'timestamp', 'user_id'].includes(key)) delete message[key]
  })
}

/** Fetches artifacts with the token that uploaded the last one. */
function lendsToken(): SabotageBehavior {
  let token: string | string[] | undefined
  return {
    changeRequest: (request) => {
      if (!request.path.startsWith('/api/artifacts/')) return
      if (request.method === 'POST') token = request.headers.authorization
      else request.headers.authorization = token
    },
  }
}

/** Repeats an event of the first turn in the second. */
function mixes(): SabotageBehavior {
  return {
    changeMessages: () => {
      let first: AnyJson
      return (message) => {
        if (message.turn_ref === undefined) return [message]
        first ??= message
        return message.turn_ref === first.turn_ref ? [message] : [message, first]
      }
    },
  }
}

/** Drops messages before the first message of the server. */
function deafAtFirst(): SabotageBehavior {
  return {
    interceptSocket: () => {
      let hears = false
      return {
        fromClient: (one) => (hears || one.data.includes('"handshake"') ? [one] : []),
        fromServer: (message) => {
          hears = true
          return [message]
        },
      }
    },
  }
}

function shakesOnce(): SabotageBehavior {
  return {
    interceptSocket: (wire) => {
      let isShaken = false
      const { fromClient } = onClientMessage((message) => {
        if (message.type !== 'handshake') return
        if (isShaken) return false
        isShaken = true
      }).interceptSocket!(wire)
      return fromClient ? { fromClient } : {}
    },
  }
}
