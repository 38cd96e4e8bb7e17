import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkEventOrder } from '../../../test/support/protocols/navi-grammar.ts'
import { createAgent } from '../../agent/engine.ts'
import { Profile } from '../../agent/profiles.ts'
import { builtinScript } from '../../agent/script/builtin-script.ts'
import { parseScript } from '../../agent/script/script.ts'
import { cannedTools, scriptedModel } from '../../agent/script/scripted-model.ts'
import { INITIAL_STREAM_STATE, toWire } from './translate.ts'
import { Outgoing } from './wire.ts'

const text = fc.string({ minLength: 1, maxLength: 30 }).map((value) => value.replaceAll('{', '('))

const simple = fc.oneof(
  fc.record({ think: text }),
  fc.record({ say: text }),
  fc.record({ say: text, closing: fc.constant(false) }),
  fc.constant({ call: 'web_search', with: { query: 'x' } }),
  fc.constant({ call: 'broken_tool' }),
  fc.constant({
    calls: [
      { call: 'web_search', with: {} },
      { call: 'read_file', with: { path: 'a' } },
    ],
  }),
  fc.constant({ switch_profile: 'two' }),
  fc.constant({ switch_profile: 'none' }),
  fc.record({ fail: fc.record({ message: text, recoverable: fc.constant(true) }) }),
)

const step = fc.oneof(
  { weight: 5, arbitrary: simple },
  { weight: 1, arbitrary: fc.array(simple, { maxLength: 4 }).map((steps) => ({ spawn: { task: 'nested', steps } })) },
  {
    weight: 1,
    arbitrary: fc.record({
      repeat: fc.record({ times: fc.integer({ min: 0, max: 3 }), steps: fc.array(simple, { maxLength: 3 }) }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      if: fc.record({ value: fc.constantFrom('', 'yes') }),
      do: fc.array(simple, { maxLength: 3 }),
      else: fc.array(simple, { maxLength: 3 }),
    }),
  },
)

it('[N-G1] [N-G2] [N-G3] [N-G4] [N-G5] [N-G7] [N-G8] [N-G9] sends any script in the event order of the document', async () => {
  const profiles = ['one', 'two'].map((id) => Profile.parse({ id, name: id, planning_enabled: true }))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.boolean(), async (steps, planned) => {
      const script = parseScript([...(planned ? [{ plan: 'a plan' }] : []), ...steps])
      const session = createAgent({
        model: scriptedModel(script),
        profiles,
        openToolbox: () => cannedTools(builtinScript.tools),
      }).open({ capabilities: { parallel: 1, results: 'each' } })
      const received: Outgoing[] = []
      let telling = INITIAL_STREAM_STATE
      session.listen((event) => {
        const [next, messages] = toWire(telling, event, profiles[0]!)
        telling = next
        for (const message of messages) received.push(Outgoing.parse(message))
      })
      await session.send({ text: 'go' }).ended
      expect(checkEventOrder(received)).toEqual([])
    }),
    { numRuns: 100 },
  )
})
