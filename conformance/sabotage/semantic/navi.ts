import { naviContract } from '../../navi/contract.ts'
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
  swapWithNext,
} from '../behaviors.ts'
import type { JsonMessage } from '../sabotage.ts'

const answer = onSuccess(naviContract)

const TWO_HUNDRED_MB = 200 * 1024 * 1024

/** Faults of Navi servers with correct shapes. */
export const naviSabotages = defineSabotages('navi', {
  'is not ok': [
    'meta:health',
    answer('GET /health', (json) => {
      json.status = 'starting'
    }),
  ],
  'stores files outside': [
    'file:escape',
    answer('POST /sessions/{session_id}/files', (json) => {
      if (json.name.includes('outside')) json.path = json.path.replace(/[^/]+$/, '../outside.txt')
    }),
  ],
  'needs no field of that name': ['file:no-field', changeStatus(422, 400, ({ path }) => path.endsWith('/files'))],
  'takes files for unknown sessions': ['file:session', changeStatus(404, 400, ({ path }) => path.endsWith('/files'))],
  'stores no empty files': [
    'file:empty',
    {
      changeResponse: (response, { body, path }) => {
        if (path.endsWith('/files') && body.includes('"empty.txt"')) response.status = 400
      },
    },
  ],
  'takes programs in capitals': [
    'file:blocked-case',
    {
      changeRequest: (request) => {
        if (request.path.endsWith('/files'))
          request.body = Buffer.from(request.body.toString('latin1').replace('"tool.EXE"', '"tool.txt"'), 'latin1')
      },
    },
  ],
  'needs every file': [
    'file:unknown-path',
    onClientMessage((message, { sendToClient }) => refusesFiles(message, sendToClient)),
  ],
  'shows paths to the user': [
    'file:hidden',
    answer('GET /sessions/{session_id}', (json) => {
      for (const one of json.messages) if (one.role === 'user') one.content += ' session_files'
    }),
  ],
  'lists one profile twice': [
    'meta:profiles',
    answer('GET /agents/profiles', (json) => {
      json.push(json[0])
    }),
  ],
  'serves whatever lies outside': ['meta:outside', changeStatus(404, 200, ({ path }) => path.startsWith('/static/'))],
  'stops what is not there': ['stop:unknown', changeStatus(404, 200, ({ path }) => path.endsWith('/stop'))],
  'answers 503 when it is busy': ['message:busy', refusesDuringRuns()],
  'hears no binary frames': [
    'socket:binary',
    { interceptSocket: () => ({ fromClient: (one) => (one.binary ? [] : [one]) }) },
  ],
  'breaks at a huge frame': ['socket:huge', closeOnFrame(1011, ({ data }) => data.length > 100 * 1024 * 1024)],
  'loses a delta of a long answer': ['socket:slow', losesLateDelta()],
  'keeps back the end of several megabytes': ['socket:stalled socket:slow', endsNothingLarge()],
  'forgets who left': ['socket:missed-end', forgetsWhoLeft()],
  'runs two tools at once': ['flow:serial', startsTogether()],
  'fails after a tool that failed': ['flow:failing-goes-on', failsAfterTool()],
  'writes down what a sub-agent did': [
    'flow:subagent-history',
    answer('GET /sessions/{session_id}', (json) => {
      for (const one of json.messages)
        if (one.tool_calls) one.tool_calls.push({ id: 'inner', name: 'web_search', arguments: {} })
    }),
  ],
  'calls a lost sub-agent a success': [
    'flow:subagent-fails',
    onMessage('tool_call', (message) => {
      if (message.tool === 'spawn_agent') message.success = true
    }),
  ],
  'shows the profile it had': [
    'flow:switched-session',
    answer('GET /sessions/{session_id}', (json) => {
      json.profile_id = 'other'
    }),
  ],
  'counts other messages after compressing': [
    'flow:compressed-count',
    onMessage('context_compressed', (message) => {
      message.messages_after++
      message.messages_before += 2
    }),
  ],
  'switches to nothing': [
    'flow:unknown-profile',
    onMessage('tool_call', (message) => {
      if (message.tool === 'switch_profile') message.success = true
    }),
  ],
  'answers to nothing': [
    'message:empty',
    {
      changeRequest: (request) => {
        if (!request.path.endsWith('/messages') || JSON.parse(request.body.toString() || '{}').content) return
        request.body = Buffer.from('{"content":"hello"}')
      },
    },
  ],
  'stops at a word': [
    'socket:stop',
    onClientMessage((message, { sendToClient }) => {
      if (message.type === 'stop') sendToClient({ type: 'stream_stopped' })
    }),
  ],
  'begins a run within another': ['socket:busy', interrupts()],
  'leaves sockets of deleted sessions open': ['stop:delete', { changeCloseCode: () => undefined }],
  'lists no tools': [
    'meta:tools',
    answer('GET /agents/tools', (json) => {
      json.length = 0
    }),
  ],
  'caches static files': [
    'meta:static',
    {
      changeResponse: (response, request) => {
        if (request.path.startsWith('/static/')) response.headers['cache-control'] = 'max-age=60'
      },
    },
  ],
  'creates with 200': ['session:create', changeStatus(201, 200)],
  'gives every session the same id': [
    'session:create',
    answer('POST /sessions', (json) => {
      json.session_id = 'one'
    }),
  ],
  'creates for any profile': [
    'session:unknown-profile',
    {
      changeRequest: (request) => {
        if (request.path === '/sessions' && request.method === 'POST')
          request.body = Buffer.from('{"profile_id":"secretary"}')
      },
    },
  ],
  'answers 400 to malformed bodies': ['session:malformed', changeStatus(422, 400)],
  'answers 200 for what is unknown': ['session:unknown', changeStatus(404, 200)],
  'lists backwards': [
    'session:list',
    answer('GET /sessions', (json) => {
      json.reverse()
    }),
  ],
  'previews the beginning': [
    'session:preview',
    answer('GET /sessions', (json) => {
      for (const one of json) one.preview = `${one.preview}…`
    }),
  ],
  'counts one message too many': [
    'session:preview',
    answer('GET /sessions', (json) => {
      for (const one of json) one.message_count++
    }),
  ],
  'shows messages backwards': [
    'session:history',
    answer('GET /sessions/{session_id}', (json) => {
      json.messages.reverse()
    }),
  ],
  'loses the last message': [
    'session:history message:answer',
    answer('GET /sessions/{session_id}', (json) => {
      json.messages.pop()
    }),
  ],
  'keeps deleted sessions': [
    'session:delete',
    {
      changeRequest: (request) => {
        if (request.method === 'DELETE') {
          request.path += '/pin'
          Object.assign(request, { method: 'PATCH', body: Buffer.from('{"pinned":false}') })
          request.headers['content-type'] = 'application/json'
        }
      },
      changeResponse: (response, request) => {
        if (request.path.endsWith('/pin') && request.headers['content-length'] === '16') {
          response.status = 204
          response.json = undefined
          response.body = Buffer.alloc(0)
        }
      },
    },
  ],
  'pins for ever': [
    'session:pin',
    answer('PATCH /sessions/{session_id}/pin', (json) => {
      json.pinned = true
    }),
  ],
  'shows nothing pinned': [
    'session:pin session:list',
    answer('GET /sessions', (json) => {
      for (const one of json) one.pinned = false
    }),
  ],
  'counts the context wrongly': [
    'session:context',
    answer('GET /sessions/{session_id}/context', (json) => {
      json.message_count++
    }),
  ],
  'counts characters wrongly': [
    'session:chars',
    answer('GET /sessions/{session_id}/context', (json) => {
      json.total_chars += 7
    }),
  ],
  'replies something else': [
    'message:answer',
    answer('POST /sessions/{session_id}/messages', (json) => {
      json.content = 'something else'
    }),
  ],
  'answers 502 for a failing agent': ['message:failure', changeStatus(500, 502)],
  'says a file is larger': [
    'file:upload',
    answer('POST /sessions/{session_id}/files', (json) => {
      json.size++
    }),
  ],
  'says a file is elsewhere': [
    'file:upload',
    answer('POST /sessions/{session_id}/files', (json) => {
      json.path = `/elsewhere/${json.name}`
    }),
  ],
  'overwrites files': [
    'file:collision',
    answer('POST /sessions/{session_id}/files', (json) => {
      json.name = json.name.replace(/_\d+/, '')
    }),
  ],
  'takes programs': [
    'file:blocked',
    {
      changeRequest: (request) => {
        if (request.path.endsWith('/files'))
          request.body = Buffer.from(
            request.body.toString('latin1').replace(/filename="tool\.\w+"/, 'filename="tool.txt"'),
            'latin1',
          )
      },
    },
  ],
  'answers 400 to large files': ['file:too-large', refuseLargeBodies(TWO_HUNDRED_MB, 400)],
  'tells the agent no paths': [
    'file:mentioned',
    answer('GET /sessions/{session_id}/context', (json) => {
      for (const one of json.context) if (one.content) one.content = one.content.replace(/session_files\S*/g, '')
    }),
  ],
  'closes with 1000': ['socket:unknown', { changeCloseCode: () => 1000 }],
  'keeps image prefixes': [
    'socket:images',
    answer('GET /sessions/{session_id}', (json) => {
      for (const one of json.messages)
        if (one.images) one.images = one.images.map((image: string) => `data:image/png;base64,${image}`)
    }),
  ],
  'hides its errors': ['socket:malformed flow:recoverable flow:terminal', repeatMessages('error', 0)],
  'never starts': ['flow:simple', repeatMessages('stream_start', 0)],
  'starts twice': ['flow:simple', repeatMessages('stream_start', 2)],
  'never ends': ['flow:simple', repeatMessages('stream_end', 0)],
  'ends twice': ['flow:one-end', repeatMessages('stream_end', 2)],
  'ends before it has said all': ['flow:simple flow:content', early()],
  'loses a letter': [
    'flow:content',
    onMessage('stream_delta', (message) => {
      message.delta = message.delta.slice(1)
    }),
  ],
  'ends with another text': [
    'flow:content',
    onMessage('stream_end', (message) => {
      message.content += '.'
    }),
  ],
  'thinks without an end': ['flow:thinking', repeatMessages('thinking_end', 0)],
  'ends thoughts it never had': [
    'flow:thinking',
    {
      changeMessages: () => (message) =>
        message.type === 'stream_start' ? [message, { type: 'thinking_end' }] : [message],
    },
  ],
  'starts no tool': ['flow:tools', repeatMessages('tool_started', 0)],
  'ends tools twice': ['flow:tools', repeatMessages('tool_call', 2)],
  'calls with other arguments': [
    'flow:tools',
    onMessage('tool_call', (message) => {
      message.args = { other: true }
    }),
  ],
  'ends a tool before it starts': ['flow:tools', swapWithNext('tool_started')],
  'calls broken tools whole': [
    'flow:failing-tool',
    onMessage('tool_call', (message) => {
      message.success = true
    }),
  ],
  'plans too late': [
    'flow:plan',
    {
      changeMessages: () => {
        let plan: Readonly<Record<string, unknown>> | undefined
        return (message) => {
          if (message.type === 'plan_ready') {
            plan = message
            return []
          }
          const details = message.type === 'tool_call' && plan ? [message, plan] : [message]
          return details
        }
      },
    },
  ],
  'never plans': ['flow:plan', repeatMessages('plan_ready', 0)],
  'hides that there is a sub-agent': [
    'flow:subagent flow:tools',
    { changeMessages: () => (message) => [{ ...message, ...('is_subagent' in message && { is_subagent: false }) }] },
  ],
  'switches to another profile': [
    'flow:switch',
    onMessage('profile_switched', (message) => {
      message.profile_id = 'other'
    }),
  ],
  'switches too late': ['flow:switch', swapWithNext('profile_switched')],
  'compresses to more': [
    'flow:compression',
    onMessage('context_compressed', (message) => {
      message.messages_after = message.messages_before
    }),
  ],
  'compresses in secret': ['flow:compression', repeatMessages('context_compressed', 0)],
  'compresses before the end': ['flow:one-end', swapWithNext('stream_end')],
  'forgets summaries': [
    'flow:compression',
    answer('GET /sessions/{session_id}/context', (json) => {
      for (const one of json.context) delete one.is_summary
    }),
  ],
  'stops in silence': ['stop:running', repeatMessages('stream_stopped', 0)],
  'talks after a stop': [
    'stop:after',
    {
      changeMessages: () => (message) =>
        message.type === 'stream_stopped' ? [message, { type: 'stream_delta', delta: 'and' }] : [message],
    },
  ],
  'always stops something': [
    'stop:idle',
    answer('POST /sessions/{session_id}/stop', (json) => {
      json.ok = true
      delete json.reason
    }),
  ],
  'never stops anything': [
    'stop:running',
    answer('POST /sessions/{session_id}/stop', (json) => {
      Object.assign(json, { ok: false, reason: 'no active run' })
    }),
  ],
  'tells the second socket nothing': ['socket:two socket:reconnect', firstOnly()],
  'repeats itself to who comes back': [
    'socket:reconnect',
    { changeMessages: () => (message) => (message.type === 'stream_delta' ? [message, message] : [message]) },
  ],
})

