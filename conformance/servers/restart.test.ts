import { afterEach, expect, it, vi } from 'vitest'
import { createRestarter, findFreePort, listenersOn, startCommand, waitUntilAnswering } from './processes.ts'

/** Milliseconds that servers of these tests have to end by themselves. */
const graceMs = 100

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

it('starts a server by its command on the port of its address, again and again, and ends it', async () => {
  const url = `http://127.0.0.1:${await findFreePort()}`
  const command = `node -e "require('http').createServer((_, answer) => answer.end(String(process.pid))).listen({port})"`
  const { restart, close } = createRestarter(command, url)
  closing.push(close)
  const pid = async () => (await fetch(url)).text()
  await restart()
  const first = await pid()
  await restart()
  expect(await pid()).not.toBe(first)
  await close()
  await expect(fetch(url)).rejects.toThrow()
}, 30_000)

it('rejects without a command, and reports why a server did not start', async () => {
  await expect(createRestarter(undefined, 'http://127.0.0.1:1').restart()).rejects.toThrow('no start command')
  const { restart } = createRestarter('echo no such option >&2; exit 3', 'http://127.0.0.1:1')
  await expect(restart()).rejects.toThrow('no such option')
})

const serve = (port: number, more = '') =>
  `node -e "${more}require('http').createServer((_, answer) => answer.end()).listen(${port})"`

// A process that is stopped keeps its port and answers nothing, as one that hangs does.
it.runIf(process.platform === 'linux')(
  'ends a process that hangs and holds the port, whoever started it',
  async () => {
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    const hanging = startCommand(serve(port), { graceMs })
    closing.push(hanging.stop)
    expect(await waitUntilAnswering(url, hanging, 20_000)).toBe(true)
    const [pid] = listenersOn(port)
    process.kill(pid!, 'SIGSTOP')
    const { restart, close } = createRestarter(serve(port), url, graceMs)
    closing.push(close)
    await restart()
    const holders = listenersOn(port)
    expect([holders.length, holders.includes(pid!)]).toEqual([1, false])
  },
  60_000,
)

it.runIf(process.platform === 'linux').each([
  // The shell ends at the request.
  ['ignores the request to end', (port: number) => `${serve(port, "process.on('SIGTERM', () => {});")}; true`],
  ['outlives its shell', (port: number) => `${serve(port)} &`],
])(
  'stops a server that %s',
  async (_, commandAt) => {
    const port = await findFreePort()
    const server = startCommand(commandAt(port), { graceMs })
    await vi.waitFor(() => expect(listenersOn(port)).toHaveLength(1), 20_000)
    await server.stop()
    expect(server.hasEnded).toBe(true)
    expect(listenersOn(port)).toEqual([])
  },
  30_000,
)
