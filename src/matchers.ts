import { Fault } from './base/fault.ts'
import { call } from './observer/call.ts'
import type { Session } from './observer/session/session.ts'
import { judgeSuccess } from './proof.ts'

/** What tests can expect of anything that has a session, once `expect.extend(matchers)` was called. */
export interface BacklotMatchers<R = unknown> {
  /** The focused window, or the one whose title holds `window`, has an element that a selector names. */
  toShow(selector: string, window?: string): Promise<R>
  /** Some element of the focused window says these words. */
  toSay(words: string): Promise<R>
  /** The success oracles of the scenario hold, and none of its failure oracles does. */
  toBeSolved(): Promise<R>
}

interface Staged {
  readonly session: Session
}

interface Judgement {
  readonly pass: boolean
  readonly message: () => string
}

/** What a matcher was handed, whatever the types have let through: an `await` is easily forgotten. */
function stagedIn(received: Staged): Session {
  const session = received?.session
  if (typeof session?.computer === 'object') return session
  const told = received instanceof Promise ? 'a promise; await it first' : 'something else'
  throw new Fault('BadRequest', `a desktop of rehearse() or createTestbed() is expected, and this is ${told}`)
}

const showing = async (received: Staged, selector: string, window?: string): Promise<Judgement> => {
  const session = stagedIn(received)
  const target = window === undefined ? {} : { window_title: window }
  const { fault } = await call(session, 'find_element', { selector, ...target })
  if (fault && fault.code !== 'ElementNotFound' && fault.code !== 'WindowGone') throw fault
  const seen = await look(session)
  return {
    pass: fault === undefined,
    message: () => (fault ? `${fault.message}. On the screen is:\n\n${seen}` : `${selector} is there:\n\n${seen}`),
  }
}

const saying = async (received: Staged, words: string): Promise<Judgement> => {
  const session = stagedIn(received)
  const predicate = [{ kind: 'text_visible', regex: literally(words) }]
  const { body, fault } = await call(session, 'assert_state', { predicate })
  if (fault) throw fault
  const seen = await look(session)
  const pass = body.all_passed === true
  return { pass, message: () => `${JSON.stringify(words)} is ${pass ? '' : 'not '}to be read in:\n\n${seen}` }
}

const solved = async (received: Staged): Promise<Judgement> => {
  const session = stagedIn(received)
  if (!session.computer.simulation)
    throw new Fault('PlatformUnsupported', 'a real desktop has no scenario to be solved')
  const wrong = await judgeSuccess(session)
  const seen = await look(session)
  return {
    pass: wrong === undefined,
    message: () => `${wrong ?? 'the scenario is solved'}. On the screen is:\n\n${seen}`,
  }
}

/**
 * The matchers for `expect.extend` of vitest or jest.
 * @example
 * expect.extend(matchers)
 * await expect(desk).toBeSolved()
 */
export const matchers = { toShow: showing, toSay: saying, toBeSolved: solved }

/** The focused window in characters, so that a failure shows what was there instead. */
async function look(session: Session): Promise<string> {
  const { body, fault } = await call(session, 'get_screen_sketch', {})
  return fault ? fault.message : withoutEmptyRows(String(body.sketch))
}

/** A sketch without rows that have no words and look like the row above them. */
const withoutEmptyRows = (sketch: string): string =>
  sketch
    .split('\n')
    .filter((row, at, rows) => row !== rows[at - 1] || /[\p{L}\p{N}]/u.test(row))
    .join('\n')

const literally = (words: string): string => words.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
