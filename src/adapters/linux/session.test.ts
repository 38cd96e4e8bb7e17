import { describe, expect, it } from 'vitest'
import { withoutPadding } from './accessibility/accessible-node.ts'
import { x11Ways } from './capabilities.ts'
import { findSession } from './session.ts'

describe('the session that is driven', () => {
  it('[WL7] is X11 where no compositor answers', async () => {
    const found = await findSession({ DISPLAY: ':1', WAYLAND_DISPLAY: '/nonexistent/wayland-0' }, {})
    expect(found.kind === 'desktop' && found.ways).toEqual(x11Ways())
    expect((await findSession({ DISPLAY: ':1', XDG_SESSION_TYPE: 'wayland' }, { session: 'x11' })).kind).toBe('desktop')
  })

  it('[WL7] [L13] is known through accessibility only where neither can be driven', async () => {
    expect(await findSession({ XDG_SESSION_TYPE: 'wayland' }, {})).toEqual({ kind: 'accessibility' })
    const env = { XDG_SESSION_TYPE: 'wayland', DISPLAY: ':1' }
    expect(await findSession(env, { session: 'wayland' })).toEqual({ kind: 'accessibility' })
  })

  it.each([
    [{}, {}, 'neither WAYLAND_DISPLAY nor DISPLAY is set'],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, { session: 'x11' }, 'there is no X11 session here'],
    [{ DISPLAY: ':1' }, { session: 'wayland' }, 'there is no Wayland session here'],
  ] as const)('[WL7] is refused where there is none: %j %j', async (env, options, message) => {
    await expect(findSession(env, options)).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message: expect.stringContaining(message),
    })
  })
})

it('[L18] leaves out what Firefox adds to characters above U+FFFF', () => {
  expect(withoutPadding('\u{1f600}\ufeff a \ufeffb \u{1f1f5}\ufeff\u{1f1f1}\ufeff')).toBe(
    '\u{1f600} a \ufeffb \u{1f1f5}\u{1f1f1}',
  )
})
