import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer'
import { galleryNames } from '../src/compose/gallery.ts'
import { PACKAGE } from '../src/compose/package.ts'
import { createRestApp, openDesktop } from '../src/testing.ts'
import { startServer, stopServer } from './harness/load.ts'
import { atMost, atMostTimes, median, ms, type ReportLine } from './harness/measure.ts'

const ROUNDS = 11

/** Prints the processor time of the process, in microseconds, on descriptor 3 at its end. */
const METER = `data:text/javascript,${encodeURIComponent(
  `import { writeSync } from 'node:fs'
process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String(user + system)) })`,
)}`

/** Start to result of a command, beside a Node that does nothing. */
const MAX_DESK_MS = 120

/** `backlot desk` as an agent calls it: its processor time, and the tokens of what it prints beside the JSON tree. */
export async function benchDesk(): Promise<readonly ReportLine[]> {
  const server = await startServer('served', 'form', '36')
  const commands = [['-e', '0'], deskCommand('snapshot'), deskCommand('click', '110,53')]
  const times = commands.map((): number[] => [])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, command] of commands.entries()) {
      const took = cpuMsOf(command, server.url)
      // The first round fills the file cache.
      if (round > 0) times[at]!.push(took)
    }
  }
  stopServer(server)
  const [bare, snapshot, click] = times.map(median) as [number, number, number]
  return [
    { what: 'node that does nothing, processor time', measured: ms(bare) },
    atMost('backlot desk snapshot, start to result', snapshot, MAX_DESK_MS),
    atMost('backlot desk click, start to result', click, MAX_DESK_MS),
    ...(await tokenLines()),
  ]
}

const deskCommand = (...words: readonly string[]) => [join(PACKAGE, 'dist/bundle/backlot.js'), 'desk', ...words]

function cpuMsOf(command: readonly string[], url: string): number {
  const { status, output } = spawnSync(process.execPath, ['--import', METER, ...command], {
    env: { ...process.env, BACKLOT_URL: url },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${output[1]}${output[2]}`)
  return Number(output[3]) / 1000
}

/** A fifth of the tokens is the purpose of the text form. */
const MAX_TOKENS_RATIO = 0.2

/** The first observation of each scenario of the gallery: what `desk snapshot` prints, and the JSON tree of the same window. */
async function tokenLines(): Promise<readonly ReportLine[]> {
  const counts = await Promise.all(
    galleryNames().map(async (scenario) => {
      const app = await createRestApp(openDesktop({ scenario }))
      const payload = { argv: ['snapshot'] }
      const { stdout } = (await app.inject({ method: 'POST', url: '/desk', payload })).json()
      const tree = (await app.inject({ method: 'POST', url: '/api/tool/get_window_structure', payload: {} })).body
      await app.close()
      return { scenario, text: countTokens(stdout), json: countTokens(tree) }
    }),
  )
  const total = (key: 'text' | 'json') => counts.reduce((sum, count) => sum + count[key], 0)
  const ratioOf = ({ text, json }: (typeof counts)[number]) => text / json
  const worst = counts.reduce((one, other) => (ratioOf(other) > ratioOf(one) ? other : one))
  return [
    {
      what: 'tokens of an observation as text, mean of the gallery',
      measured: (total('text') / counts.length).toFixed(0),
    },
    { what: 'the same as a JSON tree', measured: (total('json') / counts.length).toFixed(0) },
    atMostTimes('text beside JSON, all of the gallery', total('text') / total('json'), MAX_TOKENS_RATIO),
    { what: `the same for ${worst.scenario}, which gains the least`, measured: `${ratioOf(worst).toFixed(2)}×` },
  ]
}
