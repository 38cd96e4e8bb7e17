import assert from 'node:assert/strict'
import type { HttpProbe, HttpResponse } from '../probe/http.ts'
import type { TestContext } from '../run/test-context.ts'
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
