import { expect, it } from 'vitest'
import type { Frame } from '../probe/frame.ts'
import { describeLoss, findLastRequest } from './server-monitor.ts'

const sent = (title: string, text = ''): Frame => ({ direction: 'sent', channel: 'ws', title, text })
const received = (title: string): Frame => ({ direction: 'received', channel: 'ws', title, text: '' })
const http = (title: string): Frame => ({ ...sent(title), channel: 'http' })
const answer = (title: string): Frame => ({ ...received(title), channel: 'http' })

it('names the frame that was sent before a socket was cut off', () => {
  const frames = [sent('raw', 'null'), received('close 1006'), http('GET /health')]
  expect(findLastRequest(frames)).toBe('"null"')
})

it('names the request that got no answer, not the one that was refused after it', () => {
  const frames = [http('GET /a'), answer('200 to GET /a'), http('POST /b'), http('GET /a?again')]
  expect(findLastRequest(frames)).toBe('"POST /b"')
})

it('shortens long requests', () => {
  expect(findLastRequest([sent('raw', 'x'.repeat(5000))])!.length).toBeLessThan(250)
})

it('blames none of several checks', () => {
  const loss = {
    during: ['a', 'b'],
    reason: 'gone',
    restarted: false,
    finding: { status: 'failed', frames: [] },
  } as const
  expect(describeLoss(loss)).toBe(
    'the server was lost during a, b; a start command is needed to find the cause; it got no further requests: gone',
  )
})

it('reports why the server could not be restarted', () => {
  const loss = {
    during: ['a'],
    request: '"GET /a"',
    reason: 'no answer',
    restarted: false,
    notRestarted: 'port 80 is held by process 7, which does not end',
    finding: { status: 'failed', frames: [] },
  } as const
  expect(describeLoss(loss)).toBe(
    'the server was lost during a after "GET /a"; it could not be restarted (port 80 is held by process 7, which does not end), so it got no further requests: no answer',
  )
})
