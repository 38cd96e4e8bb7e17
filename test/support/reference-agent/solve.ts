import { createModelClient } from '../../../src/agent/models/model-client.ts'
import { virtualClock } from '../../../src/base/clock.ts'
import { memorySession } from '../../../src/compose/memory-session.ts'
import { loadScenario } from '../../../src/compose/preview.ts'
import { call } from '../../../src/observer/call.ts'
import { type ReferenceAgentOptions, runAgent } from '../../../src/reference-agent/agent.ts'
import { sessionDesktop } from '../../../src/reference-agent/desktop.ts'
import type { AgentRunEvent } from '../../../src/reference-agent/report.ts'
import { startVendor, type Vendor, type VendorReply } from '../agent/vendors/vendor.ts'

/** Runs the reference agent on a scenario of the gallery, against the endpoint of a vendor. */
export async function solve(
  vendor: Vendor,
  scenario: string,
  replies: readonly VendorReply[],
  options: Partial<ReferenceAgentOptions> = {},
) {
  const server = await startVendor(vendor, ...replies)
  try {
    const { session } = memorySession(await loadScenario(scenario), { audience: 'agent' })
    const clock = virtualClock(0)
    const events: AgentRunEvent[] = []
    const { dialect } = vendor
    const result = await runAgent({
      task: session.computer.simulation!.task!,
      desktop: sessionDesktop(session),
      client: createModelClient({ dialect, baseUrl: server.baseUrl, key: 'k', clock, maxImages: 9 }),
      model: 'm-1.0',
      observe: 'both',
      maxSteps: 30,
      maxTokens: 1_000_000,
      maxScreenshots: 2,
      maxContextTokens: 100_000,
      clock,
      signal: new AbortController().signal,
      report: (event) => events.push(event),
      ...options,
    })
    const { body } = await call(session, 'session_info', {})
    const { requests, problems } = server
    return { result, events, requests, problems, reward: body.reward, session, pausedMs: clock.now() }
  } finally {
    server.close()
  }
}
