import type { ClientSuite } from '../../client/flow.ts'
import { ids, windieosFlows } from './flows.ts'
import { windieosClientSet } from './requirements.ts'
import { WindieosServer } from './server.ts'

/** They are judged by whether the client reads on. */
const READING = ids('events:documented', 'events:unknown', 'events:unknown-fields')

/** The clients of WindieOS. */
export const windieosClient: ClientSuite<WindieosServer> = {
  set: windieosClientSet,
  minimum: 'connect, shake hands and send a query',
  flows: windieosFlows,
  dependencies: {
    ...Object.fromEntries(READING.map((id) => [id, ids('turn:waits')])),
    'windieos-client:reconnect:returns': ids('turn:waits', 'handshake:first'),
  },
  open: (context) => new WindieosServer(context),
}
