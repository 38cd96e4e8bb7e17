import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { PACKAGE } from '../src/compose/package.ts'
import { benchDatasets } from './datasets.ts'
import { benchDesk } from './desk.ts'
import { benchDesktops } from './desktop/desktops.ts'
import { benchGrowth } from './desktop/growth.ts'
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
import { type BenchTable, PAGE, performancePage } from './page.ts'
import { benchPython } from './python.ts'
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
  ['growth with elements and records, processor time', benchGrowth],
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
  ['Python: its client, Gymnasium, scikit-image', benchPython],
  ['streams beside bare ones', benchStreams],
  ['delivery of every event', benchDelivery],
  ['a crowd of WindieOS clients', benchCrowd],
] as const

const command = new Command('npm run bench --')
  .description('Measures ratios in one run.')
  .argument('[subject...]', 'words in the titles of subjects; all subjects without any')
  .option('--write', `write the rows of all subjects into ${PAGE}`)
  .option('--quick', 'fewer rounds, and no subject that takes long for its value')
  .addHelpText('after', `\nSubjects:\n${SUBJECTS.map(([title]) => `  ${title}\n`).join('')}`)
  .parse()
const wanted = command.args
const { write: isWritten = false } = command.opts<{ write?: true }>()
if (isWritten && (QUICK || wanted.length > 0))
  command.error(`--write needs all subjects, so it goes with no words and without --quick`, { exitCode: 2 })
const unknown = wanted.find((word) => !SUBJECTS.some(([title]) => title.includes(word)))
if (unknown !== undefined) command.error(`no subject has "${unknown}" in its title; --help lists them`, { exitCode: 2 })
/** Subjects that take long for their value. */
const LONG: readonly unknown[] = [benchPeers, benchPython, benchCrowd, benchDelivery, benchRequests]

const machine = `node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`
const load = `load ${loadavg()[0]!.toFixed(1)} at the start`
process.stdout.write(`${machine}, ${load}, requests by ${loadClient().name}\n`)
const chosen = SUBJECTS.filter(([title, bench]) =>
  wanted.length > 0 ? wanted.some((word) => title.includes(word)) : !(QUICK && LONG.includes(bench)),
)
const tables: BenchTable[] = []
for (const [at, [title, bench]] of chosen.entries()) {
  const seconds = Math.round(performance.now() / 1000)
  process.stderr.write(`[${at + 1}/${chosen.length}] after ${seconds} s: ${title} …\n`)
  const lines =
    isWritten || performance.now() < LAST_START_MS
      ? await bench()
      : [{ what: 'skipped for lack of time; run it by its name', measured: '' }]
  print(title, lines)
  tables.push({ title, lines })
}
if (isWritten) {
  writeFileSync(join(PACKAGE, PAGE), performancePage(tables, { machine, load, requests: loadClient().name }))
  process.stdout.write(`\nwrote ${PAGE}\n`)
}
