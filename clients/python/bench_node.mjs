// The Node side of bench.py: plays the same steps over the same wire for some seconds, and prints how many and their processor time.
// Its argument is the JSON of { targets: [{ url, prefix, token, body, message?, perMessage? }], seconds }; targets play at the same time.
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import WebSocket from 'ws'

const { targets, seconds } = JSON.parse(process.argv[2])
const rounds = await Promise.all(targets.map((target) => (target.message ? overSocket(target) : byRequests(target))))
await play()
const used = process.cpuUsage()
const end = performance.now() + seconds * 1000
let count = 0
while (performance.now() < end) count += await play()
const { user, system } = process.cpuUsage(used)
process.stdout.write(JSON.stringify({ count, cpu_seconds: (user + system) / 1e6 }))
process.exit()

/** One round of all targets. Returns the number of steps. */
async function play() {
  const counts = await Promise.all(rounds.map((round) => round()))
  return counts.reduce((sum, each) => sum + each, 0)
}

/** A step by a request of its own, on a connection that stays. */
async function byRequests({ url, prefix, token, body }) {
  const options = { method: 'POST', agent: new Agent({ keepAlive: true, maxSockets: 1 }) }
  const headers = { 'content-type': 'application/json', 'content-length': body.length, 'x-harness-token': token }
  return () =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}${prefix}/api/tool/session_step`, { ...options, headers }, (response) => {
        let text = ''
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => resolve(JSON.parse(text) && 1))
      })
      sent.on('error', reject)
      sent.end(body)
    })
}

/** The steps of one message over a WebSocket. */
async function overSocket({ url, prefix, token, message, perMessage }) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${prefix}/api/session/socket`, {
    headers: { 'x-harness-token': token },
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return () =>
    new Promise((resolve) => {
      socket.once('message', (data) => resolve(JSON.parse(data.toString()) && perMessage))
      socket.send(message)
    })
}
