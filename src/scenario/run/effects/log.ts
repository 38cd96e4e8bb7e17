import type { LogEffect } from '../../schema/effect.ts'
import { appendToLog } from '../log.ts'
import { runWith } from '../scenario-run.ts'
import { type ApplyEffect, textFiller } from './context.ts'

/** The maximum number of characters of a recorded text. The rest is cut. */
export const MAX_LOGGED_CHARACTERS = 1000

/** Records a text. */
export const applyLog: ApplyEffect<LogEffect> = (run, { log }, context) => {
  const name = textFiller(run, context)(log).slice(0, MAX_LOGGED_CHARACTERS)
  return runWith(run, { log: appendToLog(run.log, { atMs: run.nowMs, kind: 'log', name }) })
}
