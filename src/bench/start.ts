import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PACKAGE } from '../package.ts'
import type { Usage } from './load.ts'
import { atMostTimes, type Line, median } from './measure.ts'

const ROUNDS = 11

/** The program as it ships, and as it would be if every module and the canvas were read by itself at the start. */
const SHIPPED = { file: 'dist/bundle/backlot.js', before: [] }
const BARE = { file: 'dist/src/cli/main.js', before: ['@napi-rs/canvas'] }
type Program = typeof SHIPPED | typeof BARE

/** Processor time of `backlot serve` until it listens. */
export async function benchStart(): Promise<readonly Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify({ web_ui: { port: 0 } }))
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const [shipped, bare] = [await startOf(SHIPPED, config), await startOf(BARE, config)]
    // The first round only brings the files into memory.
    if (round === 0) continue
    times[0].push(shipped)
    times[1].push(bare)
  }
  rmSync(folder, { recursive: true })
  const [shipped, bare] = [median(times[0]), median(times[1])]
  return [
    { what: 'backlot serve, as it ships', measured: `${shipped.toFixed(0)} ms` },
    { what: 'the same, modules and canvas each by itself', measured: `${bare.toFixed(0)} ms` },
    atMostTimes('start-up as it ships beside that', shipped / bare, 0.5),
  ]
}

/** Milliseconds. */
async function startOf({ file, before }: Program, config: string): Promise<number> {
  const read = [new URL('./meter.js', import.meta.url).href, ...before]
  const child = fork(join(PACKAGE, file), ['serve', '--mock', '--mode', 'inspect', '--config', config], {
    cwd: PACKAGE,
    execArgv: read.flatMap((module) => ['--import', module]),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  for await (const part of child.stderr!) {
    said += String(part)
    if (said.includes('Ctrl-C')) break
  }
  if (child.exitCode !== null) throw new Error(`${file} ended: ${said}`)
  child.send('usage')
  const [usage] = (await once(child, 'message')) as [Usage]
  child.kill('SIGKILL')
  await once(child, 'exit')
  return usage.cpu / 1000
}
