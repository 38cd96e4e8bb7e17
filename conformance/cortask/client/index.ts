import type { ClientSuite } from '../../client/flow.ts'
import { cortaskFlows, ids } from './flows.ts'
import { cortaskClientSet } from './requirements.ts'
import { CortaskServer } from './server.ts'

/** They are judged by whether the client reads on. */
const READING = ids('events:documented', 'events:session', 'events:unknown', 'events:unknown-fields')

/** The clients of Cortask. */
export const cortaskClient: ClientSuite<CortaskServer> = {
  set: cortaskClientSet,
  minimum: 'open the socket at /ws and send a chat',
  flows: cortaskFlows,
  dependencies: Object.fromEntries(READING.map((id) => [id, ids('run:waits')])),
  open: (context) => new CortaskServer(context),
}
