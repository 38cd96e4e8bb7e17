import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BUNDLED_PROGRAM } from '../../test/support/cli/bundled-program.ts'

// Starts `backlot show-report` as a process, on results that `backlot eval` wrote.

const folder = mkdtempSync(join(tmpdir(), 'backlot-show-report-'))
const results = join(folder, 'results')
const started: ChildProcess[] = []
const backlot = (...args: readonly string[]) =>
  spawnSync(process.execPath, [BUNDLED_PROGRAM, ...args], { encoding: 'utf8' })

beforeAll(() => {
  const { status, stderr } = backlot('eval', 'login', '--agent', 'solution', '--traces', 'all', '--out', results)
  expect([status, stderr]).toEqual([0, expect.any(String)])
}, 60_000)
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

it('serves the page, its document and the recorded runs until a signal, to this machine only', async () => {
  const child = spawn(process.execPath, [BUNDLED_PROGRAM, 'show-report', results], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
    child.once('close', (code) => reject(new Error(`it ended with ${code}`)))
  })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const page = await fetch(url)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('content="report"')])
  const report = (await (await fetch(`${url}/report.json`)).json()) as {
    readonly agent: string
    readonly episodes: readonly { readonly success: boolean; readonly recording: string }[]
  }
  expect([report.agent, report.episodes.length, report.episodes[0]!.success]).toEqual(['solution', 1, true])
  const run = await fetch(new URL(report.episodes[0]!.recording, `${url}/`))
  expect([run.status, await run.text()]).toEqual([200, expect.stringContaining('content="recording"')])
  const foreign = await fetch(`${url}/report.json`, { headers: { origin: 'http://127.0.0.1:1' } })
  expect(foreign.status).toBe(403)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.kill('SIGINT')
  expect(await ended).toBe(0)
}, 60_000)

it('writes the page as one file', () => {
  const file = join(folder, 'report.html')
  expect(backlot('show-report', results, '--html', file)).toMatchObject({ status: 0, stdout: `${file}\n`, stderr: '' })
  expect(readFileSync(file, 'utf8')).toContain('backlot-report-1')
}, 60_000)

it('reports a folder without results, a wrong port and a file that cannot be written, without a stack', () => {
  for (const [args, code, words] of [
    [[folder], 2, folder],
    [[results, '--port', 'x'], 2, '--port'],
    [[results, '--html', join(folder, 'none', 'report.html')], 2, 'choose another file'],
  ] as const) {
    const { status, stdout, stderr } = backlot('show-report', ...args)
    expect([status, stdout]).toEqual([code, ''])
    expect(stderr).toContain(words)
    expect(stderr).not.toMatch(/\n +at /)
  }
}, 60_000)
