import { cpus } from 'node:os'
import { benchBatches } from './batches.ts'
import { client } from './client.ts'
import { benchCrowd } from './crowd.ts'
import { benchDelivery } from './delivery.ts'
import { benchDesktops } from './desktops.ts'
import { print } from './measure.ts'
import { benchPaint } from './paint.ts'
import { benchPeers } from './peers.ts'
import { benchRequests, benchRest } from './rest.ts'
import { benchStart } from './start.ts'
import { benchSteps } from './steps.ts'
import { benchStreams } from './streams.ts'

const SUBJECTS = [
  ['painting 1280×800, processor time', benchPaint],
  ['the desktop in process, processor time', benchSteps],
  ['many desktops in process', benchDesktops],
  ['REST beside bare Fastify', benchRest],
  ['requests', benchRequests],
  ['batches by WebSocket', benchBatches],
  ['start-up, processor time', benchStart],
  ['peers: the same form in Chromium', benchPeers],
  ['streams beside bare ones', benchStreams],
  ['delivery of every event', benchDelivery],
  ['a crowd of WindieOS clients', benchCrowd],
] as const

const wanted = process.argv.slice(2)

process.stdout.write(
  `node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, requests by ${client().name}\n`,
)
for (const [title, bench] of SUBJECTS) {
  if (wanted.length > 0 && !wanted.some((word) => title.includes(word))) continue
  print(title, await bench())
}
