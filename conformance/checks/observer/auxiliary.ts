import assert from 'node:assert/strict'
import { CODES, type Code, LegacyRefusal } from '../../contract/observer-shapes.ts'
import type { Http, HttpAnswer } from '../../probe/http.ts'
import type { Bench } from '../../run/test-context.ts'
import { check, type RequirementId } from '../check.ts'
import { stage } from './client.ts'

/** Checks of servers with settings of their own. */
export const satelliteCheck = (id: RequirementId, run: (bench: Bench) => Promise<void>): void =>
  check(id, run, { lane: 'satellite', timeoutMs: 60_000 })

/** A server with limits. It has its own screen; where the screen is a real one, all share it, so it is set up first. */
export async function limited(bench: Bench, name: string): Promise<Http> {
  const http = await bench.satellite(name)
  if (bench.profile.has('stage')) await stage(bench)
  return http
}

/** A further server of the profile, with the suite's screen on it. */
export async function staged(bench: Bench, name: string): Promise<Http> {
  const http = await bench.satellite(name)
  await stage({ ...bench, http })
  return http
}

/** The server that redacts, denies and asks for confirmation, with the suite's screen on it. */
export const guarded = (bench: Bench): Promise<Http> => staged(bench, 'guarded')

/** Fails unless an endpoint of either version refused; the original ones may say so with 400. */
export function assertForbidden(answer: HttpAnswer, code: Code): void {
  const told = `${answer.what} answers ${answer.status}: ${answer.text.slice(0, 200)}`
  assert.ok([CODES[code], 400].includes(answer.status), told)
  assert.ok(answer.status === CODES[code] || LegacyRefusal.safeParse(answer.json()).success, told)
}
