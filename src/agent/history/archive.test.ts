import { expect, it } from 'vitest'
import { manualClock } from '../../../test/support/base/manual-clock.ts'
import { memoryStore } from '../../stores/memory.ts'
import type { Store } from '../../stores/store.ts'
import { createAgent } from '../engine.ts'
import { DEFAULT_PROFILE } from '../profiles.ts'
import { builtinScript } from '../script/builtin-script.ts'
import { cannedTools, scriptedModel } from '../script/scripted-model.ts'
import { openArchive } from './archive.ts'
import { contextOf } from './history.ts'

const clock = manualClock(1000)
const agent = createAgent({
  model: scriptedModel(builtinScript),
  openToolbox: () => cannedTools(builtinScript.tools),
  clock,
  profiles: [DEFAULT_PROFILE, { ...DEFAULT_PROFILE, id: 'admin', name: 'Administrator' }],
})

it('restores a session with its summary and profile after a restart', async () => {
  const store = memoryStore()
  const archive = openArchive(store, 'navi')
  archive.save({ id: 's1', createdAtMs: 1, lastActiveAtMs: 1, pinned: false, profileId: 'default' })
  const before = agent.open({ id: 's1', historyStore: archive.historyStore('s1', clock) })
  for (const text of ['use two tools', 'switch to admin', 'fill the context', 'after'])
    await before.send({ text }).ended

  const again = openArchive(store, 'navi')
  const history = again.history('s1')
  expect([history.messages, contextOf(history)]).toEqual([before.messages, before.context])
  expect(history.summary).toBeDefined()
  expect(again.session('s1')).toMatchObject({ profileId: 'admin', lastActiveAtMs: 1000 })

  const after = agent.open({ id: 's1', history, profileId: 'admin' })
  expect((await after.send({ text: 'hello' }).ended).text).toBe('You said: hello')
  expect(after.messages.slice(0, -2)).toEqual(before.messages)
})

it('[AG9] stores messages and results before emitting their events', async () => {
  const archive = openArchive(memoryStore(), 'navi')
  const session = agent.open({ id: 's', historyStore: archive.historyStore('s', clock) })
  const missing: string[] = []
  session.listen((event) => {
    const { messages } = archive.history('s')
    const kept = messages.some((message) =>
      event.type === 'tool_result'
        ? message.role === 'tool' && message.callId === event.callId
        : message.role === (event.type === 'run_started' ? 'user' : 'assistant'),
    )
    if (['run_started', 'message_end', 'tool_result'].includes(event.type) && !kept) missing.push(event.type)
  })
  await session.send({ text: 'use two tools' }).ended
  expect(missing).toEqual([])
})

it('[AG48] previews the message count and the last text without reading the rest', () => {
  const store = memoryStore()
  let entriesRead = 0
  const watched: Store = {
    ...store,
    read: (...asked) => {
      const entries = store.read(...asked)
      entriesRead += entries.length
      return entries
    },
  }
  const archive = openArchive(watched, 'navi')
  expect(archive.preview('s')).toEqual({ count: 0, lastText: '' })
  const keeper = archive.historyStore('s', clock)
  for (let index = 0; index < 100; index++) keeper.message({ role: 'user', text: `message ${index}`, atMs: 1 })
  keeper.message({ role: 'assistant', text: '', calls: [{ id: 'c', tool: 'look', args: {} }], atMs: 1 })
  expect(archive.preview('s')).toEqual({ count: 101, lastText: 'message 99' })
  expect(entriesRead).toBe(2)
})

it('[AG49] [AG50] reads a long last message once, and previews its end', () => {
  const store = memoryStore()
  let entriesRead = 0
  const read: Store['read'] = (...asked) => {
    const entries = store.read(...asked)
    entriesRead += entries.length
    return entries
  }
  const archive = openArchive({ ...store, read }, 'navi')
  const keeper = archive.historyStore('s', clock)
  keeper.message({ role: 'assistant', text: `${'a'.repeat(100_000)}z`, calls: [], atMs: 1 })
  const glances = [archive.preview('s'), archive.preview('s'), archive.preview('s')]
  expect([glances[2], entriesRead]).toEqual([{ count: 1, lastText: `${'a'.repeat(199)}z` }, 1])
  keeper.message({ role: 'user', text: 'more', atMs: 1 })
  expect([archive.preview('s'), entriesRead]).toEqual([{ count: 2, lastText: 'more' }, 2])
  archive.remove('s')
  keeper.message({ role: 'user', text: 'other', atMs: 1 })
  keeper.message({ role: 'user', text: 'words', atMs: 1 })
  expect(archive.preview('s')).toEqual({ count: 2, lastText: 'words' })
})

it('removes a session completely, and keeps those of other protocols', () => {
  const store = memoryStore()
  const [one, other] = [openArchive(store, 'one'), openArchive(store, 'other')]
  for (const archive of [one, other]) {
    archive.save({ id: 's', owner: 'w', createdAtMs: 1, lastActiveAtMs: 1, pinned: false })
    archive.historyStore('s', clock).message({ role: 'user', text: 'hi', atMs: 1 })
  }
  one.remove('s')
  expect([one.session('s'), one.history('s'), one.sessions()]).toEqual([undefined, { messages: [] }, []])
  expect([other.sessions('w').length, other.sessions('x').length, other.history('s').messages.length]).toEqual([
    1, 0, 1,
  ])
})
