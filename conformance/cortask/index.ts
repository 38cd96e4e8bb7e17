import { defineSuite, type ProtocolSuite } from '../suite/suite.ts'
import { cortaskClient } from './client/index.ts'
import { cortaskContract } from './contract.ts'
import { cortaskItems } from './document.ts'
import { handshake } from './driver.ts'
import { chatRules } from './rules/chats.ts'
import { brokenRules, connectRules } from './rules/connecting.ts'
import { permissionRules, questionnaireRules } from './rules/requests.ts'
import { broadcastRules, restRules } from './rules/rest.ts'
import { runRules } from './rules/runs.ts'
import { cancelRules, disconnectRules } from './rules/stopping.ts'

/** The suite for the Cortask WebSocket API for gateways. */
export const suite: ProtocolSuite = defineSuite({
  protocol: 'cortask',
  document: 'Cortask WebSocket API',
  groups: {
    'C-E': 'The socket',
    'C-M': 'Messages of the client',
    'C-V': 'Events',
    'C-X': 'Errors and limits',
    'C-R': 'Runs',
    'C-D': 'Disconnecting',
    'C-H': 'REST API of its page',
    'C-A': 'Open points',
  },
  items: cortaskItems,
  contract: cortaskContract,
  concurrency: 8,
  handshake,
  rules: [
    connectRules,
    chatRules,
    runRules,
    permissionRules,
    questionnaireRules,
    cancelRules,
    disconnectRules,
    brokenRules,
    broadcastRules,
    restRules,
  ],
})

/** The suites for its clients, by name. */
export const clients = { cortask: cortaskClient }
