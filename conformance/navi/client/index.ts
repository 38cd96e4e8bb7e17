import type { ClientSuite } from '../../client/flow.ts'
import { ids, naviFlows } from './flows.ts'
import { naviClientSet } from './requirements.ts'
import { NaviServer } from './server.ts'

/** They are judged by whether the client reads on. */
const READING = ids(
  'events:documented',
  'events:recoverable',
  'events:unknown',
  'events:unknown-fields',
  'stop:waits',
  'resume:reconnects',
)

/** The clients of Navi. */
export const naviClient: ClientSuite<NaviServer> = {
  set: naviClientSet,
  minimum: 'create a session, open its socket and send a message',
  flows: naviFlows,
  dependencies: {
    ...Object.fromEntries(READING.map((id) => [id, ids('run:waits')])),
    'navi-client:events:compressed': ids('run:once'),
    'navi-client:resume:resent': ids('run:once'),
    'navi-client:refusal:reported': ids('events:recoverable'),
  },
  open: (context) => new NaviServer(context),
}
