import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { createTestbed } from '../../src/compose/testbed.ts'
import { formOf } from '../desktop/form-scenario.ts'
import type { Ready } from '../harness/load.ts'
import { HOSTILE_SCENARIO } from '../http/hostile-requests.ts'
import '../harness/meter.ts'

/** A server in its own process for the REST benchmark: Backlot, or a bare route that returns the bytes of a file. */

const [kind, body = ''] = process.argv.slice(2)

process.send?.({ url: await serve() } satisfies Ready)

function serve(): Promise<string> {
  if (kind === 'ours') return serveOurs()
  if (kind === 'form') return serveForm(Number(body))
  if (kind === 'doors') return serveDoors(Number(body))
  if (kind === 'hostile') return serveHostile()
  if (kind === 'plain') return servePlain(readFileSync(body))
  return serveBare(readFileSync(body))
}

/** A desktop with the form of the peers. */
async function serveForm(count: number): Promise<string> {
  return (await (await openForm(count)).serveRest({ port: 0 })).url
}

/** The same desktop over every door, MCP on standard input and output included. Returns the URLs as JSON. */
async function serveDoors(count: number): Promise<string> {
  const testbed = await openForm(count)
  const observer = (await testbed.serveRest({ port: 0 })).url
  const osworld = (await testbed.serveProtocol('osworld', { port: 0 })).url
  void testbed.serveMcp(process.stdin, process.stdout)
  return JSON.stringify({ observer, osworld })
}

async function openForm(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
  const scenario = join(folder, 'form.yaml')
  writeFileSync(scenario, formOf(count))
  const testbed = await createTestbed({ scenario })
  rmSync(folder, { recursive: true })
  return testbed
}

/** Serves the observer and WindieOS in one program. Returns both URLs as JSON. */
async function serveHostile(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-bench-'))
  const scenario = join(folder, 'hostile.yaml')
  writeFileSync(scenario, HOSTILE_SCENARIO)
  const testbed = await createTestbed({ scenario })
  const observer = (await testbed.serveRest({ port: 0 })).url
  const windieos = (await testbed.serveBackend('windieos', { port: 0 })).url
  return JSON.stringify({ observer, windieos })
}

async function serveOurs(): Promise<string> {
  const testbed = await createTestbed()
  return (await testbed.serveRest({ port: 0 })).url
}

/** A plain Node server without routes. */
async function servePlain(bytes: Buffer): Promise<string> {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length }
  const server = createServer((_request, reply) => reply.writeHead(200, headers).end(bytes))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function serveBare(bytes: Buffer): Promise<string> {
  const app = fastify()
  // Fastify parses the body of a POST before this.
  app.route({
    method: ['GET', 'POST'],
    url: '/*',
    handler: async (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(bytes),
  })
  return app.listen({ host: '127.0.0.1', port: 0 })
}
