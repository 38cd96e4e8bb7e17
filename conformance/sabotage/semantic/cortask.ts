import type { Passing } from '../sabotage.ts'
import { behindNext, inMessage, sabotages, type Trick, times } from './behaviors.ts'

/** Every message of a type from now on has a field that never changes. */
const same = (type: string, key: string, value: string): Trick =>
  inMessage(type, (message) => {
    message[key] = value
  })

/** What can go wrong in a gateway although every frame has the right shape. */
export const cortaskSabotages = sabotages('cortask', {
  'lets every page in': [
    'connect:foreign-origin',
    {
      upgrade: ({ headers }) => {
        delete headers.origin
      },
    },
  ],
  'lets no page in': [
    'connect:local-origin',
    {
      upgrade: ({ headers }) => {
        if (headers.origin) headers.origin = 'https://evil.example'
      },
    },
  ],
  'allows every origin': [
    'connect:cors',
    {
      answer: (answer) => {
        answer.headers['access-control-allow-origin'] = '*'
      },
    },
  ],
  'answers for another session': ['chat:key', same('text_delta', 'sessionKey', 'other')],
  'ends another session': ['chat:answer chat:key', same('done', 'sessionKey', 'other')],
  'never says done': ['chat:answer', times('done', 0)],
  'says done twice': ['chat:answer', times('done', 2)],
  'says done before the end': ['chat:answer run:order', early('done')],
  'says nothing': ['chat:answer', times('text_delta', 0)],
  'hides its thoughts': ['chat:thinking', times('thinking_delta', 0)],
  'counts half tokens': [
    'chat:usage',
    inMessage('done', (message) => {
      message.usage.inputTokens += 0.5
    }),
  ],
  'never starts a tool': ['run:order', times('tool_call_start', 0)],
  'hides results of tools': ['run:order', times('tool_result', 0)],
  'shows results twice': ['run:order', times('tool_result', 2)],
  'starts behind the arguments': ['run:arguments', behindNext('tool_call_start')],
  'shows results of another call': ['run:order', same('tool_result', 'toolCallId', 'other')],
  'gives every call one id': [
    'run:ids',
    { messages: () => (message) => [{ ...message, ...('toolCallId' in message && { toolCallId: 'call' }) }] },
  ],
  'gives every request one id': ['run:ids permission:approve', same('permission_request', 'requestId', 'request')],
  'streams other arguments': [
    'run:arguments',
    inMessage('tool_call_delta', (message) => {
      message.text = `${message.text} `.replace('a', 'b')
    }),
  ],
  'closes arguments early': ['run:arguments', behindNext('tool_call_delta')],
  'swaps the results of two tools': ['run:several-tools', behindNext('tool_result')],
  'calls failures successes': [
    'permission:deny permission:denied-result',
    inMessage('tool_result', (message) => {
      message.isError = false
    }),
  ],
  'calls successes failures': [
    'permission:approve',
    inMessage('tool_result', (message) => {
      message.isError = true
    }),
  ],
  'says done after an error': [
    'run:failure-ends',
    {
      messages: () => (message) =>
        message.type === 'error'
          ? [message, { type: 'done', sessionKey: message.sessionKey, usage: { inputTokens: 0, outputTokens: 0 } }]
          : [message],
    },
  ],
  'hides its errors': ['run:failure chat:workspace broken:not-json', times('error', 0)],
  'hides what was denied': ['permission:denied-result', hidesFailures()],
  'asks before it starts': ['permission:after-start', startsLate()],
  'ends a cancelled run with an error': ['cancel:end', failsCancelled()],
  'never asks': ['permission:request', times('permission_request', 0)],
  'never questions': ['questionnaire:answer', times('questionnaire_request', 0)],
  'tells nobody of channels': ['broadcast:channel', times('channel:status', 0)],
  'tells nobody of sessions': ['broadcast:session', times('session:refresh', 0)],
  'tells everybody everything': ['run:scope', everybody()],
  'tells a newcomer what went before': ['disconnect:replay connect:silent', retell()],
  'closes after each run': ['chat:key run:parallel cancel:again', closeAfter()],
  'lists no workspaces': [
    'rest:workspaces',
    {
      answer: (answer, request) => {
        if (request.path === '/api/workspaces') answer.json = []
      },
    },
  ],
  'keeps deleted sessions': [
    'rest:sessions',
    {
      request: (request) => {
        if (request.method === 'DELETE') Object.assign(request, { method: 'GET', path: '/api/health' })
      },
    },
  ],
  'titles sessions by nothing': [
    'rest:sessions',
    {
      answer: (answer, request) => {
        if (request.path.startsWith('/api/sessions') && Array.isArray(answer.json))
          for (const one of answer.json) one.title = ''
      },
    },
  ],
})

/** Starts a tool right after it has asked for permission. */
function startsLate(): Trick {
  return {
    messages: () => {
      let held: Passing[] = []
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

/** Shows nothing of tools that failed. */
function hidesFailures(): Trick {
  return {
    messages: () => (message) => (message.type === 'tool_result' && message.isError === true ? [] : [message]),
  }
}

/** Turns the done that follows a cancel into an error. */
function failsCancelled(): Trick {
  return {
    dialogue: () => {
      const cancelled = new Set<unknown>()
      return {
        asked: (one) => {
          const text = one.data.toString()
          if (text.includes('"type":"cancel"')) cancelled.add(JSON.parse(text).sessionKey)
          return [one]
        },
        answered: (message) => [
          message.type === 'done' && cancelled.has(message.sessionKey)
            ? { type: 'error', sessionKey: message.sessionKey, error: 'cancelled' }
            : message,
        ],
      }
    },
  }
}

function early(type: string): Trick {
  return {
    messages: () => {
      let told = false
      return (message) => {
        if (message.type === type) return told ? [] : [message]
        if (message.type !== 'text_delta' || told) return [message]
        told = true
        return [{ type: 'done', sessionKey: message.sessionKey, usage: { inputTokens: 0, outputTokens: 0 } }, message]
      }
    },
  }
}

/** What one socket hears all others hear as well. */
function everybody(): Trick {
  const listeners = new Set<(message: Passing) => void>()
  return {
    messages: (say) => {
      listeners.add(say)
      return (message) => {
        for (const listener of listeners) if (listener !== say) listener(message)
        return [message]
      }
    },
  }
}

/** A new socket is told the last thing that another one heard. */
function retell(): Trick {
  let last: Passing | undefined
  return {
    messages: (say) => {
      if (last !== undefined) say(last)
      return (message) => {
        last = message
        return [message]
      }
    },
  }
}

function closeAfter(): Trick {
  return {
    messages: () => {
      let over = false
      return (message) => {
        if (over) return []
        over = message.type === 'done'
        return [message]
      }
    },
  }
}
