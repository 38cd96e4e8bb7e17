import { afterEach, expect, it } from 'vitest'
import { createRestarter, findFreePort } from './processes.ts'

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
