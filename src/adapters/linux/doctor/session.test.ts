import { expect, it } from 'vitest'
import { checkSession } from './session.ts'

// Rules such as [B10b] are stated in the README of the adapter.

it.each<[string, Record<string, string>, boolean, 'good' | 'note' | 'bad', string]>([
  ['X11', { DISPLAY: ':1', XDG_SESSION_TYPE: 'x11' }, true, 'good', 'X11 on :1'],
  ['X11 over SSH', { DISPLAY: ':1', XDG_SESSION_TYPE: 'tty' }, false, 'good', 'X11 on :1'],
  ['Wayland with Xwayland', { DISPLAY: ':1', XDG_SESSION_TYPE: 'wayland' }, true, 'note', 'Xwayland on :1'],
  ['Wayland alone', { XDG_SESSION_TYPE: 'wayland' }, true, 'note', 'trees and the elements’ own actions only'],
  ['Wayland alone without a bus', { XDG_SESSION_TYPE: 'wayland' }, false, 'bad', 'Wayland without X11'],
  ['no session', {}, true, 'bad', 'DISPLAY is not set'],
])('[B10b] judges %s by what of it can be driven', (_, env, hasAccessibility, verdict, found) => {
  expect(checkSession(env, hasAccessibility)).toMatchObject({
    subject: 'session',
    verdict,
    found: expect.stringContaining(found),
    ...(verdict === 'good' ? {} : { fix: expect.any(String) }),
  })
})
