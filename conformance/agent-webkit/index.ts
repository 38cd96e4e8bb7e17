import { defineSuite, type ProtocolSuite } from '../suite/suite.ts'
import { agentWebkitClient } from './client/index.ts'
import { agentWebkitContract } from './contract.ts'
import { agentWebkitItems } from './document.ts'
import { handshake } from './driver.ts'
import { inputRules } from './rules/input.ts'
import { otherRules } from './rules/other.ts'
import { hookRules, permissionRules, questionRules } from './rules/requests.ts'
import { resumeRules } from './rules/resuming.ts'
import { authRules, closeRules, createRules } from './rules/sessions.ts'
import { streamRules } from './rules/stream.ts'
import { subscriberRules } from './rules/subscribers.ts'
import { turnRules } from './rules/turns.ts'

/** The suite for the agent-webkit wire protocol 1.0 for servers. */
export const suite: ProtocolSuite = defineSuite({
  protocol: 'agent-webkit',
  document: 'agent-webkit wire protocol 1.0',
  groups: {
    'W-E': 'Endpoints',
    'W-M': 'Messages of the client',
    'W-V': 'Events',
    'W-X': 'Statuses and codes',
    'W-F': 'Frames',
    'W-R': 'Resuming',
    'W-T': 'Turns',
    'W-D': 'Implied by the document',
  },
  items: agentWebkitItems,
  contract: agentWebkitContract,
  concurrency: 8,
  handshake,
  rules: [
    createRules,
    authRules,
    streamRules,
    resumeRules,
    subscriberRules,
    closeRules,
    otherRules,
    inputRules,
    turnRules,
    permissionRules,
    questionRules,
    hookRules,
  ],
  noEffect: [
    [/^GET \/genui\/schema /, 'the endpoint is optional, and the server does not offer it'],
    [/^POST \/sessions 201: /, 'the document lets a server answer 200 or 201; this server answers 200'],
  ],
})

/** The suites for its clients, by name. */
export const clients = { 'agent-webkit': agentWebkitClient }
