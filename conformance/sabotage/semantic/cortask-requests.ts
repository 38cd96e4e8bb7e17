import {
  type AnyJson,
  changeStatus,
  closeOnFrame,
  defineSabotages,
  onClientMessage,
  type SabotageBehavior,
} from '../behaviors.ts'
import type { JsonMessage } from '../sabotage.ts'

const error = (sessionKey: unknown) => ({ type: 'error', sessionKey, error: 'no' })

/** Refuses matching chats. */
const refuses = (fits: (chat: AnyJson) => boolean): SabotageBehavior =>
  onClientMessage((message, { sendToClient }) => {
    if (message.type !== 'chat' || !fits(message)) return
    sendToClient(error(message.sessionKey))
    return false
  })

/** Drops matching messages of a type. */
const deafTo = (type: string, fits: (message: AnyJson) => boolean = () => true): SabotageBehavior =>
  onClientMessage((message) => message.type !== type || !fits(message))

/** Drops messages of a type on all sockets except the first. */
const firstOnly = (type: string): SabotageBehavior => {
  let sockets = 0
  return {
    interceptSocket: (wire) => {
      const isFirst = sockets++ === 0
      return isFirst ? {} : (deafTo(type).interceptSocket?.(wire) ?? {})
    },
  }
}

/** Answers messages of a type with an error, but on the first socket. */
const refusesLater = (type: string): SabotageBehavior => {
  let sockets = 0
  return {
    interceptSocket: (wire) => {
      const isFirst = sockets++ === 0
      const refuse = onClientMessage((message, { sendToClient }) => {
        if (isFirst || message.type !== type) return
        sendToClient(error(''))
        return false
      })
      return refuse.interceptSocket?.(wire) ?? {}
    },
  }
}

/** Drops the done of clients that received several megabytes. */
function endsNothingLarge(): SabotageBehavior {
  return {
    changeMessages: () => {
      let bytes = 0
      return (message) => {
        bytes += JSON.stringify(message).length
        return bytes > 2_000_000 && message.type === 'done' ? [] : [message]
      }
    },
  }
}

const EXCESSIVE_BYTES = 100 * 1024 * 1024

/** Faults in a gateway's handling of client messages. */
export const cortaskRequestSabotages = defineSabotages('cortask', {
  'opens its socket elsewhere': ['connect:path', movesTo((path) => (path === '/ws' ? '/socket' : path))],
  'opens its socket everywhere': ['connect:other-path', movesTo(() => '/ws')],
  'hears no binary frames': [
    'connect:binary',
    { interceptSocket: () => ({ fromClient: (one) => (one.binary ? [] : [one]) }) },
  ],
  'hangs up at what is no object': [
    'broken:null',
    closeOnFrame(1011, ({ data }, message) => message === undefined && data.length < 100),
  ],
  'is done with what it does not know': [
    'broken:unknown-type',
    onClientMessage((message, { sendToClient }) => {
      if (message.type === 'chat') return
      sendToClient({ type: 'done', sessionKey: '', usage: { inputTokens: 0, outputTokens: 0 } })
    }),
  ],
  'breaks at a huge frame': ['broken:huge', closeOnFrame(1011, ({ data }) => data.length > EXCESSIVE_BYTES)],
  'knows no files': ['chat:attachments', refuses((chat) => 'fileReferences' in chat)],
  'ends at a file that is not there': [
    'chat:references',
    refuses(({ fileReferences }) => fileReferences?.includes('no/such/file.txt')),
  ],
  'refuses answers of those who come back': ['questionnaire:kept', refusesLater('questionnaire_response')],
  'keeps back the end of several megabytes': ['run:stalled', endsNothingLarge()],
  'needs words': ['chat:only-attachments', refuses((chat) => chat.message === '')],
  'makes up what is missing': [
    'chat:missing',
    onClientMessage((message) => {
      if (message.type === 'chat' && typeof message.message !== 'string') message.message = 'hello'
    }),
  ],
  'makes up a session': [
    'chat:missing-key',
    onClientMessage((message) => {
      if (message.type === 'chat') message.sessionKey ??= 'none'
    }),
  ],
  'takes anything for a yes': [
    'permission:not-boolean',
    onClientMessage((message) => {
      if (message.type === 'permission_response') message.approved = Boolean(message.approved)
    }),
  ],
  'takes any id for that of the newest request': ['permission:unknown', anyId()],
  'lets nobody else answer': ['permission:other-socket', firstOnly('permission_response')],
  'lets nobody come back to a questionnaire': ['questionnaire:reconnect', firstOnly('questionnaire_response')],
  'waits for permission for ever': ['permission:timeout', patient()],
  'needs an answer to every question': [
    'questionnaire:extra',
    deafTo('questionnaire_response', ({ responses }) => Object.keys(responses ?? {}).length === 0),
  ],
  'breaks at an answer without responses': [
    'questionnaire:malformed',
    closeOnFrame(1011, (_, message) => message?.type === 'questionnaire_response' && message.responses === undefined),
  ],
  'is not ready at the start': ['rest:start', changeStatus(200, 404, ({ path }) => path === '/api/onboarding/status')],
  'takes one chat a session': ['run:queue', oneChat()],
  'ignores cancels': ['cancel:stops', deafTo('cancel')],
  'complains of a cancel of nothing': ['cancel:unknown', complainsOfCancels()],
  'goes on waiting after a cancel': ['cancel:pending', cancelsNoPermission()],
  'denies everybody when one leaves': ['disconnect:others', deniesAll()],
  'goes on for whoever approves': ['disconnect:permission', goesOnForOthers()],
})

