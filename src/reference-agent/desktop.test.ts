import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { refusalText, remoteDesktop } from './desktop.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A desktop whose server always answers this. */
async function desktopOf(status: number, body: string, headers: Record<string, string> = {}) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(String(request.url))
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { desktop: remoteDesktop(url, new AbortController().signal, 'secret'), paths }
}

it.each([
  [200, '<p>Hello</p>', /not that of an observer/],
  [200, '[]', /not that of an observer/],
  [200, '{"ok":"yes"}', /not that of an observer/],
  [200, '{"ok":true}', /does not fit this version/],
  [200, '{"ok":true,"success":true,"step_id":1,"caused_by_step_id":null,"windows":"none"}', /does not fit/],
] as const)('[RA9a] is lost after status %i and %s', async (status, body, message) => {
  const { desktop } = await desktopOf(status, body)
  const reply = await desktop.call('list_windows', {})
  expect(reply).toMatchObject({ ok: false, isLost: true })
  expect(refusalText(reply)).toMatch(message)
})

it('[RA9] follows no redirect, and passes refusals on in a limited length', async () => {
  const moved = await desktopOf(307, '', { location: '/elsewhere' })
  expect(await moved.desktop.call('list_windows', {})).toMatchObject({ isLost: true })
  expect(moved.paths).toEqual(['/api/tool/list_windows'])
  const refusing = await desktopOf(403, JSON.stringify({ ok: false, error: { message: 'x'.repeat(9000) } }))
  const reply = await refusing.desktop.call('list_windows', {})
  expect(reply.isLost).toBeUndefined()
  expect(refusalText(reply).length).toBeLessThan(4100)
})
