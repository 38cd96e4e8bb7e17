import type { RequirementSet } from '../requirement.ts'
import { windieosItems } from '../windieos/document.ts'
import { httpRequirements } from './windieos/http.ts'
import { messageRequirements } from './windieos/messages.ts'
import { socketRequirements } from './windieos/socket.ts'

/** The requirements of the WindieOS API reference for backends. */
export const windieos = {
  protocol: 'windieos',
  document: 'WindieOS API reference',
  groups: {
    H: 'Endpoints',
    W: 'Sockets',
    K: 'The handshake',
    C: 'Messages of the client',
    S: 'Messages of the backend',
    T: 'Transcription',
    E: 'Error codes',
    L: 'Limits',
    X: 'Statuses and close codes',
    A: 'Open points',
  },
  items: windieosItems,
  requirements: { ...httpRequirements, ...socketRequirements, ...messageRequirements },
} as const satisfies RequirementSet
