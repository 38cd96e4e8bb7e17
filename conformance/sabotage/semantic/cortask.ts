import { defineSabotages, onMessage, repeatMessages, type SabotageBehavior, swapWithNext } from '../behaviors.ts'
import type { JsonMessage } from '../sabotage.ts'

/** Every message of a type from now on has a field that never changes. */
const same = (type: string, key: string, value: string): SabotageBehavior =>
  onMessage(type, (message) => {
    message[key] = value
  })

/** Faults of Cortask gateways with correct shapes. */
export const cortaskSabotages = defineSabotages('cortask', {
  'lets every page in': [
    'connect:foreign-origin',
    {
      changeUpgrade: ({ headers }) => {
        delete headers.origin
      },
    },
  ],
  'lets no page in': [
    'connect:local-origin',
    {
      changeUpgrade: ({ headers }) => {
        if (headers.origin) headers.origin = 'https://evil.example'
      },
    },
  ],
  'allows every origin': [
    'connect:cors',
    {
      changeResponse: (answer) => {
        answer.headers['access-control-allow-origin'] = '*'
      },
    },
  ],
  'answers for another session': ['chat:key', same('text_delta', 'sessionKey', 'other')],
  'ends another session': ['chat:answer chat:key', same('done', 'sessionKey', 'other')],
  'never says done': ['chat:answer', repeatMessages('done', 0)],
  'says done twice': ['chat:answer', repeatMessages('done', 2)],
  'says done before the end': ['chat:answer run:order', early('done')],
  'says nothing': ['chat:answer', repeatMessages('text_delta', 0)],
  'hides its thoughts': ['chat:thinking', repeatMessages('thinking_delta', 0)],
  'counts half tokens': [
    'chat:usage',
    onMessage('done', (message) => {
      message.usage.inputTokens += 0.5
    }),
  ],
  'never starts a tool': ['run:order', repeatMessages('tool_call_start', 0)],
  'hides results of tools': ['run:order', repeatMessages('tool_result', 0)],
  'shows results twice': ['run:order', repeatMessages('tool_result', 2)],
  'starts behind the arguments': ['run:arguments', swapWithNext('tool_call_start')],
  'shows results of another call': ['run:order', same('tool_result', 'toolCallId', 'other')],
  'gives every call one id': [
    'run:ids',
    { changeMessages: () => (message) => [{ ...message, ...('toolCallId' in message && { toolCallId: 'call' }) }] },
  ],
  'gives every request one id': ['run:ids permission:approve', same('permission_request', 'requestId', 'request')],
  'streams other arguments': [
    'run:arguments',
    onMessage('tool_call_delta', (message) => {
      message.text = `${message.text} `.replace('a', 'b')
    }),
  ],
  'closes arguments early': ['run:arguments', swapWithNext('tool_call_delta')],
  'swaps the results of two tools': ['run:several-tools', swapWithNext('tool_result')],
  'calls failures successes': [
    'permission:deny permission:denied-result',
    onMessage('tool_result', (message) => {
      message.isError = false
    }),
  ],
  'calls successes failures': [
    'permission:approve',
    onMessage('tool_result', (message) => {
      message.isError = true
    }),
  ],
  'says done after an error': [
    'run:failure-ends',
    {
      changeMessages: () => (message) =>
        message.type === 'error'
          ? [message, { type: 'done', sessionKey: message.sessionKey, usage: { inputTokens: 0, outputTokens: 0 } }]
          : [message],
    },
  ],
  'hides its errors': ['run:failure chat:workspace broken:not-json', repeatMessages('error', 0)],
  'hides what was denied': ['permission:denied-result', hidesFailures()],
  'asks before it starts': ['permission:after-start', startsLate()],
  'ends a cancelled run with an error': ['cancel:end', failsCancelled()],
  'never asks': ['permission:request', repeatMessages('permission_request', 0)],
  'never questions': ['questionnaire:answer', repeatMessages('questionnaire_request', 0)],
  'tells nobody of channels': ['broadcast:channel', repeatMessages('channel:status', 0)],
  'tells nobody of sessions': ['broadcast:session', repeatMessages('session:refresh', 0)],
  'tells everybody everything': ['run:scope', everybody()],
  'tells a newcomer what went before': ['disconnect:replay connect:silent', retell()],
  'closes after each run': ['chat:key run:parallel cancel:again', closeAfter()],
  'lists no workspaces': [
    'rest:workspaces',
    {
      changeResponse: (answer, request) => {
        if (request.path === '/api/workspaces') answer.json = []
      },
    },
  ],
  'keeps deleted sessions': [
    'rest:sessions',
    {
      changeRequest: (request) => {
        if (request.method === 'DELETE') Object.assign(request, { method: 'GET', path: '/api/health' })
      },
    },
  ],
  'titles sessions by nothing': [
    'rest:sessions',
    {
      changeResponse: (answer, request) => {
        if (request.path.startsWith('/api/sessions') && Array.isArray(answer.json))
          for (const one of answer.json) one.title = ''
      },
    },
  ],
})

/** Starts a tool right after its permission request. */
function startsLate(): SabotageBehavior {
  return {
    changeMessages: () => {
      let held: JsonMessage[] = []
      return (message) => {
        if (message.type === 'tool_call_start') {
          held.push(message)
          return []
        }
        if (message.type !== 'permission_request' && message.type !== 'tool_result') return [message]
        const started = held
        held = []
        return message.type === 'tool_result' ? [...started, message] : [message, ...started]
      }
    },
  }
}

/** Sends no results of failed tools. */
function hidesFailures(): SabotageBehavior {
  return {
    changeMessages: () => (message) => (message.type === 'tool_result' && message.isError === true ? [] : [message]),
  }
}

/** Turns the done that follows a cancel into an error. */
function failsCancelled(): SabotageBehavior {
  return {
    interceptSocket: () => {
      const cancelled = new Set<unknown>()
      return {
        fromClient: (one) => {
          const text = one.data.toString()
          if (text.includes('"type":"cancel"')) cancelled.add(JSON.parse(text).sessionKey)
          return [one]
        },
        fromServer: (message) => [
          message.type === 'done' && cancelled.has(message.sessionKey)
            ? { type: 'error', sessionKey: message.sessionKey, error: 'cancelled' }
            : message,
        ],
      }
    },
  }
}

function early(type: string): SabotageBehavior {
  return {
    changeMessages: () => {
      let details = false
      return (message) => {
        if (message.type === type) return details ? [] : [message]
        if (message.type !== 'text_delta' || details) return [message]
        details = true
        return [{ type: 'done', sessionKey: message.sessionKey, usage: { inputTokens: 0, outputTokens: 0 } }, message]
      }
    },
  }
}

/** Sends the messages of one socket to all sockets. */
function everybody(): SabotageBehavior {
  const listeners = new Set<(message: JsonMessage) => void>()
  return {
    changeMessages: (say) => {
      listeners.add(say)
      return (message) => {
        for (const listener of listeners) if (listener !== say) listener(message)
        return [message]
      }
    },
  }
}

/** Sends the last message of another socket to each new socket. */
function retell(): SabotageBehavior {
  let last: JsonMessage | undefined
  return {
    changeMessages: (say) => {
      if (last !== undefined) say(last)
      return (message) => {
        last = message
        return [message]
      }
    },
  }
}

function closeAfter(): SabotageBehavior {
  return {
    changeMessages: () => {
      let over = false
      return (message) => {
        if (over) return []
        over = message.type === 'done'
        return [message]
      }
    },
  }
}
