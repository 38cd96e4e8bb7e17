import { agentWebkitContract } from '../../agent-webkit/contract.ts'
import {
  type AnyJson,
  changeStatus,
  defineSabotages,
  eventNameOf,
  onEvent,
  onSuccess,
  type SabotageBehavior,
} from '../behaviors.ts'

const answer = onSuccess(agentWebkitContract)

/** Renumbers frames by their ids. */
const renumber = (number: (id: number) => number): SabotageBehavior => ({
  changeFrames: () => (frame) => [frame.replace(/^id: ?(\d+)$/m, (_, id: string) => `id: ${number(Number(id))}`)],
})

/** Sends the events of one name so many times. */
const times = (name: string, count: number): SabotageBehavior => ({
  changeFrames: () => (frame) => (eventNameOf(frame) === name ? Array.from({ length: count }, () => frame) : [frame]),
})

/** Sends what follows an event of that name before it. */
const behindNext = (name: string): SabotageBehavior => ({
  changeFrames: () => {
    let held: string | undefined
    return (frame) => {
      if (held !== undefined) {
        const both = [frame, held]
        held = undefined
        return both
      }
      if (eventNameOf(frame) !== name) return [frame]
      held = frame
      return []
    }
  },
})

const header = (name: string, value: string | undefined): SabotageBehavior => ({
  changeResponse: (response) => {
    response.headers[name] = value
  },
})

const isInput = (path: string) => path.endsWith('/input')

