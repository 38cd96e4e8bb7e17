import { expect, it } from 'vitest'
import { smallRecording } from '../../../test/support/viewer/small-recording.ts'
import { curlText } from './curl-text.ts'
import { drawPixelDifference, slotCorner } from './pixel-difference.ts'
import { isWelcome, oracleRuns, valueChanges } from './step-list.ts'

// Rules such as [VW17] are stated in README.md of the viewer.

it('[VW17] counts changed pixels and finds the box around them', () => {
  const before = new Uint8ClampedArray(4 * 3 * 4).fill(100)
  const after = before.slice()
  after[4 * 5] = 0 // x 1, y 1
  after[4 * 10 + 2] = 0 // x 2, y 2
  const out = new Uint8ClampedArray(before.length)
  const found = drawPixelDifference(before, after, 4, out)
  expect(found).toEqual({ count: 2, box: { x: 1, y: 1, width: 2, height: 2 } })
  expect([...out.slice(20, 24)]).toEqual([214, 0, 60, 255])
  expect(drawPixelDifference(before, before, 4, out)).toEqual({ count: 0, box: undefined })
})

it('[VW15] knows the places of tiles', () => {
  const frame = { width: 300, height: 200, tiles: [1, 2, 3, 4, 5, 6] }
  expect([0, 2, 4].map((slot) => slotCorner(frame, 128, slot))).toEqual([
    { x: 0, y: 0 },
    { x: 256, y: 0 },
    { x: 128, y: 128 },
  ])
})

it('[VW18] lists variables that differ', () => {
  expect(valueChanges({ a: 1, b: { x: 1, y: 2 }, c: 3 }, { a: 2, b: { y: 2, x: 1 }, d: 4 })).toEqual([
    { name: 'a', before: 1, after: 2 },
    { name: 'c', before: 3, after: undefined },
    { name: 'd', before: undefined, after: 4 },
  ])
  expect(valueChanges(undefined, null)).toEqual([])
})

it('[VW19] joins moments in which an oracle has the same status', () => {
  const moments = [[true], [true], [false], undefined].map((oracles) => ({ atMs: 0, ...(oracles && { oracles }) }))
  expect(oracleRuns(smallRecording({ moments }), 0)).toEqual([
    { from: 0, to: 1, holds: true },
    { from: 2, to: 2, holds: false },
    { from: 3, to: 3, holds: null },
  ])
  expect([
    isWelcome('success', true),
    isWelcome('failure', true),
    isWelcome('harm', false),
    isWelcome('attack', null),
  ]).toEqual([true, false, true, undefined])
})

it('[VW21] quotes every text of a request', () => {
  const text = curlText({
    method: 'POST',
    url: "http://host/a'b?[1]",
    headers: { 'x-a': 'one\r\nx-b: two', authorization: '<redacted>', '@file': 'x' },
    body: "@it's $(here) `too`\u0000",
  })
  expect(text).toBe(
    [
      String.raw`curl --globoff --request 'POST' --url 'http://host/a'\''b?[1]' \ `.trim(),
      String.raw`  --header 'x-a: one x-b: two' \ `.trimEnd(),
      String.raw`  --header 'authorization: <redacted>' \ `.trimEnd(),
      String.raw`  --data-raw '@it'\''s $(here) ${'`'}too${'`'}'`,
    ].join('\n'),
  )
  expect(curlText({ method: 'GET', url: '-o/etc/x' })).toBe("curl --globoff --request 'GET' --url '-o/etc/x'")
})

it('[VW21] has the address of the host, and no header that curl makes itself', () => {
  const headers = {
    Host: '127.0.0.1:5001',
    'content-length': '7',
    connection: 'close',
    'sec-fetch-mode': 'cors',
    accept: '*/*',
  }
  expect(curlText({ method: 'GET', url: '/api/windows', headers }).split(' \\\n  ')).toEqual([
    "curl --globoff --request 'GET' --url 'http://127.0.0.1:5001/api/windows'",
    "--header 'accept: */*'",
  ])
  expect(curlText({ method: 'GET', url: '/x', headers: { host: 'a/b c' } })).toContain("--url '/x'")
})
