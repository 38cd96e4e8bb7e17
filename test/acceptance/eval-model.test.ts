import { afterEach, describe, expect, it } from 'vitest'
import { realClock } from '../../src/base/clock.ts'
import { openAgent } from '../../src/evaluation/agents/choose-agent.ts'
import { playEpisode } from '../../src/evaluation/episode/play.ts'
import { EpisodeScenarios } from '../../src/evaluation/episode/scenarios.ts'
import { loadSuite } from '../../src/evaluation/suite/load-suite.ts'
import { episodesOf } from '../../src/evaluation/suite/suite-file.ts'
import { VENDORS } from '../support/agent/vendors/index.ts'
import { startVendor, type VendorReply } from '../support/agent/vendors/vendor.ts'
import { SOLUTIONS } from '../support/reference-agent/solutions.ts'

// An evaluation of the reference agent, against an endpoint in the dialect of a vendor.

const [, anthropic] = VENDORS
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function play(replies: readonly VendorReply[]) {
  const vendor = await startVendor(anthropic!, ...replies)
  closers.push(vendor.close)
  const environment = {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: vendor.baseUrl,
    BACKLOT_MODEL_DIALECT: 'anthropic',
  }
  const [episode] = episodesOf((await loadSuite(['calendar'])).tasks)
  return playEpisode(episode!, {
    agent: await openAgent('model m', { environment, onProcess: () => {} }),
    scenarios: new EpisodeScenarios(),
    clock: realClock(),
    signal: new AbortController().signal,
    isTraced: false,
  })
}

describe('[EV21] the reference agent with a model', () => {
  it('is evaluated with its tokens and what it did', async () => {
    const { result, log } = await play(SOLUTIONS.calendar)
    expect(result).toMatchObject({
      success: true,
      end: 'finished',
      steps: 6,
      model: { input_tokens: 500, output_tokens: 50, cost_usd: null },
    })
    expect(log).toContain('call     click_element {"selector":"Button \\"New event\\""}')
  })

  it('has no result, and the reason, when the endpoint refuses', async () => {
    const { result } = await play(['unauthorized'])
    expect(result).toMatchObject({ success: false, end: 'no_result', failure: 'no_result' })
    expect(result.message).toBe("the model's endpoint does not accept the key: it answered 401")
  })
})
