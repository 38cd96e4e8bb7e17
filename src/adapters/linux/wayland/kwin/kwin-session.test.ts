import { expect, it } from 'vitest'
import { parseKWinSupport } from './kwin-session.ts'

// Rules such as [LX63j] are stated in the README of the adapter.

it.each([
  [
    'Version\n=======\nKWin version: 6.7.4\nQt Version: 6.11.2\n\nCompositing\n===\nCompositing Type: QPainter\n',
    { version: '6.7.4', compositing: 'QPainter' },
  ],
  ['KWin version: 6.3.6\nCompositing Type: OpenGL\nOpenGL vendor: x\n', { version: '6.3.6', compositing: 'OpenGL' }],
  ['Compositing is not active\n', {}],
])('[LX63j] the version and the way of composing are in the support information: %j', (text, expected) => {
  expect(parseKWinSupport(text)).toEqual(expected)
})
