import fastify from 'fastify'
import { createTestbed } from '../testbed.ts'
import type { Ready, Usage } from './load.ts'

/** A server in a process of its own, for the REST bench: ours, or a bare route that returns given bytes. */

const [kind, body = ''] = process.argv.slice(2)

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system } satisfies Usage)
})
process.on('disconnect', () => process.exit(0))

process.send?.({ url: kind === 'ours' ? await serveOurs() : await serveBare(Buffer.from(body)) } satisfies Ready)

async function serveOurs(): Promise<string> {
  const testbed = await createTestbed()
  return (await testbed.serveRest({ port: 0 })).url
}

async function serveBare(bytes: Buffer): Promise<string> {
  const app = fastify()
  app.get('/*', async (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(bytes))
  return app.listen({ host: '127.0.0.1', port: 0 })
}
