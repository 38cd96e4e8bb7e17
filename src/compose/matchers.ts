import { Fault } from '../base/fault.ts'
import { call } from '../observer/call.ts'
import type { DesktopSession } from '../observer/session/session.ts'
import { shownTexts } from '../scenario/predicate.ts'
import { checkSuccess } from './verify/solution-run.ts'

/** Matchers for anything with a session, after `expect.extend(matchers)`: a test desktop or a testbed. */
export interface BacklotMatchers<R = unknown> {
  /** An element matches the selector in the focused window, or in the window whose title contains `window`. */
  toHaveElement(selector: string, window?: string): Promise<R>
  /**
   * An element of the focused window shows this text, or a text that a RegExp or an asymmetric matcher such as
   * `expect.stringContaining` matches. A RegExp is that of the test's own process.
   */
  toHaveText(text: string | RegExp | AsymmetricMatcher): Promise<R>
  /** The success oracles of the scenario pass, and none of its failure oracles does. */
  toBeSolved(): Promise<R>
}

/** A matcher for a part of a value, as `expect.stringContaining` returns it. */
export interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean
}

interface SessionHolder {
  readonly session: DesktopSession
}

interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/** Checks the received value, which untyped tests may get wrong: an `await` is easily forgotten. */
function sessionOf(received: SessionHolder): DesktopSession {
  const session = received?.session
  if (typeof session?.computer === 'object') return session
  const actual = received instanceof Promise ? 'a promise; await it first' : 'something else'
  throw new Fault('BadRequest', `expected a desktop of openDesktop() or createTestbed(), received ${actual}`)
}

const toHaveElement = async (received: SessionHolder, selector: string, window?: string): Promise<MatcherResult> => {
  const session = sessionOf(received)
  const target = window === undefined ? {} : { window_title: window }
  const { fault } = await call(session, 'find_element', { selector, ...target })
  if (fault && fault.code !== 'ElementNotFound' && fault.code !== 'WindowGone') throw fault
  const screen = await sketchOf(session)
  return {
    pass: fault === undefined,
    message: () =>
      fault ? `${fault.message}. The screen shows:\n\n${screen}` : `${selector} matches in:\n\n${screen}`,
  }
}

const toHaveText = async (
  received: SessionHolder,
  text: string | RegExp | AsymmetricMatcher,
): Promise<MatcherResult> => {
  const session = sessionOf(received)
  const pass = typeof text === 'string' ? await showsText(session, text) : await showsMatch(session, matchOf(text))
  const screen = await sketchOf(session)
  const wanted = typeof text === 'string' ? JSON.stringify(text) : `a text that matches ${String(text)}`
  return { pass, message: () => `${wanted} is ${pass ? '' : 'not '}shown in:\n\n${screen}` }
}

async function showsText(session: DesktopSession, text: string): Promise<boolean> {
  const predicate = [{ kind: 'text_visible', regex: literally(text) }]
  const { body, fault } = await call(session, 'assert_state', { predicate })
  if (fault) throw fault
  return body.all_passed === true
}

/** Whether an element of the focused window shows a text that matches. */
async function showsMatch({ context }: DesktopSession, matches: (text: string) => boolean): Promise<boolean> {
  const { computer } = context
  const window = (await computer.windows()).find(({ focused }) => focused)
  const tree = window && (await computer.tree(window.uid))
  return tree !== undefined && shownTexts(tree).some(matches)
}

/** The test of a text. Throws `BadRequest` for what is neither a RegExp nor an asymmetric matcher. */
function matchOf(wanted: RegExp | AsymmetricMatcher): (text: string) => boolean {
  // A search does not depend on the position of a global RegExp.
  if (wanted instanceof RegExp) return (text) => text.search(wanted) >= 0
  if (typeof wanted?.asymmetricMatch === 'function') return (text) => wanted.asymmetricMatch(text)
  const given = wanted === null ? 'null' : typeof wanted
  throw new Fault('BadRequest', `toHaveText takes a text, a RegExp or expect.stringContaining(…), not ${given}`)
}

const toBeSolved = async (received: SessionHolder): Promise<MatcherResult> => {
  const session = sessionOf(received)
  if (!session.computer.simulation) throw new Fault('PlatformUnsupported', 'a real desktop has no scenario to solve')
  const failure = await checkSuccess(session)
  const screen = await sketchOf(session)
  return {
    pass: failure === undefined,
    message: () => `${failure ?? 'the scenario is solved'}. The screen shows:\n\n${screen}`,
  }
}

/** What a test runner gives a matcher as `this`. Vitest gives the test, jest does not. */
interface MatcherState {
  readonly isNot?: boolean
  readonly task?: { promises?: Promise<unknown>[] } | undefined
}

/**
 * Makes a test of vitest wait for the check and fail with it, also where its author forgot to await it. A check of an awaited
 * matcher has ended by then, and is removed.
 */
function kept<Args extends readonly unknown[]>(check: (...args: Args) => Promise<MatcherResult>) {
  return function (this: unknown, ...args: Args): Promise<MatcherResult> {
    const result = check(...args)
    const { task, isNot = false } = (this ?? {}) as MatcherState
    if (!task) return result
    const verdict = result.then(({ pass, message }) => {
      if (pass === isNot) throw new Error(`${message()}\n\nThe matcher was not awaited.`)
    })
    const pending = verdict.finally(() => {
      task.promises?.splice(task.promises.indexOf(pending) >>> 0, 1)
    })
    // The promise that the runner makes of the result is rejected too, and is the one that an awaiting test sees.
    pending.catch(() => undefined)
    task.promises ??= []
    task.promises.push(pending)
    return result
  }
}

/**
 * The matchers for `expect.extend` of vitest or jest.
 * @example
 * expect.extend(matchers)
 * await expect(desktop).toBeSolved()
 */
export const matchers = {
  toHaveElement: kept(toHaveElement),
  toHaveText: kept(toHaveText),
  toBeSolved: kept(toBeSolved),
}

/** Draws the focused window in characters for the message of a failure. */
async function sketchOf(session: DesktopSession): Promise<string> {
  const { body, fault } = await call(session, 'get_screen_sketch', {})
  return fault ? fault.message : withoutEmptyRows(String(body.sketch))
}

/** Removes rows without letters or digits that equal the row above them. */
const withoutEmptyRows = (sketch: string): string =>
  sketch
    .split('\n')
    .filter((row, at, rows) => row !== rows[at - 1] || /[\p{L}\p{N}]/u.test(row))
    .join('\n')

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
