import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod'
import { AgentProfile, Session, SessionContext } from '../../navi/contract.ts'
import { connect, getMessages, parseEvent, parseEventsOf, SETTLE_MS, typesOf } from '../../navi/driver.ts'
import { fail } from '../../probe/failure.ts'
import type { SocketMessage } from '../../probe/websocket.ts'
import type { TestContext } from '../../run/test-context.ts'
import { check } from '../check.ts'

const runOf = async (context: TestContext, purpose: string) =>
  (await connect(context)).run(context.profile.phrase(purpose))

check('navi:flow:simple', async (context) => {
  const types = typesOf(await runOf(context, 'hello')).join(' ')
  assert.match(types, /^stream_start( thinking_delta)*( thinking_end)?( stream_delta)+ stream_end$/)
})

check('navi:flow:content', async (context) => {
  for (const purpose of ['hello', 'tool', 'long']) {
    const events = await runOf(context, purpose)
    const joined = parseEventsOf(events, 'stream_delta')
      .map((one) => one.delta)
      .join('')
    assert.equal(parseEvent(events.at(-1)!, 'stream_end').content, joined)
  }
})

check('navi:flow:thinking', async (context) => {
  const streamed = typesOf(await runOf(context, 'think'))
  const whole = typesOf(await runOf(context, 'tool'))
  assert.ok(
    [...streamed, ...whole].some((type) => type.includes('thinking')),
    'no reasoning is shown at all',
  )
  for (const types of [streamed, whole]) {
    const text = types.join(' ')
    assert.doesNotMatch(text, /(?<!thinking_delta )thinking_end/, 'thinking_end without a thinking_delta')
    assert.doesNotMatch(text, /thinking_delta (?!thinking_delta|thinking_end)/, 'thinking_delta is not closed')
  }
})

/** Fails unless starts and ends of tools nest like brackets; returns the maximum depth. */
function assertNested(events: readonly SocketMessage[]): number {
  const open: { tool: string; args: unknown }[] = []
  let deepest = 0
  for (const one of events) {
    if (one.type === 'tool_started') {
      const { tool, args, is_subagent } = parseEvent(one, 'tool_started')
      assert.equal(is_subagent, open.length > 0, `${tool} is marked wrongly as of a sub-agent`)
      open.push({ tool, args })
      deepest = Math.max(deepest, open.length)
    }
    if (one.type === 'tool_call') {
      const { tool, args, is_subagent } = parseEvent(one, 'tool_call')
      const started = open.pop() ?? fail(`${tool} ends without having started`)
      assert.deepEqual({ tool, args }, started, 'a tool ends that is not the last one started')
      assert.equal(is_subagent, open.length > 0)
    }
  }
  assert.deepEqual(open, [], 'a tool does not end')
  return deepest
}

/** Fails unless every start of a tool has a later end with the same tool and arguments; returns their number. */
function assertPaired(events: readonly SocketMessage[]): number {
  const open: string[] = []
  let started = 0
  for (const one of events) {
    if (one.type !== 'tool_started' && one.type !== 'tool_call') continue
    const { tool, args } = one.type === 'tool_started' ? parseEvent(one, 'tool_started') : parseEvent(one, 'tool_call')
    const use = JSON.stringify([tool, args])
    if (one.type === 'tool_started') started = open.push(use) && started + 1
    else if (open.includes(use)) open.splice(open.indexOf(use), 1)
    else fail(`${tool} ends without having started with these arguments`)
  }
  assert.deepEqual(open, [], 'a tool does not end')
  return started
}

check('navi:flow:tools', async (context) => {
  for (const purpose of ['tool', 'two-tools'])
    assert.ok(assertPaired(await runOf(context, purpose)) > 0, 'no tool was used')
})

check('navi:flow:serial', async (context) => {
  assert.ok(assertNested(await runOf(context, 'two-tools')) > 0, 'no tool was used')
})

check('navi:flow:failing-tool', async (context) => {
  const events = await runOf(context, 'broken-tool')
  assert.ok(
    parseEventsOf(events, 'tool_call').some((one) => !one.success),
    'no tool failed',
  )
})

check('navi:flow:failing-goes-on', async (context) => {
  assert.equal((await runOf(context, 'broken-tool')).at(-1)!.type, 'stream_end')
})

check('navi:flow:plan', async (context) => {
  const types = typesOf(await runOf(context, 'plan'))
  const plan = types.indexOf('plan_ready')
  assert.ok(plan > 0, 'no plan is shown')
  const tool = types.indexOf('tool_started')
  assert.ok(tool < 0 || plan < tool, 'the plan comes after a tool')
})

check('navi:flow:subagent', async (context) => {
  const events = await runOf(context, 'delegate')
  assert.ok(assertNested(events) >= 2, 'prerequisite: no tool was used by a sub-agent')
  assert.equal(parseEventsOf(events, 'tool_started')[0]!.tool, 'spawn_agent')
})

check('navi:flow:subagent-fails', async (context) => {
  const events = await runOf(context, 'lost-agent')
  const outer = parseEventsOf(events, 'tool_call').filter((one) => one.tool === 'spawn_agent')
  assert.deepEqual(
    outer.map((one) => one.success),
    outer.map(() => false),
    'a sub-agent that failed succeeds',
  )
  assert.ok(outer.length > 0, 'prerequisite: the phrase "lost-agent" spawned no agent')
  assert.equal(events.at(-1)!.type, 'stream_end')
})

