import { afterEach, expect, it } from 'vitest'
import { cleanUp } from '../../../test/support/protocols/cleanup.ts'
import { startCortask } from '../../../test/support/protocols/cortask.ts'
import { memoryStore } from '../../stores/memory.ts'

// Facts such as [C-K1] are listed in facts.ts. A server that is killed leaves its store as it is at that moment, so a
// second server over the same store knows what a restarted one would.

afterEach(cleanUp)

const TITLES = '/sessions?workspaceId=w'
const titlesIn = ([, listed]: readonly [number, unknown]) => (listed as { title: string }[]).map(({ title }) => title)

it('[C-K1] [C-R12] is listed after a kill in its first run, with the message of the person', async () => {
  const store = memoryStore()
  const before = await startCortask({ store })
  const { chat, until } = await before.client()
  chat('answer slowly')
  await until('text_delta')
  expect(titlesIn(await before.get(TITLES))).toEqual([])
  expect((await before.get('/sessions/s?workspaceId=w'))[0]).toBe(404)

  const after = await startCortask({ store })
  expect(titlesIn(await after.get(TITLES))).toEqual(['answer slowly'])
  expect((await after.get('/sessions/s?workspaceId=w'))[1]).toMatchObject({
    messages: [{ role: 'user', content: 'answer slowly' }],
  })
})

it('[C-K2] continues after a kill while it waited for a questionnaire', async () => {
  const store = memoryStore()
  const before = await startCortask({ store })
  const first = await before.client()
  first.chat('ask me')
  await first.until('questionnaire_request')

  const after = await startCortask({ store })
  expect(titlesIn(await after.get(TITLES))).toEqual(['ask me'])
  const again = await after.client()
  again.chat('still there?')
  await again.until('done')
  expect(again.text()).toBe('You said: still there?')
  expect((await after.get('/sessions/s?workspaceId=w'))[1]).toMatchObject({
    messages: [
      { role: 'user', content: 'ask me' },
      { role: 'assistant', content: [{ type: 'tool_use', toolName: 'ask_user' }] },
      { role: 'user', content: 'still there?' },
      { role: 'assistant' },
    ],
  })
})

it('[C-K1] is listed once its first run has ended without a restart as well', async () => {
  const { client, get } = await startCortask()
  const { chat, until } = await client()
  chat('hello')
  await until('done')
  expect(titlesIn(await get(TITLES))).toEqual(['hello'])
})
