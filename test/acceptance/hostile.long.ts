import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HOSTILE_CASES, HOSTILE_SCENARIO, type TargetServers } from '../../bench/http/hostile-requests.ts'
import { measureStalls } from '../../bench/http/stalls.ts'
import { BUNDLED_PROGRAM } from '../support/cli/bundled-program.ts'

// A server with little memory survives hostile clients and keeps answering others.

const HEAP_MB = 500
/** The benchmark expects 250 ms on idle cores. CI machines are shared. */
const MAX_STALL_MS = 2000

const folder = mkdtempSync(join(tmpdir(), 'backlot-hostile-'))
let child: ChildProcess
let served: TargetServers
let output = ''

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

beforeAll(async () => {
  const scenario = join(folder, 'hostile.yaml')
  writeFileSync(scenario, HOSTILE_SCENARIO)
  const [observer, windieos] = [await freePort(), await freePort()]
  served = { observer: `http://127.0.0.1:${observer}`, windieos: `http://127.0.0.1:${windieos}` }
  child = spawn(
    process.execPath,
    [
      ...[BUNDLED_PROGRAM, 'serve', '--scenario', scenario, '--protocols', 'observer,windieos', '--data', folder],
      ...['--port', String(observer), '--windieos-port', String(windieos)],
    ],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` } },
  )
  await new Promise<void>((resolve, reject) => {
    child.stderr!.on('data', (chunk) => {
      output += String(chunk)
      if (output.includes('Backlot is running')) resolve()
    })
    child.once('close', () => reject(new Error(output)))
  })
})

afterAll(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const isAlive = async (): Promise<boolean> =>
  child.exitCode === null && (await fetch(`${served.observer}/api/windows`)).status === 200

it(`hostile requests neither delay others by ${MAX_STALL_MS} ms nor end the server`, async () => {
  const stalls = await measureStalls(served, HOSTILE_CASES)
  expect(stalls.filter(({ worstMs }) => worstMs >= MAX_STALL_MS)).toEqual([])
  expect(stalls.flatMap(({ answers }) => answers).filter((answer) => !/^[24]/.test(answer))).toEqual([])
  expect(await isAlive()).toBe(true)
}, 120_000)