/** Faults of agent-webkit servers with correct shapes. */
export const agentWebkitSabotages = defineSabotages('agent-webkit', {
  'gives every session the same id': [
    'create:unique',
    answer('POST /sessions', (json) => {
      json.session_id = 'one'
    }),
  ],
  'speaks protocol version 2.0': [
    'create:answer',
    answer('POST /sessions', (json) => {
      json.protocol_version = '2.0'
    }),
  ],
  'names another session in session_ready': [
    'stream:first',
    onEvent('session_ready', (data) => {
      data.session_id = 'other'
    }),
  ],
  'never sends session_ready': ['stream:first', times('session_ready', 0)],
  'counts from 0': ['stream:contiguous', renumber((id) => id - 1)],
  'counts by two': ['stream:contiguous', renumber((id) => id * 2 - 1)],
  'repeats an id': ['stream:ids', renumber((id) => (id > 3 ? id - 1 : id))],
  'loses every fifth event': ['stream:contiguous', lose(5)],
  'sends every event twice': ['stream:ids', { changeFrames: () => (frame) => [frame, frame] }],
  'sends each event with the next one': ['turn:result stream:newest', late()],
  'swaps neighbours': ['stream:ids', swapNeighbours()],
  'sends no id line': [
    'stream:framing stream:ids',
    { changeFrames: () => (frame) => [frame.replace(/^id: .*\n/m, '')] },
  ],
  'splits data over two lines': [
    'stream:lines',
    { changeFrames: () => (frame) => [frame.replace(/^data: ?\{/m, 'data: {\ndata: ')] },
  ],
  'replays in other bytes': ['stream:identical', respace()],
  'ignores the cursor': ['stream:resume', withoutCursor()],
  'takes the cursor one too high': ['stream:resume', cursor((id) => id + 1)],
  'takes the cursor one too low': ['stream:resume', cursor((id) => Math.max(0, id - 1))],
  'accepts a malformed cursor': ['stream:malformed', malformedAsNone()],
  'answers 400 for an evicted cursor': ['stream:evicted', changeStatus(412, 400)],
  'answers 409 for an unknown session': ['stream:unknown input:unknown-session close:gone', changeStatus(404, 409)],
  'answers 422 for a malformed input': [
    'input:unknown-type input:not-json',
    changeStatus(400, 422, (request) => isInput(request.path)),
  ],
  'takes every second reply': ['permission:second permission:race question:second', changeStatus(409, 204)],
  'calls a taken reply a conflict': ['permission:allow', allConflicts()],
  'answers 403 without a token': ['auth:status', changeStatus(401, 403)],
  'lets everyone in': ['auth:missing', lendToken()],
  'caches streams': ['stream:headers', cached()],
  'sends no keepalive': ['stream:keepalive', { changeFrames: () => (frame) => (frame.startsWith(':') ? [] : [frame]) }],
  'calls its keepalive ping': [
    'stream:keepalive',
    { changeFrames: () => (frame) => [frame.replace(/^: ?keepalive/, ': ping')] },
  ],
  'sends an event nobody knows': ['stream:known-events', alsoSends('id: 0\nevent: surprise\ndata: {}')],
  'never sends a result': ['turn:result', times('result', 0)],
  'sends two results': ['turn:result', times('result', 2)],
  'ends a turn before its message': ['turn:order turn:result', behindNext('message_complete')],
  'sends results of tools first': ['turn:order turn:tool', behindNext('tool_use')],
  'announces no tool': ['turn:tool turn:order turn:tool-blocks', times('tool_use', 0)],
  'announces a tool before its message': ['turn:complete-first', behindNext('message_complete')],
  'says more of a message that is complete': ['turn:deltas', behindLast('message_delta', 'message_complete')],
  'announces tools under ids of its own': [
    'turn:tool-blocks',
    onEvent('message_complete', (data) => {
      for (const block of data.message.content) if (block.type === 'tool_use') block.id = `b-${block.id}`
    }),
  ],
  'asks before it announces the tool': ['permission:after-use', behindNext('tool_use')],
  'never ends a turn that failed': ['turn:error-ends', dropsAfter(/^event: ?error$/m, 'result')],
  'says nothing to a refusal': ['permission:deny-goes-on', dropsAfter(/"is_error":true/, 'message_complete')],
  'asks for leave to ask': ['question:alone', { changeFrames: () => (frame) => asksTwice(frame) }],
  'asks a bare list of questions': [
    'question:form',
    onEvent('ask_user_question', (data) => {
      data.questions = data.questions.questions
    }),
  ],
  'shows no result of a tool': ['turn:tool', times('tool_result', 0)],
  'loses letters of its deltas': [
    'turn:delta-text',
    onEvent('message_delta', (data) => {
      if (data.delta.text) data.delta.text = data.delta.text.slice(1)
    }),
  ],
  'loses a delta': ['turn:delta-text stream:contiguous', { changeFrames: () => dropOnce('message_delta') }],
  'sends deltas nobody folds': [
    'turn:delta-form',
    onEvent('message_delta', (data) => {
      data.delta = { type: 'text_delta', text: data.delta.text }
    }),
  ],
  'gives all messages one id': [
    'turn:message-ids',
    onEvent('message_complete', (data) => {
      data.message_id = data.message.id = 'm'
    }),
  ],
  'names two ids in a message': [
    'turn:message-form',
    onEvent('message_complete', (data) => {
      data.message.id = 'other'
    }),
  ],
  'names another session in a result': [
    'turn:session-id',
    onEvent('result', (data) => {
      data.session_id = 'fake-1'
    }),
  ],
  'asks under another id': [
    'permission:request',
    onEvent('permission_request', (data) => {
      data.correlation_id = `c-${data.correlation_id}`
    }),
  ],
  'asks for another tool': [
    'permission:request',
    onEvent('permission_request', (data) => {
      data.tool_name = 'other'
    }),
  ],
  'never asks for permission': ['permission:request', times('permission_request', 0)],
  'asks twice': ['stream:ids permission:after-use', times('permission_request', 2)],
  'runs what was denied': ['permission:deny', flipDecision('deny', 'allow')],
  'denies what was allowed': ['permission:allow', flipDecision('allow', 'deny')],
  'goes on after deny with interrupt': ['permission:deny-interrupt', forget('interrupt')],
  'calls errors successes': [
    'permission:deny',
    onEvent('tool_result', (data) => {
      data.is_error = false
    }),
  ],
  'calls successes errors': [
    'permission:allow',
    onEvent('tool_result', (data) => {
      data.is_error = true
    }),
  ],
  'questions under another id': [
    'question:request',
    onEvent('ask_user_question', (data) => {
      data.correlation_id = `q-${data.correlation_id}`
    }),
  ],
  'asks questions as another tool': [
    'question:request',
    onEvent('tool_use', (data) => {
      if (data.tool_name === 'AskUserQuestion') data.tool_name = 'Ask'
    }),
  ],
  'hides its errors': ['turn:error', times('error', 0)],
  'ignores interrupts': ['turn:interrupt', swallow('interrupt')],
  'says nothing at the end': ['close:done', times('done', 0)],
  'says done twice': ['close:done', times('done', 2)],
  'keeps deleted sessions': [
    'close:gone',
    {
      changeRequest: (request) => {
        if (request.method === 'DELETE') request.path = '/sessions/none'
      },
    },
  ],
  'answers 200 to DELETE': ['close:answer', changeStatus(204, 200, (request) => request.method === 'DELETE')],
  'answers 404 to a second DELETE': ['close:twice', secondDelete()],
  'speaks HTML about errors': ['other:path other:detail', htmlErrors()],
  'has no detail in its errors': [
    'other:detail',
    {
      changeResponse: (response) => {
        if (response.status >= 400 && response.json) response.json = { message: 'no' }
      },
    },
  ],
  'allows every origin': ['other:cors', header('access-control-allow-origin', '*')],
})

/** Sends events of one name behind the next one of another name. */
function behindLast(name: string, other: string): SabotageBehavior {
  return {
    changeFrames: () => {
      let held: string | undefined
      return (frame) => {
        if (eventNameOf(frame) === name) {
          const before = held
          held = frame
          return before === undefined ? [] : [before]
        }
        if (held === undefined || eventNameOf(frame) !== other) return [frame]
        const both = [frame, held]
        held = undefined
        return both
      }
    },
  }
}

/** Loses the events of one name from a certain frame on. */
function dropsAfter(fits: RegExp, name: string): SabotageBehavior {
  return {
    changeFrames: () => {
      let drops = false
      return (frame) => {
        drops ||= fits.test(frame)
        return drops && eventNameOf(frame) === name ? [] : [frame]
      }
    },
  }
}

const asksTwice = (frame: string): readonly string[] => {
  if (eventNameOf(frame) !== 'ask_user_question') return [frame]
  const { correlation_id } = JSON.parse(/^data: ?(.*)$/m.exec(frame)![1]!)
  const data = { correlation_id, tool_name: 'AskUserQuestion', input: {}, context: {} }
  return [`id: 0\nevent: permission_request\ndata: ${JSON.stringify(data)}`, frame]
}

function lose(every: number): SabotageBehavior {
  return {
    changeFrames: () => {
      let count = 0
      return (frame) => (++count % every === 0 ? [] : [frame])
    },
  }
}

/** Events are held back until the next one comes. */
function late(): SabotageBehavior {
  return {
    changeFrames: () => {
      let held: string | undefined
      return (frame) => {
        const sent = held === undefined ? [] : [held]
        held = frame
        return sent
      }
    },
  }
}

function dropOnce(name: string) {
  let done = false
  return (frame: string): readonly string[] => {
    if (done || eventNameOf(frame) !== name) return [frame]
    done = true
    return []
  }
}

function swapNeighbours(): SabotageBehavior {
  return {
    changeFrames: () => {
      let held: string | undefined
      return (frame) => {
        if (eventNameOf(frame) === 'session_ready' || frame.startsWith(':')) return [frame]
        if (held === undefined) {
          held = frame
          return []
        }
        const both = [frame, held]
        held = undefined
        return both
      }
    },
  }
}

/** Sends different bytes on the first stream than on the next one. */
function respace(): SabotageBehavior {
  let streams = 0
  return {
    changeFrames: () => {
      const isFirst = streams++ % 2 === 0
      return (frame) => [isFirst ? frame : frame.replace(/^data: ?\{/m, 'data: { ')]
    },
  }
}

function withoutCursor(): SabotageBehavior {
  return {
    changeRequest: (request) => {
      delete request.headers['last-event-id']
    },
  }
}

function cursor(change: (id: number) => number): SabotageBehavior {
  return {
    changeRequest: (request) => {
      const id = request.headers['last-event-id']
      if (typeof id === 'string' && /^\d+$/.test(id)) request.headers['last-event-id'] = String(change(Number(id)))
    },
  }
}

function malformedAsNone(): SabotageBehavior {
  return {
    changeRequest: (request) => {
      if (!/^\d*$/.test(String(request.headers['last-event-id'] ?? ''))) delete request.headers['last-event-id']
    },
  }
}

function allConflicts(): SabotageBehavior {
  return {
    changeResponse: (response, request) => {
      if (isInput(request.path) && request.body.includes('permission_response') && response.status === 204) {
        response.status = 409
        response.headers['content-type'] = 'application/json'
        response.body = Buffer.from('{"detail":"late"}')
      }
    },
  }
}

/** Remembers an accepted token and uses it for all clients. */
function lendToken(): SabotageBehavior {
  let token: string | undefined
  return {
    changeRequest: (request) => {
      const given = request.headers.authorization
      if (token === undefined && typeof given === 'string') token = given
      if (token !== undefined) request.headers.authorization = token
    },
  }
}

function cached(): SabotageBehavior {
  return {
    changeStreamHeaders: (headers) => {
      headers['cache-control'] = 'max-age=60'
    },
  }
}

function alsoSends(extra: string): SabotageBehavior {
  return {
    changeFrames: () => {
      let said = false
      return (frame) => {
        if (said) return [frame]
        said = true
        return [frame, extra]
      }
    },
  }
}

function changeInput(change: (message: AnyJson) => void): SabotageBehavior {
  return {
    changeRequest: (request) => {
      if (!isInput(request.path)) return
      try {
        const message = JSON.parse(request.body.toString())
        change(message)
        request.body = Buffer.from(JSON.stringify(message))
      } catch {
        // Bodies that are not JSON pass unchanged.
      }
    },
  }
}

function flipDecision(from: string, to: string): SabotageBehavior {
  return changeInput((message) => {
    if (message.type === 'permission_response' && message.behavior === from) message.behavior = to
  })
}

function forget(key: string): SabotageBehavior {
  return changeInput((message) => delete message[key])
}

function swallow(type: string): SabotageBehavior {
  return changeInput((message) => {
    if (message.type === type) Object.assign(message, { type: 'stop_task', task_id: 'none' })
  })
}

function secondDelete(): SabotageBehavior {
  const seen = new Set<string>()
  return {
    changeResponse: (response, request) => {
      if (request.method !== 'DELETE') return
      if (seen.has(request.path)) response.status = 404
      seen.add(request.path)
    },
  }
}

function htmlErrors(): SabotageBehavior {
  return {
    changeResponse: (response) => {
      if (response.status < 400) return
      response.json = undefined
      response.headers['content-type'] = 'text/html'
      response.body = Buffer.from('<!doctype html><title>Error</title>')
    },
  }
}
