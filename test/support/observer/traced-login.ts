import { readFileSync } from 'node:fs'
import { openDesktop, type TestDesktop } from '../../../src/testing.ts'

/** Traces of a login, and their replays, for the tests of both. */

export const LOGIN = readFileSync(new URL('../../../scenarios/login.yaml', import.meta.url), 'utf8')
export const RENAMED = LOGIN.replace('role: Button, name: Login', 'role: Button, name: Sign in')

/** The calls of the demo, as an agent makes them. */
async function logIn(desk: TestDesktop, password = 'hunter2'): Promise<void> {
  await desk.call('list_windows')
  const window_uid = 'mock:app'
  const { tree_token: since } = await desk.call('observe_window', { window_uid })
  await desk.call('get_screenshot', { window_uid })
  for (const [name, text] of [
    ['Username', 'alice'],
    ['Password', password],
  ]) {
    const selector = `Edit[name="${name}"]`
    await desk.call('find_element', { window_uid, selector })
    await desk.call('click_element', { window_uid, selector })
    await desk.call('type_text' as string, { text })
  }
  await desk.call('observe_window', { window_uid, since })
  await desk.call('click_element_and_observe', { window_uid, selector: 'Button[name="Login"]' })
  await desk.call('list_windows')
  await desk.call('assert_state', { predicate: [{ kind: 'text_visible', regex: 'Hello, alice' }] })
}

/** A trace of a login, and its path. */
export async function recorded(
  desk = openDesktop({ scenario: LOGIN }),
  startedMs = desk.clock.now(),
): Promise<{ desk: TestDesktop; path: string; text: string }> {
  desk.operatorClock.advance(startedMs - desk.operatorClock.now())
  await desk.call('trace_start', { label: 'demo' })
  await logIn(desk)
  const { path } = (await desk.call('trace_stop')) as { path: string }
  return { desk, path, text: String(desk.artifacts.get(path)) }
}

/** A trace of the calls of `act`, and its path. */
export async function traced(desk: TestDesktop, act: () => Promise<void>): Promise<{ path: string; text: string }> {
  await desk.call('trace_start')
  await act()
  const { path } = (await desk.call('trace_stop')) as { path: string }
  return { path, text: String(desk.artifacts.get(path)) }
}

export const rowsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

export const BINDINGS = { '6.text': 'alice', '9.text': 'hunter2' }

/** Replays a trace to its end on another desktop, and returns its status. */
export async function replayed(yaml: string, text: string, options: object = {}) {
  const desk = openDesktop({ scenario: yaml, files: { 'trace.jsonl': text } })
  const args = { path: 'trace.jsonl', mode: 'verify' as const, bindings: BINDINGS, ...options }
  const { replay_id } = await desk.call('replay_start', args)
  const steps: Record<string, unknown>[] = []
  while (!steps.at(-1)?.finished) steps.push(await desk.call('replay_step', { replay_id }))
  return { desk, steps, status: await desk.call('replay_status', { replay_id }) }
}
