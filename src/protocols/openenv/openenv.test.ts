import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { cleanUp } from '../../../test/support/protocols/cleanup.ts'
import {
  CLICK_LOGIN,
  connectOpenenv,
  fillLogin,
  playLoginAtOnce,
  serveOpenenv,
} from '../../../test/support/protocols/openenv.ts'
import type { ListedScenario } from '../../observer/session/sessions.ts'
import { TaskList } from './tasks.ts'

// Rules such as [OE1] are stated in README.md beside this file.

afterEach(cleanUp)

type Json = Readonly<Record<string, unknown>>

const metadataOf = ({ metadata }: Json) => metadata as Json
const observationOf = ({ observation }: Json) => observation as Json

const post = async (url: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: reply.status, body: (await reply.json()) as Json }
}

describe('episodes over a WebSocket', () => {
  it('[OE1] [OE5] has a desktop for each connection, and a reward when the task is done', async () => {
    const { testbed, url, bugs } = await serveOpenenv()
    const [one, other] = [await connectOpenenv(url), await connectOpenenv(url)]
    const first = await one.play('reset', { observe: 'outline' })
    expect(first).toEqual({
      observation: {
        task: 'Sign in to Acme as alice. Any password is accepted.',
        window: 'Acme Login',
        window_uid: 'mock:app',
        tree_hash: observationOf(first).tree_hash,
        outline: expect.stringContaining('Edit "Username"'),
        windows: [{ window_uid: 'mock:app', title: 'Acme Login', focused: true }],
      },
      reward: null,
      done: false,
      metadata: { scenario: 'login', state: 'start', seed: 1, step: 0, episode_actions: 0 },
    })
    const filled = await one.play('step', fillLogin(first))
    const done = await one.play('step', CLICK_LOGIN)
    expect([filled.reward, filled.done, done.reward, done.done]).toEqual([0, false, 1, true])
    expect(metadataOf(done)).toMatchObject({ terminated: true, truncated: false, score: 1, actions: 1 })
    expect(await other.play('reset', { observe: 'outline' })).toEqual(first)
    expect(testbed.session.computer.simulation?.stepCount).toBe(0)
    expect(bugs).toEqual([])
  })

  it('[OE3] chooses scenario, seed, variant, observation and length', async () => {
    const { url } = await serveOpenenv()
    const { play } = await connectOpenenv(url)
    const choice = {
      scenario: 'form',
      seed: 5,
      variant: { theme: 'dark' },
      observe: 'none',
      screenshot: true,
      max_steps: 1,
    }
    const reset = await play('reset', choice)
    expect(Object.keys(observationOf(reset))).toEqual(['task', 'screenshot_b64'])
    expect(metadataOf(reset)).toMatchObject({ scenario: 'form', seed: 5, variant: { theme: 'dark' } })
    const step = await play('step', { tool: 'list_windows' })
    expect([step.done, metadataOf(step).truncated, Object.keys(observationOf(step))]).toEqual([
      true,
      true,
      ['task', 'screenshot_b64'],
    ])
    expect(await play('reset', choice)).toEqual(reset)
    const again = await play('reset', { seed: null })
    expect(metadataOf(again)).toEqual(metadataOf(reset))
    expect(Object.keys(observationOf(again))).toContain('tree')
  })

  it('[OE4] counts a refused action as a step', async () => {
    const { url } = await serveOpenenv()
    const { play } = await connectOpenenv(url)
    await play('reset', { observe: 'none' })
    const step = await play('step', { tool: 'click_element', args: { selector: 'Button "Nothing"' } })
    expect([step.reward, step.done, metadataOf(step).action]).toMatchObject([
      0,
      false,
      { success: false, error: { code: 'ElementNotFound' } },
    ])
    expect(await play('state')).toMatchObject({ step_count: 1 })
  })

  it('[OE6] reports the episode in its state', async () => {
    const { url } = await serveOpenenv()
    const { play } = await connectOpenenv(url)
    expect(await play('state')).toMatchObject({ episode_id: null, step_count: 0, scenario: 'login', seed: 1 })
    await play('reset', { episode_id: 'mine', seed: 3 })
    await play('step', { tool: 'list_windows' })
    expect(await play('state')).toMatchObject({ episode_id: 'mine', step_count: 1, seed: 3 })
    await play('reset')
    const { episode_id, step_count } = await play('state')
    expect([step_count, episode_id]).toEqual([0, expect.stringMatching(/^[0-9a-f]{16}$/)])
  })

  it('[OE7] answers a bad frame with the code of its problem, and goes on', async () => {
    const { url, bugs } = await serveOpenenv()
    const { send } = await connectOpenenv(url)
    for (const [frame, data] of [
      ['{', { code: 'INVALID_JSON', message: expect.stringMatching(/^Invalid JSON: /) }],
      ['['.repeat(1000) + ']'.repeat(1000), { code: 'INVALID_JSON', message: 'Invalid JSON: it is nested too deep' }],
      ['7', { code: 'VALIDATION_ERROR', message: 'a frame is an object such as {"type": "reset", "data": {}}' }],
      [{}, { code: 'UNKNOWN_TYPE', message: 'a frame has one of the types reset, step, state, close, mcp' }],
      [
        { type: 'rest' },
        {
          code: 'UNKNOWN_TYPE',
          message: 'a frame has one of the types reset, step, state, close, mcp, not "rest"; did you mean "reset"?',
        },
      ],
      [
        { type: 'reset', data: { seeds: 1 } },
        {
          code: 'VALIDATION_ERROR',
          message: 'data: unknown key "seeds"',
          errors: [{ loc: ['data'], msg: 'unknown key "seeds"' }],
        },
      ],
      [
        { type: 'step', data: { tool: 'click_elment' } },
        {
          code: 'VALIDATION_ERROR',
          message: 'data: tool: there is no tool "click_elment" for agents; did you mean "click_element"?',
          errors: [
            { loc: ['data'], msg: 'tool: there is no tool "click_elment" for agents; did you mean "click_element"?' },
          ],
        },
      ],
      [
        { type: 'reset', data: { scenario: 'lgoin' } },
        {
          code: 'VALIDATION_ERROR',
          message: expect.stringContaining('did you mean "login"?'),
          fault: 'ScenarioInvalid',
        },
      ],
      [
        { type: 'reset', data: { split: 'test' } },
        { code: 'VALIDATION_ERROR', message: 'index is missing; give split and index', fault: 'BadRequest' },
      ],
    ]) {
      expect(await send(frame)).toEqual({ type: 'error', data })
      expect((await send({ type: 'state' })).type).toBe('state')
    }
    expect(bugs).toEqual([])
  })

  it('[OE7] refuses a step after the end', async () => {
    const { url } = await serveOpenenv()
    const { play, send } = await connectOpenenv(url)
    await play('reset', { max_steps: 1 })
    await play('step', { tool: 'list_windows' })
    expect(await send({ type: 'step', data: { tool: 'list_windows' } })).toEqual({
      type: 'error',
      data: {
        code: 'EXECUTION_ERROR',
        message: 'the episode was truncated after 1 actions; session_reset starts the next one',
        fault: 'BadRequest',
      },
    })
  })

  it('[OE8] refuses clients beyond the limit, and sessions that do not exist', async () => {
    const { url } = await serveOpenenv({ config: { sessions: { limit: 1 } } })
    const one = await connectOpenenv(url)
    await one.play('reset')
    const second = await connectOpenenv(url)
    expect(await second.next()).toEqual({
      type: 'error',
      data: {
        code: 'CAPACITY_REACHED',
        message: '1 environments are open, which is the limit; close one, or connect again later',
        active_sessions: 1,
        max_sessions: 1,
      },
    })
    if (second.socket.readyState !== WebSocket.CLOSED) await once(second.socket, 'close')
    expect(await (await connectOpenenv(url, '/ws?session_id=x')).next()).toEqual({
      type: 'error',
      data: { code: 'SESSION_ERROR', message: 'Unknown session_id: x' },
    })
  })

  it('[OE8] cannot open an environment beside a real desktop', async () => {
    const { testbed, url } = await serveOpenenv()
    Object.defineProperty(testbed.session.computer, 'simulation', { value: undefined })
    expect(await (await connectOpenenv(url)).next()).toEqual({
      type: 'error',
      data: {
        code: 'FACTORY_ERROR',
        message: 'an episode needs a synthetic desktop; serve without --adapter',
        factory_name: 'backlot',
      },
    })
  })

  // openenv.long.ts plays 64 of them.
  it('[OE1] plays several episodes at once', async () => {
    const { url, bugs } = await serveOpenenv()
    expect(await playLoginAtOnce(url, 8)).toEqual(Array.from({ length: 8 }, (_, seed) => [1, seed]))
    expect(bugs).toEqual([])
  })
})

