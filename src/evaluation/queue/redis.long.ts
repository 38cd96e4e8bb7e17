import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLED_PROGRAM } from '../../../test/support/cli/bundled-program.ts'
import { installPackages } from '../../../test/support/linux/install-packages.ts'
import { missingPrograms } from '../../../test/support/linux/private-desktop.ts'
import { RESULT_FILES, readResults } from '../results/results-folder.ts'

/** `backlot eval --queue` and `backlot worker` with a Redis server and their processes. */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'backlot-queue-'))
const running = new Set<ChildProcess>()

interface Program {
  readonly child: ChildProcess
  readonly ended: Promise<{ code: number | null; output: string }>
  output(): string
}

function start(program: string, args: readonly string[]): Program {
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code, output })
    }),
  )
  return { child, ended, output: () => output }
}

const backlot = (...args: readonly string[]): Program => start(process.execPath, [BUNDLED_PROGRAM, ...args])

/** Waits for a condition that another process brings about. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** Debian's redis-tools has the program of the server under this name, without a service that uses the default port. */
const TOOLS_PROGRAM = 'redis-check-rdb'
const isMissing = (program: string) => missingPrograms([program]).length > 0
/** The server recognises itself by its name. */
function redisProgram(): string {
  if (!isMissing('redis-server')) return 'redis-server'
  const link = join(folder, 'redis-server')
  const [found] = (process.env.PATH ?? '')
    .split(':')
    .map((path) => join(path, TOOLS_PROGRAM))
    .filter(existsSync)
  if (!existsSync(link)) symlinkSync(found!, link)
  return link
}

let port = 0
/** A server that keeps its data in a folder, or loses it when it ends. */
async function startRedis({ isKept }: { readonly isKept: boolean }): Promise<Program> {
  const server = start(redisProgram(), [
    ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
    ...['--appendonly', isKept ? 'yes' : 'no', '--appendfsync', 'always'],
  ])
  const isReady = () => server.output().includes('Ready to accept connections')
  await until(() => isReady() || !running.has(server.child))
  if (!isReady()) throw new Error(`redis-server ended: ${server.output()}`)
  return server
}

const url = () => `redis://127.0.0.1:${port}`
const out = (name: string): string => join(folder, name)
const done = (name: string): number =>
  existsSync(join(out(name), RESULT_FILES.results)) ? readResults(join(out(name), RESULT_FILES.results)).length : 0
const withoutTimes = (text: string) =>
  text
    .replace(/"wall_?ms": ?[\d.]+/gi, '')
    .replace(/"ended_at":"[^"]+"/g, '')
    .replace(/time="[^"]+"/g, '')
const fileOf = (name: string, file: string) => withoutTimes(readFileSync(join(out(name), file), 'utf8'))
const tracesOf = (name: string) => readdirSync(join(out(name), 'episodes'), { recursive: true }).sort()

const SUITE = ['login', 'form', 'expense-reports', '--runs', '8', '--agent', 'solution']

beforeAll(async () => {
  if (isMissing('redis-server') && isMissing(TOOLS_PROGRAM)) await installPackages(['redis-tools'])
  port = await freePort()
  expect(await backlot('eval', ...SUITE, '--workers', '2', '--out', out('local')).ended).toMatchObject({ code: 0 })
}, 120_000)
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Compares the files of an evaluation over the queue with those of one on this machine. */
function expectSameFiles(name: string): void {
  for (const file of Object.values(RESULT_FILES)) expect(fileOf(name, file)).toBe(fileOf('local', file))
  expect(tracesOf(name)).toEqual(tracesOf('local'))
}

describe('[EV61] [EV63] two workers of a queue', () => {
  it('give the files of a local evaluation, with a worker and Redis killed in between', {
    timeout: 180_000,
  }, async () => {
    let redis = await startRedis({ isKept: true })
    const evaluation = backlot('eval', ...SUITE, '--queue', url(), '--out', out('queue'))
    const first = backlot('worker', '--queue', url(), '--concurrency', '2')
    const second = backlot('worker', '--queue', url(), '--concurrency', '1')
    await until(() => done('queue') >= 4)
    first.child.kill('SIGKILL')
    await until(() => done('queue') >= 8)
    redis.child.kill('SIGKILL')
    await redis.ended
    redis = await startRedis({ isKept: true })
    const { code, output } = await evaluation.ended
    expect(output).toContain('success: 24 of 24')
    expect(output).toContain('is lost; it is tried again')
    expect(code).toBe(0)
    expectSameFiles('queue')
    second.child.kill('SIGTERM')
    expect(await second.ended).toMatchObject({ code: 0, output: expect.stringContaining('ended') })
    redis.child.kill()
    await redis.ended
  })

  it('play again what a Redis without its data has lost, and leave nothing in it', { timeout: 180_000 }, async () => {
    let redis = await startRedis({ isKept: false })
    const worker = backlot('worker', '--queue', url(), '--concurrency', '2')
    const evaluation = backlot('eval', ...SUITE, '--queue', url(), '--out', out('emptied'))
    await until(() => done('emptied') >= 6)
    redis.child.kill('SIGKILL')
    await redis.ended
    redis = await startRedis({ isKept: false })
    expect(await evaluation.ended).toMatchObject({ code: 0, output: expect.stringContaining('they are added again') })
    expectSameFiles('emptied')
    const keys = execFileSync('redis-cli', ['-p', String(port), 'keys', '*'], { encoding: 'utf8' })
    expect(keys).not.toMatch(/backlot:eval|backlot-episodes:[0-9a-f]{16}/)
    worker.child.kill('SIGINT')
    expect(await worker.ended).toMatchObject({ code: 0 })
    redis.child.kill()
    await redis.ended
  })
})

