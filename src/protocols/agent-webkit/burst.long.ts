import { expect, it } from 'vitest'
import { serve } from '../../../test/support/protocols/serve.ts'
import { drawInteger, type Random, seededRandom, split } from '../../base/random.ts'
import { agentWebkit } from './server.ts'

const EVENTS = 10_000
const SUBSCRIBERS = 50

/** Follows a session, dropping the connection after a random number of characters again and again; the ids in order. */
async function follow(url: string, random: Random): Promise<number[]> {
  const ids: number[] = []
  let chance = random
  for (;;) {
    const [patience, next] = drawInteger(chance, 1000, 400_000)
    chance = next
    const leaving = new AbortController()
    const last = ids.at(-1)
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': String(last) }
    const response = await fetch(url, { headers, signal: leaving.signal })
    if (response.status !== 200) throw new Error(`a resume was answered with ${response.status}`)
    const ended = await read(response, patience, ids)
    leaving.abort()
    if (ended) return ids
  }
}

/** Whether the turn ended; a frame counts when all of it has come. */
async function read(response: Response, patience: number, ids: number[]): Promise<boolean> {
  const decoder = new TextDecoder()
  let text = ''
  let seen = 0
  for await (const chunk of response.body!) {
    const piece = decoder.decode(chunk as Uint8Array, { stream: true })
    seen += piece.length
    const frames = (text + piece).split('\n\n')
    text = frames.pop()!
    for (const frame of frames) {
      const [, id, event] = /^id: (\d+)\nevent: (\w+)\n/.exec(frame)!
      ids.push(Number(id))
      if (event === 'result') return true
    }
    if (seen > patience) return false
  }
  return false
}

it('[W-R4] [W-R5] [W-F6] ten thousand events reach fifty reconnecting subscribers exactly once and in order', async () => {
  const server = await serve((agent) => agentWebkit({ agent, ringSize: EVENTS + 10 }))
  const created = await fetch(`${server.url}/sessions`, { method: 'POST', body: '{}' })
  const { session_id } = (await created.json()) as { session_id: string }
  const url = `${server.url}/sessions/${session_id}`
  const random = seededRandom(20)
  const following = Array.from({ length: SUBSCRIBERS }, (_, index) =>
    follow(`${url}/stream`, split(random, `${index}`)),
  )
  const message = { type: 'user_message', content: 'answer endlessly' }
  await fetch(`${url}/input`, { method: 'POST', body: JSON.stringify(message) })
  const heard = await Promise.all(following)
  await server.close()
  const expected = Array.from({ length: EVENTS + 3 }, (_, index) => index + 1)
  for (const ids of heard) expect(ids).toEqual(expected)
}, 120_000)
