import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestbed } from '../src/compose/testbed.ts'
import { findAgentProtocol, PROTOCOL_NAMES, type ProtocolName, SESSION_PROTOCOLS } from '../src/protocols/registry.ts'

/** Serves every protocol in its own process, and reports bugs and memory to its parent. */

/** A message to the parent process. */
export type FuzzServerMessage =
  | { readonly urls: Readonly<Record<ProtocolName, string>> }
  | { readonly bug: string }
  | { readonly heapBytes: number }

const report = (message: FuzzServerMessage) => void process.send?.(message)
const dataFolder = mkdtempSync(join(tmpdir(), 'backlot-fuzz-'))
const testbed = await createTestbed({
  dataFolder,
  env: {},
  config: { tracing: { dir: join(dataFolder, 'traces') } },
  report: (bug) => report({ bug: bug instanceof Error ? (bug.stack ?? bug.message) : String(bug) }),
})
const urls: Record<string, string> = {}
for (const name of PROTOCOL_NAMES) {
  const overSession = SESSION_PROTOCOLS.find((protocol) => protocol.name === name)?.name
  const agent = findAgentProtocol(name)?.name
  const served = overSession
    ? await testbed.serveProtocol(overSession, { port: 0 })
    : agent
      ? await testbed.serveBackend(agent, { port: 0 })
      : await testbed.serveRest({ port: 0 })
  urls[name] = served.url
}
report({ urls: urls as Record<ProtocolName, string> })

process.on('message', async () => {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  report({ heapBytes: process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers })
})
process.on('disconnect', async () => {
  await testbed.close()
  rmSync(dataFolder, { recursive: true, force: true })
  process.exit()
})
