import { expect, it, onTestFinished } from 'vitest'
import { start } from '../../fixtures/broken-servers/agent-webkit.ts'
import { TOKEN } from '../../fixtures/broken-servers/agent-webkit-violations.ts'
import { createProfile } from '../profile.ts'
import { runMutation } from './mutation.ts'

const PHRASES = ['hello', 'tool', 'permission', 'question', 'hook', 'long', 'endless', 'burst', 'flood', 'error', 'mcp']

it('a mutation run notices sabotages, and does not count those without an effect', async () => {
  const { url, close } = await start()
  onTestFinished(close)
  const profile = createProfile('miniature', { phrases: Object.fromEntries(PHRASES.map((name) => [name, name])) })
  const options = { protocol: 'agent-webkit', url, token: TOKEN, profile, quickMs: 20_000 } as const
  const { mutants, generatedRate } = await runMutation(options, { only: ': drops protocol_version' })
  expect(
    mutants.map(({ name, killedBy, noEffectReason }) => [name, killedBy !== undefined, noEffectReason !== undefined]),
  ).toEqual([
    ['POST /sessions 200: drops protocol_version', true, false],
    ['POST /sessions 201: drops protocol_version', false, true],
    ['event session_ready: drops protocol_version', true, false],
  ])
  expect(generatedRate).toBe(1)
}, 60_000)