check('navi:flow:subagent-history', async (context) => {
  const { id, run } = await connect(context)
  const events = await run(context.profile.phrase('delegate'))
  const inner = parseEventsOf(events, 'tool_started')
    .filter((one) => one.is_subagent)
    .map((one) => one.tool)
  const stored = (await getMessages(context, id)).flatMap((item) => (item.tool_calls ?? []).map((call) => call.name))
  assert.deepEqual(
    stored.filter((tool) => inner.includes(tool)),
    [],
    'the actions of the sub-agent are in the history',
  )
})

/** A profile the session does not have. */
async function otherProfile({ http }: TestContext, id: string) {
  const { profile_id } = (await http.get(`/sessions/${id}`)).json(Session)
  const profiles = (await http.get('/agents/profiles')).json(z.array(AgentProfile))
  return profiles.find((profile) => profile.id !== profile_id) ?? fail('prerequisite: there is only one profile')
}

check('navi:flow:switch', async (context) => {
  const { id, run } = await connect(context)
  const wanted = await otherProfile(context, id)
  const events = await run(context.profile.phrase('switch').replace('PROFILE', wanted.id))
  const [switched] = parseEventsOf(events, 'profile_switched')
  assert.deepEqual([switched?.profile_id, switched?.profile_name], [wanted.id, wanted.name])
  const types = typesOf(events)
  const call = events.findIndex((one) => one.type === 'tool_call' && one.tool === 'switch_profile')
  assert.ok(types.indexOf('profile_switched') < call, 'profile_switched comes after the tool_call')
})

check('navi:flow:switched-session', async (context) => {
  const { id, run } = await connect(context)
  const wanted = await otherProfile(context, id)
  await run(context.profile.phrase('switch').replace('PROFILE', wanted.id))
  await run(context.profile.phrase('hello'))
  assert.equal((await context.http.get(`/sessions/${id}`)).json(Session).profile_id, wanted.id)
})

check('navi:flow:unknown-profile', async (context) => {
  const { run } = await connect(context)
  const events = await run(context.profile.phrase('switch').replace('PROFILE', context.random.word()))
  assert.deepEqual(parseEventsOf(events, 'profile_switched'), [])
  assert.equal(parseEventsOf(events, 'tool_call')[0]?.success, false)
})

const ENDS = ['stream_end', 'stream_stopped']

check('navi:flow:one-end', async (context) => {
  const { socket, run } = await connect(context)
  for (const purpose of ['hello', 'tool', 'compress']) await run(context.profile.phrase(purpose))
  await pause(SETTLE_MS)
  let open = false
  for (const [at, one] of socket.messages.entries()) {
    if (one.type === 'stream_start') {
      assert.equal(open, false, 'a run starts within another run')
      open = true
    } else if (ENDS.includes(one.type)) {
      assert.equal(open, true, 'a run ends twice')
      open = false
    } else if (!open) {
      assert.equal(one.type, 'context_compressed', `${one.type} follows the end of a run`)
      assert.equal(socket.messages[at - 1]!.type, 'stream_end')
    }
  }
})

/** A session whose context was just compressed, and its messages before. */
async function compressed(context: TestContext) {
  const { id, run, nextEvent } = await connect(context)
  for (const purpose of ['hello', 'tool', 'hello']) await run(context.profile.phrase(purpose))
  const before = await getMessages(context, id)
  const end = parseEvent((await run(context.profile.phrase('compress'))).at(-1)!, 'stream_end')
  assert.ok(end.context_tokens / end.max_context_tokens >= 0.8, 'prerequisite: the context is not full')
  return { id, run, before, end, event: parseEvent(await nextEvent('context_compressed'), 'context_compressed') }
}

check('navi:flow:compression', async (context) => {
  const { id, before, event } = await compressed(context)
  const { messages_before, messages_after } = event
  assert.ok(messages_after < messages_before, `${messages_before} messages became ${messages_after}`)
  const { context: items } = (await context.http.get(`/sessions/${id}/context`)).json(SessionContext)
  assert.ok(
    items.some((item) => item.is_summary === true),
    'the context has no summary',
  )
  assert.ok((await getMessages(context, id)).length > before.length, 'the display lost messages')
})

check('navi:flow:compressed-count', async (context) => {
  const { id, run, end, event } = await compressed(context)
  const { message_count } = (await context.http.get(`/sessions/${id}/context`)).json(SessionContext)
  assert.equal(message_count, event.messages_after)
  const next_ = parseEvent((await run(context.profile.phrase('hello'))).at(-1)!, 'stream_end')
  assert.ok(next_.context_tokens < end.context_tokens, 'the context is as full as before')
})

check('navi:flow:recoverable', async (context) => {
  const events = await runOf(context, 'stumble')
  assert.ok(parseEventsOf(events, 'error').length > 0, 'prerequisite: the phrase "stumble" met no error')
  assert.equal(events.at(-1)!.type, 'stream_end')
})

check('navi:flow:terminal', async (context) => {
  const { socket, sendText, nextEvent, run } = await connect(context)
  sendText(context.profile.phrase('error'))
  const error = await nextEvent('error')
  await pause(300)
  assert.equal(socket.messages.at(-1), error, 'something follows a terminal error')
  await run(context.profile.phrase('hello'))
})
