import { naviContract } from '../../contract/navi.ts'
import { behindNext, inAnswer, inMessage, refusesLarge, sabotages, said, status, type Trick, times } from './tools.ts'

const answer = inAnswer(naviContract)

const TWO_HUNDRED_MB = 200 * 1024 * 1024

/** What can go wrong in a Navi server although every answer and event has the right shape. */
export const naviSabotages = sabotages('navi', {
  'is more than ok': [
    'meta:health',
    answer('GET /health', (json) => {
      json.uptime = 1
    }),
  ],
  'stores files outside': [
    'file:escape',
    answer('POST /sessions/{session_id}/files', (json) => {
      if (json.name.includes('outside')) json.path = json.path.replace(/[^/]+$/, '../outside.txt')
    }),
  ],
  'needs no field of that name': ['file:session', status(422, 400, ({ path }) => path.endsWith('/files'))],
  'switches to nothing': [
    'flow:unknown-profile',
    inMessage('tool_call', (message) => {
      if (message.tool === 'switch_profile') message.success = true
    }),
  ],
  'answers to nothing': [
    'message:empty',
    {
      request: (request) => {
        if (!request.path.endsWith('/messages') || JSON.parse(request.body.toString() || '{}').content) return
        request.body = Buffer.from('{"content":"hello"}')
      },
    },
  ],
  'stops at a word': [
    'socket:stop',
    said((message, { say }) => {
      if (message.type === 'stop') say({ type: 'stream_stopped' })
    }),
  ],
  'begins a run within another': ['socket:busy', interrupts()],
  'leaves sockets of deleted sessions open': ['stop:delete', { closeCode: () => undefined }],
  'lists no tools': [
    'meta:profiles',
    answer('GET /agents/tools', (json) => {
      json.length = 0
    }),
  ],
  'caches static files': [
    'meta:static',
    {
      answer: (passing, request) => {
        if (request.path.startsWith('/static/')) passing.headers['cache-control'] = 'max-age=60'
      },
    },
  ],
  'creates with 200': ['session:create', status(201, 200)],
  'gives every session the same id': [
    'session:create',
    answer('POST /sessions', (json) => {
      json.session_id = 'one'
    }),
  ],
  'creates for any profile': [
    'session:unknown-profile',
    {
      request: (request) => {
        if (request.path === '/sessions' && request.method === 'POST')
          request.body = Buffer.from('{"profile_id":"secretary"}')
      },
    },
  ],
  'answers 400 to malformed bodies': ['session:malformed', status(422, 400)],
  'answers 200 for what is unknown': ['session:unknown', status(404, 200)],
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
      request: (request) => {
        if (request.method === 'DELETE') {
          request.path += '/pin'
          Object.assign(request, { method: 'PATCH', body: Buffer.from('{"pinned":false}') })
          request.headers['content-type'] = 'application/json'
        }
      },
      answer: (passing, request) => {
        if (request.path.endsWith('/pin') && request.headers['content-length'] === '16') {
          passing.status = 204
          passing.json = undefined
          passing.body = Buffer.alloc(0)
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
    'session:context',
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
  'answers 502 for a failing agent': ['message:failure', status(500, 502)],
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
      request: (request) => {
        if (request.path.endsWith('/files'))
          request.body = Buffer.from(
            request.body.toString('latin1').replace(/filename="tool\.\w+"/, 'filename="tool.txt"'),
            'latin1',
          )
      },
    },
  ],
  'answers 400 to large files': ['file:too-large', refusesLarge(TWO_HUNDRED_MB, 400)],
  'tells the agent no paths': [
    'file:mentioned',
    answer('GET /sessions/{session_id}/context', (json) => {
      for (const one of json.context) if (one.content) one.content = one.content.replace(/session_files\S*/g, '')
    }),
  ],
  'closes with 1000': ['socket:unknown', { closeCode: () => 1000 }],
  'keeps image prefixes': [
    'socket:images',
    answer('GET /sessions/{session_id}', (json) => {
      for (const one of json.messages)
        if (one.images) one.images = one.images.map((image: string) => `data:image/png;base64,${image}`)
    }),
  ],
  'hides its errors': ['socket:malformed flow:recoverable flow:terminal', times('error', 0)],
  'never starts': ['flow:simple', times('stream_start', 0)],
  'starts twice': ['flow:simple', times('stream_start', 2)],
  'never ends': ['flow:simple', times('stream_end', 0)],
  'ends twice': ['flow:one-end', times('stream_end', 2)],
  'ends before it has said all': ['flow:simple flow:content', early()],
  'loses a letter': [
    'flow:content',
    inMessage('stream_delta', (message) => {
      message.delta = message.delta.slice(1)
    }),
  ],
  'ends with another text': [
    'flow:content',
    inMessage('stream_end', (message) => {
      message.content += '.'
    }),
  ],
  'thinks without an end': ['flow:thinking', times('thinking_end', 0)],
  'ends thoughts it never had': [
    'flow:thinking',
    {
      messages: () => (message) => (message.type === 'stream_start' ? [message, { type: 'thinking_end' }] : [message]),
    },
  ],
  'starts no tool': ['flow:tools', times('tool_started', 0)],
  'ends tools twice': ['flow:tools', times('tool_call', 2)],
  'calls with other arguments': [
    'flow:tools',
    inMessage('tool_call', (message) => {
      message.args = { other: true }
    }),
  ],
  'ends a tool before it starts': ['flow:tools', behindNext('tool_started')],
  'calls broken tools whole': [
    'flow:failing-tool',
    inMessage('tool_call', (message) => {
      message.success = true
    }),
  ],
  'plans too late': [
    'flow:plan',
    {
      messages: () => {
        let plan: Readonly<Record<string, unknown>> | undefined
        return (message) => {
          if (message.type === 'plan_ready') {
            plan = message
            return []
          }
          const told = message.type === 'tool_call' && plan ? [message, plan] : [message]
          return told
        }
      },
    },
  ],
  'never plans': ['flow:plan', times('plan_ready', 0)],
  'hides that there is a sub-agent': [
    'flow:subagent flow:tools',
    { messages: () => (message) => [{ ...message, ...('is_subagent' in message && { is_subagent: false }) }] },
  ],
  'switches to another profile': [
    'flow:switch',
    inMessage('profile_switched', (message) => {
      message.profile_id = 'other'
    }),
  ],
  'switches too late': ['flow:switch', behindNext('profile_switched')],
  'compresses to more': [
    'flow:compression',
    inMessage('context_compressed', (message) => {
      message.messages_after = message.messages_before
    }),
  ],
  'compresses in secret': ['flow:compression', times('context_compressed', 0)],
  'compresses before the end': ['flow:one-end', behindNext('stream_end')],
  'forgets summaries': [
    'flow:compression',
    answer('GET /sessions/{session_id}/context', (json) => {
      for (const one of json.context) delete one.is_summary
    }),
  ],
  'stops in silence': ['stop:running', times('stream_stopped', 0)],
  'talks after a stop': [
    'stop:after',
    {
      messages: () => (message) =>
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
    { messages: () => (message) => (message.type === 'stream_delta' ? [message, message] : [message]) },
  ],
})

function early(): Trick {
  return {
    messages: () => {
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

function firstOnly(): Trick {
  let sockets = 0
  return {
    messages: () => {
      const deaf = sockets++ % 2 === 1
      return (message) => (deaf ? [] : [message])
    },
  }
}

/** Says that a run begins when something is said during one. */
function interrupts(): Trick {
  return {
    dialogue: ({ say }) => {
      let runs = false
      return {
        asked: (one) => {
          if (runs) say({ type: 'stream_start' })
          return [one]
        },
        answered: (message) => {
          runs = message.type === 'stream_start' || (runs && message.type === 'stream_delta')
          return [message]
        },
      }
    },
  }
}
