import { cpus } from 'node:os'
import { Command } from 'commander'
import { benchDatasets } from './datasets.ts'
import { benchDesk } from './desk.ts'
import { benchDesktops } from './desktop/desktops.ts'
import { benchPaint } from './desktop/paint.ts'
import { benchSeeds } from './desktop/seeds.ts'
import { benchSteps } from './desktop/steps.ts'
import { benchStyles } from './desktop/styles.ts'
import { benchEvaluation } from './evaluation.ts'
import { LAST_START_MS, QUICK } from './harness/limits.ts'
import { loadClient } from './harness/load-client.ts'
import { print } from './harness/measure.ts'
import { benchBatches } from './http/batches.ts'
import { benchDoors } from './http/doors.ts'
import { benchHostile } from './http/hostile.ts'
import { benchPeers } from './http/peers.ts'
import { benchRequests, benchRest } from './http/rest.ts'
import { benchRecording } from './recording.ts'
import { benchStart } from './start.ts'
import { benchCrowd } from './streams/crowd.ts'
import { benchDelivery } from './streams/delivery.ts'
import { benchStreams } from './streams/streams.ts'

const SUBJECTS = [
  ['painting 1280×800, processor time', benchPaint],
  ['styles 1280×800 beside the canvas’s own encoder, processor time', benchStyles],
  ['the desktop in process, processor time', benchSteps],
  ['resets to a new seed, processor time', benchSeeds],
  ['hostile requests: the longest wait of others', benchHostile],
  ['many desktops in process', benchDesktops],
  ['REST beside bare Fastify', benchRest],
  ['requests', benchRequests],
  ['batches by WebSocket', benchBatches],
  ['steps through each door', benchDoors],
  ['backlot desk: start-up and tokens', benchDesk],
  ['episodes of evaluations', benchEvaluation],
  ['recordings of long runs', benchRecording],
  ['datasets, processor time', benchDatasets],
  ['start-up, processor time', benchStart],
  ['peers: the same form in Chromium', benchPeers],
  ['streams beside bare ones', benchStreams],
  ['delivery of every event', benchDelivery],
  ['a crowd of WindieOS clients', benchCrowd],
] as const

const command = new Command('npm run bench --')
  .description('Measures ratios in one run.')
  .argument('[subject...]', 'words in the titles of subjects; all subjects without any')
  .option('--quick', 'fewer rounds, and no subject that takes long for its value')
  .addHelpText('after', `\nSubjects:\n${SUBJECTS.map(([title]) => `  ${title}\n`).join('')}`)
  .parse()
const wanted = command.args
const unknown = wanted.find((word) => !SUBJECTS.some(([title]) => title.includes(word)))
if (unknown !== undefined) command.error(`no subject has "${unknown}" in its title; --help lists them`, { exitCode: 2 })
/** Subjects that take long for their value. */
const LONG: readonly unknown[] = [benchPeers, benchCrowd, benchDelivery, benchRequests]

process.stdout.write(
  `node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, requests by ${loadClient().name}\n`,
)
const chosen = SUBJECTS.filter(([title, bench]) =>
  wanted.length > 0 ? wanted.some((word) => title.includes(word)) : !(QUICK && LONG.includes(bench)),
)
for (const [at, [title, bench]] of chosen.entries()) {
  const seconds = Math.round(performance.now() / 1000)
  process.stderr.write(`[${at + 1}/${chosen.length}] after ${seconds} s: ${title} …\n`)
  if (performance.now() < LAST_START_MS) print(title, await bench())
  else print(title, [{ what: 'skipped for lack of time; run it by its name', measured: '' }])
}
