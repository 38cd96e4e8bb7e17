import { NotReached } from '../../client/conversation.ts'
import type { ClientSuite, Flow } from '../../client/flow.ts'
import { actingDependencies } from './acting.ts'
import { actingFlows, settled } from './acting-flows.ts'
import { observerClientSet } from './requirements.ts'
import { GOAL } from './screen.ts'
import { ObserverServer } from './server.ts'

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
