import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { onScreen, type PictureArea, refusalText, remoteDesktop } from './desktop.ts'

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
] as const)('[RA22] is lost after status %i and %s', async (status, body, message) => {
  const { desktop } = await desktopOf(status, body)
  const reply = await desktop.call('list_windows', {})
  expect(reply).toMatchObject({ ok: false, isLost: true })
  expect(refusalText(reply)).toMatch(message)
})

it('[RA21] follows no redirect, and passes refusals on in a limited length', async () => {
  const moved = await desktopOf(307, '', { location: '/elsewhere' })
  expect(await moved.desktop.call('list_windows', {})).toMatchObject({ isLost: true })
  expect(moved.paths).toEqual(['/api/tool/list_windows'])
  const refusing = await desktopOf(403, JSON.stringify({ ok: false, error: { message: 'x'.repeat(9000) } }))
  const reply = await refusing.desktop.call('list_windows', {})
  expect(reply.isLost).toBeUndefined()
  expect(refusalText(reply).length).toBeLessThan(4100)
})

/** A picture of half the size of its screen, which begins left of the primary monitor. */
const HALF: PictureArea = { region: { x: -100, y: 0, width: 400, height: 200 }, width: 200, height: 100 }

describe('[RA5] converts points of the picture to points of the screen', () => {
  it('in a reduced picture, to the middle of what the pixel shows', () => {
    expect(onScreen({ x: 0, y: 0 }, HALF)).toEqual({ x: -99, y: 1 })
    expect(onScreen({ x: 199, y: 99, button: 'left' }, HALF)).toEqual({ x: 299, y: 199, button: 'left' })
  })

  it('in a picture of full size, exactly', () => {
    expect(onScreen({ x: 7, y: 8 }, { ...HALF, width: 400, height: 200 })).toEqual({ x: -93, y: 8 })
  })

  it('on a path, and refuses a point of it outside of the picture', () => {
    expect(onScreen({ path: [{ x: 10, y: 10 }] }, HALF)).toEqual({ path: [{ x: -79, y: 21 }] })
    expect(
      onScreen(
        {
          path: [
            { x: 10, y: 10 },
            { x: 10, y: 100 },
          ],
        },
        HALF,
      ),
    ).toBe('y 100 is outside of the picture, which is 200 x 100')
    expect(onScreen({ x: -1, y: 0 }, HALF)).toMatch(/^x -1 is outside/)
  })

  it('[RA7] rounds fractions down, in any size', () => {
    expect(onScreen({ x: 199.9, y: 0.5 }, HALF)).toEqual({ x: 299, y: 1 })
    expect(onScreen({ x: 7.9, y: 8.1 }, { ...HALF, width: 400, height: 200 })).toEqual({ x: -93, y: 8 })
  })

  it('leaves other values to the tool, which checks them', () => {
    expect(onScreen({ x: 'left', path: ['a'] }, HALF)).toEqual({ x: 'left', path: ['a'] })
    expect(onScreen({ x: 9000 }, undefined)).toEqual({ x: 9000 })
  })
})
