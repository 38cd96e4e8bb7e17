import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { serve } from '../../../test/support/protocols/serve.ts'
import { memoryStore } from '../../stores/memory.ts'
import { navi } from './server.ts'

// Facts such as [N-X3] are listed in facts.ts.

const MIB = 1024 * 1024
const LIMIT = 200 * MIB
const PIECE = Buffer.alloc(MIB)

/** A form with a file of so many zeros, made piece by piece. */
function* formOf(size: number): Generator<Buffer> {
  yield Buffer.from('--edge\r\ncontent-disposition: form-data; name="file"; filename="zeros.txt"\r\n\r\n')
  for (let sent = 0; sent < size; sent += PIECE.length) yield PIECE.subarray(0, size - sent)
  yield Buffer.from('\r\n--edge--\r\n')
}

/** The response to a form of unknown length. */
async function upload(url: string, size: number): Promise<readonly [number | undefined, unknown]> {
  const headers = { 'content-type': 'multipart/form-data; boundary=edge' }
  const sent = request(url, { method: 'POST', headers })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  // A server that has answered need not read the rest.
  pipeline(Readable.from(formOf(size)), sent).catch(() => {})
  const [response] = await answered
  return [response.statusCode, JSON.parse(await text(response))]
}

it('[N-X3] 200 MB are streamed to the disk, one byte more is refused, and neither is held in memory', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'navi-'))
  const server = await serve((agent, onBug) => navi({ agent, onBug, store: memoryStore(), dataFolder }))
  const made = await fetch(`${server.url}/sessions`, { method: 'POST', body: '{"profile_id":"default"}' })
  const { session_id } = (await made.json()) as { session_id: string }
  const url = `${server.url}/sessions/${session_id}/files`
  const before = process.memoryUsage().arrayBuffers
  let held = 0
  const noticing = setInterval(() => {
    held = Math.max(held, process.memoryUsage().arrayBuffers - before)
  }, 10)
  const answers = [await upload(url, LIMIT), await upload(url, LIMIT + 1)]
  clearInterval(noticing)
  const kept = readdirSync(join(dataFolder, 'session_files', session_id))
  await server.close()
  rmSync(dataFolder, { recursive: true })
  expect(answers).toEqual([
    [201, expect.objectContaining({ name: 'zeros.txt', size: 209_715_200 })],
    [413, { detail: 'the file is larger than 200 MB' }],
  ])
  expect(kept).toEqual(['zeros.txt'])
  expect(held).toBeLessThan(64 * MIB)
})