describe('requests over HTTP', () => {
  it('[OE9] has a new environment for each', async () => {
    const { url } = await serveOpenenv()
    const reset = await post(`${url}/reset`, { scenario: 'form', seed: 2 })
    expect([reset.status, metadataOf(reset.body).scenario]).toEqual([200, 'form'])
    expect((await post(`${url}/reset`)).status).toBe(200)
    const step = await post(`${url}/step`, { action: CLICK_LOGIN, timeout_s: 3, request_id: null })
    expect([step.status, step.body.reward, metadataOf(step.body).scenario]).toEqual([200, 0, 'login'])
    expect(await (await fetch(`${url}/state`)).json()).toMatchObject({ episode_id: null, step_count: 0 })
    expect(await post(`${url}/step`, { action: { tool: 'x' } })).toEqual({
      status: 422,
      body: {
        detail: [{ type: 'value_error', loc: ['body'], msg: 'action: tool: there is no tool "x" for agents' }],
      },
    })
    expect((await post(`${url}/reset`, '{')).status).toBe(422)
    expect((await fetch(`${url}/nothing`)).status).toBe(404)
  })

  it('describes itself', async () => {
    const { url } = await serveOpenenv()
    const read = async (path: string) => (await (await fetch(url + path)).json()) as Json
    expect(await read('/health')).toEqual({ status: 'healthy' })
    expect(await read('/metadata')).toMatchObject({ name: 'backlot', version: expect.any(String) })
    expect(Object.keys(await read('/schema'))).toEqual(['action', 'observation', 'reset_observation', 'state'])
  })

  it('[OE10] names one environment, and needs split and index of a task', async () => {
    const { url } = await serveOpenenv()
    expect(await (await fetch(`${url}/list_environments`)).json()).toEqual(['backlot'])
    expect(await (await fetch(`${url}/backlot/splits`)).json()).toEqual(
      ['train', 'validation', 'test'].map((name) => ({ name, type: name })),
    )
    expect((await post(`${url}/backlot/task`, { split: 'test' })).status).toBe(422)
  })

  it('[OE11] calls tools by JSON-RPC, on environments that outlive a request', async () => {
    const { url } = await serveOpenenv({ config: { sessions: { limit: 2 } } })
    const rpc = async (method: string, params?: Json) =>
      (await post(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method, params })).body
    expect((await post(`${url}/mcp`, {})).body).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } })
    expect((await post(`${url}/mcp`, '{')).body).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 } })
    expect(await rpc('nothing')).toMatchObject({ id: 1, error: { code: -32601 } })
    const { result } = (await rpc('openenv/session/create')) as { result: { session_id: string } }
    const { session_id } = result
    const called = await rpc('tools/call', {
      name: 'set_value',
      arguments: { selector: 'Edit "Username"', value: 'dave' },
      session_id,
    })
    expect(called).toMatchObject({ result: { isError: false, structuredContent: { success: true } } })
    const { play, socket, send } = await connectOpenenv(url, `/ws?session_id=${session_id}`)
    expect(await play('state')).toMatchObject({ session_id, step_count: 0 })
    expect(await send({ type: 'mcp', data: { jsonrpc: '2.0', id: 'a', method: 'tools/list' } })).toMatchObject({
      type: 'mcp',
      data: { id: 'a' },
    })
    expect(await rpc('openenv/session/close', { session_id })).toMatchObject({
      result: { closed: false, closing: true },
    })
    socket.close()
    await once(socket, 'close')
    const tools = await connectOpenenv(url, '/mcp')
    const { result: listed } = (await tools.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' })) as {
      result: { tools: Json[] }
    }
    expect(listed.tools.map(({ name }) => name)).toContain('click_element')
    expect(listed.tools.map(({ name }) => name)).not.toContain('session_reset')
  })

  it('[OE12] redirects to the live page', async () => {
    const { testbed, url } = await serveOpenenv()
    expect((await fetch(`${url}/web`)).status).toBe(404)
    const observer = await testbed.serveRest({ port: 0 })
    const { play } = await connectOpenenv(url)
    const { session_id } = await play('state')
    const page = async (path: string) => (await fetch(url + path, { redirect: 'manual' })).headers.get('location')
    expect(await page('/web')).toBe(`${observer.url}/sessions/${session_id}/`)
    expect((await fetch(`${url}/web`)).status).toBe(200)
    expect((await fetch(`${url}/web?session_id=x`)).status).toBe(404)
  })
})

