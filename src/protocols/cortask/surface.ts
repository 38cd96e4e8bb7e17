import { byType, type Surface } from '../document.ts'
import { Incoming, Outgoing } from './wire.ts'

/** The protocol as its documents for machines describe it. */
export const cortaskSurface: Surface = {
  title: 'Cortask WebSocket API',
  version: '0.1.0',
  url: 'http://127.0.0.1:3777',
  operations: [],
  channels: [{ name: 'chat', address: '/ws', toServer: byType(Incoming), toClient: byType(Outgoing) }],
}
