import { defineSuite, type ProtocolSuite } from '../suite/suite.ts'
import { naviClient } from './client/index.ts'
import { naviContract } from './contract.ts'
import { naviItems } from './document.ts'
import { handshake } from './driver.ts'
import { fileRules } from './rules/files.ts'
import { flowRules } from './rules/flows.ts'
import { metaRules } from './rules/meta.ts'
import { messageRules, sessionRules } from './rules/sessions.ts'
import { socketRules } from './rules/sockets.ts'
import { stopRules } from './rules/stops.ts'

/** The suite for the Navi session API for servers. */
export const suite: ProtocolSuite = defineSuite({
  protocol: 'navi',
  document: 'Navi session API',
  groups: {
    'N-E': 'Endpoints',
    'N-M': 'Messages of the client',
    'N-V': 'Events',
    'N-X': 'Statuses and close codes',
    'N-G': 'Order of events',
    'N-B': 'Behaviour',
    'N-C': 'Bad input and company',
    'N-A': 'Open points',
  },
  items: naviItems,
  contract: naviContract,
  concurrency: 8,
  handshake,
  rules: [metaRules, sessionRules, messageRules, fileRules, socketRules, flowRules, stopRules],
})

/** The suites for its clients, by name. */
export const clients = { navi: naviClient }