function movesTo(path: (path: string) => string): SabotageBehavior {
  return {
    changeUpgrade: (handshake) => {
      const [before = ''] = handshake.path.split('?')
      handshake.path = path(before)
    },
  }
}

const isAsked = ({ type }: JsonMessage) => type === 'permission_request'

function anyId(): SabotageBehavior {
  return {
    interceptSocket: (wire) => {
      let newest: unknown
      const { fromClient } = onClientMessage((message) => {
        if (message.type === 'permission_response') message.requestId = newest
      }).interceptSocket!(wire)
      return {
        ...(fromClient && { fromClient }),
        fromServer: (message) => {
          if (isAsked(message)) newest = message.requestId
          return [message]
        },
      }
    },
  }
}

/** Sends no events of a run between a request and its answer. */
function patient(): SabotageBehavior {
  return {
    interceptSocket: () => {
      let waits = false
      return {
        fromClient: (one) => {
          if (one.data.includes('permission_response')) waits = false
          return [one]
        },
        fromServer: (message) => {
          if (waits) return []
          waits = isAsked(message)
          return [message]
        },
      }
    },
  }
}

function oneChat(): SabotageBehavior {
  const seen = new Set<unknown>()
  return refuses(({ sessionKey }) => {
    const isSecond = seen.has(sessionKey)
    seen.add(sessionKey)
    return isSecond
  })
}

function complainsOfCancels(): SabotageBehavior {
  const seen = new Set<unknown>()
  return onClientMessage((message, { sendToClient }) => {
    if (message.type === 'chat') seen.add(message.sessionKey)
    if (message.type === 'cancel' && !seen.has(message.sessionKey)) sendToClient(error(message.sessionKey))
  })
}

function cancelsNoPermission(): SabotageBehavior {
  return {
    interceptSocket: () => {
      let waits = false
      return {
        fromClient: (one) => (waits && one.data.includes('"cancel"') ? [] : [one]),
        fromServer: (message) => {
          waits = isAsked(message)
          return [message]
        },
      }
    },
  }
}

function deniesAll(): SabotageBehavior {
  const denials = new Set<() => void>()
  return {
    interceptSocket: ({ sendToServer }) => {
      let deny = () => {}
      return {
        fromServer: (message) => {
          if (!isAsked(message)) return [message]
          deny = () => sendToServer({ type: 'permission_response', requestId: message.requestId, approved: false })
          denials.add(deny)
          return [message]
        },
        onClientClosed: () => {
          denials.delete(deny)
          for (const other of denials) other()
        },
      }
    },
  }
}

/** Sends the events of a run to every client that approves its request. */
function goesOnForOthers(): SabotageBehavior {
  const runs = new Map<unknown, unknown>()
  return {
    interceptSocket: (wire) => {
      let run: unknown
      const { fromClient } = onClientMessage((message, { sendToClient }) => {
        if (message.type === 'chat') run = message.sessionKey
        if (message.type === 'permission_response' && runs.get(message.requestId) !== run)
          sendToClient({ type: 'text_delta', sessionKey: runs.get(message.requestId), text: 'On we go.' })
      }).interceptSocket!(wire)
      return {
        ...(fromClient && { fromClient }),
        fromServer: (message) => {
          if (isAsked(message)) runs.set(message.requestId, run)
          return [message]
        },
      }
    },
  }
}
