import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Command, InvalidArgumentError } from 'commander'
import { WebSocket } from 'ws'
import { type FrameCase, frameCase, type HttpCase, httpCase } from './cases.ts'
import { type FrameChannel, readChannels, readOperations } from './documents.ts'
import { type FuzzReply, findingIn, isLeak } from './findings.ts'
import type { FuzzServerMessage } from './server.ts'

/** Sends seeded requests and frames to every protocol. Exits with 1 after a 5xx, a stall, a bug or a leak. */

const positive = (text: string): number => {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('A whole number from 1 is needed.')
  return number
}
const oneCase = (text: string): readonly ['http' | 'frame', number] => {
  const [, kind, index] = /^(http|frame):(\d+)$/.exec(text) ?? []
  if (kind === undefined) throw new InvalidArgumentError('A case is http:NUMBER or frame:NUMBER.')
  return [kind as 'http' | 'frame', Number(index)]
}
const { seed, requests, frames, seconds, only } = new Command('npm run fuzz --')
  .description('Sends seeded requests and frames to every protocol.')
  .option('--seed <number>', 'the same seed sends the same', Number, 1)
  .option('--requests <number>', 'requests at most', positive, 20_000)
  .option('--frames <number>', 'frames at most', positive, 5000)
  .option('--seconds <number>', 'seconds at most', positive, 300)
  .option('--only <case>', 'repeats one case, such as http:123 or frame:7', oneCase)
  .parse()
  .opts<{
    seed: number
    requests: number
    frames: number
    seconds: number
    only?: ReturnType<typeof oneCase>
  }>()
const [onlyKind, onlyIndex] = only ?? []
const CONCURRENCY = 6
const MAX_STALL_MS = 2000
/** Longer responses are aborted: streams, and runs that wait for a client. */
const ANSWER_MS = 5000
const HEAP_MB = 500

const operations = readOperations()
const channels = readChannels()
const findings: string[] = []
/** The cases in progress, for the report of a failure. */
const underWay = new Set<string>()
const find = (what: string, cases: Iterable<string> = underWay) => {
  const again = [...cases].map((each) => `--seed ${seed} --only ${each}`)
  findings.push(what)
  process.stderr.write(`\nFOUND ${what}\n${again.map((each) => `  npm run fuzz -- ${each}\n`).join('')}`)
}

const counts = { http: 0, frame: 0 }
const began = performance.now()
const elapsed = () => (performance.now() - began) / 1000
const progress = setInterval(() => {
  process.stderr.write(
    `${elapsed().toFixed(0)} s: ${counts.http} requests, ${counts.frame} frames, ${findings.length} findings\n`,
  )
}, 10_000)

const server = fork(fileURLToPath(new URL(`./server${import.meta.filename.slice(-3)}`, import.meta.url)), {
  execArgv: [...process.execArgv, '--expose-gc', `--max-old-space-size=${HEAP_MB}`],
})
let alive = true
server.once('exit', (code) => {
  if (alive) {
    find(`the server ended with ${code}`)
    finish()
  }
})
const nextMessage = async <Key extends string>(key: Key): Promise<Extract<FuzzServerMessage, Record<Key, unknown>>> => {
  for (;;) {
    const [message] = await once(server, 'message')
    if (key in message) return message
  }
}
server.on('message', (message: FuzzServerMessage) => {
  if ('bug' in message) find(`internal error: ${message.bug.slice(0, 600)}`)
})
const { urls } = await nextMessage('urls')
const heapBytes = async (): Promise<number> => {
  server.send('heap')
  return (await nextMessage('heapBytes')).heapBytes
}

/** A second client, whose light requests must not wait. */
const watcher = new Worker(
  `const { parentPort, workerData: url } = require('node:worker_threads')
   const http = require('node:http')
   const agent = new http.Agent({ keepAlive: true })
   const ask = () => {
     const begun = performance.now()
     const done = () => { parentPort.postMessage(performance.now() - begun); setTimeout(ask, 20) }
     http.get(url, { agent }, (answer) => answer.resume().on('end', done)).on('error', done)
   }
   ask()`,
  { eval: true, workerData: `${urls['agent-webkit']}/` },
)
let longestMs = 0
watcher.on('message', (ms: number) => {
  if (ms > MAX_STALL_MS && alive) find(`a light request waited for ${Math.round(ms)} ms`)
  longestMs = Math.max(longestMs, ms)
})

const json = async (url: string, body: object) => {
  const answer = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  return (await answer.json()) as { readonly session_id: string }
}
/** Creates an object for each protocol. Repeated from time to time, because a DELETE may have removed it. */
const made: Record<string, string> = { observer: 'default', cortask: 'default', windieos: 'none' }
const makeAll = async () => {
  made['agent-webkit'] = (await json(`${urls['agent-webkit']}/sessions`, {})).session_id
  const [profile] = (await (await fetch(`${urls.navi}/agents/profiles`)).json()) as readonly { readonly id: string }[]
  made.navi = (await json(`${urls.navi}/sessions`, { profile_id: profile!.id })).session_id
}
await makeAll()
// The first list of scenarios reads the whole gallery, which takes seconds of a processor, in turns that keep nobody waiting.
await (await fetch(`${urls.observer}/scenarios`)).text()

/** Releases the objects that cases have opened, so that only leaks remain in memory. */
const clearAll = async () => {
  const { sessions } = (await (await fetch(`${urls.observer}/sessions`)).json()) as {
    readonly sessions: readonly { readonly session_id: string }[]
  }
  for (const { session_id } of sessions)
    if (session_id !== 'default') await fetch(`${urls.observer}/sessions/${session_id}`, { method: 'DELETE' })
  for (const tool of ['trace_stop', 'replay_stop', 'session_reset'])
    await fetch(`${urls.observer}/api/tool/${tool}`, { method: 'POST' })
}

