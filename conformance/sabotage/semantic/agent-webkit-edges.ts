import { changeStatus, defineSabotages, eventNameOf, type SabotageBehavior } from '../behaviors.ts'
import type { ProxiedRequest } from '../sabotage.ts'

const isInput = ({ path }: ProxiedRequest) => path.endsWith('/input')
const isCreation = ({ method, path }: ProxiedRequest) =>
  method === 'POST' && path.startsWith('/sessions') && !path.endsWith('/input')

const isHookReply = (request: ProxiedRequest) =>
  isInput(request) && /"correlation_id":"[^"]*hook/.test(request.body.toString())

/** Replaces the status of matching requests. */
const answers = (to: number, fits: (request: ProxiedRequest) => boolean): SabotageBehavior => ({
  changeResponse: (response, request) => {
    if (!fits(request)) return
    response.status = to
    response.headers['content-type'] = 'application/json'
    response.body = Buffer.from(to === 204 ? '' : '{"detail":"no"}')
  },
})

/** Replaces the status of inputs that contain a text. */
const answersInput = (to: number, text: string) => answers(to, (one) => isInput(one) && one.body.includes(text))

/** Accepts all matching requests by using a previously accepted token. */
function lends(fits: (request: ProxiedRequest) => boolean): SabotageBehavior {
  let token: string | string[] | undefined
  return {
    changeRequest: (request) => {
      const { authorization } = request.headers
      if (token === undefined || !fits(request)) token ??= authorization
      else request.headers.authorization = token
    },
  }
}

/** Accepts the token of a query string. */
function readsQuery(): SabotageBehavior {
  return {
    changeRequest: (request) => {
      const token = new URL(request.path, 'http://host').searchParams.get('token')
      if (token !== null) request.headers.authorization = `Bearer ${token}`
    },
  }
}

/** Loses the events that fit; `place` is the event's place in its stream, from 0. */
const loses = (fits: (frame: string, place: number, stream: number) => boolean): SabotageBehavior => {
  let streams = 0
  return {
    changeFrames: () => {
      const stream = streams++
      let place = 0
      return (frame) => (fits(frame, place++, stream) ? [] : [frame])
    },
  }
}

const idOf = (frame: string) => Number(/^id: ?(\d+)$/m.exec(frame)?.[1])

/** Changes the cursor of a stream. */
const cursors = (change: (header: string | undefined) => string | undefined): SabotageBehavior => ({
  changeRequest: (request) => {
    if (!request.path.endsWith('/stream')) return
    const given = request.headers['last-event-id']
    const header = change(typeof given === 'string' ? given : undefined)
    if (header === undefined) delete request.headers['last-event-id']
    else request.headers['last-event-id'] = header
  },
})

/** Faults in authentication, validation and limits. */
export const agentWebkitEdgeSabotages = defineSabotages('agent-webkit', {
  'lets every token in': ['auth:wrong', lends(({ headers }) => headers.authorization !== undefined)],
  'looks for the session before the token': [
    'auth:first',
    answers(404, (one) => isInput(one) && one.headers.authorization === undefined),
  ],
  'takes a token from the query': ['auth:header-only', readsQuery()],
  'creates with 201': ['create:status', changeStatus(200, 201, isCreation)],
  'takes two options at most': ['create:options', answers(422, (one) => optionsOf(one).length > 2)],
  'knows every option': [
    'create:unknown-keys',
    answers(422, (one) => optionsOf(one).some((key) => !/^(model|permission_mode|cwd)$/.test(key))),
  ],
  'creates from anything': [
    'create:malformed',
    {
      changeRequest: (request) => {
        if (isCreation(request)) request.body = Buffer.from('{}')
      },
    },
  ],
  'answers 200 to inputs': ['input:text', changeStatus(204, 200, isInput)],
  'refuses pictures': ['input:blocks', answersInput(400, '"image"')],
  'refuses every other mode': ['input:modes', answersInput(400, 'acceptEdits')],
  'refuses the documented mode': ['input:mode', answersInput(400, '"mode":"default"')],
  'takes no input of somebody else': ['permission:updated', answersInput(400, '"updated_input"')],
  'refuses models': ['input:model', answersInput(400, 'claude-opus')],
  'stops nothing': ['input:stop-task input:generated', answersInput(404, '"stop_task"')],
  'refuses to be interrupted when idle': ['input:interrupt-idle input:generated', answersInput(409, '"interrupt"}')],
  'accepts what lacks something': [
    'input:missing-field',
    answers(204, (one) => isInput(one) && one.body.includes('permission_response') && !one.body.includes('behavior')),
  ],
  'accepts what is no object': ['input:not-object', answers(204, (one) => isInput(one) && String(one.body) === '7')],
  'accepts content that is none': ['input:content-type', answersInput(204, '"content":7')],
  'refuses large inputs': ['input:large', answers(413, (one) => isInput(one) && one.body.length > 5_000_000)],
  'says nothing of coming again': [
    'input:backpressure',
    {
      changeResponse: (response) => {
        if (response.status === 503) delete response.headers['retry-after']
      },
    },
  ],
  'answers 404 for what was never asked': ['permission:never-asked', answersUnasked(404)],
  'takes an answer for a permission': ['permission:wrong-kind', takesAnswers()],
  'takes any behavior for a no': [
    'permission:behavior',
    changeStatus(400, 204, ({ body }) => body.includes('"behavior"')),
  ],
  'does not wait for permission': ['permission:waits', alsoSays('permission_request', 'tool_result')],
  'hides what it asked from those who come later': [
    'permission:late-subscriber',
    loses((frame, _, stream) => stream > 0 && eventNameOf(frame) === 'permission_request'),
  ],
  'takes no answer to a question': ['question:answer', answersInput(409, '"question_response"')],
  'takes no answer to a hook': ['hook:answer', answers(409, isHookReply)],
  'opens streams as text': [
    'stream:opens',
    {
      changeStreamHeaders: (headers) => {
        headers['content-type'] = 'text/plain'
      },
    },
  ],
  'takes 00 for another number': ['stream:no-cursor', cursors((header) => (header === '00' ? '2' : header))],
  'tells of what was before a cursor to come': [
    'stream:future',
    cursors((header) => (Number(header) > 100_000 ? undefined : header)),
  ],
  'refuses the last cursor that loses nothing': ['stream:edge', cursors((header) => lower(header))],
  'replays nine hundred events': ['stream:ring', cursorsAtLeast()],
  'refuses an explicit 0': [
    'stream:zero-after-eviction stream:everything',
    cursors((header) => (header === '0' ? '-1' : header)),
  ],
  'forgets the second subscriber': ['stream:subscribers', loses((_, place, stream) => stream > 0 && place > 2)],
  'tells nobody when one has left': ['stream:leaving', loses((frame, _, stream) => stream === 0 && idOf(frame) === 4)],
  'tells the fifth subscriber half': ['stream:prompt', loses((_, place, stream) => stream === 4 && place % 2 === 1)],
  'loses the nine hundredth event': [
    'stream:slow',
    loses((frame, _, stream) => stream % 2 === 1 && idOf(frame) === 900),
  ],
  'keeps back the end of several megabytes': ['stream:stalled', holdsBack((passed) => passed.bytes > 2_000_000)],
  'keeps back the last event after twenty turns': ['stream:wakeups', holdsBack((passed) => passed.turns > 20)],
  'is silent after its keepalive': ['stream:alive', silentAfter((frame) => frame.startsWith(':'))],
  'begins a turn while another one waits': ['turn:serial', alsoSays('permission_request', 'message_delta')],
  'hides its MCP servers': ['turn:mcp', loses((frame) => eventNameOf(frame) === 'mcp_status_change')],
  'ends waiting sessions in silence': ['close:parked close:done', loses((frame) => eventNameOf(frame) === 'done')],
  'falls silent when any session ends': ['close:alone', silentAfterDelete()],
})

