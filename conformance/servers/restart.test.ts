import { afterEach, expect, it } from 'vitest'
import { createRestarter, findFreePort, listenersOn, startCommand, waitUntilAnswering } from './processes.ts'

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

// A process that is stopped keeps its port and answers nothing, as one that hangs does.
it.runIf(process.platform === 'linux')(
  'ends a process that hangs and holds the port, whoever started it',
  async () => {
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    const serve = (word: string) =>
      `node -e "require('http').createServer((_, answer) => answer.end('${word}')).listen(${port})"`
    const hanging = startCommand(serve('old'))
    closing.push(hanging.stop)
    expect(await waitUntilAnswering(url, hanging, 20_000)).toBe(true)
    const [pid] = listenersOn(port)
    process.kill(pid!, 'SIGSTOP')
    const { restart, close } = createRestarter(serve('new'), url)
    closing.push(close)
    await restart()
    expect(await (await fetch(url)).text()).toBe('new')
    expect(listenersOn(port)).not.toContain(pid)
  },
  60_000,
)

it('stops a process that ignores the request to end', async () => {
  const port = await findFreePort()
  const command = `node -e "process.on('SIGTERM', () => {}); require('http').createServer((_, answer) => answer.end()).listen(${port})"`
  const server = startCommand(command)
  expect(await waitUntilAnswering(`http://127.0.0.1:${port}`, server, 20_000)).toBe(true)
  await server.stop()
  expect(server.hasEnded).toBe(true)
}, 30_000)
