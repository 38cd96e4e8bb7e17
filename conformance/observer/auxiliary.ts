import assert from 'node:assert/strict'
import { fail } from '../probe/failure.ts'
import type { HttpProbe, HttpResponse } from '../probe/http.ts'
import type { TestContext } from '../suite/test-context.ts'
import { showScenario } from './driver.ts'
import { CODES, type Code, LegacyRefusal } from './shapes.ts'

/**
 * Opens an auxiliary server with limits. On a real desktop all servers share one screen, so the screen is set up
 * first.
 */
export async function openLimitedServer(context: TestContext, name: string): Promise<HttpProbe> {
  const http = await context.auxiliary(name)
  if (context.profile.has('stage')) await showScenario(context)
  return http
}

/** The same, with a limit of which nothing has been used. */
export async function openUnusedServer(context: TestContext, name: string): Promise<HttpProbe> {
  const http = await context.ownAuxiliary(name)
  if (context.profile.has('stage')) await showScenario(context)
  return http
}

/** The number that a flag gives in the command of an auxiliary server. */
export function limitOf(context: TestContext, name: string, flag: string): number {
  const command = context.auxiliaryCommand(name, 0)
  const found = new RegExp(`${flag}[= ]+(\\d+)`).exec(command)
  return found ? Number(found[1]) : fail(`prerequisite: the command of the profile’s server "${name}" has no ${flag}`)
}

/** Opens an auxiliary server of the profile that shows the suite's screen. */
export async function openPreparedServer(context: TestContext, name: string): Promise<HttpProbe> {
  const http = await context.auxiliary(name)
  await showScenario({ ...context, http })
  return http
}

/** Opens the server that redacts, denies and asks for confirmation, showing the suite's screen. */
export const openGuardedServer = (context: TestContext): Promise<HttpProbe> => openPreparedServer(context, 'guarded')

/** Fails unless an endpoint of either version refused; version 1 endpoints may use 400. */
export function assertForbidden(answer: HttpResponse, code: Code): void {
  const details = `${answer.what} answers ${answer.status}: ${answer.text.slice(0, 200)}`
  assert.ok([CODES[code], 400].includes(answer.status), details)
  assert.ok(answer.status === CODES[code] || LegacyRefusal.safeParse(answer.json()).success, details)
}