it('[OE13] is for the harness, except for its descriptions', async () => {
  const { url } = await serveOpenenv({ tools: 'agent' }, { token: 'secret', harnessToken: 'trainer' })
  const agent = { authorization: 'Bearer secret' }
  const harness = { ...agent, 'x-harness-token': 'trainer' }
  const statuses = await Promise.all(
    [{}, agent, harness].map(async (headers) => (await post(`${url}/reset`, {}, headers)).status),
  )
  expect(statuses).toEqual([401, 403, 200])
  expect((await fetch(`${url}/schema`)).status).toBe(200)
  await expect(connectOpenenv(url, '/ws', agent)).rejects.toThrow('403')
  await expect(connectOpenenv(url, '/ws')).rejects.toThrow('401')
  const { play } = await connectOpenenv(url, '/ws', harness)
  expect((await play('reset')).reward).toBe(null)
})

it('[OE14] traces resets, and the actions of steps', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'backlot-openenv-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const { testbed, url } = await serveOpenenv({ config: { tracing: { dir } } })
  const observer = await testbed.serveRest({ port: 0 })
  const { play } = await connectOpenenv(url)
  const { session_id } = await play('state')
  const call = (tool: string) => post(`${observer.url}/sessions/${session_id}/api/tool/${tool}`, {})
  await call('trace_start')
  await play('reset')
  await play('step', CLICK_LOGIN)
  const { body } = await call('trace_stop')
  const rows = readFileSync(String(body.path), 'utf8')
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row))
  const calls = rows.flatMap(({ tool, caller, door_call }) =>
    caller === 'rest' || !tool ? [] : [{ tool, caller, door_call }],
  )
  expect(calls).toEqual([
    { tool: 'session_reset', caller: 'openenv', door_call: { door: 'openenv', call: 'session_reset' } },
    { tool: 'click_element', caller: 'session_step' },
  ])
})