/** Answers a message with a file that was never uploaded with an error. */
function refusesFiles(message: AnyJson, say: (message: JsonMessage) => void): unknown {
  if (!message.files?.some(({ name }: AnyJson) => name === 'never-uploaded.txt')) return
  say({ type: 'error', message: 'there is no such file' })
  return false
}

/** Refuses messages over REST while a socket of the server has a run. */
function refusesDuringRuns(): SabotageBehavior {
  let isRunning = false
  return {
    changeMessages: () => (message) => {
      if (message.type === 'stream_start') isRunning = true
      if (message.type === 'stream_end' || message.type === 'stream_stopped') isRunning = false
      return [message]
    },
    changeRequest: (request) => {
      if (isRunning && request.path.endsWith('/messages')) request.path = '/busy'
    },
    changeResponse: (response, request) => {
      if (request.path === '/busy') response.status = 503
    },
  }
}

/** Loses a delta once several megabytes went over a socket. */
function losesLateDelta(): SabotageBehavior {
  return {
    changeMessages: () => {
      let bytes = 0
      let hasLost = false
      return (message) => {
        bytes += JSON.stringify(message).length
        if (hasLost || bytes < 1_500_000 || message.type !== 'stream_delta') return [message]
        hasLost = true
        return []
      }
    },
  }
}