/**
 * Ends a worker in the middle of its two episodes, so that another plays them. Compares the results with those of this
 * machine.
 * @returns What the second worker wrote.
 */
async function playedByNext(name: string, end: (worker: Program) => Promise<unknown>): Promise<string> {
  const redis = await startRedis({ isKept: false })
  const started = join(folder, `${name}-started`)
  const release = join(folder, `${name}-release`)
  // The agent waits for a file.
  const script = join(folder, `${name}.mjs`)
  writeFileSync(
    script,
    `import { appendFileSync, existsSync } from 'node:fs'
appendFileSync(${JSON.stringify(started)}, process.env.BACKLOT_EPISODE + '\\n')
while (!existsSync(${JSON.stringify(release)})) await new Promise((resolve) => setTimeout(resolve, 20))
`,
  )
  const agent = `"${process.execPath}" ${script} x`
  const startedEpisodes = () => (existsSync(started) ? readFileSync(started, 'utf8').trim().split('\n') : [])
  const args = ['eval', 'login', '--runs', '3', '--agent', agent, '--min-success', '0']
  const evaluation = backlot(...args, '--queue', url(), '--out', out(name))
  const first = backlot('worker', '--queue', url(), '--agent', agent, '--concurrency', '2')
  await until(() => startedEpisodes().length === 2)
  await end(first)
  writeFileSync(release, '')
  const second = backlot('worker', '--queue', url(), '--agent', agent, '--concurrency', '2')
  expect(await evaluation.ended).toMatchObject({ code: 0, output: expect.stringContaining('3 of 3 episodes') })
  expect(startedEpisodes().length).toBe(5)
  await backlot(...args, '--out', out(`${name}-local`)).ended
  expect(fileOf(name, RESULT_FILES.results)).toBe(fileOf(`${name}-local`, RESULT_FILES.results))
  second.child.kill('SIGINT')
  const { output } = await second.ended
  redis.child.kill()
  await redis.ended
  return output
}

describe('[EV63] episodes whose worker is killed', () => {
  it('are played by the next worker, and have one result', { timeout: 120_000 }, async () => {
    const output = await playedByNext('killed', async ({ child }) => child.kill('SIGKILL'))
    expect(output).toContain('was lost by its worker')
  })
})

describe('[EV67] a worker that gets two signals', () => {
  it('gives its episodes back', { timeout: 120_000 }, async () => {
    const output = await playedByNext('given-back', async ({ child, ended, output }) => {
      child.kill('SIGTERM')
      await until(() => output().includes('again to give them back'))
      child.kill('SIGTERM')
      expect(await ended).toMatchObject({ code: 0 })
    })
    expect(output).not.toContain('was lost by its worker')
  })
})

describe('[EV67] Ctrl-C', () => {
  it('empties the queue, and the same command continues', { timeout: 120_000 }, async () => {
    const redis = await startRedis({ isKept: false })
    const worker = backlot('worker', '--queue', url(), '--concurrency', '1')
    const args = ['eval', ...SUITE, '--queue', url(), '--out', out('stopped')]
    const stopped = backlot(...args)
    await until(() => done('stopped') >= 3)
    stopped.child.kill('SIGINT')
    expect(await stopped.ended).toMatchObject({ code: 130 })
    expect(done('stopped')).toBeLessThan(24)
    expect(await backlot(...args).ended).toMatchObject({ code: 0, output: expect.stringContaining('continues:') })
    expectSameFiles('stopped')
    worker.child.kill('SIGINT')
    await worker.ended
    redis.child.kill()
    await redis.ended
  })
})

describe('[EV68] a queue', () => {
  it('that does not answer is an error without the password', { timeout: 60_000 }, async () => {
    const secret = `redis://user:secret@127.0.0.1:${port}`
    for (const args of [['worker'], ['eval', 'login', '--agent', 'noop', '--out', out('none')]]) {
      const { code, output } = await backlot(...args, '--queue', secret).ended
      expect(code).toBe(2)
      expect(output).toContain(`redis://127.0.0.1:${port} cannot be used: connect ECONNREFUSED`)
      expect(output).not.toContain('secret')
    }
  })
})
