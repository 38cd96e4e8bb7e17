import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PACKAGE } from '../src/compose/package.ts'
import type { CpuUsage } from './harness/load.ts'
import { atMostTimes, median, type ReportLine } from './harness/measure.ts'

const ROUNDS = 11

/** A program, its preloaded modules and its environment. */
interface Program {
  readonly file: string
  readonly before: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

const SHIPPED: Program = { file: 'dist/bundle/backlot.js', before: [] }
const FIRST: Program = { ...SHIPPED, env: { NODE_DISABLE_COMPILE_CACHE: '1' } }
/** A start that loads every module and the canvas separately. */
const BARE: Program = { file: 'dist/src/cli/main.js', before: ['@napi-rs/canvas'] }
const PROGRAMS = [SHIPPED, FIRST, BARE]

/** The processor time of `backlot serve` until it listens, which delays a client that starts its own server. */
export async function benchStart(): Promise<readonly ReportLine[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify({ web_ui: { port: 0 } }))
  const times = PROGRAMS.map((): number[] => [])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [place, program] of PROGRAMS.entries()) {
      const took = await startOf(program, config)
      // The first round fills the file cache and the compile cache.
      if (round > 0) times[place]!.push(took)
    }
  }
  rmSync(folder, { recursive: true })
  const [shipped, first, bare] = times.map(median) as [number, number, number]
  return [
    { what: 'backlot serve, as it ships', measured: `${shipped.toFixed(0)} ms` },
    { what: 'its first start, with no compiled code kept', measured: `${first.toFixed(0)} ms` },
    { what: 'the same, modules and canvas each by itself', measured: `${bare.toFixed(0)} ms` },
    atMostTimes('start-up as it ships beside that', shipped / bare, 0.5),
  ]
}

/** Milliseconds. */
async function startOf({ file, before, env }: Program, config: string): Promise<number> {
  const read = [new URL('./harness/meter.js', import.meta.url).href, ...before]
  const child = fork(join(PACKAGE, file), ['serve', '--mock', '--mode', 'inspect', '--config', config], {
    cwd: PACKAGE,
    env: { ...process.env, ...env },
    execArgv: read.flatMap((module) => ['--import', module]),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let output = ''
  for await (const part of child.stderr!) {
    output += String(part)
    if (output.includes('Ctrl-C')) break
  }
  if (child.exitCode !== null) throw new Error(`${file} ended: ${output}`)
  child.send('usage')
  const [usage] = (await once(child, 'message')) as [CpuUsage]
  child.kill('SIGTERM')
  await once(child, 'exit')
  return usage.cpu / 1000
}