/** Loses the end of a run once several megabytes went over a socket. */
function endsNothingLarge(): SabotageBehavior {
  return {
    changeMessages: () => {
      let bytes = 0
      return (message) => {
        bytes += JSON.stringify(message).length
        return bytes > 1_500_000 && message.type === 'stream_end' ? [] : [message]
      }
    },
  }
}

/** Loses the answer of clients that left before its end. */
function forgetsWhoLeft(): SabotageBehavior {
  let sockets = 0
  return {
    changeMessages: () => {
      const isLater = sockets++ > 0
      return (message) => (isLater ? [] : [message])
    },
    changeResponse: (response) => {
      const { messages } = (response.json ?? {}) as AnyJson
      if (Array.isArray(messages)) messages.length = Math.min(messages.length, 1)
    },
  }
}

/** Ends the first of two tools only after the second one has ended. */
function startsTogether(): SabotageBehavior {
  return {
    changeMessages: () => {
      let held: JsonMessage | undefined
      return (message) => {
        if (message.type === 'tool_call' && held === undefined) {
          held = message
          return []
        }
        if (held === undefined || (message.type !== 'tool_call' && message.type !== 'stream_delta')) return [message]
        const first = held
        held = undefined
        return [first, message]
      }
    },
  }
}

/** Stops a run at a tool that failed. */
function failsAfterTool(): SabotageBehavior {
  return {
    changeMessages: () => {
      let failed = false
      return (message) => {
        if (message.type === 'tool_call' && message.success === false) failed = true
        return failed && message.type === 'stream_end' ? [{ type: 'stream_stopped' }] : [message]
      }
    },
  }
}

function early(): SabotageBehavior {
  return {
    changeMessages: () => {
      let held: Readonly<Record<string, unknown>> | undefined
      return (message) => {
        if (message.type === 'stream_delta') {
          const before = held
          held = message
          return before ? [before] : []
        }
        if (message.type === 'stream_end' && held) {
          const last = held
          held = undefined
          return [message, last]
        }
        return [message]
      }
    },
  }
}

function firstOnly(): SabotageBehavior {
  let sockets = 0
  return {
    changeMessages: () => {
      const deaf = sockets++ % 2 === 1
      return (message) => (deaf ? [] : [message])
    },
  }
}

/** Sends stream_start when a message arrives during a run. */
function interrupts(): SabotageBehavior {
  return {
    interceptSocket: ({ sendToClient }) => {
      let runs = false
      return {
        fromClient: (one) => {
          if (runs) sendToClient({ type: 'stream_start' })
          return [one]
        },
        fromServer: (message) => {
          runs = message.type === 'stream_start' || (runs && message.type === 'stream_delta')
          return [message]
        },
      }
    },
  }
}