/** Holds each frame back until the next one comes, once so much has passed. */
function holdsBack(fits: (passed: { readonly bytes: number; readonly turns: number }) => boolean): SabotageBehavior {
  return {
    changeFrames: () => {
      const passed = { bytes: 0, turns: 0 }
      let held: readonly string[] = []
      return (frame) => {
        passed.bytes += frame.length
        if (eventNameOf(frame) === 'result') passed.turns++
        if (frame.startsWith(':')) return [frame]
        const sent = held
        held = fits(passed) ? [frame] : []
        return held.length > 0 ? sent : [...sent, frame]
      }
    },
  }
}

function optionsOf(request: ProxiedRequest): readonly string[] {
  if (!isCreation(request)) return []
  try {
    return Object.keys(JSON.parse(request.body.toString()) ?? {})
  } catch {
    return []
  }
}

/** Answers replies to ids that no stream has carried so. */
function answersUnasked(to: number): SabotageBehavior {
  const asked = new Set<string>()
  return {
    changeFrames: () => (frame) => {
      const id = /"correlation_id":"([^"]+)"/.exec(frame)?.[1]
      if (id !== undefined) asked.add(id)
      return [frame]
    },
    changeResponse: (response, request) => {
      const id = /"correlation_id":"([^"]+)"/.exec(request.body.toString())?.[1]
      if (response.status === 409 && id !== undefined && !asked.has(id)) response.status = to
    },
  }
}

function takesAnswers(): SabotageBehavior {
  return {
    changeRequest: (request) => {
      const text = request.body.toString()
      if (isInput(request) && text.includes('"question_response"') && text.includes('"answers":[]'))
        request.body = Buffer.from(
          text.replace('question_response', 'permission_response').replace('"answers":[]', '"behavior":"allow"'),
        )
    },
  }
}

/** Sends an event of another name right after one. */
function alsoSays(name: string, other: string): SabotageBehavior {
  return {
    changeFrames: () => (frame) => {
      if (eventNameOf(frame) !== name) return [frame]
      return [frame, frame.replace(/^id: ?(\d+)/m, (_, id: string) => `id: ${Number(id) + 1}`).replace(name, other)]
    },
  }
}

const lower = (header: string | undefined) =>
  header !== undefined && Number(header) > 1 && Number(header) < 100_000 ? String(Number(header) - 1) : header

/** Replays less than the server holds, from any cursor. */
function cursorsAtLeast(): SabotageBehavior {
  return {
    changeFrames: () => {
      let first: number | undefined
      return (frame) => {
        const id = idOf(frame)
        if (Number.isNaN(id)) return [frame]
        first ??= id
        return first > 1 && id < first + 500 ? [] : [frame]
      }
    },
  }
}

function silentAfter(fits: (frame: string) => boolean): SabotageBehavior {
  return {
    changeFrames: () => {
      let isSilent = false
      return (frame) => {
        if (isSilent) return []
        isSilent = fits(frame)
        return [frame]
      }
    },
  }
}

function silentAfterDelete(): SabotageBehavior {
  let isSilent = false
  return {
    changeRequest: ({ method }) => {
      isSilent ||= method === 'DELETE'
    },
    changeFrames: () => (frame) => (isSilent && eventNameOf(frame) !== 'done' ? [] : [frame]),
  }
}