describe('tasks', () => {
  const scenario = (name: string, task: string | null): ListedScenario => ({
    scenario: name,
    name,
    task,
    tags: ['mine'],
    difficulty: 'easy',
  })
  const list = new TaskList([scenario('one', 'Do one'), scenario('idle', null), scenario('two', 'Do two')])

  it('[OE10] are the scenarios with a task, each with the seeds of a split', () => {
    const ranges = ['train', 'validation', 'test'].map((split) => {
      const seeds = list.slice(split).map(({ seed }) => seed)
      return [list.count(split), seeds.length, Math.min(...seeds), Math.max(...seeds)]
    })
    expect(ranges).toEqual([
      [200, 200, 0, 99],
      [40, 40, 100, 119],
      [40, 40, 120, 139],
    ])
    expect(list.at('test', 3)).toEqual({
      id: 'two@121',
      split: 'test',
      index: 3,
      scenario: 'two',
      seed: 121,
      name: 'two',
      task: 'Do two',
      difficulty: 'easy',
      tags: ['mine'],
    })
    expect(list.slice('test', -2)).toEqual([list.at('test', 38), list.at('test', 39)])
  })

  it('[OE10] name the splits and indices that there are', () => {
    expect(() => list.at('test', 40)).toThrow('Invalid task index: test has the indices 0 to 39, not 40')
    expect(() => list.count('dev')).toThrow('split: expected train, validation, test, not "dev"')
  })
})