/** Sends a request. */
function send(url: string, { method, url: path, headers, body }: HttpCase) {
  return new Promise<FuzzReply>((resolve) => {
    const { hostname, port } = new URL(url)
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    let text = ''
    const fail = (failure: string) => resolve({ failure })
    const sent = request({ hostname, port, method, path, headers: { ...headers, ...length } }, (answer) => {
      answer.setEncoding('utf8')
      answer.on('data', (part) => {
        if (text.length < 2000) text += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      answer.on('error', ({ message }) => fail(message))
    })
    const giveUp = setTimeout(() => sent.destroy(new Error(`within ${ANSWER_MS} ms`)), ANSWER_MS)
    sent.on('error', ({ message }) => fail(message))
    sent.on('close', () => {
      clearTimeout(giveUp)
      fail('the connection ended')
    })
    sent.end(body)
  })
}

async function tryRequest(index: number): Promise<void> {
  const one = httpCase(seed, index, operations, made)
  const name = `http:${index}`
  underWay.add(name)
  const answer = await send(urls[one.operation.protocol], one)
  underWay.delete(name)
  const finding = alive ? findingIn(one, answer) : undefined
  if (finding !== undefined) find(finding, [name])
}

const sockets = new Map<FrameChannel, WebSocket>()

async function socketFor(channel: FrameChannel): Promise<WebSocket | undefined> {
  const known = sockets.get(channel)
  if (known?.readyState === WebSocket.OPEN) return known
  const { protocol, address } = channel
  const path = address.replace(/\{\w+\}/, () => made[protocol] ?? '')
  const socket = new WebSocket(urls[protocol].replace('http', 'ws') + path)
  socket.on('error', () => {})
  socket.setMaxListeners(0)
  socket.on('close', (code) => {
    if (code === 1011) find(`${protocol} closed a socket with ${code}`)
  })
  await Promise.race([once(socket, 'open'), once(socket, 'close')])
  if (socket.readyState !== WebSocket.OPEN) return undefined
  if (protocol === 'windieos' && address === '/ws') socket.send(JSON.stringify({ type: 'handshake', user_id: 'fuzz' }))
  sockets.set(channel, socket)
  return socket
}

async function tryFrame(index: number): Promise<void> {
  const one: FrameCase = frameCase(seed, index, channels)
  const name = `frame:${index}`
  underWay.add(name)
  const socket = await socketFor(one.channel)
  if (socket) {
    socket.send(Buffer.from(one.data), { binary: one.binary })
    socket.ping()
    await Promise.race([
      once(socket, 'pong'),
      once(socket, 'close'),
      new Promise((resolve) => setTimeout(resolve, ANSWER_MS)),
    ])
  }
  underWay.delete(name)
}

/** Runs cases by number, several at once, until all are done or the time is up. */
async function tryAll(from: number, to: number, untilS: number, kind: keyof typeof counts): Promise<void> {
  let next = from
  const attempt = kind === 'http' ? tryRequest : tryFrame
  const work = async () => {
    while (next < to && elapsed() < untilS && alive) {
      await attempt(next++).catch((error) => find(`the fuzzer: ${error}`))
      counts[kind]++
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}

/** The time limit counts from here: a busy machine takes long to start the servers. */
const startedS = elapsed()
process.stderr.write(
  `seed ${seed}: ${operations.length} operations and ${channels.length} sockets of ${Object.keys(urls).length} protocols\n`,
)

if (onlyKind !== undefined) {
  await (onlyKind === 'http' ? tryRequest : tryFrame)(Number(onlyIndex))
  counts[onlyKind]++
  await new Promise((resolve) => setTimeout(resolve, 500))
} else {
  /** The memory after each third. */
  const held: number[] = []
  const PARTS = 12
  for (let part = 0; part < PARTS && alive; part++) {
    const untilS = startedS + (seconds * (part + 1)) / PARTS
    const share = (whole: number, of: number) => Math.round((whole * of) / PARTS)
    await tryAll(share(requests, part), share(requests, part + 1), untilS - (seconds / PARTS) * 0.2, 'http')
    await tryAll(share(frames, part), share(frames, part + 1), untilS, 'frame')
    await makeAll()
    if ((part + 1) % (PARTS / 3) === 0) {
      for (const socket of sockets.values()) socket.terminate()
      sockets.clear()
      await clearAll()
      held.push(await heapBytes())
    }
  }
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  process.stderr.write(`held after GC, after each third: ${held.map(megabytes).join(', ')} MB\n`)
  if (isLeak(held, counts.http)) find('memory of the server keeps growing', [])
  process.stderr.write(`the longest light request waited for ${longestMs.toFixed(0)} ms\n`)
}
finish()

function finish(): void {
  alive = false
  clearInterval(progress)
  process.stderr.write(
    `seed ${seed}: ${counts.http} requests and ${counts.frame} frames in ${elapsed().toFixed(0)} s: ${findings.length} findings\n`,
  )
  if (counts.http + counts.frame === 0)
    process.stderr.write('nothing was sent: --seconds ended before the first case\n')
  process.exitCode = findings.length > 0 || counts.http + counts.frame === 0 ? 1 : 0
  if (server.connected) server.disconnect()
  void watcher.terminate()
  for (const socket of sockets.values()) socket.terminate()
}
