import { NotReached } from '../../client/conversation.ts'
import { type ClientSuite, type Flow, pickItems } from '../../client/flow.ts'
import type { RequirementSet } from '../../requirement.ts'
import { observerItems } from '../document.ts'
import { ACTING_ITEMS, actingClientRequirements, actingDependencies } from './acting.ts'
import { actingFlows, settled } from './acting-flows.ts'
import { GOAL } from './screen.ts'
import { ObserverServer } from './server.ts'

const REST = 'API for LLM tool use, REST endpoints'
const START = 'API for LLM tool use, starting the server'

/** The requirements of the OS Screen Observer for agents over REST. */
const observerClientSet: RequirementSet = {
  protocol: 'observer-client',
  document: 'OS Screen Observer, API for LLM tool use, agents over REST',
  groups: { 'O-E': 'Endpoints', 'O-X': 'Error codes', 'O-G': 'Guards', 'O-R': 'Rules' },
  items: pickItems(observerItems, `${ACTING_ITEMS} O-E6 O-E10 O-E43 O-R6`),
  requirements: {
    'observer-client:request:known': {
      level: 'SHOULD',
      text: 'Every request is one of the documented endpoints.',
      source: REST,
      basis: { because: 'A server need not have more than the document lists.' },
      covers: ['O-R6'],
    },
    'observer-client:request:shape': {
      level: 'MUST',
      text: 'Every POST has the documented JSON body with its types.',
      source: REST,
      basis: { states: 'The fields of each body are listed with their types; coordinates are whole pixels.' },
      covers: ['O-E6', 'O-E10'],
    },
    'observer-client:ready:waits': {
      level: 'MUST',
      text: 'A client that polls healthz sends no other request before healthz answers 200.',
      source: START,
      basis: { states: 'The server is ready when GET /api/healthz answers 200; poll until it does.' },
      covers: ['O-E43'],
    },
    ...actingClientRequirements('observer-client'),
  },
}

const PREFIX = 'observer-client'

const starting: Flow<ObserverServer> = {
  name: 'starting',
  description: 'The server is not ready when the agent starts: healthz answers 503 twice.',
  text: GOAL,
  requirements: [`${PREFIX}:ready:waits`],
  ending: { how: 'either', id: `${PREFIX}:ready:waits` },
  async play(server) {
    server.unreadyPolls = 2
    await server.started()
    await settled(server)
    if (!server.polled) throw new NotReached('the client did not ask for /api/healthz')
  },
}

/** Agents over the observer's REST side. */
export const observerClient: ClientSuite<ObserverServer> = {
  set: observerClientSet,
  minimum: `act on the desktop to reach the goal: ${GOAL}`,
  flows: [...actingFlows<ObserverServer>(PREFIX), starting],
  dependencies: actingDependencies(PREFIX),
  open: (context) => new ObserverServer(context),
}
